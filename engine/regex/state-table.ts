/**
 * The states that an automaton has made so far, and where each leads, in memory of this thread. A state is a list of steps of a program
 * and what else tells states apart. When there are too many all are dropped.
 */

/** An entry that is not made yet, and one that says that the automaton cannot tell. */
export const UNKNOWN = -1;
export const UNSURE = -2;
/** The state from which nothing is reached. */
export const DEAD = 0;

/** Entries of a table, and steps of all its states together: some megabytes. */
const MAX_ENTRIES = 1 << 16;
const MAX_STEPS = 1 << 20;
/** A table that was filled while fewer bytes than this were read for each of its states is made in vain. */
const FEW_BYTES = 10;

/** What an automaton says of its states. */
export interface StateKind<S> {
  /** Tells states apart. */
  keyOf(state: S): string;
  /** Whether no match lies beyond: it is DEAD. */
  isDead(state: S): boolean;
}

/** Where a state leads, and whether a match lies before what was read. */
export interface NextState<S> {
  readonly state: S;
  readonly isMatch: boolean;
}

/** States of kind S. Entries are `2 * state + 1` where a match lies before what the column stands for, else `2 * state`; or negative. */
export class StateTable<S extends { readonly steps: readonly number[] }> {
  readonly #states: (S | null)[] = [null];
  readonly #numbers = new Map<string, number>();
  #steps = 0;
  #entries = new Int32Array(1024);
  /** Bytes read since states were last dropped: whoever reads counts them. */
  read = 0;
  #readBefore = 0;
  /** Whether states are made about as often as bytes are read. */
  inVain = false;

  /** `stride`: columns of a state. */
  constructor(
    readonly stride: number,
    private readonly kind: StateKind<S>,
  ) {}

  /** Bytes read in all. */
  get readInAll(): number {
    return this.#readBefore + this.read;
  }

  /** Entries of all states, those of one in a row; becomes another when states are added. */
  get entries(): Int32Array {
    return this.#entries;
  }

  /** A state that is not DEAD. */
  state(number: number): S {
    return this.#states[number] as S;
  }

  /** The number of a state to begin with. */
  begin(state: S): number {
    const known = this.#numberOf(state);
    if (known >= 0) return known;
    this.#clear();
    return this.#numberOf(state);
  }

  /**
   * Makes the entry of a state and a column; null: it cannot be told where that leads. Where states were dropped for it nobody
   * keeps it.
   */
  make(number: number, column: number, next: NextState<S> | null): number {
    const at = number * this.stride + column;
    if (next === null) {
      this.entries[at] = UNSURE;
      return UNSURE;
    }
    const { state, isMatch } = next;
    const target = this.kind.isDead(state) ? DEAD : this.#numberOf(state);
    if (target < 0) {
      this.#clear();
      return this.inVain ? UNSURE : 2 * this.#numberOf(state) + (isMatch ? 1 : 0);
    }
    const entry = 2 * target + (isMatch ? 1 : 0);
    this.entries[at] = entry;
    return entry;
  }

  /** The number of a state, made if need be; -1: there is no room. */
  #numberOf(state: S): number {
    const key = this.kind.keyOf(state);
    const known = this.#numbers.get(key);
    if (known !== undefined) return known;
    const number = this.#states.length;
    const end = (number + 1) * this.stride;
    const full = end > MAX_ENTRIES || this.#steps + state.steps.length > MAX_STEPS;
    // Two states there must always be room for: the one that was left and the one that is entered.
    if (full && number > 2) return -1;
    if (end > this.#entries.length) {
      const wider = new Int32Array(Math.max(end, 2 * this.#entries.length));
      wider.set(this.#entries);
      this.#entries = wider;
    }
    this.#entries.fill(UNKNOWN, number * this.stride, end);
    this.#states.push(state);
    this.#numbers.set(key, number);
    this.#steps += state.steps.length;
    return number;
  }

  /** Drops all states. */
  #clear(): void {
    if (this.read < FEW_BYTES * this.#states.length) this.inVain = true;
    this.#readBefore += this.read;
    this.read = 0;
    this.#states.length = 1;
    this.#numbers.clear();
    this.#steps = 0;
  }
}
