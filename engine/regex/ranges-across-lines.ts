/** Where in a line matches lie that may go over several lines: the matches of the whole text, a line at a time. */
import { MatchFinder } from "./match-finder.js";
import type { MatchRange } from "./ordered-search.js";
import type { Program } from "./program.js";
import { MAX_RANGES } from "./ranges-limit.js";
import { lastByte } from "./touched-lines.js";

/** Goes through the matches of a text as its lines are asked for, so that ascending lines take one pass. */
export class RangesAcrossLines {
  readonly #finder: MatchFinder;
  #text: Uint8Array | null = null;
  #matches: Iterator<MatchRange, void> = [][Symbol.iterator]();
  /** The first match that may touch the line asked for last, or a later one; null: there is none. */
  #match: MatchRange | null = null;
  #begin = 0;

  constructor(program: Program) {
    this.#finder = new MatchFinder(program);
  }

  /** What lies of the first MAX_RANGES matches in the line [begin, end): begin and end of each, within the line. */
  of(text: Uint8Array, begin: number, end: number): number[] {
    if (text !== this.#text || begin <= this.#begin) this.#restart(text);
    this.#begin = begin;
    while (this.#match !== null && lastByte(this.#match) < begin) this.#next();
    const ranges: number[] = [];
    const feed = feedBehind(text, end);
    while (this.#match !== null && this.#match[0] <= feed && ranges.length < 2 * MAX_RANGES) {
      const [first, last] = this.#match;
      ranges.push(Math.min(Math.max(first, begin), end) - begin, Math.min(last, end) - begin);
      // It may go on in the next line.
      if (last > feed + 1) break;
      this.#next();
    }
    return ranges;
  }

  #restart(text: Uint8Array): void {
    this.#text = text;
    this.#matches = this.#finder.findAll({ bytes: text, begin: 0, end: text.length });
    this.#next();
  }

  #next(): void {
    const { done, value } = this.#matches.next();
    this.#match = done === true ? null : value;
  }
}

/** Where the line feed of a line is whose text ends at `end`; for a line without one, the end of the text. */
function feedBehind(text: Uint8Array, end: number): number {
  return end < text.length && text[end] === 0x0d ? end + 1 : end;
}
