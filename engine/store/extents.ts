/**
 * Which pieces of which files are in the arena. A piece is loaded when first pinned and stays until the arena needs
 * the room: then the least recently used pieces that nobody is looking at go first.
 */
import { InternalError } from "../errors.js";
import type { Arena } from "./arena.js";
import type { Extent } from "./section.js";

/** A piece in the arena, with the moment of its last use. */
export interface LoadedExtent extends Extent {
  lastUse: number;
}

/** Something whose pieces may be evicted while nobody uses them: an open segment file. */
export interface ExtentOwner {
  readonly inUse: boolean;
  /** Whether somebody may be looking at the piece. */
  protects(extent: LoadedExtent): boolean;
  /** Pieces that are loaded now. */
  loaded(): Iterable<LoadedExtent>;
  /** Forget this piece and everything made from it; the caller frees the memory. */
  evicted(extent: LoadedExtent): void;
}

/** All evictable pieces of one arena. */
export class Extents {
  readonly #owners = new Set<ExtentOwner>();
  readonly #unregister: () => void;
  #clock = 0;
  #evictions = 0;

  constructor(readonly arena: Arena) {
    this.#unregister = arena.onPressure((bytes) => this.evict(bytes));
  }

  /** Grows with every use; later means more recent. */
  now(): number {
    return ++this.#clock;
  }

  /** How many pieces were evicted so far. */
  get evictions(): number {
    return this.#evictions;
  }

  add(owner: ExtentOwner): void {
    this.#owners.add(owner);
  }

  /** Frees all pieces of an owner that goes away. */
  remove(owner: ExtentOwner): void {
    if (owner.inUse) throw new InternalError("a segment is closed while it is in use");
    for (const extent of [...owner.loaded()]) this.#evict(owner, extent);
    this.#owners.delete(owner);
  }

  /** Evicts until `bytes` are free or nothing can go; returns how many were freed. */
  evict(bytes: number): number {
    const candidates: { owner: ExtentOwner; extent: LoadedExtent }[] = [];
    for (const owner of this.#owners) {
      for (const extent of owner.loaded()) if (!owner.protects(extent)) candidates.push({ owner, extent });
    }
    candidates.sort((a, b) => a.extent.lastUse - b.extent.lastUse);
    let freed = 0;
    for (const { owner, extent } of candidates) {
      if (freed >= bytes) break;
      freed += this.arena.sizeOf(extent.address);
      this.#evict(owner, extent);
    }
    return freed;
  }

  close(): void {
    this.#unregister();
  }

  #evict(owner: ExtentOwner, extent: LoadedExtent): void {
    owner.evicted(extent);
    this.arena.free(extent.address);
    this.#evictions++;
  }
}
