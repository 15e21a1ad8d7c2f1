import { byteLength } from "./page.js";
import { toLines } from "./working-file.js";

/** A line with more UTF-16 units is not shown whole for a piece of code in it: minified files are one line. */
const LONG_LINE = 1_000;

/** Lines of a place, and the UTF-8 bytes left out of the first and the last of them. */
export interface Piece {
  lines: string[];
  before: number;
  after: number;
}

/** Whether some line is too long to stand for the code in it. */
export function hasLongEdge(lines: readonly string[]): boolean {
  return [lines[0], lines.at(-1)].some((line) => line !== undefined && line.length > LONG_LINE);
}

/**
 * Cuts a long first or last line down to the code. `column` is where the code begins in the first line, in UTF-8 bytes,
 * as far as that is known; where it does not begin there, it is looked for. Lines that do not hold the code stay whole.
 */
export function pieceOf(lines: readonly string[], code: string, column: number): Piece {
  const whole = { lines: [...lines], before: 0, after: 0 };
  const own = toLines(code);
  if (!hasLongEdge(lines) || own.length !== lines.length) return whole;
  const last = lines.length - 1;
  const begin = beginOf(lines[0], own[0], column);
  if (begin === undefined || (last > 0 && !lines[last].startsWith(own[last]))) return whole;
  const { length } = Buffer.from(lines[last], "utf8");
  const end = (last === 0 ? begin : 0) + byteLength(own[last]);
  const cutFirst = lines[0].length > LONG_LINE;
  const cutLast = lines[last].length > LONG_LINE;
  if (cutFirst) whole.lines[0] = own[0];
  if (cutLast) whole.lines[last] = own[last];
  return { lines: whole.lines, before: cutFirst ? begin : 0, after: cutLast ? length - end : 0 };
}

function beginOf(line: string, start: string, column: number): number | undefined {
  const bytes = Buffer.from(line, "utf8");
  const wanted = Buffer.from(start, "utf8");
  if (column >= 0 && bytes.subarray(column, column + wanted.length).equals(wanted)) return column;
  const found = bytes.indexOf(wanted);
  return found < 0 ? undefined : found;
}

/** Where a byte of a text stands in its line, in UTF-8 bytes; the line's number is 1-based. */
export function columnOf(lines: readonly string[], line: number, byte: number): number {
  return lines.slice(0, line - 1).reduce((left, text) => left - byteLength(text) - 1, byte);
}
