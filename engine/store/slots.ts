/**
 * Pieces of files in the arena, one copy for all threads. A piece (a section of a segment, or a small segment as a
 * whole) has a slot of 16 bytes in the arena (struct Slot, kernels/slot.ts), whose word `place` reads:
 *
 *   bits 0-19   page where the piece begins; 0 with all other bits zero: it is not in memory
 *   bits 20-24  thread that is about to evict it, if
 *   bit 31      somebody is about to evict it
 *
 * and whose word `pins` has bit t while thread t keeps the piece. A thread counts its own uses itself and sets or clears
 * its one bit. Nobody ever waits for another thread, and a thread may die between any two steps:
 *
 *   pin      set the own bit, then read `place`. A page: it will stay until the bit is cleared. 0: load a copy and try
 *            to `publish` it. About to be evicted: put the plain page back; who is first, wins.
 *   publish  with the own bit set, compare-and-swap 0 -> page. Somebody else was quicker: free the copy, pin theirs.
 *   unpin    clear the own bit.
 *   evict    no bit set? Mark `place` with the own number, look again at `pins`, then compare-and-swap the mark -> 0, and
 *            free the page. A bit was set meanwhile: put the page back.
 *
 * Pin and evict each write their word before they read the other's, so one of them notices. The mark bears the
 * evictor's number so that a mark which was put back and set anew by another thread is not taken for the own.
 *
 * **A thread died:** its bits are what it leaves. `releaseThread` (storage.ts) clears them in all slots; a mark that
 * it left behind is put back or taken over by whoever comes next, as said above. A thread that dies between taking a
 * piece out of its slot and freeing its pages leaves these taken: a leak of one piece.
 */
import type { Kernels } from "../kernels/kernels.js";
import { Slot } from "../kernels/slot.js";
import { ARENA_PAGE, type Arena, HeaderWord } from "./arena.js";

const PAGE_MASK = 2 ** 20 - 1;
const THREAD_SHIFT = 20;
const EVICTING = 2 ** 31;

/** One thread's way to the slots of all. A slot is named by its address. */
export class Slots {
  readonly #u32: Uint32Array;
  readonly #bit: number;
  /** What `place` reads while this thread is about to evict, the page aside. */
  readonly #mark: number;

  constructor(
    private readonly arena: Arena,
    private readonly kernels: Kernels,
  ) {
    this.#u32 = arena.u32;
    this.#bit = 1 << arena.thread;
    this.#mark = EVICTING + arena.thread * 2 ** THREAD_SHIFT;
  }

  /**
   * Keeps the piece for this thread until `unpin`. Returns its address; 0: it is not in memory, and the caller either
   * publishes it or calls `unpin`. `now` becomes the moment of its last use.
   */
  pin(slot: number, now: number): number {
    const place = this.kernels.pinSlot(slot, this.#bit, now);
    return place < EVICTING ? place * ARENA_PAGE : this.#putBack(slot, place);
  }

  unpin(slot: number): void {
    this.kernels.unpinSlot(slot, this.#bit);
  }

  /**
   * Offers a copy that this thread loaded, after a `pin` that returned 0; true: it is everybody's now. false: another
   * thread's is (pin again), and the caller frees its own.
   */
  publish(slot: number, address: number): boolean {
    this.arena.handOver(address);
    const page = address / ARENA_PAGE;
    if (Atomics.compareExchange(this.#u32, slot >>> 2, 0, page) !== 0) return false;
    Atomics.add(this.#u32, HeaderWord.loads, 1);
    return true;
  }

  /** Frees the piece if no thread keeps it; returns how many bytes that gave, 0: none. */
  evict(slot: number): number {
    const at = slot >>> 2;
    const place = Atomics.load(this.#u32, at);
    if (place === 0 || this.pinnedBy(slot) !== 0) return 0;
    const page = place & PAGE_MASK;
    const marked = this.#mark + page;
    if (Atomics.compareExchange(this.#u32, at, place, marked) !== place) return 0;
    const kept = this.pinnedBy(slot) !== 0;
    if (Atomics.compareExchange(this.#u32, at, marked, kept ? page : 0) !== marked || kept) return 0;
    const bytes = this.arena.sizeOf(page * ARENA_PAGE);
    this.arena.free(page * ARENA_PAGE);
    return bytes;
  }

  /** Threads that keep the piece, a bit each. */
  pinnedBy(slot: number): number {
    return Atomics.load(this.#u32, (slot + Slot.pins) >>> 2);
  }

  /** Clears a thread's bit; true: it was set. For threads that have died. */
  clearPin(slot: number, thread: number): boolean {
    const bit = 1 << thread;
    return (Atomics.and(this.#u32, (slot + Slot.pins) >>> 2, ~bit) & bit) !== 0;
  }

  /** Moment of the last use; 0: it was never asked for. */
  lastUse(slot: number): number {
    return this.#u32[(slot + Slot.lastUse) >>> 2];
  }

  /** A piece that is not in memory was asked for. */
  note(slot: number, now: number): void {
    this.#u32[(slot + Slot.lastUse) >>> 2] = now;
  }

  /** Address of the piece as it is at this moment, 0: not in memory. Without a pin it may be gone at once. */
  peek(slot: number): number {
    return (this.#u32[slot >>> 2] & PAGE_MASK) * ARENA_PAGE;
  }

  /** The piece was about to be evicted when this thread's bit was set. */
  #putBack(slot: number, marked: number): number {
    const at = slot >>> 2;
    let place = marked;
    while (place >= EVICTING) {
      const page = place & PAGE_MASK;
      const found = Atomics.compareExchange(this.#u32, at, place, page);
      place = found === place ? page : found;
    }
    return place * ARENA_PAGE;
  }
}
