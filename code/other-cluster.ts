/**
 * Searches of lines on a cluster that does not know `matching_lines`: its `wildcard` field finds the files where the
 * pattern can be written anew for it, and the lines are found here in their text.
 */
import type { HitLines } from "./hit-lines.js";
import { LINES_FIELD, type LinePattern } from "./line-patterns.js";
import type { Clause } from "./query-clauses.js";
import type { SearchRequest } from "./search-request.js";

/** Where patterns match in a line, in UTF-8 bytes, in order; empty where none does. */
export type LineMatcher = (line: string) => [number, number][];

/** A pattern that only a Pinakes node can look for; the message names it. */
export class OtherClusterError extends Error {
  constructor(pattern: string, reason: string) {
    super(`this cluster does not know matching_lines, and /${pattern}/ cannot be asked of it otherwise: ${reason}`);
    this.name = "OtherClusterError";
  }
}

/** Longest expression that Elasticsearch takes (`index.max_regex_length`). */
const LONGEST = 1000;

/** The same request without `matching_lines`; files come with their text. Throws OtherClusterError. */
export function forOtherCluster(request: SearchRequest): SearchRequest {
  const { ext: _, _source, ...rest } = request.body;
  const fields = request.of === "files" ? [...(_source as string[]), "body"] : _source;
  return { ...request, body: { ...(rewritten(rest) as Clause), _source: fields } };
}

/** The lines of a text that a matcher finds, as a node would give them. */
export function linesIn(text: string, matcher: LineMatcher, most: number): HitLines {
  const found: HitLines = { total: 0, lines: [] };
  let byte = 0;
  const ends = text.split("\n");
  searchedLines(text).forEach((line, at) => {
    const ranges = matcher(line);
    if (ranges.length > 0) found.total++;
    if (ranges.length > 0 && found.lines.length < most)
      found.lines.push({ line: at + 1, byte, text: line, ranges, cutBytes: 0 });
    byte += Buffer.byteLength(ends[at], "utf8") + 1;
  });
  return found;
}

/** Lines of a text as they are searched: without their ends, and without a last one that is empty. */
function searchedLines(text: string): string[] {
  const lines = text.split("\n").map((line) => line.replace(/\r$/, ""));
  if (lines.at(-1) === "") lines.pop();
  return lines;
}

function rewritten(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(rewritten);
  if (typeof value !== "object" || value === null) return value;
  const clause = value as Record<string, unknown>;
  if (clause.matching_lines === undefined)
    return Object.fromEntries(Object.entries(clause).map(([key, inner]) => [key, rewritten(inner)]));
  const [[field, pattern]] = Object.entries(clause.matching_lines as Record<string, LinePattern>);
  return wholeValueClause(field, pattern);
}

function wholeValueClause(field: string, pattern: LinePattern): Clause {
  const refuse = (reason: string) => new OtherClusterError(pattern.pattern, reason);
  if (field === LINES_FIELD.declarations) throw refuse("of declarations, it keeps no text that can be searched so");
  if (pattern.whole_word || pattern.multiline)
    throw refuse("whole words and patterns across lines need a Pinakes node");
  const ignoringCase = pattern.case_insensitive ? { case_insensitive: true } : {};
  if (pattern.syntax === "literal") {
    const value = `*${pattern.pattern.replace(/[\\*?]/g, "\\$&")}*`;
    return { wildcard: { [field]: { value, ...ignoringCase } } };
  }
  const lucene = toLucene(pattern.pattern);
  if (lucene === undefined || lucene.length > LONGEST)
    throw refuse("it is too long, or more than letters, sets, groups and counts");
  return { regexp: { [field]: { value: `.*(${lucene}).*`, flags: "NONE", ...ignoringCase } } };
}

const CLASSES: Readonly<Record<string, string>> = {
  d: "[0-9]",
  D: "[^0-9\n]",
  w: "[0-9A-Za-z_]",
  W: "[^0-9A-Za-z_\n]",
  s: "[ \t\f\r]",
  S: "[^ \t\f\r\n]",
  t: "\t",
};
/** One piece of a pattern; a set holds no sets and no escapes. */
const PIECE =
  /\\([dDwWsSt])|\\([^\p{L}\p{N}\s])|(\(\?:|\()|(\[\^)([^[\]\\]+\])|(\[[^[\]\\^][^[\]\\]*\])|([)|*+?]|\{\d+(?:,\d*)?\})|(\.)|([\p{L}\p{N}\s_,;:'"<>@&#~=!%/`-])/uy;

/** A pattern in Lucene's syntax, where everything stands for a whole value; undefined where it cannot be said. */
function toLucene(pattern: string): string | undefined {
  let written = "";
  PIECE.lastIndex = 0;
  while (PIECE.lastIndex < pattern.length) {
    const found = PIECE.exec(pattern);
    if (found === null) return undefined;
    const [, letter, escaped, open, not, others, set, operator, any, plain] = found;
    // `(?i)` and its kin.
    if (operator !== undefined && operator !== ")" && operator !== "|" && /(^|[(|])$/.test(written)) return undefined;
    // What is lazy finds the same lines; a count of a count means something else there.
    if (operator === "?" && /[*+?}]$/.test(written) && !/\\[*+?}]$/.test(written)) continue;
    if (letter) written += CLASSES[letter];
    else if (escaped) written += `\\${escaped}`;
    else if (open) written += "(";
    else if (not) written += `[^\n${others}`;
    else if (any) written += "[^\n]";
    else written += set ?? operator ?? plain.replace(/["<>@&#~]/, "\\$&");
  }
  return written;
}
