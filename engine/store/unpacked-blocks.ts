/**
 * The blocks of `_source` unpacked last, whoever they belong to: the documents that many searches show lie near each
 * other (the newest, the first of those that tie), and unpacking a block for each of them costs more than finding
 * them. Buffers are kept and filled anew, the one unused for longest first.
 */

/** A block, or its first bytes. */
export interface UnpackedBlock {
  readonly key: number;
  readonly buffer: Uint8Array;
  /** Bytes of the buffer that are filled. */
  length: number;
}

/** Keys a user of the cache may need: its own number is multiplied by this. */
export const KEYS_PER_USER = 2 ** 26;

let users = 0;

/** A bounded number of blocks, by key. */
export class UnpackedBlocks {
  /** In the order of last use. */
  readonly #blocks = new Map<number, UnpackedBlock>();

  constructor(readonly limit: number) {}

  /** First of KEYS_PER_USER keys that nobody else has. */
  static newKeys(): number {
    return users++ * KEYS_PER_USER;
  }

  /** The block, to be read before any other is added. */
  get(key: number): UnpackedBlock | undefined {
    const block = this.#blocks.get(key);
    if (block === undefined) return undefined;
    this.#blocks.delete(key);
    this.#blocks.set(key, block);
    return block;
  }

  /** Makes the block of `size` bytes at most whose first bytes are `bytes`; what was under this key is replaced. */
  put(key: number, size: number, bytes: Uint8Array): UnpackedBlock {
    const before = this.#blocks.get(key) ?? this.#oldest();
    if (before !== undefined) this.#blocks.delete(before.key);
    const buffer = before !== undefined && before.buffer.length >= size ? before.buffer : new Uint8Array(size);
    buffer.set(bytes);
    const block = { key, buffer, length: bytes.length };
    this.#blocks.set(key, block);
    return block;
  }

  /** Drops everything. */
  clear(): void {
    this.#blocks.clear();
  }

  #oldest(): UnpackedBlock | undefined {
    if (this.#blocks.size < this.limit) return undefined;
    for (const block of this.#blocks.values()) return block;
    return undefined;
  }
}
