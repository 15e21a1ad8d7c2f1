/**
 * Finds the lines of texts that a pattern matches: by its literal or its row of classes first, then by the automaton, in a kernel; lines that the
 * automaton is not sure of are looked at by the ordered search.
 */
import type { Kernels } from "../kernels/kernels.js";
import {
  CLASS,
  CLASS_BYTES,
  CLASSES,
  FIRST_ROW,
  SCAN,
  SCAN_BYTES,
  SCANNED,
  UNSURE_LINE,
} from "../kernels/scan-lines.js";
import { Automaton, LEAST_TABLE_BYTES } from "./automaton.js";
import type { LinePattern } from "./line-pattern.js";
import type { RequiredLiteral } from "./literals.js";
import { OrderedSearch } from "./ordered-search.js";
import type { RequiredClasses } from "./required-classes.js";

/** Memory that a scanner works in: `bytes` from `address` on, a multiple of 16; the text lies elsewhere in the same memory. */
export interface ScanMemory {
  readonly kernels: Kernels;
  /** All of the memory; may become another view when memory grows. */
  u8(): Uint8Array;
  u32(): Uint32Array;
  readonly address: number;
  readonly bytes: number;
}

/** Lines that one call of the kernel may report. */
const BATCH = 512;
const COLUMNS_BYTES = 512;
const LITERAL_BYTES = 80;
/** A literal and its folds, or classes. */
const SOUGHT_BYTES = Math.max(2 * LITERAL_BYTES, CLASSES * CLASS_BYTES);
const LINES_BYTES = 8 * BATCH;
const TABLE_AT = SCAN_BYTES + COLUMNS_BYTES + SOUGHT_BYTES + LINES_BYTES;

/** What is enough for every pattern, at full speed for nearly all. */
export const SCANNER_BYTES = 256 * 1024;
/** What a scanner cannot do without. */
export const LEAST_SCANNER_BYTES = TABLE_AT + LEAST_TABLE_BYTES;

/** Lines that were found: offsets in the text of their begins and of their ends, without what ends them. */
export interface FoundLines {
  readonly begins: number[];
  readonly ends: number[];
}

/** A scanner for one pattern of extent "line". Not to be used by two at a time. */
export class LineScanner {
  readonly #automaton: Automaton;
  readonly #ordered: OrderedSearch;
  readonly #scan: number;
  readonly #lines: number;
  #text = 0;

  constructor(
    readonly pattern: LinePattern,
    readonly memory: ScanMemory,
  ) {
    const { address } = memory;
    this.#automaton = new Automaton(pattern.program, "lines", {
      words: () => memory.u32(),
      address: address + TABLE_AT,
      bytes: memory.bytes - TABLE_AT,
    });
    this.#ordered = new OrderedSearch(pattern.program);
    this.#scan = address;
    this.#lines = address + TABLE_AT - LINES_BYTES;
    this.#prepare(address + SCAN_BYTES, address + SCAN_BYTES + COLUMNS_BYTES);
  }

  #set(name: keyof typeof SCAN, value: number): void {
    this.memory.u32()[(this.#scan + SCAN[name]) >>> 2] = value;
  }

  #get(name: keyof typeof SCAN): number {
    return this.memory.u32()[(this.#scan + SCAN[name]) >>> 2];
  }

  #prepare(columns: number, soughtAt: number): void {
    const u8 = this.memory.u8();
    const automaton = this.#automaton;
    u8.set(new Uint8Array(automaton.columns.buffer), columns);
    this.#set("table", automaton.place.address);
    this.#set("columns", columns);
    this.#set("first", automaton.first);
    this.#set("feed", automaton.ending);
    this.#set("returned", automaton.returned);
    this.#set("lines", this.#lines);
    const { literal, classes } = this.pattern;
    this.#set("literalLength", literal?.bytes.length ?? 0);
    this.#set("whole", literal?.extent === "whole" ? 1 : 0);
    this.#set("classesLength", literal === null ? (classes?.length ?? 0) : 0);
    if (literal !== null) this.#prepareLiteral(literal, soughtAt);
    else if (classes !== null) this.#prepareClasses(classes, soughtAt);
  }

  #prepareLiteral({ bytes, folds, rare }: RequiredLiteral, address: number): void {
    const u8 = this.memory.u8();
    u8.set(bytes, address);
    u8.set(folds, address + LITERAL_BYTES);
    this.#set("literal", address);
    this.#set("folds", address + LITERAL_BYTES);
    this.#set("rare", rare[0]);
    this.#set("rarer", rare[1]);
  }

  #prepareClasses({ places }: RequiredClasses, address: number): void {
    const u8 = this.memory.u8();
    this.#set("classes", address);
    for (let i = 0; i < CLASSES; i++) {
      const { low, high, offset } = places[i % places.length];
      const at = address + CLASS_BYTES * i;
      u8.set(low, at + CLASS.low);
      u8.set(high, at + CLASS.high);
      this.memory.u32()[(at + CLASS.offset) >>> 2] = offset;
    }
  }

  /** Begins with a text: whole lines at an address, 16 bytes behind them readable. */
  begin(text: number, length: number): void {
    this.#text = text;
    this.#set("text", text);
    this.#set("length", length);
    this.#set("at", 0);
    this.#set("state", FIRST_ROW);
    this.#set("lineEnd", 0);
  }

  /** Appends up to `most` further lines. Returns whether there may be more. */
  next(found: FoundLines, most: number): boolean {
    let left = most;
    while (left > 0) {
      this.#set("found", 0);
      this.#set("capacity", Math.min(left, BATCH));
      const status = this.#run();
      left -= this.#take(found);
      if (status === SCANNED.done) return false;
    }
    return true;
  }

  #run(): number {
    if (this.#automaton.always) return this.#everyLine();
    for (;;) {
      const status = this.memory.kernels.scanLines(this.#scan);
      if (status !== SCANNED.wantsState) return status;
      this.#set("state", this.#automaton.make(this.#get("state"), this.#get("column")));
    }
  }

  /** For a pattern that the empty text matches. */
  #everyLine(): number {
    const text = this.#textBytes();
    let at = this.#get("at");
    let found = 0;
    for (; at < text.length && found < this.#get("capacity"); found++) {
      const feed = text.indexOf(0x0a, at);
      const end = feed < 0 ? text.length : feed;
      const pair = (this.#lines >>> 2) + 2 * found;
      this.memory.u32()[pair] = at;
      this.memory.u32()[pair + 1] = feed > at && text[feed - 1] === 0x0d ? end - 1 : end;
      at = end + 1;
    }
    this.#set("found", found);
    this.#set("at", at);
    return at < text.length ? SCANNED.full : SCANNED.done;
  }

  #textBytes(): Uint8Array {
    return this.memory.u8().subarray(this.#text, this.#text + this.#get("length"));
  }

  /** Moves what the kernel reported into the list. Returns how many lines that were. */
  #take(found: FoundLines): number {
    const words = this.memory.u32();
    const pairs = this.#lines >>> 2;
    const count = this.#get("found");
    let taken = 0;
    for (let i = 0; i < count; i++) {
      const begin = words[pairs + 2 * i];
      const end = words[pairs + 2 * i + 1];
      const unsure = (end & UNSURE_LINE) !== 0;
      if (unsure && !this.#matches(begin, end ^ UNSURE_LINE)) continue;
      found.begins.push(begin);
      found.ends.push(unsure ? end ^ UNSURE_LINE : end);
      taken++;
    }
    return taken;
  }

  #matches(begin: number, end: number): boolean {
    return this.#ordered.find({ bytes: this.#textBytes(), begin, end }, begin) !== null;
  }
}
