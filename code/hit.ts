import type { DeclarationKind, FileClass } from "./documents.js";
import { type HitLines, parseLines } from "./hit-lines.js";

/** One hit of a code search: a declaration, section or window, as the index has it. */
export interface CodeHit {
  id: string;
  /** Absent where the search was sorted by something else. */
  score: number | undefined;
  /** Values it was sorted by, to go on behind it. */
  sort?: readonly unknown[];
  repo: string;
  path: string;
  language: string;
  class: FileClass;
  /** Git blob id of the file the index read, 40 hex digits. */
  blob: string;
  kind: DeclarationKind;
  name: string;
  qualifiedName: string;
  signature: string;
  docstring: string;
  code: string;
  /** 1-based, inclusive. */
  startLine: number;
  endLine: number;
  /** Where the code lies in the decoded text, in UTF-8 bytes; the end is exclusive. */
  startByte: number;
  endByte: number;
  /** Lines of the comment above the code, as they are; empty where there is none. */
  comment: string;
  /** First line of that comment, `startLine` where there is none. */
  docStartLine: number;
  /** SHA-1 of `code`, 40 hex digits. */
  span: string;
  locator: string;
  /** Branches that have it; `inTree` is false where no folder has it, but only other branches. */
  branches?: readonly string[];
  inTree?: boolean;
  /** Lines of `code` that patterns found, numbered in `code`; absent where none was asked for. */
  lines?: HitLines;
}

/** How many hits there are in all: a lower bound when `totalIs` says so. */
export interface Total {
  total: number;
  totalIs: "exact" | "at least";
}

/** A page of hits. */
export interface CodeHits extends Total {
  hits: CodeHit[];
}

/** A search answer that is not one of the declarations index. */
export class HitError extends Error {
  constructor(reason: string) {
    super(`${reason}: is this index written by another version of pinakes?`);
    this.name = "HitError";
  }
}

/** Reads a `_search` answer on the declarations index. Throws HitError for one that has another shape. */
export function parseHits(response: unknown): CodeHits {
  const outer = record(response, "the answer").hits;
  const { total, hits } = record(outer, "the answer's `hits`");
  if (!Array.isArray(hits)) throw new HitError("the answer has no list of hits");
  return { ...parseTotal(total), hits: hits.map(parseHit) };
}

/** Reads one hit of a `_search` answer. Throws HitError when a field is missing or has another type. */
export function parseHit(hit: unknown): CodeHit {
  const outer = record(hit, "a hit");
  const source = record(outer._source, "a hit's _source");
  const id = typeof outer._id === "string" ? outer._id : "";
  const text = (field: string) => ofSource(source, { field, type: "string", id }) as string;
  const number = (field: string) => ofSource(source, { field, type: "number", id }) as number;
  return {
    id,
    score: typeof outer._score === "number" ? outer._score : undefined,
    repo: text("repo"),
    path: text("path"),
    language: text("language"),
    class: text("class") as FileClass,
    blob: text("blob"),
    kind: text("kind") as DeclarationKind,
    name: text("name"),
    qualifiedName: text("qualified_name"),
    signature: text("signature"),
    docstring: text("docstring"),
    code: text("code"),
    startLine: number("start_line"),
    endLine: number("end_line"),
    startByte: number("start_byte"),
    endByte: number("end_byte"),
    ...parseComment(source),
    span: text("span"),
    locator: text("locator"),
    ...parseBranches(source),
    ...(Array.isArray(outer.sort) ? { sort: outer.sort } : {}),
    ...(outer.matching_lines === undefined ? {} : { lines: parseLines(outer.matching_lines, "code") }),
  };
}

/** An index written before comments were kept has none. */
function parseComment(source: Record<string, unknown>): Pick<CodeHit, "comment" | "docStartLine"> {
  const { comment, doc_start_line: docStartLine, start_line: startLine } = source;
  const isThere = typeof comment === "string" && comment !== "" && typeof docStartLine === "number";
  return isThere ? { comment, docStartLine } : { comment: "", docStartLine: startLine as number };
}

/** Documents of earlier versions do not say whether a folder has them: it does. */
export function parseBranches(source: Record<string, unknown>): Pick<CodeHit, "branches" | "inTree"> {
  const { branches, in_tree: inTree } = source;
  return inTree === false ? { branches: Array.isArray(branches) ? (branches as string[]) : [], inTree } : {};
}

/** Reads the total of an answer. Throws HitError when it is none. */
export function parseTotal(total: unknown): Total {
  // Elasticsearch 6 and `rest_total_hits_as_int` give a bare number.
  if (typeof total === "number") return { total, totalIs: "exact" };
  const { value, relation } = record(total ?? {}, "the total");
  if (typeof value !== "number") throw new HitError("the answer has no total");
  return { total: value, totalIs: relation === "gte" ? "at least" : "exact" };
}

/** The members of an object. Throws HitError when it is none. */
export function record(value: unknown, what: string): Record<string, unknown> {
  if (typeof value !== "object" || value === null) throw new HitError(`${what} is not an object`);
  return value as Record<string, unknown>;
}

/** A field of a hit's source. Throws HitError when it is missing or has another type. */
export function ofSource(
  source: Record<string, unknown>,
  want: { field: string; type: "string" | "number"; id: string },
): unknown {
  const value = source[want.field];
  if (typeof value !== want.type) throw new HitError(`hit ${want.id} has no ${want.type} "${want.field}"`);
  return value;
}
