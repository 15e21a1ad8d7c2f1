/**
 * The pieces of one open file as one thread uses them: which of them it keeps (slots.ts) and since when.
 *
 * Within a use (`beginUse` to `endUse`, the outermost of those that overlap) a piece is pinned when it is first touched
 * and stays pinned until the use ends, so that a touch after the first costs an array read. Pieces that the use has not
 * touched may be evicted meanwhile: a merge, which goes field by field, needs that.
 */
import { EngineError, InternalError } from "../errors.js";
import type { Extents } from "./extents.js";
import { type SlotRun, slotAddress } from "./slot-slabs.js";

/** Where pieces come from. */
export interface PieceSource {
  /** For messages. */
  readonly path: string;
  /** Pieces of the file. */
  readonly count: number;
  /** Address of fresh arena memory with a piece's bytes, checked. */
  load(piece: number): number;
}

export class Pieces {
  /** The file's slots, for other threads that open it. */
  readonly run: SlotRun;
  /** Whether this thread made the slots, and so frees them. */
  readonly #ownsRun: boolean;
  /** Address of each piece that the current use has touched, 0: not touched. */
  readonly #kept: Uint32Array;
  /** Their numbers, in the order of first touch. */
  readonly #keptPieces: Uint32Array;
  #keptCount = 0;
  #uses = 0;
  /** Moment at which the current use began. */
  #now = 0;
  #useCount = 0;
  #closed = false;

  /** `run`: the slots that another thread made for the file; null: this one opens it first, and makes them. */
  constructor(
    private readonly extents: Extents,
    private readonly source: PieceSource,
    run: SlotRun | null,
  ) {
    const { count, path } = source;
    this.#kept = new Uint32Array(count);
    this.#keptPieces = new Uint32Array(count);
    this.#ownsRun = run === null;
    this.run = run ?? extents.slabs.take(count);
    if (this.run.count !== count) throw new InternalError(`${path} has ${count} pieces, not ${this.run.count}`);
  }

  get inUse(): boolean {
    return this.#uses > 0;
  }

  /** Number of the current use, another one for each; 0: there is none. */
  get use(): number {
    return this.#uses === 0 ? 0 : this.#useCount;
  }

  /** Bytes of arena held now, for whatever thread. */
  get memoryBytes(): number {
    const { arena, slots } = this.extents;
    let total = 0;
    for (let piece = 0; piece < this.run.count; piece++) {
      const address = slots.peek(slotAddress(this.run, piece));
      if (address !== 0) total += arena.sizeOf(address);
    }
    return total;
  }

  beginUse(): void {
    if (this.#closed) throw new EngineError("closed", `${this.source.path} is closed`);
    if (this.#uses === 0) {
      if (!this.#ownsRun) this.extents.slabs.check(this.run);
      this.#now = this.extents.now();
      this.#useCount++;
    }
    this.#uses++;
  }

  endUse(): void {
    if (this.#uses === 0) throw new InternalError(`use of ${this.source.path} ends more often than it began`);
    if (--this.#uses > 0) return;
    for (let i = 0; i < this.#keptCount; i++) {
      const piece = this.#keptPieces[i];
      this.#kept[piece] = 0;
      this.extents.slots.unpin(slotAddress(this.run, piece));
    }
    this.#keptCount = 0;
  }

  /** Address of a piece, loaded if need be; it stays there until the use ends. */
  keep(piece: number): number {
    const kept = this.#kept[piece];
    if (kept !== 0) return kept;
    if (this.#uses === 0) throw new InternalError(`${this.source.path} is pinned outside of beginUse and endUse`);
    const slot = slotAddress(this.run, piece);
    const address = this.extents.slots.pin(slot, this.#now) || this.#publish(slot, () => this.source.load(piece));
    this.#remember(piece, address);
    return address;
  }

  /**
   * Address of a piece that `make` makes (address of fresh memory; 0: there is no room), kept like others; 0: it is not in memory.
   * It is made when it is asked for in a second use: what only one search reads, or a merge, is not worth the room. Outside of
   * uses nothing is made or kept.
   */
  keepMade(piece: number, make: () => number): number {
    const kept = this.#kept[piece];
    if (kept !== 0 || !this.inUse) return kept;
    const { slots } = this.extents;
    const slot = slotAddress(this.run, piece);
    if (slots.peek(slot) === 0) {
      const last = slots.lastUse(slot);
      if (last === 0) slots.note(slot, this.#now);
      if (last === 0 || last === this.#now) return 0;
    }
    const address = slots.pin(slot, this.#now) || this.#publish(slot, make);
    if (address === 0) slots.unpin(slot);
    else this.#remember(piece, address);
    return address;
  }

  /** Whether a piece is in memory at this moment. */
  isLoaded(piece: number): boolean {
    return this.extents.slots.peek(slotAddress(this.run, piece)) !== 0;
  }

  /** Address of a piece that is in memory now, within a use: it stays there until that ends. 0: it is not. */
  keepLoaded(piece: number): number {
    if (!this.inUse) throw new InternalError(`${this.source.path} is pinned outside of beginUse and endUse`);
    return this.#pinLoaded(piece);
  }

  /** Runs `copy` with the address of a piece if it is loaded; false: it is not. For use outside of uses too. */
  ifLoaded(piece: number, copy: (address: number) => void): boolean {
    const address = this.#pinLoaded(piece);
    if (address === 0) return false;
    copy(address);
    if (!this.inUse) this.extents.slots.unpin(slotAddress(this.run, piece));
    return true;
  }

  /** Frees the pieces, if this thread opened the file first. Throws when somebody uses one still. */
  close(): void {
    if (this.#closed) return;
    if (this.inUse) throw new InternalError(`${this.source.path} is closed while it is in use`);
    if (this.#ownsRun) this.#free();
    this.#closed = true;
  }

  /** Pinned until the use ends; outside of uses the caller unpins. */
  #pinLoaded(piece: number): number {
    const kept = this.#kept[piece];
    if (kept !== 0) return kept;
    const { slots } = this.extents;
    const slot = slotAddress(this.run, piece);
    if (slots.peek(slot) === 0) return 0;
    const address = slots.pin(slot, this.inUse ? this.#now : this.extents.now());
    if (address === 0) slots.unpin(slot);
    else if (this.inUse) this.#remember(piece, address);
    return address;
  }

  #remember(piece: number, address: number): void {
    this.#kept[piece] = address;
    this.#keptPieces[this.#keptCount++] = piece;
  }

  /**
   * Loads a piece whose slot this thread has pinned; 0 when `load` says so. Other threads may do the same: one copy stays.
   */
  #publish(slot: number, load: () => number): number {
    const { slots, arena } = this.extents;
    try {
      for (;;) {
        const address = load();
        if (address === 0 || slots.publish(slot, address)) return address;
        arena.free(address);
        const theirs = slots.pin(slot, this.#now);
        if (theirs !== 0) return theirs;
      }
    } catch (error) {
      slots.unpin(slot);
      throw error;
    }
  }

  #free(): void {
    const { slots, slabs } = this.extents;
    const all = Array.from({ length: this.run.count }, (_, piece) => slotAddress(this.run, piece));
    for (const slot of all) this.#checkUnpinned(slot);
    for (const slot of all) {
      // Another thread may be about to evict the same piece: one of the two does it.
      while (slots.peek(slot) !== 0) {
        if (slots.evict(slot) === 0) this.#checkUnpinned(slot);
      }
    }
    slabs.give(this.run);
  }

  #checkUnpinned(slot: number): void {
    const threads = this.extents.slots.pinnedBy(slot);
    if (threads === 0) return;
    const mask = `0x${threads.toString(16)}`;
    throw new InternalError(`${this.source.path} is closed while it is in use by the threads of mask ${mask}`);
  }
}
