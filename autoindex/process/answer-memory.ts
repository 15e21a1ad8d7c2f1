/**
 * Memory that answers of extractors are read into, used again when they have been written to the index. Fresh memory for
 * each would be some hundred megabytes in a run, which the system has to clear and V8's collector to chase: it collects
 * the whole heap whenever so many bytes outside of it have come.
 */

/** Bytes taken from the system at a time. */
const SLAB_BYTES = 4 * 1024 * 1024;
/** Slabs kept for later; more than are in use at a time when nothing goes wrong. */
const MOST_FREE = 8;

/** Bytes for one answer. */
export interface Loan {
  bytes: Buffer;
  /** Says that nobody reads so many of the bytes any more; all of them are used again when all were given back. */
  giveBack(count: number): void;
}

interface Slab {
  memory: Buffer;
  /** Bytes lent from its beginning on. */
  lent: number;
  /** Of these, those that are still out. */
  out: number;
}

export class AnswerMemory {
  #current: Slab | undefined;

  readonly #free: Slab[] = [];

  /** Bytes that nobody else has, whatever they hold. What is never given back is left to the collector. */
  lend(count: number): Loan {
    if (count > SLAB_BYTES) return { bytes: Buffer.allocUnsafeSlow(count), giveBack: () => {} };
    const slab = this.#slabWithRoom(count);
    const bytes = slab.memory.subarray(slab.lent, slab.lent + count);
    slab.lent += count;
    slab.out += count;
    return { bytes, giveBack: (given) => this.#giveBack(slab, given) };
  }

  #slabWithRoom(count: number): Slab {
    if (this.#current && this.#current.lent + count <= SLAB_BYTES) return this.#current;
    this.#current = this.#free.pop() ?? { memory: Buffer.allocUnsafeSlow(SLAB_BYTES), lent: 0, out: 0 };
    return this.#current;
  }

  #giveBack(slab: Slab, count: number): void {
    slab.out -= count;
    if (slab.out > 0) return;
    slab.lent = 0;
    if (slab !== this.#current && this.#free.length < MOST_FREE) this.#free.push(slab);
  }
}
