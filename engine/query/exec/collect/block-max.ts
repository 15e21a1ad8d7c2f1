/**
 * Upper bounds of a term's scores by block, from the (freq, norm) pairs kept with each block (block-max indexes: Ding and Suel,
 * "Faster Top-k Document Retrieval Using Block-Max Indexes", 2011). Pairs instead of scores, because the average length
 * changes with every refresh.
 */
import type { PostingsIterator } from "../../../segment/types.js";
import { bm25, type TermWeight } from "../bm25.js";

const MAX_PAIRS = 128;

/** Pairs of the block looked at. */
const freqs = new Uint32Array(MAX_PAIRS);
const norms = new Uint8Array(MAX_PAIRS);

/** One term's bounds in one leaf. */
export class BlockMax {
  readonly #postings: PostingsIterator;
  readonly #weight: TermWeight;
  readonly #hasNorms: boolean;
  /** By block; NaN: not computed yet. null: all have the same. */
  readonly #scores: Float32Array | null;
  /** The score of every document of a list whose frequencies and norms are all 1. */
  readonly #only: number;
  /** First block that may hold a document of the last range asked for. */
  #block = 0;
  /** Last document of a list of one block, which must be decoded to be known; -1 for longer lists. */
  readonly #onlyLast: number;

  constructor(postings: PostingsIterator, weight: TermWeight, list: { hasNorms: boolean; uniform: boolean }) {
    this.#postings = postings;
    this.#weight = weight;
    this.#hasNorms = list.hasNorms;
    this.#only = bm25(weight.weight, 1, weight.normInverse[1]);
    this.#scores = list.uniform ? null : new Float32Array(postings.blockCount).fill(Number.NaN);
    this.#onlyLast = postings.blockCount === 1 ? postings.blockLastDoc(0) : -1;
  }

  /** Whether all documents score the same. */
  get uniform(): boolean {
    return this.#scores === null;
  }

  /** Last document of a block. */
  lastDoc(block: number): number {
    return this.#onlyLast >= 0 ? this.#onlyLast : this.#postings.blockLastDoc(block);
  }

  /** No document of the block scores more. */
  ofBlock(block: number): number {
    if (this.#scores === null) return this.#only;
    const known = this.#scores[block];
    if (!Number.isNaN(known)) return known;
    const pairs = this.#postings.blockImpacts(block, freqs, norms);
    let best = 0;
    for (let i = 0; i < pairs; i++) {
      const inverse = this.#weight.normInverse[this.#hasNorms ? norms[i] : 1];
      best = Math.max(best, bm25(this.#weight.weight, freqs[i], inverse));
    }
    this.#scores[block] = best;
    return best;
  }

  /** No document in [from, to] scores more; 0 when there is none. `from` must not descend from call to call. */
  within(from: number, to: number): number {
    const count = this.#postings.blockCount;
    if (this.#block < count && this.lastDoc(this.#block) < from)
      this.#block = this.#postings.findBlock(this.#block + 1, from);
    if (this.#block === count || to < this.#firstOf(this.#block)) return 0;
    if (this.#scores === null) return this.#only;
    let best = 0;
    for (let block = this.#block; block < count; block++) {
      best = Math.max(best, this.ofBlock(block));
      if (this.lastDoc(block) >= to) break;
    }
    return best;
  }

  #firstOf(block: number): number {
    return block === 0 ? 0 : this.lastDoc(block - 1) + 1;
  }
}
