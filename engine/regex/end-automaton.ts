/**
 * Where the leftmost match of a text ends, of the ways to match there the one that is preferred: the answer of ordered-search.ts by a
 * deterministic automaton (RE2's "leftmost-first" one; Cox, "Regular Expression Matching in the Wild", 2010). A state is
 * what may be read next, the preferred first; matches that begin later are preferred least. Looks are answered when the byte
 * behind them is read, so a match is known one byte after its end.
 */
import { byteClasses } from "./byte-classes.js";
import type { TextSpan } from "./looks.js";
import type { Program } from "./program.js";
import { isInside, lookBetween, needed, type Side, type SideNeeds, sideNeeds, sideOf } from "./sides.js";
import { DEAD, type NextState, type StateKind, StateTable, UNKNOWN, UNSURE } from "./state-table.js";

const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;

interface State {
  readonly steps: readonly number[];
  /** What stands before the place. */
  readonly before: Side;
  /** Whether matches may still begin: none was found yet. */
  readonly open: boolean;
}

/** Automaton of one program; keeps its states from text to text. */
export class EndAutomaton {
  readonly table: StateTable<State>;
  readonly #columns: Uint16Array;
  readonly #bytes: readonly number[];
  /** Columns of the end of the text, and of a carriage return that is before a line feed. */
  readonly #end: number;
  readonly #returned: number;
  readonly #needs: SideNeeds;
  readonly #visited: Int32Array;
  #walk = 0;

  constructor(readonly program: Program) {
    this.#needs = sideNeeds(program);
    const classes = byteClasses(program, { words: this.#needs.words, characters: true });
    this.#columns = classes.columns;
    this.#bytes = classes.bytes;
    this.#end = classes.bytes.length;
    this.#returned = this.#end + 1;
    this.table = new StateTable(classes.bytes.length + 2, KIND);
    this.#visited = new Int32Array(program.steps.length);
  }

  /** The end of the first match that begins at `from` or later; -1: there is none; UNSURE: somebody else must look. */
  find({ bytes, begin, end }: TextSpan, from: number): number {
    const { table } = this;
    let state = table.begin({ steps: [], before: from === begin ? "edge" : this.#before(bytes[from - 1]), open: true });
    let found = -1;
    let at = from;
    for (; ; at++) {
      let column = this.#end;
      if (at < end) {
        const byte = bytes[at];
        column = this.#columns[byte];
        if (byte === CARRIAGE_RETURN && at + 1 < end && bytes[at + 1] === LINE_FEED) column = this.#returned;
      }
      let entry = table.entries[state * table.stride + column];
      if (entry === UNKNOWN) {
        table.read += at - from;
        from = at;
        entry = table.make(state, column, this.#next(table.state(state), column));
      }
      if (entry === UNSURE) return UNSURE;
      if ((entry & 1) === 1) found = at;
      state = entry >> 1;
      if (state === DEAD || at >= end) break;
    }
    table.read += at - from;
    return found;
  }

  /** null: cannot be told. */
  #next(from: State, column: number): NextState<State> | null {
    const after = this.#sideOf(column);
    const ways = this.#followed(from, after);
    if (ways === null) return null;
    const isMatch = ways.at(-1) === MATCH;
    const steps = new Set<number>();
    const byte = this.#byteOf(column);
    for (const way of ways) {
      const what = way === MATCH ? undefined : this.program.steps[way];
      if (what?.kind !== "bytes") continue;
      const edge = what.edges.find(([low, high]) => byte >= low && byte <= high);
      if (edge !== undefined) steps.add(edge[2]);
    }
    const before = byte < 0 ? "edge" : this.#before(byte);
    return { state: { steps: [...steps], before, open: from.open && !isMatch && byte >= 0 }, isMatch };
  }

  /** Steps that read, in order, up to a match if there is one; null: a look cannot be answered. */
  #followed({ steps, before, open }: State, after: Side): number[] | null {
    const walk = ++this.#walk;
    const ways: number[] = [];
    const stack = open && !isInside(before, after) ? [this.program.start] : [];
    for (let i = steps.length - 1; i >= 0; i--) stack.push(steps[i]);
    for (let step = stack.pop(); step !== undefined; step = stack.pop()) {
      if (this.#visited[step] === walk) continue;
      this.#visited[step] = walk;
      const what = this.program.steps[step];
      if (what.kind === "match") {
        ways.push(MATCH);
        return ways;
      }
      if (what.kind === "bytes") ways.push(step);
      else if (what.kind === "split") stack.push(what.second, what.first);
      else {
        const holds = lookBetween(what.look, before, after);
        if (holds === "unsure") return null;
        if (holds) stack.push(what.next);
      }
    }
    return ways;
  }

  /** What a byte that was read is to the place behind it. */
  #before(byte: number): Side {
    const side = needed(sideOf(byte), this.#needs);
    // Only words ask whether a character ended.
    return side === "inside" && !this.#needs.words ? "other" : side;
  }

  #sideOf(column: number): Side {
    if (column === this.#end) return "edge";
    return column === this.#returned ? "return" : sideOf(this.#bytes[column]);
  }

  /** A byte that the column stands for; -1 for the end. */
  #byteOf(column: number): number {
    if (column === this.#end) return -1;
    return column === this.#returned ? CARRIAGE_RETURN : this.#bytes[column];
  }
}

/** Stands for a match among steps. */
const MATCH = -1;

const KIND: StateKind<State> = {
  keyOf: ({ steps, before, open }) => `${before}${open ? "+" : ""} ${steps.join()}`,
  isDead: ({ steps, open }) => !open && steps.length === 0,
};
