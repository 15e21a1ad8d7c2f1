/**
 * A bounded cache of checked pieces of cold sections (`_source`, vectors), outside the arena. Entries go in the order of
 * last use; a Map keeps that order.
 */

/** Bytes by file and place. Values are never changed once put in. */
export class BlockCache {
  readonly #entries = new Map<number, Uint8Array>();
  #bytes = 0;

  constructor(readonly limitBytes: number) {}

  get bytes(): number {
    return this.#bytes;
  }

  get(key: number): Uint8Array | undefined {
    const found = this.#entries.get(key);
    if (found === undefined) return undefined;
    this.#entries.delete(key);
    this.#entries.set(key, found);
    return found;
  }

  put(key: number, bytes: Uint8Array): void {
    this.#entries.set(key, bytes);
    this.#bytes += bytes.length;
    for (const [oldest, value] of this.#entries) {
      if (this.#bytes <= this.limitBytes) break;
      this.#entries.delete(oldest);
      this.#bytes -= value.length;
    }
  }

  /** Drops everything; returns how many bytes that were. */
  clear(): number {
    const bytes = this.#bytes;
    this.#entries.clear();
    this.#bytes = 0;
    return bytes;
  }
}
