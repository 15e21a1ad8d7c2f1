/**
 * The bytes of one file of a MemoryDisk, page by page: as programs see them, and as they surely are on the disk. Pages
 * are shared between the two, and with copies of the disk, until they are written again; a hole is no page.
 */
import type { Chance } from "./chance.js";

/** What the system keeps or loses as a whole. */
export const PAGE = 4096;
/** What a disk writes as a whole: a page may be torn between two of them. */
const SECTOR = 512;
const HOLE = new Uint8Array(PAGE);
/** How many of the states of a page between two syncs are kept. */
const MAX_BETWEEN = 8;

type Pages = Map<number, Uint8Array>;

/** What a power cut leaves of unsynced bytes: nothing, all of them, or some (any pages, torn at sectors). */
export type SurvivingBytes = "none" | "all" | "some";

/** One file. */
export class MemoryFile {
  #size = 0;
  #pages: Pages = new Map();
  #durableSize = 0;
  #durable: Pages = new Map();
  /** Pages that the disk may not have as they are now: what they were between what it surely has and now. */
  readonly #dirty = new Map<number, Uint8Array[]>();
  /** Pages that only `#pages` refers to: they may be changed in place. */
  readonly #own = new Set<number>();

  get size(): number {
    return this.#size;
  }

  /** The disk may have other bytes than programs see. */
  get unsynced(): boolean {
    return this.#dirty.size > 0 || this.#size !== this.#durableSize;
  }

  read(into: Uint8Array, position: number): number {
    const end = Math.min(this.#size, position + into.length);
    for (let at = position; at < end; ) {
      const within = at % PAGE;
      const count = Math.min(PAGE - within, end - at);
      const page = this.#pages.get((at - within) / PAGE) ?? HOLE;
      into.set(page.subarray(within, within + count), at - position);
      at += count;
    }
    return Math.max(0, end - position);
  }

  write(bytes: Uint8Array, position: number): void {
    const end = position + bytes.length;
    if (position > this.#size) this.resize(position);
    for (let at = position; at < end; ) {
      const within = at % PAGE;
      const count = Math.min(PAGE - within, end - at);
      this.#writable((at - within) / PAGE).set(bytes.subarray(at - position, at - position + count), within);
      at += count;
    }
    this.#size = Math.max(this.#size, end);
  }

  resize(length: number): void {
    const before = this.#size;
    this.#size = length;
    if (length >= before) return;
    const first = Math.ceil(length / PAGE);
    for (const page of [...this.#pages.keys()]) if (page >= first) this.#drop(page);
    if (length % PAGE > 0 && this.#pages.has(first - 1)) this.#writable(first - 1).fill(0, length % PAGE);
  }

  /** Takes what is there now; the function it returns makes that durable. */
  beginSync(): () => void {
    const size = this.#size;
    const taken = [...this.#dirty].map(([page, between]) => {
      return { page, bytes: this.#pages.get(page), older: between.length };
    });
    for (const { page } of taken) this.#own.delete(page);
    return () => {
      this.#durableSize = size;
      for (const { page, bytes, older } of taken) {
        setPage(this.#durable, page, bytes);
        if (this.#pages.get(page) === bytes) this.#dirty.delete(page);
        else this.#dirty.get(page)?.splice(0, older);
      }
    };
  }

  /**
   * A sync fails, as on Linux: of what was unsynced some reaches the disk and some is lost, and no later sync will try
   * again. What is lost can still be read, or, where memory was needed for something else, no longer.
   */
  failSync(chance: Chance): void {
    this.#own.clear();
    for (const page of this.#dirty.keys()) {
      const fate = chance(3);
      if (fate === 0) setPage(this.#durable, page, this.#pages.get(page));
      else if (fate === 1) setPage(this.#pages, page, this.#durable.get(page));
    }
    this.#durableSize = this.#size;
    this.#dirty.clear();
  }

  /** The file after a power cut. */
  survivor(kept: SurvivingBytes, chance: Chance): MemoryFile {
    const left = new MemoryFile();
    left.#size = kept === "none" ? this.#durableSize : kept === "all" ? this.#size : this.#survivingSize(chance);
    left.#pages = new Map(this.#durable);
    if (kept !== "none") {
      for (const page of this.#dirty.keys()) setPage(left.#pages, page, this.#survivingPage(page, kept, chance));
    }
    left.#clearBeyondSize();
    left.#durableSize = left.#size;
    left.#durable = new Map(left.#pages);
    return left;
  }

  /** The same file on another disk. */
  copy(): MemoryFile {
    const twin = new MemoryFile();
    twin.#size = this.#size;
    twin.#pages = new Map(this.#pages);
    twin.#durableSize = this.#durableSize;
    twin.#durable = new Map(this.#durable);
    for (const [page, between] of this.#dirty) twin.#dirty.set(page, [...between]);
    this.#own.clear();
    return twin;
  }

  /** A bit is wrong from now on, on the disk too. */
  flipBit(position: number, bit: number): void {
    const number = Math.floor(position / PAGE);
    for (const pages of [this.#pages, this.#durable]) {
      const page = (pages.get(number) ?? HOLE).slice();
      page[position % PAGE] ^= 1 << bit;
      pages.set(number, page);
    }
    this.#own.delete(number);
  }

  #survivingSize(chance: Chance): number {
    const [least, most] = [this.#durableSize, this.#size].sort((a, b) => a - b);
    return [least, most, least + chance(most - least + 1)][chance(3)];
  }

  /** What the page was at some moment since it was synced, or parts of what it was at two. */
  #survivingPage(page: number, kept: SurvivingBytes, chance: Chance): Uint8Array | undefined {
    const now = this.#pages.get(page);
    if (kept === "all") return now;
    const all = [this.#durable.get(page), ...(this.#dirty.get(page) ?? []), now];
    const [one, other] = [all[chance(all.length)], all[chance(all.length)] ?? HOLE];
    if (chance(3) > 0) return one;
    const torn = (one ?? HOLE).slice();
    for (let at = 0; at < PAGE; at += SECTOR) {
      if (chance(2) === 0) torn.set(other.subarray(at, at + SECTOR), at);
    }
    return torn;
  }

  #clearBeyondSize(): void {
    const first = Math.ceil(this.#size / PAGE);
    for (const page of [...this.#pages.keys()]) if (page >= first) this.#pages.delete(page);
    const last = this.#pages.get(first - 1);
    if (last && this.#size % PAGE > 0) this.#pages.set(first - 1, last.slice().fill(0, this.#size % PAGE));
  }

  #drop(page: number): void {
    this.#changes(page);
    this.#pages.delete(page);
    this.#own.delete(page);
  }

  /** The page is about to become another. */
  #changes(page: number): void {
    const between = this.#dirty.get(page);
    if (between === undefined) this.#dirty.set(page, []);
    else if (between.length < MAX_BETWEEN) between.push((this.#pages.get(page) ?? HOLE).slice());
  }

  #writable(page: number): Uint8Array {
    this.#changes(page);
    let bytes = this.#pages.get(page);
    if (bytes !== undefined && this.#own.has(page)) return bytes;
    bytes = (bytes ?? HOLE).slice();
    this.#pages.set(page, bytes);
    this.#own.add(page);
    return bytes;
  }
}

function setPage(pages: Pages, page: number, bytes: Uint8Array | undefined): void {
  if (bytes === undefined) pages.delete(page);
  else pages.set(page, bytes);
}
