import type { Declaration } from "./model.js";
import type { Positions } from "./positions.js";

/** Lines of one window. */
export const WINDOW_LINES = 60;
/** UTF-16 units of one window; a longer line is cut into several. */
export const WINDOW_LENGTH = 8 * 1024;

/** A run of text in no declaration, in UTF-16 indices. */
export interface Window {
  start: number;
  end: number;
}

/** Lines without a letter or digit hold nothing to search for; they get no window of their own. */
const WORD = /[\p{L}\p{N}_]/u;

/**
 * Windows over every line with a word in it that `covered` does not have, in order. `covered[n]` speaks of line n + 1.
 */
export function windowsOver(positions: Positions, covered: Uint8Array): Window[] {
  const windows: Window[] = [];
  const total = positions.lines;
  for (let line = 1; line <= total; line++) {
    if (covered[line - 1]) continue;
    const first = line;
    while (line < total && !covered[line]) line++;
    windows.push(...cutRun(positions, first, line));
  }
  return windows;
}

function cutRun(positions: Positions, first: number, last: number): Window[] {
  const windows: Window[] = [];
  const { text, lineStarts } = positions;
  let start = lineStarts[first - 1]!;
  let lines = 0;
  for (let line = first; line <= last; line++) {
    const end = positions.endOfLine(line);
    if (lines > 0 && (lines === WINDOW_LINES || end - start > WINDOW_LENGTH)) {
      addWindow(windows, text, start, lineStarts[line - 1]!);
      start = lineStarts[line - 1]!;
      lines = 0;
    }
    lines++;
    for (; end - start > WINDOW_LENGTH; start = pieceEnd(text, start)) {
      addWindow(windows, text, start, pieceEnd(text, start));
    }
  }
  addWindow(windows, text, start, positions.endOfLine(last));
  return windows;
}

/** End of a full piece of an over-long line, after a character that ends a word if one is near, never inside a pair. */
function pieceEnd(text: string, start: number): number {
  const limit = start + WINDOW_LENGTH;
  for (let end = limit; end > limit - 200; end--) if (/[\s,;{}()]/.test(text[end - 1]!)) return end;
  const unit = text.charCodeAt(limit - 1);
  return unit >= 0xd800 && unit < 0xdc00 ? limit - 1 : limit;
}

/** Blank lines at either end are left out. */
function addWindow(windows: Window[], text: string, from: number, to: number): void {
  const piece = text.slice(from, to);
  if (!WORD.test(piece)) return;
  const leading = /^(?:[^\S\n]*\n)*/.exec(piece)![0].length;
  windows.push({ start: from + leading, end: from + piece.trimEnd().length });
}

/** Which lines the declarations hold (index = line - 1). */
export function coveredLines(
  positions: Positions,
  declarations: readonly Pick<Declaration, "start" | "end">[],
): Uint8Array {
  const covered = new Uint8Array(positions.lines);
  for (const { start, end } of declarations) {
    if (end > start) covered.fill(1, positions.lineAt(start) - 1, positions.lineAt(end - 1));
  }
  return covered;
}
