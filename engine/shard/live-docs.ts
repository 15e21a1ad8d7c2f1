import { allSet, clearBit, countBits, isSet } from "../store/bits.js";

/**
 * What of a segment is alive, for two kinds of observers: readers see `published`, which never changes but is replaced;
 * the writer, and a commit, see deletes at once. Bit set: alive; null: all are.
 */
export class LiveDocs {
  #published: Uint32Array | null;
  #publishedCount: number;
  /** A copy with the deletes since `publish`; null while there are none. */
  #working: Uint32Array | null = null;
  #count: number;

  constructor(
    readonly docCount: number,
    published: Uint32Array | null,
  ) {
    this.#published = published;
    this.#publishedCount = published ? countBits(published) : docCount;
    this.#count = this.#publishedCount;
  }

  get published(): Uint32Array | null {
    return this.#published;
  }

  get publishedCount(): number {
    return this.#publishedCount;
  }

  /** With the deletes that no reader shows yet. May change in place with the next delete. */
  get current(): Uint32Array | null {
    return this.#working ?? this.#published;
  }

  get currentCount(): number {
    return this.#count;
  }

  /** There are deletes that no reader shows yet. */
  get changed(): boolean {
    return this.#working !== null;
  }

  /** Alive for the writer. */
  isAlive(doc: number): boolean {
    return isSet(this.current, doc);
  }

  delete(doc: number): void {
    if (!this.isAlive(doc)) return;
    this.#working ??= this.#published ? this.#published.slice() : allSet(this.docCount);
    clearBit(this.#working, doc);
    this.#count--;
  }

  /** The next reader shows what the writer sees. */
  publish(): void {
    if (!this.#working) return;
    this.#published = this.#working;
    this.#publishedCount = this.#count;
    this.#working = null;
  }
}
