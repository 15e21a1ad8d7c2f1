import { GRAM_BITMAP_BYTES, GramGatherer, SORT_GRAMS_TABLE_BYTES, TAG_BITS } from "../kernels/grams.js";
import { GRAM_BYTES, GRAM_LETTER } from "../regex/index.js";
import { Growing } from "../store/growing.js";
import type { Storage } from "../store/storage.js";
import type { GramsWriter } from "./grams-writer.js";

/** Most chunks of a batch, and entries after which one ends: few, because sorting takes as much again. */
const BATCH_CHUNKS = 2 ** TAG_BITS;
const BATCH_ENTRIES = 2 ** 20;
/** Room is made for as many entries as text has bytes: a line of megabytes comes in pieces. */
const PIECE_BYTES = 64 * 1024;
const LINE_FEED = 0x0a;
const LETTERS = 32;
const SEEN = 512;

/** Entries of consecutive chunks, sorted by gram. */
interface Batch {
  readonly entries: Growing<"u32">;
  /** Number of its first chunk. */
  readonly base: number;
}

/**
 * Gathers the grams of chunks as they are met and gives them gram by gram: batches of entries (gram, chunk), each sorted,
 * walked together at the end. A table of all grams would be 8 MB and a cache miss a byte. Memory is in the arena until
 * `close()`.
 */
export class GramCollection {
  /** Chunks that were ended. */
  chunks = 0;
  readonly #storage: Storage;
  readonly #state: number;
  readonly #batches: Batch[] = [];
  #current: Batch | null = null;
  /** Entries of the current batch before the current chunk. */
  #before = 0;
  #closed = false;

  constructor(storage: Storage) {
    const { arena } = storage;
    this.#storage = storage;
    this.#state = arena.alloc(SEEN + GRAM_BITMAP_BYTES);
    arena.u8.set(GRAM_LETTER, this.#state + LETTERS);
    arena.u8.fill(0, this.#state + SEEN, this.#state + SEEN + GRAM_BITMAP_BYTES);
    arena.u32[(this.#state + GramGatherer.letters) >>> 2] = this.#state + LETTERS;
    arena.u32[(this.#state + GramGatherer.seen) >>> 2] = this.#state + SEEN;
  }

  /** Adds text to the current chunk; returns how many line feeds it has. */
  add(address: number, length: number): number {
    const { u8 } = this.#storage.arena;
    let lines = 0;
    for (let from = 0; from < length; from += PIECE_BYTES) {
      // Two bytes again, for the grams that reach over from one piece into the next.
      const again = Math.min(from, GRAM_BYTES - 1);
      for (let at = address + from - again; at < address + from; at++) if (u8[at] === LINE_FEED) lines--;
      lines += this.#addPiece(address + from - again, Math.min(length - from, PIECE_BYTES) + again);
    }
    return lines;
  }

  endChunk(): void {
    const batch = this.#batch();
    const { entries } = batch;
    const from = this.#before;
    this.#storage.kernels.forgetGrams(this.#state + SEEN, entries.address + 4 * from, entries.length - from);
    this.#before = entries.length;
    this.chunks++;
    if (this.chunks - batch.base === BATCH_CHUNKS || entries.length >= BATCH_ENTRIES) this.#endBatch();
  }

  /** Gives all grams to the writer. Yields after some work. */
  *write(writer: GramsWriter): Generator<void, void> {
    this.#endBatch();
    const { arena, kernels } = this.#storage;
    const places = this.#batches.map(({ entries }) => entries.address >>> 2);
    const ends = this.#batches.map(({ entries }) => entries.address + 4 * entries.length);
    const chunks = arena.alloc(4 * this.chunks + 16);
    try {
      for (let work = 0; ; ) {
        const gram = leastGram(arena.u32, places, ends);
        if (gram < 0) break;
        let count = 0;
        for (let i = 0; i < places.length; i++) {
          if (4 * places[i] >= ends[i] || arena.u32[places[i]] >>> TAG_BITS !== gram) continue;
          const found = kernels.takeGram(4 * places[i], ends[i], this.#batches[i].base, chunks + 4 * count);
          places[i] += found;
          count += found;
        }
        writer.add(gram, chunks, count);
        work += count + GRAM_WORK;
        if (work < SLICE_WORK) continue;
        work = 0;
        yield;
      }
    } finally {
      arena.free(chunks);
    }
  }

  close(): void {
    if (this.#closed) return;
    this.#closed = true;
    this.#storage.arena.free(this.#state);
    this.#current?.entries.close();
    for (const { entries } of this.#batches) entries.close();
  }

  #addPiece(address: number, length: number): number {
    const { arena, kernels } = this.#storage;
    const batch = this.#batch();
    const { entries } = batch;
    entries.reserve(entries.length + length + 1);
    const state = this.#state >>> 2;
    arena.u32[state + GramGatherer.out / 4] = entries.address + 4 * entries.length;
    arena.u32[state + GramGatherer.tag / 4] = this.chunks - batch.base;
    arena.u32[state + GramGatherer.lines / 4] = 0;
    entries.length += kernels.gatherGrams(this.#state, address, length);
    return arena.u32[state + GramGatherer.lines / 4];
  }

  #batch(): Batch {
    this.#current ??= { entries: new Growing(this.#storage.arena, "u32"), base: this.chunks };
    return this.#current;
  }

  #endBatch(): void {
    const batch = this.#current;
    if (batch === null) return;
    const { arena, kernels } = this.#storage;
    const { entries } = batch;
    const bytes = 4 * entries.length;
    const scratch = arena.alloc(bytes + SORT_GRAMS_TABLE_BYTES);
    try {
      kernels.sortGrams(entries.address, entries.length, scratch);
    } finally {
      arena.free(scratch);
    }
    this.#batches.push(batch);
    this.#current = null;
    this.#before = 0;
  }
}

/** A posting is 1: some three milliseconds between yields. */
const SLICE_WORK = 200_000;
const GRAM_WORK = 30;

/** -1: all batches are at their end. */
function leastGram(u32: Uint32Array, places: readonly number[], ends: readonly number[]): number {
  let least = -1;
  for (let i = 0; i < places.length; i++) {
    if (4 * places[i] >= ends[i]) continue;
    const gram = u32[places[i]] >>> TAG_BITS;
    if (least < 0 || gram < least) least = gram;
  }
  return least;
}
