import type { FileClass } from "./documents.js";
import { HitError, ofSource, parseBranches, record } from "./hit.js";
import { type HitLines, parseLines } from "./hit-lines.js";
import { LINES_FIELD } from "./line-patterns.js";

/** One file that a search of lines found, with those lines. */
export interface FileHit {
  type: "file";
  id: string;
  /** Absent where the search was sorted by something else. */
  score: number | undefined;
  repo: string;
  path: string;
  language: string;
  class: FileClass;
  /** Git blob id of the file the index read, 40 hex digits. */
  blob: string;
  /** Lines numbered in the file; none where patterns were only taken away. */
  lines: HitLines;
  /** Values it was sorted by, to go on behind it. */
  sort: readonly unknown[];
  /** Branches that have it; `inTree` is false where no folder has it, but only other branches. */
  branches?: readonly string[];
  inTree?: boolean;
}

/** Whether a hit is a file. */
export function isFileHit(hit: object): hit is FileHit {
  return (hit as { type?: unknown }).type === "file";
}

/** Reads one hit of a `_search` answer on the index of files. Throws HitError when a field is missing or has another type. */
export function parseFileHit(hit: unknown): FileHit {
  const outer = record(hit, "a hit");
  const source = record(outer._source, "a hit's _source");
  const id = typeof outer._id === "string" ? outer._id : "";
  const text = (field: string) => ofSource(source, { field, type: "string", id }) as string;
  if (text("path") === "") throw new HitError(`hit ${id} has an empty path`);
  return {
    type: "file",
    id,
    score: typeof outer._score === "number" ? outer._score : undefined,
    repo: text("repo"),
    path: text("path"),
    language: text("language"),
    class: text("class") as FileClass,
    blob: text("blob"),
    lines: parseLines(outer.matching_lines, LINES_FIELD.files),
    sort: Array.isArray(outer.sort) ? outer.sort : [],
    ...parseBranches(source),
  };
}
