/**
 * A bounded cache of checked pieces of cold sections (`_source`, ids, vectors), outside the arena. Pieces lie in slots
 * of slabs that are allocated as needed and never given back: a buffer per piece would make V8 collect garbage for
 * external memory every few dozen searches (seen: a mark-compact every 0.1 s). A Map keeps the order of last use.
 * Every thread has a cache of its own.
 */

/** Largest piece. */
export const SLOT_BYTES = 16 * 1024;
const SLOTS_PER_SLAB = 64;

/** What a cache tells. */
export interface CacheStatistics {
  /** Of slots that hold pieces. */
  readonly bytes: number;
  /** Pieces asked for that were there, and that were not. */
  readonly hits: number;
  readonly misses: number;
}

/** Where `counters` has what. */
const BYTES = 0;
const HITS = 1;
const MISSES = 2;

/** The statistics in a cache's counters. */
export function cacheStatistics(counters: Float64Array): CacheStatistics {
  return { bytes: counters[BYTES], hits: counters[HITS], misses: counters[MISSES] };
}

/** Pieces by key (file and place). */
export class BlockCache {
  readonly #slabs: Uint8Array[] = [];
  /** Slot and length by key, in the order of last use. */
  readonly #entries = new Map<number, { slot: number; length: number }>();
  readonly #slots: number;
  #used = 0;

  constructor(
    readonly limitBytes: number,
    /** Three numbers that are kept up to date; in the arena where other threads should see them. */
    private readonly counters: Float64Array = new Float64Array(3),
  ) {
    this.#slots = Math.floor(limitBytes / SLOT_BYTES);
  }

  /** Bytes of slots that hold pieces. */
  get bytes(): number {
    return this.counters[BYTES];
  }

  get statistics(): CacheStatistics {
    return cacheStatistics(this.counters);
  }

  /** A view, valid until the next `put` or `clear`. */
  get(key: number): Uint8Array | undefined {
    const entry = this.#entries.get(key);
    this.counters[entry === undefined ? MISSES : HITS]++;
    if (entry === undefined) return undefined;
    this.#entries.delete(key);
    this.#entries.set(key, entry);
    return this.#view(entry.slot, entry.length);
  }

  /** Copies a piece of at most SLOT_BYTES in; the one unused for longest makes room. */
  put(key: number, bytes: Uint8Array): void {
    if (this.#slots === 0 || bytes.length > SLOT_BYTES) return;
    const slot = this.#entries.get(key)?.slot ?? this.#takeSlot();
    this.#view(slot, bytes.length).set(bytes);
    this.#entries.delete(key);
    this.#entries.set(key, { slot, length: bytes.length });
    this.counters[BYTES] = this.#entries.size * SLOT_BYTES;
  }

  /** Drops everything, memory included; returns how many bytes that were. */
  clear(): number {
    const bytes = this.bytes;
    this.#entries.clear();
    this.#slabs.length = 0;
    this.#used = 0;
    this.counters[BYTES] = 0;
    return bytes;
  }

  #takeSlot(): number {
    if (this.#used < this.#slots) {
      const slot = this.#used++;
      if (slot % SLOTS_PER_SLAB === 0) this.#slabs.push(new Uint8Array(SLOTS_PER_SLAB * SLOT_BYTES));
      return slot;
    }
    const [[oldest, { slot }]] = this.#entries;
    this.#entries.delete(oldest);
    return slot;
  }

  #view(slot: number, length: number): Uint8Array {
    const from = (slot % SLOTS_PER_SLAB) * SLOT_BYTES;
    return this.#slabs[Math.floor(slot / SLOTS_PER_SLAB)].subarray(from, from + length);
  }
}
