import { excerpt, printable } from "../code/index.js";
import type { CurrentFile } from "./current-file.js";
import type { LinesOfFile, ShownLine } from "./file-lines.js";
import { lineKey } from "./hit-lines.js";
import { numbered, type Rendered } from "./render-hit.js";

/** Longest line shown, in bytes. */
const LINE_BYTES = 240;
/** Matching lines shown before other files get theirs. */
const MATCHING_LINES = 4;

/** A file with matching lines, and what is said beside its path. */
export interface ShownFile extends LinesOfFile {
  /** Such as which of several queries found it; may be empty. */
  note: string;
}

/**
 * Writes a file at every level, without lines that are shown already: its path with the number of matching lines; one of
 * them; a few; all that are known with the lines around them.
 */
export function renderFile(shown: ShownFile, seen: ReadonlySet<string> = new Set()): Rendered {
  const { current } = shown;
  const location = head(shown, 0);
  if (current.state === "gone") return { location, signature: location, lines: location, keys: {} };
  const fresh = shown.lines.filter(({ line }) => !seen.has(lineKey(current.hit, line)));
  const matching = fresh.filter(({ column }) => column !== undefined);
  const text = (lines: readonly ShownLine[]) => head(shown, countMatching(lines)) + print(lines);
  const keys = (lines: readonly ShownLine[]) => lines.map(({ line }) => lineKey(current.hit, line));
  const one = matching.slice(0, 1);
  const few = matching.slice(0, MATCHING_LINES);
  return {
    location,
    signature: text(one),
    lines: text(few),
    ...(fresh.length > few.length ? { body: text(fresh) } : {}),
    keys: { signature: keys(one), lines: keys(few), body: keys(fresh) },
  };
}

function countMatching(lines: readonly ShownLine[]): number {
  return lines.filter(({ column }) => column !== undefined).length;
}

/** `src/a.ts (12 lines match, 4 shown; test)`. */
function head({ current, note }: ShownFile, shown: number): string {
  const { path, class: fileClass, lines } = current.hit;
  const matching = lines.total === 1 ? "1 line matches" : `${lines.total} lines match`;
  const counted = lines.total === 0 ? "" : shown < lines.total && shown > 0 ? `${matching}, ${shown} shown` : matching;
  const notes = [counted, fileClass === "source" ? "" : fileClass, stateOf(current), note];
  const said = notes.filter((text) => text !== "").join("; ");
  return `${printable(path)}${said === "" ? "" : ` (${printable(said)})`}\n`;
}

function stateOf(current: CurrentFile): string {
  if (current.state === "gone") return `gone: ${current.reason}`;
  if (current.state === "changed") return "changed since it was indexed";
  const branches = current.branches === undefined ? "" : `on ${current.branches.join(", ")}`;
  return [branches, current.verified ? "" : "unverified"].filter((text) => text !== "").join(", ");
}

function print(lines: readonly ShownLine[]): string {
  const cut = ({ text, column, after }: ShownLine) => excerpt({ text, at: column ?? 0, maxBytes: LINE_BYTES, after });
  return lines.map((line) => numbered(line.line, cut(line))).join("");
}
