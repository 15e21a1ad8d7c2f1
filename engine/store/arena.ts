/**
 * The arena: the one shared memory of a node, which kernels see. Segments' extents, write buffers and scratch space
 * are allocated here; nothing in it moves, and an address is a byte offset that stays the same in every thread.
 *
 * The memory is made at its full size at once (address space only: the system backs a page when it is first
 * touched), so that a typed array over it never goes stale. It begins like this; page = ARENA_PAGE bytes:
 *
 *   offset            bytes       name     meaning
 *   0                 65,536      tables   kernels' constant tables (static data of the module), never allocated
 *   65,536            64          header   u32 each, see HeaderWord
 *   65,600            32 * 32     threads  a row per thread: u32 attached, u32 zero, f64 statistics of its cache, 3 of them
 *   66,624            pages / 8   bitmap   bit set: page is taken
 *   (rounded to 64)   4 * pages   runs     u32 at the first page of an allocation: pages, 2^20 * thread that owns it
 *
 * The pages these lie in are marked as taken for ever, and so is the last page: kernels may read 16 bytes past what
 * they were given.
 *
 * **Threads.** No lock: a thread that the system suspends, or that dies, keeps nobody waiting. Pages are claimed word by
 * word of the bitmap with atomic operations; who finds one of them taken meanwhile gives back what it has and looks
 * again. An allocation exists when its word in `runs` is set. What a thread allocates belongs to it until it is freed
 * (anyone may) or handed over (`handOver`), so that `reclaim` can free what a dead thread has left. A thread that dies
 * in the middle of an allocation or a free leaves those pages taken: a leak of one piece, never a piece given twice.
 */
import { EngineError, InternalError } from "../errors.js";

/** Unit of allocation in bytes; every allocation begins at a multiple of it. */
export const ARENA_PAGE = 4096;
/** Threads that may share an arena: 0 is the one that created it, others are attached under a number of their own. */
export const MAX_THREADS = 32;

const WASM_PAGE = 65_536;
const MAX_WASM_PAGES = 65_535;
const HEADER = 65_536;
const THREADS = HEADER + 64;
const THREAD_ROW_BYTES = 32;
const BITMAP = THREADS + MAX_THREADS * THREAD_ROW_BYTES;
/** Bits of a word of `runs` that count pages; the owner stands above. */
const COUNT_BITS = 20;
const COUNT_MASK = 2 ** COUNT_BITS - 1;

/** Words of the header, as indices into `u32`. All but `pages` are changed by atomic operations. */
export const HeaderWord = {
  pages: HEADER / 4,
  usedPages: HEADER / 4 + 1,
  /** No page below is free, as far as is known. */
  lowestFree: HEADER / 4 + 2,
  // The rest belongs to slot-slabs.ts, slots.ts and extents.ts.
  newestSlab: HEADER / 4 + 3,
  generation: HEADER / 4 + 4,
  clock: HEADER / 4 + 5,
  loads: HEADER / 4 + 6,
  evictions: HEADER / 4 + 7,
} as const;

/** Asked to give memory back when an allocation does not fit; says how many bytes it freed. */
export type PressureCallback = (bytesNeeded: number) => number;

export class Arena {
  readonly u8: Uint8Array;
  readonly i32: Int32Array;
  readonly u32: Uint32Array;
  readonly f32: Float32Array;
  readonly f64: Float64Array;
  readonly view: DataView;
  readonly #pages: number;
  /** Pages at the beginning that are the arena's own. */
  readonly #ownPages: number;
  readonly #bitmap: Uint32Array;
  readonly #runs: Uint32Array;
  readonly #pressure: PressureCallback[] = [];

  private constructor(
    /** What kernels are instantiated on, and what is posted to other threads. */
    readonly memory: WebAssembly.Memory,
    /** Number of this thread among those that share the arena. */
    readonly thread: number,
  ) {
    const buffer = memory.buffer;
    this.u8 = new Uint8Array(buffer);
    this.i32 = new Int32Array(buffer);
    this.u32 = new Uint32Array(buffer);
    this.f32 = new Float32Array(buffer);
    this.f64 = new Float64Array(buffer);
    this.view = new DataView(buffer);
    this.#pages = buffer.byteLength / ARENA_PAGE;
    this.#ownPages = Math.ceil((runsOffset(this.#pages) + 4 * this.#pages) / ARENA_PAGE);
    this.#bitmap = new Uint32Array(buffer, BITMAP, this.#pages / 32 + 1);
    this.#runs = new Uint32Array(buffer, runsOffset(this.#pages), this.#pages);
  }

  /**
   * A new arena of at least `bytes` (rounded up to 64 KiB, at most 65,535 * 64 KiB). A small part of it, about 0.1 %
   * and 69 KiB, is for itself.
   */
  static create(bytes: number): Arena {
    const pages = Math.min(MAX_WASM_PAGES, Math.max(4, Math.ceil(bytes / WASM_PAGE)));
    const arena = new Arena(new WebAssembly.Memory({ initial: pages, maximum: pages, shared: true }), 0);
    arena.#claim(0, arena.#ownPages);
    arena.#claim(arena.#pages - 1, arena.#pages);
    arena.u32[HeaderWord.pages] = arena.#pages;
    arena.u32[HeaderWord.usedPages] = arena.#ownPages + 1;
    arena.u32[HeaderWord.lowestFree] = arena.#ownPages;
    arena.u32[threadRow(0) / 4] = 1;
    return arena;
  }

  /**
   * The same arena in another thread, from the memory that was posted to it. `thread`: 1 to 31, a number that no other
   * living thread has. Pressure callbacks are per thread.
   */
  static attach(memory: WebAssembly.Memory, thread: number): Arena {
    const arena = new Arena(memory, thread);
    if (arena.u32[HeaderWord.pages] !== arena.#pages) throw new InternalError("memory to attach to is not an arena");
    if (!Number.isInteger(thread) || thread < 1 || thread >= MAX_THREADS) {
      throw new InternalError(`thread ${thread} is to share an arena: numbers go from 1 to ${MAX_THREADS - 1}`);
    }
    if (Atomics.compareExchange(arena.u32, threadRow(thread) / 4, 0, 1) !== 0) {
      throw new InternalError(`two threads are to share an arena as number ${thread}`);
    }
    return arena;
  }

  /** Another thread may have the number from now on: `thread` has ended. */
  detach(thread: number): void {
    this.f64.fill(0, threadRow(thread) / 8 + 1, threadRow(thread) / 8 + 4);
    Atomics.store(this.u32, threadRow(thread) / 4, 0);
  }

  /** Three numbers that a thread keeps for others to read. */
  statisticsOf(thread: number): Float64Array {
    return this.f64.subarray(threadRow(thread) / 8 + 1, threadRow(thread) / 8 + 4);
  }

  /** Bytes that can ever be allocated. */
  get capacity(): number {
    return this.#pages * ARENA_PAGE;
  }

  /** Bytes taken, the arena's own included. */
  get used(): number {
    return Atomics.load(this.u32, HeaderWord.usedPages) * ARENA_PAGE;
  }

  /**
   * Address of `bytes` fresh bytes, a multiple of ARENA_PAGE, contents undefined. Rounded up to whole pages: ask for
   * much at once. Throws `overloaded` when neither space is free nor anything can be evicted.
   */
  alloc(bytes: number): number {
    const address = this.tryAlloc(bytes);
    if (address !== 0) return address;
    throw new EngineError(
      "overloaded",
      `the arena is full: ${bytes} bytes wanted, ${this.used} of ${this.capacity} in use; retry, or raise arenaBytes`,
      { wanted: bytes, used: this.used, capacity: this.capacity },
    );
  }

  /** The same, but 0 where `alloc` throws. */
  tryAlloc(bytes: number): number {
    const count = Math.max(1, Math.ceil(bytes / ARENA_PAGE));
    let page = this.#take(count);
    for (let i = 0; page === 0 && i < this.#pressure.length; i++) {
      // Freed pages need not be adjacent, so ask the same one again while it still gives.
      while (page === 0 && this.#pressure[i](bytes) > 0) page = this.#take(count);
    }
    return page * ARENA_PAGE;
  }

  /** Gives an allocation back, whoever made it; `address` as `alloc` returned it. */
  free(address: number): void {
    const page = address / ARENA_PAGE;
    const inside = Number.isInteger(page) && page > 0 && page < this.#pages;
    const count = inside ? Atomics.exchange(this.#runs, page, 0) & COUNT_MASK : 0;
    if (count === 0) throw new InternalError(`free of ${address}, which is not allocated`);
    this.#release(page, page + count);
  }

  /**
   * Gives back what of an allocation lies behind its first `bytes`, to whole pages. For its owner: nobody else may look
   * at that part, free it or hand it over meanwhile.
   */
  shrink(address: number, bytes: number): void {
    const page = address / ARENA_PAGE;
    const run = this.#runs[page] ?? 0;
    const count = run & COUNT_MASK;
    if (count === 0) throw new InternalError(`${address} is to shrink, which is not allocated`);
    const kept = Math.max(1, Math.ceil(bytes / ARENA_PAGE));
    if (kept >= count) return;
    Atomics.store(this.#runs, page, run - count + kept);
    this.#release(page + kept, page + count);
  }

  /** Makes pages [from, to) free again, which are of no allocation any more. */
  #release(from: number, to: number): void {
    this.#clear(from, to);
    Atomics.sub(this.u32, HeaderWord.usedPages, to - from);
    let lowest = Atomics.load(this.u32, HeaderWord.lowestFree);
    while (from < lowest) {
      const found = Atomics.compareExchange(this.u32, HeaderWord.lowestFree, lowest, from);
      if (found === lowest) return;
      lowest = found;
    }
  }

  /** Bytes an allocation really spans; 0: there is none at this address. */
  sizeOf(address: number): number {
    return (this.#runs[address / ARENA_PAGE] & COUNT_MASK) * ARENA_PAGE;
  }

  /** What this thread allocated no longer depends on its life: the caller has told others the address, or is about to. */
  handOver(address: number): void {
    const page = address / ARENA_PAGE;
    Atomics.store(this.#runs, page, this.#runs[page] & COUNT_MASK);
  }

  /**
   * Frees what a thread that has died allocated and neither freed nor handed over; returns how many bytes. Whatever of
   * it others still look at must have been handed over.
   */
  reclaim(thread: number): number {
    if (thread === 0) throw new InternalError("memory of the thread that made the arena is to be reclaimed");
    let freed = 0;
    for (let page = this.#ownPages; page < this.#pages; page++) {
      const run = this.#runs[page];
      if (run >>> COUNT_BITS !== thread) continue;
      freed += (run & COUNT_MASK) * ARENA_PAGE;
      this.free(page * ARENA_PAGE);
    }
    return freed;
  }

  /** Registers who can give memory back; asked in order of registration. Returns how to unregister. */
  onPressure(callback: PressureCallback): () => void {
    this.#pressure.push(callback);
    return () => {
      const at = this.#pressure.indexOf(callback);
      if (at >= 0) this.#pressure.splice(at, 1);
    };
  }

  /** A view of bytes in the arena; writes go through. */
  bytes(address: number, length: number): Uint8Array {
    return this.u8.subarray(address, address + length);
  }

  /** First page of `count` that were free and are now taken; 0: there are not so many side by side. */
  #take(count: number): number {
    for (;;) {
      const lowest = Atomics.load(this.u32, HeaderWord.lowestFree);
      // Lowest fit, not next fit: memory that was touched before costs no page faults (some 17 us per page in a VM).
      let page = this.#findRun(lowest, count);
      // A thread that died while it freed may have left free pages below.
      if (page === 0) page = this.#findRun(this.#ownPages, count);
      if (page === 0) return 0;
      if (!this.#claim(page, page + count)) continue;
      Atomics.store(this.#runs, page, count + this.thread * (COUNT_MASK + 1));
      Atomics.add(this.u32, HeaderWord.usedPages, count);
      if (page === lowest) Atomics.compareExchange(this.u32, HeaderWord.lowestFree, lowest, page + count);
      return page;
    }
  }

  /** First page of `count` free pages from `from` on, or 0 (page 0 is never free). Others may take them meanwhile. */
  #findRun(from: number, count: number): number {
    const to = this.#pages;
    let length = 0;
    for (let page = from; page < to; page++) {
      const word = this.#bitmap[page >>> 5];
      if ((page & 31) === 0 && page + 32 <= to && (word === 0xffffffff || word === 0)) {
        length = word === 0 ? length + 32 : 0;
        page += 31;
      } else {
        length = (word >>> (page & 31)) & 1 ? 0 : length + 1;
      }
      if (length >= count) return page + 1 - length;
    }
    return 0;
  }

  /** Takes pages [from, to); false: one of them was taken, and nothing has changed. */
  #claim(from: number, to: number): boolean {
    for (let page = from; page < to; page = (page | 31) + 1) {
      const mask = bitsOfWord(page, to);
      const before = Atomics.or(this.#bitmap, page >>> 5, mask);
      if ((before & mask) === 0) continue;
      Atomics.and(this.#bitmap, page >>> 5, ~(mask & ~before));
      this.#clear(from, page);
      return false;
    }
    return true;
  }

  #clear(from: number, to: number): void {
    for (let page = from; page < to; page = (page | 31) + 1) {
      Atomics.and(this.#bitmap, page >>> 5, ~bitsOfWord(page, to));
    }
  }
}

/** Bits that stand for pages [page, to) in the word of `page`. */
function bitsOfWord(page: number, to: number): number {
  const width = Math.min(32 - (page & 31), to - page);
  return width === 32 ? -1 : ((1 << width) - 1) << (page & 31);
}

function threadRow(thread: number): number {
  return THREADS + thread * THREAD_ROW_BYTES;
}

function runsOffset(pages: number): number {
  return Math.ceil((BITMAP + pages / 8 + 4) / 64) * 64;
}
