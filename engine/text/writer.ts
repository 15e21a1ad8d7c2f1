/** Writing the dictionary of a field: terms in ascending order, each with what became of its postings. */
import type { Kernels } from "../kernels/kernels.js";
import { TermRoom, TermsOut, type TermsRun } from "../kernels/write-terms.js";
import { ByteChunks } from "../postings/byte-chunks.js";
import { allocateAll } from "../store/allocate-all.js";
import type { Arena } from "../store/arena.js";
import { SectionKind, type SectionSink } from "../store/section.js";
import { FIELD_STATS_BYTES, FLAG_WITH_FREQS, INDEX_HEADER_BYTES, MAX_TERM_BYTES } from "./format.js";

// Small: a merge has to do with little arena.
const DATA_WINDOW = 48 * 1024;
const STATES_WINDOW = 8 * 1024;
const INDEX_WINDOW = 4 * 1024;
/** Longer terms of `add` are rare: room for them is taken when there is one. */
const USUAL_TERM_BYTES = 1024;
/** What kernels read behind a term. */
const TERM_SLACK = 16;

/** A section being written: the window that kernels fill, and what was in it before. */
interface Window {
  readonly address: number;
  readonly bytes: number;
  readonly chunks: ByteChunks;
  /** Fields of TermsOut; no base where nobody asks for places in the section. */
  readonly next: number;
  readonly end: number;
  readonly base: number | null;
  readonly room: number;
}

/** Terms of a write buffer: their ids and rows, see kernels/write-terms.ts. */
export type WrittenTerms = Omit<TermsRun, "out" | "from">;

/** Gathers one field's dictionary after the other; `finish` writes it. Owns memory until `close()`. */
export class TermsWriter {
  readonly #arena: Arena;
  readonly #kernels: Kernels;
  readonly #out: number;
  readonly #allocated: number[];
  readonly #data: Window;
  readonly #states: Window;
  readonly #index: Window;
  /** Where `add` puts a term, and where the one before is: they change places. */
  #term: number;
  #before: number;
  #termBytes = USUAL_TERM_BYTES;

  constructor(arena: Arena, kernels: Kernels) {
    this.#arena = arena;
    this.#kernels = kernels;
    const term = USUAL_TERM_BYTES + TERM_SLACK;
    const sizes = [TermsOut.bytes, DATA_WINDOW, STATES_WINDOW, INDEX_WINDOW, term, term];
    this.#allocated = allocateAll(arena, sizes);
    const [out, data, states, index, first, second] = this.#allocated;
    this.#out = out;
    this.#term = first;
    this.#before = second;
    const window = (address: number, bytes: number) => ({ address, bytes, chunks: new ByteChunks() });
    this.#data = {
      ...window(data, DATA_WINDOW),
      next: TermsOut.dataNext,
      end: TermsOut.dataEnd,
      base: TermsOut.dataBase,
      room: TermRoom.data,
    };
    this.#states = {
      ...window(states, STATES_WINDOW),
      next: TermsOut.statesNext,
      end: TermsOut.statesEnd,
      base: TermsOut.statesBase,
      room: TermRoom.states,
    };
    this.#index = {
      ...window(index, INDEX_WINDOW),
      next: TermsOut.indexNext,
      end: TermsOut.indexEnd,
      base: null,
      room: TermRoom.index,
    };
  }

  /** Begins a field. */
  begin(withFreqs: boolean): void {
    this.#arena.u8.fill(0, this.#out, this.#out + TermsOut.bytes);
    this.#set(TermsOut.withFreqs, withFreqs ? 1 : 0);
    for (const window of this.#windows) {
      this.#set(window.next, window.address);
      this.#set(window.end, window.address + window.bytes);
      if (window.base !== null) this.#set(window.base, -window.address);
    }
  }

  /** Terms so far, and so the ordinal of the next. */
  get count(): number {
    return this.#get(TermsOut.count);
  }

  /**
   * Adds the term bytes[0, length), greater than the one before; its row (kernels/encode-postings.ts) is at `row` in the
   * arena. Returns its ordinal.
   */
  add(bytes: Uint8Array, length: number, row: number): number {
    const { u8 } = this.#arena;
    if (length > this.#termBytes) this.#growTerms();
    const term = this.#term;
    for (let i = 0; i < length; i++) u8[term + i] = bytes[i];
    while (this.#kernels.writeTerm(this.#out, term, length, row) === 0) this.#makeRoom();
    this.#term = this.#before;
    this.#before = term;
    return this.count - 1;
  }

  /** Adds terms that lie in the arena until the field is finished. Returns the ordinal of the first. */
  addAll(terms: WrittenTerms): number {
    const first = this.count;
    const run: TermsRun = { ...terms, out: this.#out, from: 0 };
    for (;;) {
      run.from = this.#kernels.writeTerms(run);
      if (run.from === run.count) return first;
      this.#makeRoom();
    }
  }

  /** Writes the sections; nothing when there are no terms. `docCount`: documents with at least one. */
  finish(sink: SectionSink, field: number, docCount: number): void {
    const { count } = this;
    if (count === 0) return;
    const header = new Uint8Array(INDEX_HEADER_BYTES);
    new DataView(header.buffer).setUint32(0, count, true);
    header[4] = this.#get(TermsOut.withFreqs) === 1 ? FLAG_WITH_FREQS : 0;
    for (const window of this.#windows) this.#drain(window);
    sink.begin(SectionKind.termIndex, field);
    sink.append(header);
    for (const chunk of this.#index.chunks.take()) sink.append(chunk);
    sink.end();
    this.#data.chunks.writeSection(sink, SectionKind.termData, field);
    this.#states.chunks.writeSection(sink, SectionKind.termStates, field);
    const stats = new DataView(new ArrayBuffer(FIELD_STATS_BYTES));
    stats.setUint32(0, docCount, true);
    stats.setFloat64(8, this.#arena.f64[(this.#out + TermsOut.sumTotalTermFreq) >>> 3], true);
    sink.begin(SectionKind.fieldStats, field);
    sink.append(new Uint8Array(stats.buffer));
    sink.end();
  }

  /** Gives all memory back. */
  close(): void {
    for (const address of this.#allocated) this.#arena.free(address);
  }

  #growTerms(): void {
    const term = MAX_TERM_BYTES + TERM_SLACK;
    const [first, second] = allocateAll(this.#arena, [term, term]);
    this.#allocated.push(first, second);
    this.#arena.u8.copyWithin(second, this.#before, this.#before + this.#get(TermsOut.lastLength));
    this.#set(TermsOut.last, second);
    this.#term = first;
    this.#before = second;
    this.#termBytes = MAX_TERM_BYTES;
  }

  get #windows(): readonly Window[] {
    return [this.#data, this.#states, this.#index];
  }

  /** A kernel stopped: whatever is short is emptied. */
  #makeRoom(): void {
    for (const window of this.#windows) {
      if (this.#get(window.end) - this.#get(window.next) < window.room) this.#drain(window);
    }
  }

  #drain({ address, chunks, next, base }: Window): void {
    const bytes = this.#get(next) - address;
    chunks.append(this.#arena.u8.subarray(address, address + bytes));
    this.#set(next, address);
    if (base !== null) this.#set(base, this.#get(base) + bytes);
  }

  #get(offset: number): number {
    return this.#arena.u32[(this.#out + offset) >>> 2];
  }

  #set(offset: number, value: number): void {
    this.#arena.u32[(this.#out + offset) >>> 2] = value;
  }
}
