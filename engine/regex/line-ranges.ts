/** Where in a line a pattern matches. */
import type { LinePattern } from "./line-pattern.js";
import { type MatchRange, OrderedSearch } from "./ordered-search.js";

/** Matches of a line that are told; a line of millions of bytes may have as many. */
export const MAX_RANGES = 1000;

/** Finds ranges for one pattern; keeps its working memory. */
export class LineRanges {
  readonly #ordered: OrderedSearch;

  constructor(readonly pattern: LinePattern) {
    this.#ordered = new OrderedSearch(pattern.program);
  }

  /**
   * The first MAX_RANGES matches that begin in the line [begin, end) of a text, as offsets within the line. A match that goes on behind the
   * line is cut at its end.
   */
  of(text: Uint8Array, begin: number, end: number): MatchRange[] {
    const { literal, options } = this.pattern;
    if (literal?.extent === "whole" && literal.folds.every((fold) => fold === 0)) {
      return literalRanges(text.subarray(begin, end), literal.bytes);
    }
    const ranges: MatchRange[] = [];
    const across = options.extent === "lines";
    const span = across ? { bytes: text, begin: 0, end: text.length } : { bytes: text, begin, end };
    let from = begin;
    while (ranges.length < MAX_RANGES && from <= end) {
      const match = this.#ordered.find(span, from);
      if (match === null || match[0] > end || (match[0] === end && match[1] > end)) return ranges;
      const last = ranges.at(-1);
      const emptyBehind = match[0] === match[1] && last !== undefined && last[1] === match[0] - begin;
      if (!emptyBehind) ranges.push([match[0] - begin, Math.min(match[1], end) - begin]);
      from = match[1] > match[0] ? match[1] : nextCharacter(text, match[1]);
    }
    return ranges;
  }
}

function literalRanges(line: Uint8Array, literal: Uint8Array): MatchRange[] {
  const bytes = Buffer.from(line.buffer, line.byteOffset, line.byteLength);
  const ranges: MatchRange[] = [];
  for (let at = bytes.indexOf(literal); at >= 0 && ranges.length < MAX_RANGES; at = bytes.indexOf(literal, at)) {
    ranges.push([at, at + literal.length]);
    at += literal.length;
  }
  return ranges;
}

function nextCharacter(text: Uint8Array, at: number): number {
  let next = at + 1;
  while (next < text.length && (text[next] & 0xc0) === 0x80) next++;
  return next;
}
