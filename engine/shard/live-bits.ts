/**
 * Which documents of a segment are alive: one bit a document in 32-bit words, set: alive; null: all are. Bits past the
 * last document are clear.
 */

export function isAlive(live: Uint32Array | null, doc: number): boolean {
  return live === null || (live[doc >>> 5] & (1 << (doc & 31))) !== 0;
}

/** Bits of `docCount` documents, all alive. */
export function allAlive(docCount: number): Uint32Array {
  const bits = new Uint32Array(Math.ceil(docCount / 32)).fill(0xffffffff);
  const rest = docCount & 31;
  if (rest !== 0) bits[bits.length - 1] = 2 ** rest - 1;
  return bits;
}

export function countAlive(bits: Uint32Array): number {
  let count = 0;
  for (const word of bits) {
    let v = word - ((word >>> 1) & 0x55555555);
    v = (v & 0x33333333) + ((v >>> 2) & 0x33333333);
    count += Math.imul((v + (v >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
  }
  return count;
}

/**
 * What of a segment is alive, for two kinds of observers: readers see `published`, which never changes but is replaced;
 * the writer sees deletes at once.
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
    this.#publishedCount = published ? countAlive(published) : docCount;
    this.#count = this.#publishedCount;
  }

  get published(): Uint32Array | null {
    return this.#published;
  }

  get publishedCount(): number {
    return this.#publishedCount;
  }

  /** There are deletes that no reader shows yet. */
  get changed(): boolean {
    return this.#working !== null;
  }

  /** Alive for the writer. */
  isAlive(doc: number): boolean {
    return isAlive(this.#working ?? this.#published, doc);
  }

  delete(doc: number): void {
    if (!this.isAlive(doc)) return;
    this.#working ??= this.#published ? this.#published.slice() : allAlive(this.docCount);
    this.#working[doc >>> 5] &= ~(1 << (doc & 31));
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
