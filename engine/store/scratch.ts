/**
 * Memory in the arena for the length of one synchronous piece of work: LZ4 tables, a block being unpacked, a query
 * vector. One per thread. Each region has a name and grows to the largest size asked for; `release` gives all
 * back, between pieces of work.
 */
import type { Arena } from "./arena.js";

/** What a region is for; two uses that overlap in time need two names. */
export type ScratchRegion =
  | "packed"
  | "raw"
  | "table"
  | "query"
  | "rows"
  | "crc"
  | "postings"
  | "text"
  | "chunks"
  | "record";

export class Scratch {
  /** Changes whenever a region is given back: what a user left in one may be gone. */
  generation = 0;
  readonly #regions = new Map<ScratchRegion, { address: number; bytes: number }>();

  constructor(readonly arena: Arena) {}

  /** Address of at least `bytes` bytes (16 more readable), contents undefined; valid until the same region is asked for again. */
  region(name: ScratchRegion, bytes: number): number {
    const found = this.#regions.get(name);
    if (found !== undefined && found.bytes >= bytes) return found.address;
    if (found !== undefined) this.#free(name, found.address);
    const address = this.arena.alloc(bytes + 16);
    this.#regions.set(name, { address, bytes: this.arena.sizeOf(address) - 16 });
    return address;
  }

  /** Gives a region back that is larger than this: what was needed once need not be held for ever. */
  trim(name: ScratchRegion, bytes: number): void {
    const found = this.#regions.get(name);
    if (found !== undefined && found.bytes > bytes) this.#free(name, found.address);
  }

  /** Gives all regions back; whoever holds an address must ask anew. */
  release(): void {
    for (const [name, { address }] of this.#regions) this.#free(name, address);
  }

  #free(name: ScratchRegion, address: number): void {
    this.#regions.delete(name);
    this.generation++;
    this.arena.free(address);
  }
}
