/**
 * Whether a pattern matches somewhere, by a deterministic automaton over bytes whose states are made when they are first reached (Cox,
 * "Regular Expression Matching in the Wild", 2010). Its table lies in memory that kernels read (kernels/scan-lines.ts describes it). When the memory is full all
 * states are dropped and made anew as they are needed: time stays linear in the text.
 *
 * A state is what may be read next: steps of the program that read a byte, and looks whose answer depends on the byte that
 * comes; matches may begin anywhere. It has room for one byte of ASCII to look back at (was it part of a word?); of characters beyond ASCII
 * beside looks at words it says "unsure".
 */
import { FIRST_ROW, OUTCOME } from "../kernels/scan-lines.js";
import { byteClasses } from "./byte-classes.js";
import { isWordByte } from "./looks.js";
import type { Program } from "./program.js";
import type { Look } from "./syntax.js";

const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;

/**
 * "lines": each line is a text of its own, ended by a line feed or a carriage return and a line feed; "text": line feeds are characters
 * like others.
 */
export type AutomatonMode = "lines" | "text";

/** Where a table lies: u32 of a memory; `words` may become another view when memory grows. */
export interface TablePlace {
  words(): Uint32Array;
  /** In bytes, a multiple of four. */
  readonly address: number;
  readonly bytes: number;
}

/** What one state stands for. */
interface State {
  /** Steps, ascending: bytes to read, and looks that wait for the next byte. */
  readonly steps: Int32Array;
  readonly afterWord: boolean;
  /** What stands before, for looks behind those that wait. */
  readonly begin: Begin;
}

const UNICODE_WORD_LOOKS: readonly Look[] = ["word_boundary", "no_word_boundary", "no_word_before", "no_word_behind"];
const ASCII_WORD_LOOKS: readonly Look[] = ["ascii_word_boundary", "no_ascii_word_boundary"];

/** Smallest table that can work: a handful of the longest rows. */
export const LEAST_TABLE_BYTES = 16 * 1024;

/** States of one program in one mode. */
export class Automaton {
  /** Byte offset within a row of each byte's column. */
  readonly columns: Uint16Array;
  /** Offset of the column of what ends a line (mode "lines") or the text ("text"). */
  readonly ending: number;
  /** Offset of the column of a carriage return that is not before a line feed. */
  readonly returned: number;
  /** Offset of the column of one that is (mode "text"). */
  readonly returnedBeforeFeed: number;
  /** The state at the begin; its row is always the first one. */
  readonly first = FIRST_ROW;
  /** How often the table was full. */
  resets = 0;

  readonly #bytesOf: readonly number[];
  readonly #stride: number;
  readonly #looksColumn: number;
  readonly #states: State[] = [];
  readonly #rows = new Map<string, number>();
  readonly #begin: State;
  /** What is added at each place of a text where a match may begin. */
  readonly #fresh: { readonly inLine: readonly number[]; readonly lineBegin: readonly number[] };
  readonly #words: { readonly unicode: boolean; readonly any: boolean };
  /** Marks steps that were visited by the walk of this number. */
  readonly #visited: Int32Array;
  #walk = 0;
  /** Whether the empty text matches wherever it begins. */
  readonly #always: boolean;

  constructor(
    readonly program: Program,
    readonly mode: AutomatonMode,
    readonly place: TablePlace,
  ) {
    const has = (looks: readonly Look[]) => looks.some((look) => program.looks.has(look));
    const unicode = has(UNICODE_WORD_LOOKS);
    this.#words = { unicode, any: unicode || has(ASCII_WORD_LOOKS) };
    this.#visited = new Int32Array(program.steps.length);
    const classes = byteClasses(program, { words: this.#words.any, characters: this.#words.any });
    this.#bytesOf = classes.bytes;
    this.columns = classes.columns.map((column) => 4 * column);
    const extra = 4 * classes.bytes.length;
    this.ending = mode === "lines" ? this.columns[LINE_FEED] : extra;
    this.returned = mode === "lines" ? extra : this.columns[CARRIAGE_RETURN];
    this.returnedBeforeFeed = extra + 4;
    this.#looksColumn = this.columns[CARRIAGE_RETURN];
    this.#stride = extra + 8;
    const always: boolean[] = [];
    const close = (begin: Begin) => {
      const steps = this.#closed([program.start], begin);
      always.push(steps === "match");
      return steps === "match" ? [] : steps;
    };
    this.#fresh = { inLine: close("in_line"), lineBegin: close("line") };
    const first = close("text");
    this.#always = always[2];
    this.#begin = { steps: Int32Array.from(first).sort(), afterWord: false, begin: "text" };
    this.#clear();
  }

  /** Whether every text matches: the empty one does, at its begin. */
  get always(): boolean {
    return this.#always;
  }

  /** Whether in this state no match has begun that could still become one. */
  isFresh(row: number): boolean {
    const { steps } = this.#state(row);
    return steps.length === this.#fresh.inLine.length || row === this.first;
  }

  /**
   * Makes the transition from a state over a column. Returns where that state's row is afterwards: it moves when the table was full.
   */
  make(row: number, column: number): number {
    const from = this.#state(row);
    const to = this.#next(from, column);
    let source = row;
    let target = typeof to === "number" ? to : this.#rowOf(to);
    if (target < 0) {
      this.#clear();
      this.resets++;
      source = this.#rowOf(from);
      target = this.#rowOf(to as State);
    }
    this.place.words()[(this.place.address + source + column) >>> 2] = target;
    return source;
  }

  /** The entry of a state and a column, made if need be; moves no row unless the table is full (`make`). */
  entry(row: number, column: number): number {
    return this.place.words()[(this.place.address + row + column) >>> 2];
  }

  #state(row: number): State {
    return this.#states[(row - FIRST_ROW) / this.#stride];
  }

  /** -1 when there is no room. */
  #rowOf(state: State): number {
    const key = `${state.afterWord ? "w" : ""}${state.begin} ${state.steps.join()}`;
    const known = this.#rows.get(key);
    if (known !== undefined) return known;
    const row = FIRST_ROW + this.#states.length * this.#stride;
    if (row + this.#stride > this.place.bytes) return -1;
    this.#states.push(state);
    this.#rows.set(key, row);
    const words = this.place.words();
    const at = (this.place.address + row) >>> 2;
    words.fill(OUTCOME.wanted, at, at + (this.#stride >>> 2));
    if (this.mode === "lines") words[at + (this.#looksColumn >>> 2)] = OUTCOME.looks;
    return row;
  }

  #clear(): void {
    this.#states.length = 0;
    this.#rows.clear();
    this.#rowOf(this.#begin);
  }

  /** The state after a byte of the column, or one of OUTCOME. */
  #next(from: State, column: number): State | number {
    const byte = this.#byteOf(column);
    if (this.#words.unicode && byte >= 0x80) return OUTCOME.unsure;
    const before = this.#looked(from, column, byte);
    if (before === "match") return OUTCOME.match;
    const ends = column === this.ending;
    if (ends) return this.mode === "lines" ? this.#begin : OUTCOME.dead;
    const begin: Begin = this.mode === "text" && byte === LINE_FEED ? "line" : "in_line";
    const after = this.#closed(this.#read(before, byte), begin);
    if (after === "match") return OUTCOME.match;
    const steps = Int32Array.from(
      new Set([...after, ...(begin === "line" ? this.#fresh.lineBegin : this.#fresh.inLine)]),
    );
    if (steps.length === 0 && this.mode === "lines") return OUTCOME.dead;
    return { steps: steps.sort(), afterWord: this.#words.any && isWordByte[byte] === 1, begin };
  }

  /** A byte that the column stands for; -1 for the end. */
  #byteOf(column: number): number {
    if (column === this.ending && this.mode === "text") return -1;
    if (column === this.ending) return LINE_FEED;
    if (column === this.returned || column === this.returnedBeforeFeed) return CARRIAGE_RETURN;
    return this.#bytesOf[column >>> 2];
  }

  /** The steps of a state once it is known what comes next: looks are answered. */
  #looked(from: State, column: number, byte: number): readonly number[] | "match" {
    if (this.program.looks.size === 0) return [...from.steps];
    return this.#closed(from.steps, from.begin, (look) => this.#holds(look, from, column, byte));
  }

  #holds(look: Look, from: State, column: number, byte: number): boolean {
    const ends = column === this.ending;
    if (look === "text_end") return ends;
    if (look === "line_end")
      return ends || byte === LINE_FEED || (this.mode === "text" && column === this.returnedBeforeFeed);
    // Inside of a character nothing is said about words.
    if (byte >= 0x80 && byte < 0xc0) return false;
    const wordBehind = byte >= 0 && !ends && isWordByte[byte] === 1;
    if (look === "no_word_before") return !from.afterWord;
    if (look === "no_word_behind") return !wordBehind;
    const boundary = from.afterWord !== wordBehind;
    return look === "word_boundary" || look === "ascii_word_boundary" ? boundary : !boundary;
  }

  #read(steps: readonly number[], byte: number): number[] {
    const targets: number[] = [];
    for (const step of steps) {
      const what = this.program.steps[step];
      if (what.kind !== "bytes") continue;
      const edge = what.edges.find(([low, high]) => byte >= low && byte <= high);
      if (edge !== undefined) targets.push(edge[2]);
    }
    return targets;
  }

  /**
   * All that can be reached without reading: steps that read, and looks that wait ("match" when that is among it). `answer`: says of waiting looks whether they
   * hold; those that do are passed.
   */
  #closed(from: Iterable<number>, begin: Begin, answer?: (look: Look) => boolean): number[] | "match" {
    const walk = ++this.#walk;
    const kept: number[] = [];
    const stack = [...from];
    for (let step = stack.pop(); step !== undefined; step = stack.pop()) {
      if (this.#visited[step] === walk) continue;
      this.#visited[step] = walk;
      const what = this.program.steps[step];
      if (what.kind === "match") return "match";
      if (what.kind === "split") stack.push(what.second, what.first);
      else if (what.kind === "bytes") kept.push(step);
      else if (what.look === "text_begin" || what.look === "line_begin") {
        if (beginHolds(what.look, begin)) stack.push(what.next);
      } else if (answer === undefined) kept.push(step);
      else if (answer(what.look)) stack.push(what.next);
    }
    return kept;
  }
}

/** What stands before a place: the begin of the text, of a line, or neither. */
type Begin = "text" | "line" | "in_line";

function beginHolds(look: "text_begin" | "line_begin", begin: Begin): boolean {
  return begin === "text" || (begin === "line" && look === "line_begin");
}
