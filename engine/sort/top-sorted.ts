import type { Charge } from "../memory/index.js";
import { type Comparable, compareEntries, compareKey, type KeyOrder, type SortedEntry } from "./sort-value.js";

/** A kept document beside the values of its keys. */
const ENTRY_BYTES = 160;
/** A value that is bytes, beside them; a number. */
const BYTES_VALUE = 100;
const NUMBER_VALUE = 16;
/** Charged at once, so that few documents cost one charge. */
const CHARGE_STEP = 4096;

/** The first k documents by sort keys, in any order of offering: the order is total. */
export class TopSorted {
  /** A binary heap, the last in order at the root. */
  readonly #heap: SortedEntry[] = [];
  /** Bytes of the kept documents, and how many are charged. */
  #bytes = 0;
  #charged = 0;

  constructor(
    readonly orders: readonly KeyOrder[],
    readonly limit: number,
    /** Only documents after these values count. */
    readonly after: readonly Comparable[] | null,
    /** Throws when there is no memory for more. */
    private readonly charge: Charge,
  ) {}

  /** The last kept document, once there is no more room. */
  get bottom(): SortedEntry | null {
    return this.#heap.length === this.limit && this.limit > 0 ? this.#heap[0] : null;
  }

  offer(entry: SortedEntry): void {
    if (this.limit === 0 || !this.#isAfter(entry)) return;
    if (this.#heap.length < this.limit) {
      this.#weigh(sizeOf(entry));
      this.#heap.push(entry);
      this.#up(this.#heap.length - 1);
    } else if (this.#compare(entry, this.#heap[0]) < 0) {
      this.#weigh(sizeOf(entry) - sizeOf(this.#heap[0]));
      this.#heap[0] = entry;
      this.#down();
    }
  }

  #weigh(bytes: number): void {
    this.#bytes += bytes;
    if (this.#bytes <= this.#charged) return;
    const step = Math.max(CHARGE_STEP, this.#bytes - this.#charged);
    this.charge(step);
    this.#charged += step;
  }

  #isAfter(entry: SortedEntry): boolean {
    if (this.after === null) return true;
    for (let i = 0; i < this.after.length; i++) {
      const result = compareKey(this.orders[i], entry.keys[i], this.after[i]);
      if (result !== 0) return result > 0;
    }
    return false;
  }

  #compare(a: SortedEntry, b: SortedEntry): number {
    return compareEntries(this.orders, a, b);
  }

  #up(from: number): void {
    const heap = this.#heap;
    for (let at = from; at > 0; ) {
      const parent = (at - 1) >> 1;
      if (this.#compare(heap[parent], heap[at]) >= 0) return;
      [heap[parent], heap[at]] = [heap[at], heap[parent]];
      at = parent;
    }
  }

  #down(): void {
    const heap = this.#heap;
    for (let at = 0; ; ) {
      let child = 2 * at + 1;
      if (child >= heap.length) return;
      if (child + 1 < heap.length && this.#compare(heap[child + 1], heap[child]) > 0) child++;
      if (this.#compare(heap[at], heap[child]) >= 0) return;
      [heap[at], heap[child]] = [heap[child], heap[at]];
      at = child;
    }
  }

  /** The kept documents, in order. */
  sorted(): SortedEntry[] {
    return [...this.#heap].sort((a, b) => this.#compare(a, b));
  }
}

function sizeOf({ keys }: SortedEntry): number {
  let bytes = ENTRY_BYTES;
  for (const key of keys) bytes += key instanceof Uint8Array ? BYTES_VALUE + key.length : NUMBER_VALUE;
  return bytes;
}
