/**
 * Which pieces of which files are in the arena. A piece is loaded when first pinned, by whichever thread, and stays until
 * the arena needs the room: then the least recently used pieces that no thread keeps go first, whoever opened their
 * file. slots.ts says how threads agree, slot-slabs.ts where the slots of all pieces lie. One Extents per thread.
 */
import { InternalError } from "../errors.js";
import type { Kernels } from "../kernels/kernels.js";
import { type Arena, HeaderWord } from "./arena.js";
import { SlotSlabs } from "./slot-slabs.js";
import { Slots } from "./slots.js";

/** Pieces in the arena, of all threads. */
export interface ExtentStatistics {
  readonly loadedBytes: number;
  /** Of them in use at this moment. */
  readonly pinnedBytes: number;
  /** Pieces loaded and evicted since the start. */
  readonly loads: number;
  readonly evictions: number;
}

/** A piece that may be evicted if it is still as it was. */
interface Candidate {
  readonly slot: number;
  readonly lastUse: number;
}

export class Extents {
  readonly slots: Slots;
  readonly slabs: SlotSlabs;
  readonly #unregister: () => void;
  /** Pieces that nobody kept when all slots were last looked through; the least recently used is at the end. */
  #candidates: Candidate[] = [];

  constructor(
    readonly arena: Arena,
    kernels: Kernels,
  ) {
    this.slots = new Slots(arena, kernels);
    this.slabs = new SlotSlabs(arena);
    this.#unregister = arena.onPressure((bytes) => this.evict(bytes));
  }

  /**
   * Grows with every use, in all threads; later means more recent. Begins again after 2^32: a piece unused for as long
   * passes for a fresh one then, which costs nothing but its turn.
   */
  now(): number {
    return (Atomics.add(this.arena.u32, HeaderWord.clock, 1) + 1) >>> 0;
  }

  /** How many pieces were evicted so far, by all threads. */
  get evictions(): number {
    return Atomics.load(this.arena.u32, HeaderWord.evictions);
  }

  /** Looks at every slot: for statistics, not for hot paths. Exact also after a thread has died somewhere. */
  statistics(): ExtentStatistics {
    let [loadedBytes, pinnedBytes] = [0, 0];
    for (const slot of this.slabs.all()) {
      const address = this.slots.peek(slot);
      if (address === 0) continue;
      const bytes = this.arena.sizeOf(address);
      loadedBytes += bytes;
      if (this.slots.pinnedBy(slot) !== 0) pinnedBytes += bytes;
    }
    return {
      loadedBytes,
      pinnedBytes,
      loads: Atomics.load(this.arena.u32, HeaderWord.loads),
      evictions: this.evictions,
    };
  }

  /**
   * Evicts until `bytes` are free or nothing can go; returns how many were freed. What was found to be evictable the
   * last time goes first if it was not used since: looking through all slots for every piece loaded would be dear.
   */
  evict(bytes: number): number {
    let freed = this.#evictCandidates(bytes);
    if (freed >= bytes) return freed;
    this.#candidates = this.#findCandidates();
    freed += this.#evictCandidates(bytes - freed);
    return freed;
  }

  /**
   * A thread has died: what it kept may be evicted. To be called when it has ended for certain, and before anything that
   * it worked on is closed. Returns how many pieces it kept. See also releaseThread (storage.ts).
   */
  releasePinsOf(thread: number): number {
    if (thread === this.arena.thread) throw new InternalError(`thread ${thread} declares itself dead`);
    let released = 0;
    for (const slot of this.slabs.all()) if (this.slots.clearPin(slot, thread)) released++;
    return released;
  }

  close(): void {
    this.#unregister();
    this.#candidates = [];
  }

  #evictCandidates(bytes: number): number {
    let freed = 0;
    while (freed < bytes) {
      const candidate = this.#candidates.pop();
      if (candidate === undefined) break;
      if (this.slots.lastUse(candidate.slot) !== candidate.lastUse) continue;
      const evicted = this.slots.evict(candidate.slot);
      if (evicted > 0) Atomics.add(this.arena.u32, HeaderWord.evictions, 1);
      freed += evicted;
    }
    return freed;
  }

  #findCandidates(): Candidate[] {
    const { slots } = this;
    const now = Atomics.load(this.arena.u32, HeaderWord.clock);
    const found: Candidate[] = [];
    for (const slot of this.slabs.all()) {
      if (slots.peek(slot) !== 0 && slots.pinnedBy(slot) === 0) found.push({ slot, lastUse: slots.lastUse(slot) });
    }
    const age = ({ lastUse }: Candidate) => (now - lastUse) >>> 0;
    return found.sort((a, b) => age(a) - age(b));
  }
}
