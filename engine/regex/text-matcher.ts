/** Patterns of extent "lines", whose matches may cross line feeds: a whole value is read as one text. */
import { OUTCOME } from "../kernels/scan-lines.js";
import { Automaton } from "./automaton.js";
import type { LinePattern } from "./line-pattern.js";
import type { FoundLines, ScanMemory } from "./line-scanner.js";
import { OrderedSearch } from "./ordered-search.js";

const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;

/** A matcher for one pattern. Not to be used by two at a time. */
export class TextMatcher {
  readonly #automaton: Automaton;
  readonly #ordered: OrderedSearch;

  constructor(
    readonly pattern: LinePattern,
    readonly memory: ScanMemory,
  ) {
    const { address, bytes } = memory;
    this.#automaton = new Automaton(pattern.program, "text", { words: () => memory.u32(), address, bytes });
    this.#ordered = new OrderedSearch(pattern.program);
  }

  /** Whether a text has a match. */
  matches(text: Uint8Array): boolean {
    if (this.#automaton.always) return text.length > 0;
    const outcome = this.#read(text);
    if (outcome === OUTCOME.unsure) return this.#ordered.find({ bytes: text, begin: 0, end: text.length }, 0) !== null;
    return outcome === OUTCOME.match;
  }

  /** Appends the lines in which matches begin, each once. Slow: for texts that match. */
  lines(text: Uint8Array, found: FoundLines): void {
    let from = 0;
    for (const [start] of this.#ordered.findAll({ bytes: text, begin: 0, end: text.length })) {
      // Behind the last line feed there is no line.
      if (start < from || (start === text.length && text[start - 1] === LINE_FEED)) continue;
      const begin = start === 0 ? 0 : text.lastIndexOf(LINE_FEED, start - 1) + 1;
      const feed = text.indexOf(LINE_FEED, start);
      const end = feed < 0 ? text.length : feed;
      found.begins.push(begin);
      found.ends.push(feed > begin && text[feed - 1] === CARRIAGE_RETURN ? end - 1 : end);
      from = end + 1;
    }
  }

  #read(text: Uint8Array): number {
    const automaton = this.#automaton;
    const { columns } = automaton;
    let state = automaton.first;
    for (let at = 0; at <= text.length; at++) {
      let column = automaton.ending;
      if (at < text.length) column = columns[text[at]];
      if (text[at] === CARRIAGE_RETURN && text[at + 1] === LINE_FEED) column = automaton.returnedBeforeFeed;
      let next = automaton.entry(state, column);
      if (next === OUTCOME.wanted) {
        state = automaton.make(state, column);
        next = automaton.entry(state, column);
      }
      if (next === OUTCOME.match || next === OUTCOME.unsure || next === OUTCOME.dead) return next;
      state = next;
    }
    return OUTCOME.dead;
  }
}
