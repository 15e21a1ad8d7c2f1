/**
 * The write buffers of all indices together: when they hold more of the arena than their share, or the arena has no
 * room, the largest become segments, whose pieces can be evicted. (An index's own buffer that grows large is its own
 * matter.)
 */

/** One index's write buffer. */
export interface SealableBuffer {
  /** Bytes of the arena it holds. */
  readonly bytes: number;
  /** Turns it into a segment once no batch is half written; rejects when that fails, leaving it as it was. */
  seal(): Promise<void>;
}

/** What sealing works with. */
export interface WriteBuffersParts {
  readonly buffers: () => Iterable<SealableBuffer>;
  readonly limitBytes: number;
  readonly warn: (message: string) => void;
}

/** Sums grow by batches: looking at every index for each of them would cost more than it finds. */
const LOOK_EVERY_BYTES = 2 ** 20;

/** Seals write buffers when there are too many bytes in them. */
export class WriteBuffers {
  #sealing: Promise<void> | null = null;
  #sinceLook = 0;
  #seals = 0;
  /** Those whose failure was told: it is told once until they can be sealed again. */
  readonly #failing = new WeakSet<SealableBuffer>();

  constructor(private readonly parts: WriteBuffersParts) {}

  /** Bytes in all buffers. */
  get bytes(): number {
    let sum = 0;
    for (const buffer of this.parts.buffers()) sum += buffer.bytes;
    return sum;
  }

  /** They hold more than they may. */
  get isOverLimit(): boolean {
    return this.bytes > this.parts.limitBytes;
  }

  /** How many buffers were sealed for want of room. */
  get seals(): number {
    return this.#seals;
  }

  /** So many bytes are about to be written. */
  writing(bytes: number): void {
    this.#sinceLook += bytes;
    if (this.#sinceLook < LOOK_EVERY_BYTES) return;
    this.#sinceLook = 0;
    this.relieve(this.bytes - this.parts.limitBytes);
  }

  /** Seals the largest buffers, in the background, until about `bytes` are free. */
  relieve(bytes: number): void {
    if (bytes <= 0 || this.#sealing) return;
    this.#sealing = this.#seal(bytes).finally(() => {
      this.#sealing = null;
    });
  }

  /** Resolves when they are within their limit, or can't be brought there. */
  async makeRoom(): Promise<void> {
    if (!this.isOverLimit) return;
    await this.#sealing;
    this.relieve(this.bytes - this.parts.limitBytes);
    await this.#sealing;
  }

  /** Turns all of them into segments, as far as possible; resolves when done. */
  async drain(): Promise<void> {
    await this.#sealing;
    this.relieve(Number.POSITIVE_INFINITY);
    await this.#sealing;
  }

  /** Resolves when nothing is being sealed. */
  async settled(): Promise<void> {
    await this.#sealing;
  }

  async #seal(wanted: number): Promise<void> {
    const largest = [...this.parts.buffers()].filter(({ bytes }) => bytes > 0).sort((a, b) => b.bytes - a.bytes);
    let left = wanted;
    for (const buffer of largest) {
      if (left <= 0) return;
      left -= buffer.bytes;
      try {
        await buffer.seal();
        this.#seals++;
        this.#failing.delete(buffer);
      } catch (error) {
        // The next allocation that fails tries again.
        if (this.#failing.has(buffer)) continue;
        this.#failing.add(buffer);
        this.parts.warn(`a write buffer could not be sealed for want of memory: ${String(error)}`);
      }
    }
  }
}
