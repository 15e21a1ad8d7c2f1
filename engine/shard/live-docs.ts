import { allSet, clearBit, copyBits, countBits, isSet } from "../store/bits.js";

/** What of a segment was alive at one moment; never changes. null: all. */
export interface LiveSnapshot {
  readonly bits: Uint32Array | null;
  readonly count: number;
}

/**
 * What of a segment is alive, for two kinds of observers: readers see `published`, which never changes but is replaced;
 * the writer sees deletes at once. A refresh or a commit takes a snapshot of the writer's view at its moment, and deletes
 * go on beside it. Bit set: alive; null: all are.
 */
export class LiveDocs {
  #published: LiveSnapshot;
  #bits: Uint32Array | null;
  #count: number;
  /** Nobody else has the current bits: the next delete may change them in place. */
  #owned = false;

  constructor(
    readonly docCount: number,
    published: Uint32Array | null,
  ) {
    this.#published = { bits: published, count: published ? countBits(published) : docCount };
    this.#bits = published;
    this.#count = this.#published.count;
  }

  get published(): Uint32Array | null {
    return this.#published.bits;
  }

  get publishedCount(): number {
    return this.#published.count;
  }

  get currentCount(): number {
    return this.#count;
  }

  /** There are deletes that no reader shows yet. */
  get changed(): boolean {
    return this.#count !== this.#published.count;
  }

  /** Alive for the writer. */
  isAlive(doc: number): boolean {
    return isSet(this.#bits, doc);
  }

  delete(doc: number): void {
    if (!this.isAlive(doc)) return;
    if (!this.#owned || this.#bits === null) this.#bits = this.#bits ? copyBits(this.#bits) : allSet(this.docCount);
    this.#owned = true;
    clearBit(this.#bits, doc);
    this.#count--;
  }

  /** The writer's view now. */
  snapshot(): LiveSnapshot {
    this.#owned = false;
    return { bits: this.#bits, count: this.#count };
  }

  /** The next reader shows this. */
  publish(snapshot: LiveSnapshot): void {
    this.#published = snapshot;
  }
}
