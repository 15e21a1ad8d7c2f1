/**
 * Arrays that batches of documents are put into while a leaf is collected. They go from leaf to leaf and from search to
 * search: made anew each time they were 140 MB a second of a dashboard, and collecting that garbage took more of the
 * processor than the searches.
 */

/** Documents per batch: the buffers of a level stay in the L1 cache. */
export const BATCH = 4096;

/** Arrays of each type that a thread keeps: 3 MB. */
const KEPT = 64;

const freeWords: Uint32Array[] = [];
const freeNumbers: Float64Array[] = [];

/** What one leaf has borrowed. Each array has room for BATCH values and holds anything. */
export class BatchBuffers {
  readonly #words: Uint32Array[] = [];
  readonly #numbers: Float64Array[] = [];

  words(): Uint32Array {
    const one = freeWords.pop() ?? new Uint32Array(BATCH);
    this.#words.push(one);
    return one;
  }

  numbers(): Float64Array {
    const one = freeNumbers.pop() ?? new Float64Array(BATCH);
    this.#numbers.push(one);
    return one;
  }

  /** All that was borrowed goes back: whoever made a collector of it must not call that again. */
  giveBack(): void {
    give(this.#words, freeWords);
    give(this.#numbers, freeNumbers);
  }
}

function give<A>(lent: A[], free: A[]): void {
  for (const one of lent) if (free.length < KEPT) free.push(one);
  lent.length = 0;
}
