/** Optimistic concurrency as requests ask for it, checked before anything is written. */
import { oneOf } from "../body/shape.js";
import { validationFailed } from "../errors.js";

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

const INTERNAL_VERSION =
  "internal versioning can not be used for optimistic concurrency control. Please use `if_seq_no` and `if_primary_term` instead";

/** Throws ApiError 400 `action_request_validation_exception` for conditions that make no sense. */
export function readConditions(given: GivenConditions, kind: "index" | "create" | "delete"): Conditions {
  const conditions: Conditions = {};
  if (given.if_seq_no === undefined && given.if_primary_term === undefined && given.version === undefined)
    return conditions;
  if (given.if_seq_no !== undefined || given.if_primary_term !== undefined) {
    checkSequence(given, kind);
    conditions.ifSeqNo = given.if_seq_no;
    conditions.ifPrimaryTerm = given.if_primary_term;
  }
  if (given.version === undefined) return conditions;
  const type = oneOf(
    given.version_type ?? "internal",
    ["internal", "external", "external_gte"] as const,
    "[version_type]",
  );
  if (type === "internal") throw validationFailed(INTERNAL_VERSION);
  if (kind === "create")
    throw validationFailed("create operations only support internal versioning. use index instead");
  if (conditions.ifSeqNo !== undefined) throw validationFailed("compare and write operations can not use versioning");
  if (given.version < 0)
    throw validationFailed(`illegal version value [${given.version}] for version type [${type.toUpperCase()}]`);
  conditions.version = { value: given.version, type };
  return conditions;
}

function checkSequence(given: GivenConditions, kind: string): void {
  if (kind === "create") throw validationFailed("create operations do not support compare and set. use index instead");
  const problems = sequenceProblems(given);
  if (problems.length > 0) throw validationFailed(...problems);
}

/** What is wrong with `if_seq_no` and `if_primary_term`: they are given together or not at all. */
export function sequenceProblems(given: GivenConditions): string[] {
  if ((given.if_seq_no === undefined) === (given.if_primary_term === undefined)) return [];
  return given.if_seq_no === undefined
    ? [`ifSeqNo is unassigned, but primary term is [${given.if_primary_term}]`]
    : ["ifSeqNo is set, but primary term is [0]"];
}
