import type { Arena } from "../store/arena.js";

/** First slab; the next ones are twice as large as the one before, up to the largest. */
const FIRST_BYTES = 16 * 1024;
const LARGEST_BYTES = 512 * 1024;

/** Memory in the arena that is taken in small pieces and given back all at once. Pieces begin at multiples of 8. */
export class Slabs {
  readonly #slabs: number[] = [];
  #at = 0;
  #end = 0;
  #bytes = 0;
  #next = FIRST_BYTES;

  constructor(private readonly arena: Arena) {}

  /** Bytes of arena held. */
  get bytes(): number {
    return this.#bytes;
  }

  /** Address of so many fresh bytes. Throws `overloaded`. */
  take(bytes: number): number {
    if (this.#at + bytes > this.#end) this.#grow(bytes);
    const address = this.#at;
    this.#at += (bytes + 7) & ~7;
    return address;
  }

  close(): void {
    for (const slab of this.#slabs) this.arena.free(slab);
    this.#slabs.length = 0;
    this.#at = 0;
    this.#end = 0;
    this.#bytes = 0;
    this.#next = FIRST_BYTES;
  }

  #grow(bytes: number): void {
    const slab = this.arena.alloc(Math.max(bytes, this.#next));
    const size = this.arena.sizeOf(slab);
    this.#slabs.push(slab);
    this.#at = slab;
    this.#end = slab + size;
    this.#bytes += size;
    this.#next = Math.min(LARGEST_BYTES, 2 * this.#next);
  }
}
