/**
 * Lines of a text that an automaton accepts, and the automaton's table. The table is made by regex/automaton.ts, as far as it was
 * needed; where a transition is missing the kernel stops and asks for it.
 *
 * Table: a state is the byte offset of its row; a row has one u32 per column of bytes that behave alike. An entry is the next state
 * or one of the words of OUTCOME, which are less than the offset of any row:
 *
 *   0   wanted     not made yet: the kernel stops
 *   4   match      the line matches, whatever follows
 *   8   dead       nothing on this line can match any more
 *   12  unsure     the automaton cannot tell for this line: it is reported as unsure
 *   16  looks      all entries of the column of \r: it is a line's end before a line feed, else in column `returned`
 *
 * What a line feed leads to ends a line: the first state, or `match`. The end of a text ends its last line likewise, unless a line
 * feed did.
 *
 * What a scan is told and what it says lies in a struct of u32:
 *
 *   offset  name           meaning
 *   0       text           address of the text; 16 bytes behind its end must be readable
 *   4       length         bytes of the text; below 2^31
 *   8       at             where to go on: the first byte of a line, or the byte of the transition that was wanted
 *   12      state          the state before `at`; the first one where `at` begins a line
 *   16      column         out: offset within the row of the transition that is wanted
 *   20      table          address of the table
 *   24      columns        address of 256 u16: offset within a row of each byte's column
 *   28      first          the state at the start of a line
 *   32      feed           offset within a row of the column of the line feed
 *   36      returned       offset of the column of a carriage return that is not before a line feed
 *   40      literal        address of bytes that every matching line has, folded (below)
 *   44      literalLength  0: there is none, all lines are read
 *   48      folds          address of a byte for each of the literal: a text's byte or this is equal to the literal's byte
 *   52      rare           offset in the literal of a byte that is looked for first
 *   56      rarer          offset of another one; may be the same
 *   60      whole          1: a line matches that has the literal, the automaton is not asked
 *   64      lines          address of pairs of u32: first byte of a line, its end without what ends it, UNSURE_LINE on the end
 *   68      capacity       pairs that have room
 *   72      found          out: pairs written, counted on from what it was
 *   76      lineEnd        0, or one more than the end of the line in which a transition is wanted
 *   80      classes        address of three classes (below) that bytes of every matching line are of, where there is no literal
 *   84      classesLength  bytes of the row that they are places of; 0: there is none, all lines are read
 *
 * A class, CLASS_BYTES: 16 bytes by the lower half of a byte, 16 by its upper half (a byte is of the class if the two have a bit in
 * common), and a u32: its place in the row. The rarest class comes first; less than three places are named more than once.
 */
import type { MemoryViews } from "./memory.js";

/** Offsets of the struct. */
export const SCAN = {
  text: 0,
  length: 4,
  at: 8,
  state: 12,
  column: 16,
  table: 20,
  columns: 24,
  first: 28,
  feed: 32,
  returned: 36,
  literal: 40,
  literalLength: 44,
  folds: 48,
  rare: 52,
  rarer: 56,
  whole: 60,
  lines: 64,
  capacity: 68,
  found: 72,
  lineEnd: 76,
  classes: 80,
  classesLength: 84,
} as const;
export const SCAN_BYTES = 96;
/** Offsets of a class, and how many there are. */
export const CLASS = { low: 0, high: 16, offset: 32 } as const;
export const CLASS_BYTES = 48;
export const CLASSES = 3;

/** Entries of a table that are no states. */
export const OUTCOME = { wanted: 0, match: 4, dead: 8, unsure: 12, looks: 16 } as const;
/** The offset of the first row. */
export const FIRST_ROW = 32;
/** On the end of a line: somebody else has to look. */
export const UNSURE_LINE = 0x80000000;

/** What scanLines returns. */
export const SCANNED = { done: 0, full: 1, wantsState: 2 } as const;

const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;

/** See Kernels.scanLines. */
export function scanLines(m: MemoryViews, scan: number): number {
  return new LineScan(m, scan).run();
}

/** See Kernels.countFeeds. */
export function countFeeds({ u8 }: MemoryViews, text: number, length: number): number {
  let count = 0;
  for (let at = text; at < text + length; at++) if (u8[at] === LINE_FEED) count++;
  return count;
}

class LineScan {
  readonly #u8: Uint8Array;
  readonly #text: number;
  readonly #length: number;

  constructor(
    readonly m: MemoryViews,
    readonly scan: number,
  ) {
    this.#u8 = m.u8;
    this.#text = this.#get("text");
    this.#length = this.#get("length");
  }

  #get(name: keyof typeof SCAN): number {
    return this.m.u32[(this.scan + SCAN[name]) >>> 2];
  }

  #set(name: keyof typeof SCAN, value: number): void {
    this.m.u32[(this.scan + SCAN[name]) >>> 2] = value;
  }

  #byte(at: number): number {
    return this.#u8[this.#text + at];
  }

  run(): number {
    for (;;) {
      if (this.#get("found") >= this.#get("capacity")) return SCANNED.full;
      if (this.#get("at") >= this.#length && this.#get("lineEnd") === 0) return SCANNED.done;
      if (!this.#enterLine()) return SCANNED.done;
      if (!this.#readLine()) return SCANNED.wantsState;
    }
  }

  /** Goes to the next line that has the literal, or the row of classes; false: there is none. */
  #enterLine(): boolean {
    const byLiteral = this.#get("literalLength") !== 0;
    if (!(byLiteral || this.#get("classesLength") !== 0) || this.#get("lineEnd") !== 0) return true;
    const found = byLiteral ? this.#findLiteral(this.#get("at")) : this.#findClasses(this.#get("at"));
    if (found < 0) {
      this.#set("at", this.#length);
      return false;
    }
    this.#set("at", this.#lineBegin(found));
    this.#set("lineEnd", this.#feedFrom(found) + 1);
    return true;
  }

  /** Reads the line at `at` to its end; false: a transition is missing. */
  #readLine(): boolean {
    const feed = this.#feedFrom(this.#get("at"));
    const end = this.#withoutReturn(feed);
    const outcome = this.#get("whole") === 1 ? OUTCOME.match : this.#follow(end);
    if (outcome === OUTCOME.wanted) {
      this.#set("lineEnd", feed + 1);
      return false;
    }
    if (outcome === OUTCOME.match || outcome === OUTCOME.unsure) this.#report(end, outcome);
    this.#set("at", feed + 1);
    this.#set("state", this.#get("first"));
    this.#set("lineEnd", 0);
    return true;
  }

  #follow(end: number): number {
    let state = this.#get("state");
    for (let at = this.#get("at"); at <= end; at++) {
      let column = this.#get("feed");
      if (at < end) column = this.m.view.getUint16(this.#get("columns") + 2 * this.#byte(at), true);
      if (this.#entry(state, column) === OUTCOME.looks) column = this.#get("returned");
      const next = this.#entry(state, column);
      if (next === OUTCOME.wanted) {
        this.#set("at", at);
        this.#set("state", state);
        this.#set("column", column);
      }
      if (next < FIRST_ROW) return next;
      state = next;
    }
    return OUTCOME.dead;
  }

  #entry(state: number, column: number): number {
    return this.m.u32[(this.#get("table") + state + column) >>> 2];
  }

  #report(end: number, outcome: number): void {
    const found = this.#get("found");
    const pair = (this.#get("lines") >>> 2) + 2 * found;
    this.m.u32[pair] = this.#lineBegin(this.#get("at"));
    this.m.u32[pair + 1] = outcome === OUTCOME.unsure ? (end | UNSURE_LINE) >>> 0 : end;
    this.#set("found", found + 1);
  }

  #findLiteral(from: number): number {
    const count = this.#get("literalLength");
    for (let at = from; at + count <= this.#length; at++) {
      let same = 0;
      while (same < count && this.#sameByte(at + same, same)) same++;
      if (same === count) return at;
    }
    return -1;
  }

  #sameByte(at: number, i: number): boolean {
    return (this.#byte(at) | this.#u8[this.#get("folds") + i]) === this.#u8[this.#get("literal") + i];
  }

  #findClasses(from: number): number {
    const count = this.#get("classesLength");
    for (let at = from; at + count <= this.#length; at++) {
      let same = 0;
      while (same < CLASSES && this.#isOfClass(at, this.#get("classes") + CLASS_BYTES * same)) same++;
      if (same === CLASSES) return at;
    }
    return -1;
  }

  #isOfClass(at: number, address: number): boolean {
    const byte = this.#byte(at + this.m.u32[(address + CLASS.offset) >>> 2]);
    const low = this.#u8[address + CLASS.low + (byte & 15)];
    return (low & this.#u8[address + CLASS.high + (byte >>> 4)]) !== 0;
  }

  /** The first byte of the line that the byte at `at` belongs to. */
  #lineBegin(at: number): number {
    let begin = at;
    while (begin > 0 && this.#byte(begin - 1) !== LINE_FEED) begin--;
    return begin;
  }

  /** The next line feed, or the end. */
  #feedFrom(at: number): number {
    let feed = at;
    while (feed < this.#length && this.#byte(feed) !== LINE_FEED) feed++;
    return feed;
  }

  #withoutReturn(feed: number): number {
    const ends = feed < this.#length && feed > 0 && this.#byte(feed - 1) === CARRIAGE_RETURN;
    return ends ? feed - 1 : feed;
  }
}
