/**
 * Where matches of a line end that begin at a given place, by a deterministic automaton whose states keep the order of preference
 * (RE2's "leftmost-first" automata; Cox, "Regular Expression Matching in the Wild", 2010): the ranges of ordered-search.ts at a
 * tenth of its price, for programs without looks. A state is a list of steps that read a byte, the preferred first; what stands
 * behind a match in it is preferred less and left out.
 *
 * An attempt begins at each place where a match may; many of them may read the same bytes in vain, so there is a bound on
 * what is read altogether: beyond it the caller takes the search that is linear.
 */
import type { Program } from "./program.js";

/** States that are kept; when there are more all are made anew. */
const MAX_STATES = 256;
const UNKNOWN = -2;
const DEAD = -1;

interface State {
  readonly steps: readonly number[];
  /** Whether a match ends here. */
  readonly accepts: boolean;
  /** Number of the next state by byte, UNKNOWN or DEAD. */
  readonly next: Int16Array;
}

/** Automaton of one program without looks; keeps its states from line to line. */
export class OrderedAutomaton {
  #states: State[] = [];
  readonly #numbers = new Map<string, number>();
  readonly #visited: Int32Array;
  #walk = 0;
  /** Bytes that may still be read before somebody else should go on. */
  left = 0;

  constructor(readonly program: Program) {
    this.#visited = new Int32Array(program.steps.length);
    this.#clear();
  }

  /** End of the preferred match that begins at `from`; -1: none does. */
  matchEnd(bytes: Uint8Array, from: number, end: number): number {
    let state = this.#states[0];
    let found = state.accepts ? from : -1;
    let at = from;
    for (; at < end; at++) {
      let next = state.next[bytes[at]];
      if (next === UNKNOWN) next = this.#make(state, bytes[at]);
      if (next === DEAD) break;
      state = this.#states[next];
      if (state.accepts) found = at + 1;
    }
    this.left -= at - from + 1;
    return found;
  }

  #clear(): void {
    this.#states = [];
    this.#numbers.clear();
    const begin = this.#follow([], this.program.start, ++this.#walk);
    this.#numberOf(begin.steps, begin.ends);
  }

  /** The transition of a state over a byte. */
  #make(state: State, byte: number): number {
    const walk = ++this.#walk;
    const steps: number[] = [];
    let matches = false;
    for (const step of state.steps) {
      const what = this.program.steps[step];
      if (what.kind !== "bytes") continue;
      const edge = what.edges.find(([low, high]) => byte >= low && byte <= high);
      if (edge === undefined) continue;
      matches = this.#follow(steps, edge[2], walk).ends;
      if (matches) break;
    }
    if (steps.length === 0 && !matches) {
      state.next[byte] = DEAD;
      return DEAD;
    }
    if (this.#states.length >= MAX_STATES) this.#clear();
    const number = this.#numberOf(steps, matches);
    // A state that was dropped just now is nobody's: its transitions would lead astray.
    if (this.#states.includes(state)) state.next[byte] = number;
    return number;
  }

  /** Adds what is reached without reading, in order; `ends`: a match is among it, and nothing behind counts. */
  #follow(steps: number[], from: number, walk: number): { steps: number[]; ends: boolean } {
    const stack = [from];
    for (let step = stack.pop(); step !== undefined; step = stack.pop()) {
      if (this.#visited[step] === walk) continue;
      this.#visited[step] = walk;
      const what = this.program.steps[step];
      if (what.kind === "match") return { steps, ends: true };
      if (what.kind === "split") stack.push(what.second, what.first);
      else steps.push(step);
    }
    return { steps, ends: false };
  }

  #numberOf(steps: readonly number[], accepts: boolean): number {
    const key = `${accepts ? "!" : ""}${steps.join()}`;
    const known = this.#numbers.get(key);
    if (known !== undefined) return known;
    const number = this.#states.push({ steps, accepts, next: new Int16Array(256).fill(UNKNOWN) }) - 1;
    this.#numbers.set(key, number);
    return number;
  }
}
