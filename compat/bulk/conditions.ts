/**
 * Optimistic concurrency as requests ask for it, checked before anything is written: Elasticsearch's
 * IndexRequest.validate and DocWriteRequest.validateSeqNoBasedCASParams, with their words, which clients match on.
 */
import { illegalArgument, validationFailed } from "../errors.js";

export interface GivenConditions {
  readonly if_seq_no?: number;
  readonly if_primary_term?: number;
  readonly version?: number;
  readonly version_type?: string;
}

export interface Conditions {
  ifSeqNo?: number;
  ifPrimaryTerm?: number;
  version?: { value: number; type: "external" | "external_gte" };
}

type VersionType = "internal" | "external" | "external_gte";

/** Versions that stand for "any" on Elasticsearch's wire, as if none were given. */
const MATCH_ANY = -3;
const MATCH_DELETED = -4;
/** Sequence number and primary term that stand for none. */
const NO_SEQ_NO = -2;
const NO_TERM = 0;

const VERSION_TYPES: Readonly<Record<string, VersionType>> = {
  internal: "internal",
  external: "external",
  external_gt: "external",
  external_gte: "external_gte",
};

export const INTERNAL_VERSION =
  "internal versioning can not be used for optimistic concurrency control. Please use `if_seq_no` and `if_primary_term` instead";

/** Throws ApiError 400 for a word that names no type. */
export function readVersionType(given: string | undefined): VersionType {
  const name = given ?? "internal";
  if (Object.hasOwn(VERSION_TYPES, name)) return VERSION_TYPES[name];
  throw illegalArgument(`No version type match [${name}]`);
}

/** What a write asks for; throws ApiError 400 with everything that makes no sense. */
export function readConditions(given: GivenConditions, kind: "index" | "create" | "delete"): Conditions {
  const { if_seq_no, if_primary_term, version = MATCH_ANY, version_type } = given;
  if (if_seq_no === undefined && if_primary_term === undefined && version === MATCH_ANY && version_type === undefined)
    return {};
  for (const [name, value] of Object.entries({ if_seq_no, if_primary_term, version })) checkExact(name, value);
  const sequence = readSequence(given);
  const type = readVersionType(version_type);
  const asked = { sequence, version, type };
  const problems = kind === "create" ? createProblems(asked) : writeProblems(asked);
  if (problems.length > 0) throw validationFailed(...problems);
  return {
    ...(sequence.seqNo === NO_SEQ_NO ? {} : { ifSeqNo: sequence.seqNo, ifPrimaryTerm: sequence.term }),
    ...(type === "internal" ? {} : { version: { value: version, type } }),
  };
}

/** A number that has lost digits would let a write happen that must not. */
function checkExact(name: string, value: number | undefined): void {
  if (value === undefined || Number.isSafeInteger(value)) return;
  throw illegalArgument(`[${name}] with value [${value}] is not supported by Pinakes: its numbers end at 2^53 - 1`);
}

/** A sequence number and a term, or what stands for none. */
export interface Sequence {
  readonly seqNo: number;
  readonly term: number;
}

/** Throws ApiError 400 for numbers that can't be. */
export function readSequence({ if_seq_no, if_primary_term }: GivenConditions): Sequence {
  const [seqNo, term] = [if_seq_no ?? NO_SEQ_NO, if_primary_term ?? NO_TERM];
  if (seqNo < 0 && seqNo !== NO_SEQ_NO) {
    throw illegalArgument(`sequence numbers must be non negative. got [${seqNo}].`);
  }
  if (term < 0) throw illegalArgument(`primary term must be non negative. got [${term}]`);
  return { seqNo, term };
}

/** Whether a sequence number was given. */
export function isGiven({ seqNo }: Sequence): boolean {
  return seqNo !== NO_SEQ_NO;
}

/** What is wrong with the pair: they are given together or not at all. */
export function sequenceProblems({ seqNo, term }: Sequence): string[] {
  if (seqNo !== NO_SEQ_NO && term === NO_TERM) return [`ifSeqNo is set, but primary term is [${NO_TERM}]`];
  if (seqNo === NO_SEQ_NO && term !== NO_TERM) return [`ifSeqNo is unassigned, but primary term is [${term}]`];
  return [];
}

interface Asked {
  readonly sequence: Sequence;
  readonly version: number;
  readonly type: VersionType;
}

/** Only the first is told. */
function createProblems({ sequence, version, type }: Asked): string[] {
  if (type !== "internal") return ["create operations only support internal versioning. use index instead"];
  if (version !== MATCH_ANY && version !== MATCH_DELETED)
    return ["create operations do not support explicit versions. use index instead"];
  if (isGiven(sequence) || sequence.term !== NO_TERM)
    return ["create operations do not support compare and set. use index instead"];
  return [];
}

function writeProblems({ sequence, version, type }: Asked): string[] {
  const problems: string[] = [];
  const none = version === MATCH_ANY || version === MATCH_DELETED;
  const legal = type === "internal" ? version > 0 || none : version >= 0;
  if (!legal) problems.push(`illegal version value [${version}] for version type [${type.toUpperCase()}]`);
  if (type === "internal" && !none) problems.push(INTERNAL_VERSION);
  if (isGiven(sequence) && (type !== "internal" || version !== MATCH_ANY))
    problems.push("compare and write operations can not use versioning");
  return [...problems, ...sequenceProblems(sequence)];
}

/** The version that a read asks for, undefined: any. Throws ApiError 400. */
export function readWantedVersion(given: Pick<GivenConditions, "version" | "version_type">): number | undefined {
  const type = readVersionType(given.version_type);
  const version = given.version ?? MATCH_ANY;
  if (version === MATCH_ANY) return undefined;
  if (type === "internal" ? version > 0 : version >= 0) return version;
  throw validationFailed(`illegal version value [${version}] for version type [${type.toUpperCase()}]`);
}
