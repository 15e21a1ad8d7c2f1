/**
 * Unpacked blocks of text that a thread keeps, because the same few are read again: by the next page, the next letter typed, the
 * next pattern about the same words. A block is kept when it is read for the second time within a while; so what reads a whole
 * segment keeps nothing, and unpacks into the same warm memory again and again.
 */
import type { Arena } from "../store/arena.js";

/** Bytes kept per thread, at most; of a small arena a smaller part. */
const MOST_BYTES = 16 << 20;
const PART_OF_ARENA = 1 / 64;
/** Blocks remembered as read once: about as many as can be kept. */
const READ_ONCE = 800;
/** When more of the arena is taken nothing is added: others would have to make room. */
const FULL = 3 / 4;

const kept = new WeakMap<Arena, KeptBlocks>();

/** The blocks of this thread. */
export function keptBlocks(arena: Arena): KeptBlocks {
  let found = kept.get(arena);
  if (found === undefined) {
    found = new KeptBlocks(arena);
    kept.set(arena, found);
  }
  return found;
}

/** Blocks by key, the least recently used first. */
export class KeptBlocks {
  readonly #addresses = new Map<number, number>();
  readonly #readOnce = new Set<number>();
  readonly #budget: number;
  #bytes = 0;

  constructor(private readonly arena: Arena) {
    this.#budget = Math.min(MOST_BYTES, arena.capacity * PART_OF_ARENA);
    arena.onPressure(() => this.#giveBack());
  }

  /** Where a block lies; 0: it is not kept. Valid until the next call. */
  find(key: number): number {
    const address = this.#addresses.get(key);
    if (address === undefined) return 0;
    this.#addresses.delete(key);
    this.#addresses.set(key, address);
    return address;
  }

  /** Address to unpack a block at that is to be kept; 0: it is not. When unpacking fails it must be dropped. */
  room(key: number, bytes: number): number {
    if (!this.#readOnce.delete(key)) {
      this.#readOnce.add(key);
      if (this.#readOnce.size > READ_ONCE) for (const oldest of this.#readOnce) return this.#forget(oldest);
      return 0;
    }
    if (this.arena.used > FULL * this.arena.capacity) return 0;
    const address = this.arena.tryAlloc(bytes + SLACK_BYTES);
    if (address === 0) return 0;
    this.#addresses.set(key, address);
    this.#bytes += this.arena.sizeOf(address);
    for (const oldest of this.#addresses.keys()) {
      if (this.#bytes <= this.#budget || oldest === key) break;
      this.drop(oldest);
    }
    return address;
  }

  drop(key: number): void {
    const address = this.#addresses.get(key);
    if (address === undefined) return;
    this.#addresses.delete(key);
    this.#bytes -= this.arena.sizeOf(address);
    this.arena.free(address);
  }

  #forget(key: number): 0 {
    this.#readOnce.delete(key);
    return 0;
  }

  /** All but the one that was used last, which may be in use. Returns the bytes that are free then. */
  #giveBack(): number {
    const before = this.#bytes;
    const keys = [...this.#addresses.keys()];
    for (const key of keys.slice(0, -1)) this.drop(key);
    return before - this.#bytes;
  }
}

/** Readable bytes behind a text. */
const SLACK_BYTES = 16;
