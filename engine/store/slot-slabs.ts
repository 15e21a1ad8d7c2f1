/**
 * Where slots lie: in slabs, a list that begins in the arena's header, so that every thread finds the slots of all open
 * files, also of files that it has not opened itself. A file has a run of slots, one record before them:
 *
 *   slab  offset  bytes  name        meaning
 *         0       4      next        address of the slab made before this one, 0: none
 *         4       4      count       records behind this one
 *         8       8      zero
 *         16      ...    records     16 bytes each: slots (kernels/slot.ts), and what begins a run
 *
 *   run   0       4      zero        so that it reads like an empty slot
 *         4       4      zero
 *         8       4      slots       of the file
 *         12      4      generation  of the file; changes when the run is given to another one, 0: to none
 *
 * Every thread cuts the slabs that it made itself and gives none back: some 32 bytes for a small segment, a few KB for
 * one with hundreds of sections. Runs take a power of two of records, and are used again for files of like size.
 */
import { InternalError } from "../errors.js";
import { Slot } from "../kernels/slot.js";
import { type Arena, HeaderWord } from "./arena.js";

/** A file's slots, for other threads. Plain data. */
export interface SlotRun {
  /** Of the record before the first slot. */
  readonly address: number;
  /** Slots. */
  readonly count: number;
  readonly generation: number;
}

const RECORD = Slot.bytes;
/** Slabs are as large as this, or as the one run they are for. */
const SLAB_BYTES = 16 * 1024;
const COUNT_WORD = 2;
const GENERATION_WORD = 3;

/** Address of a run's slot. */
export function slotAddress(run: SlotRun, index: number): number {
  return run.address + RECORD * (1 + index);
}

/** Hands out runs of slots, and walks the slots of all threads. One per thread. */
export class SlotSlabs {
  /** Runs given back, by the exponent of their number of records. */
  readonly #free: number[][] = [];
  /** Unused rest of the slab made last. */
  #next = 0;
  #end = 0;

  constructor(private readonly arena: Arena) {
    // The thread that makes the arena will open files: memory that will be taken for good shows from the start.
    if (arena.thread === 0) this.#newSlab(0);
  }

  /** Empty slots for a file. Throws `overloaded`. */
  take(count: number): SlotRun {
    const address = this.#takeRecords(exponentOf(1 + count));
    const { u32 } = this.arena;
    const at = address >>> 2;
    u32.fill(0, at, at + (RECORD / 4) * (1 + count));
    // Never 0, which means that the run belongs to no file.
    const generation = (Atomics.add(u32, HeaderWord.generation, 1) + 1) >>> 0 || 1;
    u32[at + COUNT_WORD] = count;
    Atomics.store(u32, at + GENERATION_WORD, generation);
    return { address, count, generation };
  }

  /** Takes slots back that this thread took; they must be empty. */
  give(run: SlotRun): void {
    this.check(run);
    Atomics.store(this.arena.u32, (run.address >>> 2) + GENERATION_WORD, 0);
    this.#free[exponentOf(1 + run.count)].push(run.address);
  }

  /** Throws when the run belongs to another file by now: who took it has closed its file. */
  check(run: SlotRun): void {
    const at = run.address >>> 2;
    const { u32 } = this.arena;
    if (u32[at + GENERATION_WORD] === run.generation && u32[at + COUNT_WORD] === run.count) return;
    throw new InternalError("a segment is used in this thread after the thread that opened it has closed it");
  }

  /** Addresses of all records of all threads; what is no slot reads like an empty one. */
  *all(): Iterable<number> {
    const { u32 } = this.arena;
    for (let slab = Atomics.load(u32, HeaderWord.newestSlab); slab !== 0; slab = u32[slab >>> 2]) {
      const end = slab + RECORD * (1 + u32[(slab >>> 2) + 1]);
      for (let slot = slab + RECORD; slot < end; slot += RECORD) yield slot;
    }
  }

  #takeRecords(exponent: number): number {
    this.#free[exponent] ??= [];
    const used = this.#free[exponent].pop();
    if (used !== undefined) return used;
    const bytes = RECORD * 2 ** exponent;
    if (this.#end - this.#next < bytes) this.#newSlab(bytes);
    const address = this.#next;
    this.#next += bytes;
    return address;
  }

  #newSlab(bytes: number): void {
    const slab = this.arena.alloc(Math.max(SLAB_BYTES, RECORD + bytes));
    const size = this.arena.sizeOf(slab);
    this.#giveRest();
    this.arena.handOver(slab);
    const { u32 } = this.arena;
    u32.fill(0, slab >>> 2, (slab + size) >>> 2);
    u32[(slab >>> 2) + 1] = size / RECORD - 1;
    this.#next = slab + RECORD;
    this.#end = slab + size;
    for (let newest = Atomics.load(u32, HeaderWord.newestSlab); ; ) {
      u32[slab >>> 2] = newest;
      const found = Atomics.compareExchange(u32, HeaderWord.newestSlab, newest, slab);
      if (found === newest) return;
      newest = found;
    }
  }

  /** The unused rest of a slab becomes runs for later. */
  #giveRest(): void {
    while (this.#next < this.#end) {
      const exponent = Math.floor(Math.log2((this.#end - this.#next) / RECORD));
      this.#free[exponent] ??= [];
      this.#free[exponent].push(this.#next);
      this.#next += RECORD * 2 ** exponent;
    }
  }
}

/** The smallest power of two that is not less. */
function exponentOf(count: number): number {
  return 32 - Math.clz32(count - 1);
}
