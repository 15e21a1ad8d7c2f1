/** Patterns of extent "lines", whose matches may cross line feeds: a whole value is read as one text. */
import { OUTCOME } from "../kernels/scan-lines.js";
import { Automaton } from "./automaton.js";
import type { LinePattern } from "./line-pattern.js";
import type { FoundLines, ScanMemory } from "./line-scanner.js";
import { MatchFinder } from "./match-finder.js";
import { touchedLines } from "./touched-lines.js";

const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;

/** A matcher for one pattern. Not to be used by two at a time. */
export class TextMatcher {
  readonly #automaton: Automaton;
  readonly #finder: MatchFinder;

  constructor(
    readonly pattern: LinePattern,
    readonly memory: ScanMemory,
  ) {
    const { address, bytes } = memory;
    this.#automaton = new Automaton(pattern.program, "text", { words: () => memory.u32(), address, bytes });
    this.#finder = new MatchFinder(pattern.program);
  }

  /** Whether a text has a line that a match touches. */
  matches(text: Uint8Array): boolean {
    if (text.length === 0) return false; // it has no line
    if (this.#automaton.always) return true;
    const { outcome, at } = this.#read(text);
    if (outcome === OUTCOME.dead) return false;
    // Behind the last line feed there is no line: an empty match there touches none.
    const certain = outcome === OUTCOME.match && (at + 1 < text.length || text.at(-1) !== LINE_FEED);
    return certain || touchedLines(this.#finder, text).next().done !== true;
  }

  /** Appends the lines that matches touch, each once. */
  lines(text: Uint8Array, found: FoundLines): void {
    for (const { begin, end } of touchedLines(this.#finder, text)) {
      found.begins.push(begin);
      found.ends.push(end);
    }
  }

  /** What the automaton says of a text, and where it stopped. */
  #read(text: Uint8Array): { outcome: number; at: number } {
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
      if (next === OUTCOME.match || next === OUTCOME.unsure || next === OUTCOME.dead) return { outcome: next, at };
      state = next;
    }
    return { outcome: OUTCOME.dead, at: text.length };
  }
}
