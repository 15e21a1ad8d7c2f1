/** Where a pattern matches in a text of several lines: by two automata, and by the ordered search where they cannot tell. */
import { BeginAutomaton } from "./begin-automaton.js";
import { EndAutomaton } from "./end-automaton.js";
import type { TextSpan } from "./looks.js";
import { type MatchRange, OrderedSearch } from "./ordered-search.js";
import type { Program } from "./program.js";
import { UNSURE } from "./state-table.js";

const LINE_FEED = 0x0a;

/** Finds matches of one program; keeps what its automata have learnt. Answers as OrderedSearch does. */
export class MatchFinder {
  readonly ordered: OrderedSearch;
  readonly #ends: EndAutomaton;
  readonly #begins: BeginAutomaton;

  constructor(readonly program: Program) {
    this.ordered = new OrderedSearch(program);
    this.#ends = new EndAutomaton(program);
    this.#begins = new BeginAutomaton(program);
  }

  /** Bytes that the two automata have looked at, those of the same place each time. */
  get bytesRead(): number {
    return this.#ends.table.readInAll + this.#begins.table.readInAll;
  }

  /** The first match that begins at `from` or later; null when there is none. */
  find(text: TextSpan, from: number): MatchRange | null {
    if (this.#ends.table.inVain || this.#begins.table.inVain) return this.ordered.find(text, from);
    // Bytes that begin no match are passed over.
    const start = this.ordered.nextStart(text, from);
    const last = this.#ends.find(text, start);
    if (last === UNSURE) return this.ordered.find(text, start);
    if (last < 0) return null;
    const first = this.#begins.find(text, start, last);
    return first === UNSURE ? this.ordered.find(text, start) : [first, last];
  }

  /**
   * All matches, each from where the one before ended. An empty one directly behind another does not count, unless it is in
   * another line.
   */
  *findAll(text: TextSpan): Generator<MatchRange, void, void> {
    this.#ends.table.inVain = false;
    this.#begins.table.inVain = false;
    let from = text.begin;
    let lastEnd = -1;
    while (from <= text.end) {
      const match = this.find(text, from);
      if (match === null) return;
      const [start, end] = match;
      if (start < end || start !== lastEnd || text.bytes[start - 1] === LINE_FEED) yield match;
      lastEnd = end;
      from = start < end ? end : end + 1;
    }
  }
}
