/**
 * The arena: the one shared memory of a node, which kernels see. Segments' extents, write buffers and scratch space
 * are allocated here; nothing in it moves, and an address is a byte offset that stays the same in every thread.
 *
 * The memory is made at its full size at once (address space only: the system backs a page when it is first
 * touched), so that a typed array over it never goes stale. It begins like this; page = ARENA_PAGE bytes:
 *
 *   offset            bytes       name    meaning
 *   0                 65,536      tables  kernels' constant tables (static data of the module), never allocated
 *   65,536            64          header  i32 lock, u32 pages, u32 used pages, u32 no page below is free, zero
 *   65,600            pages / 8   bitmap  bit set: page is taken
 *   (rounded to 64)   4 * pages   runs    u32 at the first page of an allocation: its length in pages
 *
 * The pages these lie in are marked as taken for ever, and so is the last page: kernels may read 16 bytes past what
 * they were given. State lives in the memory and is changed under the lock only, so that workers can share it.
 */
import { EngineError, InternalError } from "../errors.js";

/** Unit of allocation in bytes; every allocation begins at a multiple of it. */
export const ARENA_PAGE = 4096;

const WASM_PAGE = 65_536;
const MAX_WASM_PAGES = 65_535;
const HEADER = 65_536;
const BITMAP = HEADER + 64;
const LOCK = HEADER / 4;
const USED = LOCK + 2;
const LOWEST = LOCK + 3;

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
  readonly #bitmap: Uint32Array;
  readonly #runs: Uint32Array;
  readonly #pressure: PressureCallback[] = [];

  private constructor(
    /** What kernels are instantiated on, and what is posted to other threads. */
    readonly memory: WebAssembly.Memory,
  ) {
    const buffer = memory.buffer;
    this.u8 = new Uint8Array(buffer);
    this.i32 = new Int32Array(buffer);
    this.u32 = new Uint32Array(buffer);
    this.f32 = new Float32Array(buffer);
    this.f64 = new Float64Array(buffer);
    this.view = new DataView(buffer);
    this.#pages = buffer.byteLength / ARENA_PAGE;
    this.#bitmap = new Uint32Array(buffer, BITMAP, this.#pages / 32 + 1);
    this.#runs = new Uint32Array(buffer, runsOffset(this.#pages), this.#pages);
  }

  /**
   * A new arena of at least `bytes` (rounded up to 64 KiB, at most 65,535 * 64 KiB). A small part of it, about 0.1 %
   * and 68 KiB, is for itself.
   */
  static create(bytes: number): Arena {
    const pages = Math.min(MAX_WASM_PAGES, Math.max(4, Math.ceil(bytes / WASM_PAGE)));
    const arena = new Arena(new WebAssembly.Memory({ initial: pages, maximum: pages, shared: true }));
    const own = Math.ceil((runsOffset(arena.#pages) + 4 * arena.#pages) / ARENA_PAGE);
    arena.#mark(0, own, true);
    arena.#mark(arena.#pages - 1, 1, true);
    arena.u32[LOCK + 1] = arena.#pages;
    arena.u32[LOWEST] = own;
    return arena;
  }

  /** The same arena in another thread, from the memory that was posted to it. Pressure callbacks are per thread. */
  static attach(memory: WebAssembly.Memory): Arena {
    const arena = new Arena(memory);
    if (arena.u32[LOCK + 1] !== arena.#pages) throw new InternalError("memory to attach to is not an arena");
    return arena;
  }

  /** Bytes that can ever be allocated. */
  get capacity(): number {
    return this.#pages * ARENA_PAGE;
  }

  /** Bytes taken, the arena's own included. */
  get used(): number {
    return Atomics.load(this.u32, USED) * ARENA_PAGE;
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

  /** Gives an allocation back; `address` as `alloc` returned it. */
  free(address: number): void {
    this.#lock();
    try {
      const page = address / ARENA_PAGE;
      const count = this.#runs[page];
      if (!Number.isInteger(page) || !count) throw new InternalError(`free of ${address}, which is not allocated`);
      this.#runs[page] = 0;
      this.#mark(page, count, false);
    } finally {
      this.#unlock();
    }
  }

  /** Bytes an allocation really spans. */
  sizeOf(address: number): number {
    return this.#runs[address / ARENA_PAGE] * ARENA_PAGE;
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

  #take(count: number): number {
    this.#lock();
    try {
      // Lowest fit, not next fit: memory that was touched before costs no page faults (some 17 us per page in a VM).
      const page = this.#findRun(this.u32[LOWEST], this.#pages, count);
      if (page === 0) return 0;
      this.#mark(page, count, true);
      this.#runs[page] = count;
      if (page === this.u32[LOWEST]) this.u32[LOWEST] = page + count;
      return page;
    } finally {
      this.#unlock();
    }
  }

  /** First page of `count` free pages in [from, to), or 0 (page 0 is never free). */
  #findRun(from: number, to: number, count: number): number {
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

  #mark(page: number, count: number, taken: boolean): void {
    for (let p = page; p < page + count; p++) {
      if (taken) this.#bitmap[p >>> 5] |= 1 << (p & 31);
      else this.#bitmap[p >>> 5] &= ~(1 << (p & 31));
    }
    this.u32[USED] += taken ? count : -count;
    if (!taken && page < this.u32[LOWEST]) this.u32[LOWEST] = page;
  }

  #lock(): void {
    while (Atomics.compareExchange(this.i32, LOCK, 0, 1) !== 0) Atomics.wait(this.i32, LOCK, 1, 1);
  }

  #unlock(): void {
    Atomics.store(this.i32, LOCK, 0);
    Atomics.notify(this.i32, LOCK, 1);
  }
}

function runsOffset(pages: number): number {
  return Math.ceil((BITMAP + pages / 8 + 4) / 64) * 64;
}
