/** Paths to fields as processors name them: `a.b.0.c`, `_ingest.x`, `_source.x`. */
import { illegalArgument } from "../../errors.js";

/** A path taken apart. */
export interface FieldPath {
  /** As it was written: errors repeat it. */
  readonly text: string;
  /** Where it begins: the document and its metadata, or what the pipeline notes. */
  readonly root: "document" | "source" | "ingest";
  readonly names: readonly string[];
}

const INGEST = "_ingest.";
const SOURCE = "_source.";

/** Paths that templates make are read again and again: the last ones are remembered. */
const known = new Map<string, FieldPath>();
const MAX_KNOWN = 1_000;

/** Reads a path. Throws ApiError 400. */
export function parsePath(text: string): FieldPath {
  const found = known.get(text);
  if (found !== undefined) return found;
  const path = readPath(text);
  if (known.size >= MAX_KNOWN) known.clear();
  known.set(text, path);
  return path;
}

function readPath(text: string): FieldPath {
  if (text === "") throw illegalArgument("path cannot be null nor empty");
  const root = text.startsWith(INGEST) ? "ingest" : text.startsWith(SOURCE) ? "source" : "document";
  const inner = root === "document" ? text : text.slice(INGEST.length);
  const names = inner.split(".");
  // Java's split leaves empty texts at the end out.
  while (names.length > 0 && names[names.length - 1] === "") names.pop();
  if (names.length === 0) throw illegalArgument(`path [${text}] is not valid`);
  return { text, root, names };
}
