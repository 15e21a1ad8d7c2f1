/** The lines of a text that matches touch: from the one a match begins in to the one that its last byte is of, as `rg -U` prints them. */
import type { MatchFinder } from "./match-finder.js";
import type { MatchRange } from "./ordered-search.js";

const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;

/** A line without what ends it. */
export interface TextLine {
  readonly begin: number;
  readonly end: number;
}

/** Ascending, each once. */
export function* touchedLines(finder: MatchFinder, text: Uint8Array): Generator<TextLine, void, void> {
  let next = 0; // where the first line begins that was not given yet
  for (const match of finder.findAll({ bytes: text, begin: 0, end: text.length })) {
    const last = lastByte(match);
    // Behind the last line feed there is no line.
    if (match[0] === text.length && (text.length === 0 || text[text.length - 1] === LINE_FEED)) return;
    if (match[0] >= next) next = match[0] === 0 ? 0 : text.lastIndexOf(LINE_FEED, match[0] - 1) + 1;
    while (next <= last) {
      const feed = text.indexOf(LINE_FEED, next);
      const end = feed < 0 ? text.length : feed;
      yield { begin: next, end: feed > next && text[feed - 1] === CARRIAGE_RETURN ? end - 1 : end };
      next = end + 1;
    }
  }
}

/** The last byte that a match touches; for an empty one the byte it stands before. */
export function lastByte([start, end]: MatchRange): number {
  return end > start ? end - 1 : start;
}
