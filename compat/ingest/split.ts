/** Splitting a text as Java's `Pattern.split` does. */
import type { GroupPattern } from "../../engine/index.js";
import { checkLength, TEXT } from "./limits.js";

/**
 * The pieces between matches. `limit`: how many pieces there may be; 0: any number, empty ones at the end left out; -1:
 * any number. An empty match at the beginning makes no piece. Throws ApiError 400 where the pieces alone would take more
 * than `bytes`, those that a document may come to.
 */
export function splitBy(
  text: string,
  pattern: GroupPattern,
  { limit, bytes = Number.POSITIVE_INFINITY }: { limit: number; bytes?: number },
): string[] {
  const pieces: string[] = [];
  let from = 0;
  for (const { begin, end } of pattern.findAll(text)) {
    if (limit > 0 && pieces.length === limit - 1) break;
    if (end === 0) continue;
    pieces.push(text.slice(from, begin));
    checkLength(pieces.length * TEXT, bytes);
    from = end;
  }
  if (pieces.length === 0) return [text];
  pieces.push(text.slice(from));
  if (limit === 0) while (pieces.length > 0 && pieces[pieces.length - 1] === "") pieces.pop();
  return pieces;
}
