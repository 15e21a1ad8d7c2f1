/**
 * Where a match begins whose end is known: the text is read backwards from there, along the program's edges turned round. With
 * end-automaton.ts it says where matches are, in linear time and with two looks at each of their bytes.
 */
import { byteClasses } from "./byte-classes.js";
import type { TextSpan } from "./looks.js";
import type { Program } from "./program.js";
import { isInside, lookBetween, needed, type Side, type SideNeeds, sideNeeds, sideOf } from "./sides.js";
import { DEAD, type NextState, type StateKind, StateTable, UNKNOWN, UNSURE } from "./state-table.js";

const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;

interface State {
  /** Steps from which what was read leads to a match, ascending. */
  readonly steps: readonly number[];
  /** What stands behind the place. */
  readonly after: Side;
}

/** Ways to come to a step. */
interface Sources {
  /** By reading a byte: lowest, highest, from where; one after the other. */
  readonly edges: number[];
  /** Without reading: splits, and looks. */
  readonly others: number[];
}

/** Automaton of one program; keeps its states from text to text. */
export class BeginAutomaton {
  readonly table: StateTable<State>;
  readonly #columns: Uint16Array;
  readonly #bytes: readonly number[];
  /** Column of the begin of the text. */
  readonly #edge: number;
  readonly #sources: readonly Sources[];
  readonly #match: number;
  readonly #needs: SideNeeds;
  readonly #visited: Int32Array;
  #walk = 0;

  constructor(readonly program: Program) {
    this.#needs = sideNeeds(program);
    const classes = byteClasses(program, { words: this.#needs.words, characters: true });
    this.#columns = classes.columns;
    this.#bytes = classes.bytes;
    this.#edge = classes.bytes.length;
    this.table = new StateTable(classes.bytes.length + 1, KIND);
    this.#sources = sourcesOf(program);
    this.#match = program.steps.findIndex((step) => step.kind === "match");
    this.#visited = new Int32Array(program.steps.length);
  }

  /** The earliest place, at `from` or later, where a match begins that ends at `last`; -1: there is none; UNSURE. */
  find({ bytes, begin, end }: TextSpan, from: number, last: number): number {
    const { table } = this;
    let state = table.begin({
      steps: [this.#match],
      after: needed(sideBehind({ bytes, begin, end }, last), this.#needs),
    });
    let found = -1;
    let counted = last;
    let at = last;
    for (; ; at--) {
      const column = at > begin ? this.#columns[bytes[at - 1]] : this.#edge;
      let entry = table.entries[state * table.stride + column];
      if (entry === UNKNOWN) {
        table.read += counted - at;
        counted = at;
        entry = table.make(state, column, this.#next(table.state(state), column));
      }
      if (entry === UNSURE) return UNSURE;
      if ((entry & 1) === 1) found = at;
      state = entry >> 1;
      if (state === DEAD || at <= from) break;
    }
    table.read += counted - at;
    return found;
  }

  /** null: cannot be told. */
  #next(from: State, column: number): NextState<State> | null {
    const byte = column === this.#edge ? -1 : this.#bytes[column];
    const before = byte < 0 ? "edge" : sideOf(byte);
    const reached = this.#reached(from, before);
    if (reached === null) return null;
    const steps = new Set<number>();
    for (const step of reached) {
      const { edges } = this.#sources[step];
      for (let i = 0; i < edges.length; i += 3) if (byte >= edges[i] && byte <= edges[i + 1]) steps.add(edges[i + 2]);
    }
    const after = needed(byte === CARRIAGE_RETURN && from.after === "feed" ? "return" : before, this.#needs);
    const isMatch = reached.includes(this.program.start) && !isInside(before, from.after);
    return { state: { steps: [...steps].sort((a, b) => a - b), after }, isMatch };
  }

  /** Steps from which those of a state are reached without reading; null: a look cannot be answered. */
  #reached({ steps, after }: State, before: Side): number[] | null {
    const walk = ++this.#walk;
    const reached: number[] = [];
    const stack = [...steps];
    for (let step = stack.pop(); step !== undefined; step = stack.pop()) {
      if (this.#visited[step] === walk) continue;
      this.#visited[step] = walk;
      reached.push(step);
      for (const source of this.#sources[step].others) {
        const what = this.program.steps[source];
        const holds = what.kind !== "look" || lookBetween(what.look, before, after);
        if (holds === "unsure") return null;
        if (holds) stack.push(source);
      }
    }
    return reached;
  }
}

function sideBehind({ bytes, end }: TextSpan, at: number): Side {
  if (at >= end) return "edge";
  const returned = bytes[at] === CARRIAGE_RETURN && at + 1 < end && bytes[at + 1] === LINE_FEED;
  return returned ? "return" : sideOf(bytes[at]);
}

function sourcesOf({ steps }: Program): Sources[] {
  const sources = steps.map((): Sources => ({ edges: [], others: [] }));
  for (const [step, what] of steps.entries()) {
    if (what.kind === "bytes")
      for (const [low, high, target] of what.edges) sources[target].edges.push(low, high, step);
    else if (what.kind === "look") sources[what.next].others.push(step);
    else if (what.kind === "split") {
      sources[what.first].others.push(step);
      sources[what.second].others.push(step);
    }
  }
  return sources;
}

const KIND: StateKind<State> = {
  keyOf: ({ steps, after }) => `${after} ${steps.join()}`,
  isDead: ({ steps }) => steps.length === 0,
};
