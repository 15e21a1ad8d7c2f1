import { toLines } from "./working-file.js";

/** A comment as it was indexed, and where it and the code below it began. */
export interface IndexedComment {
  comment: string;
  docStartLine: number;
  startLine: number;
}

/**
 * The lines from a comment down to the code below it, as the file has them now: only where the same comment still stands
 * there, so that nothing is shown as a declaration's comment that has become another's.
 */
export function commentAbove(lines: readonly string[], startLine: number, indexed: IndexedComment): string[] {
  const { comment, docStartLine } = indexed;
  const wanted = comment === "" ? [] : toLines(comment);
  const count = indexed.startLine - docStartLine;
  if (wanted.length === 0 || wanted.length > count || count >= startLine) return [];
  const above = lines.slice(startLine - 1 - count, startLine - 1);
  return wanted.every((line, at) => line.trim() === above[at]?.trim()) ? above : [];
}

/** The indexed comment as lines directly above the code; none where something stands between, which only the file has. */
export function commentLines({ comment, docStartLine, startLine }: IndexedComment): string[] {
  const lines = comment === "" ? [] : toLines(comment);
  return lines.length === startLine - docStartLine ? lines : [];
}
