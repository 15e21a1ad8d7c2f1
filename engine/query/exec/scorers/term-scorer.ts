import type { PostingsIterator } from "../../../segment/types.js";
import { bm25, type TermWeight } from "../bm25.js";
import { NO_MORE_DOCS, type Scorer } from "../scorer.js";

/** Norm bytes of one field of one leaf; `address` 0: the field keeps none, every length counts as 1. */
export interface Norms {
  readonly bytes: Uint8Array;
  readonly address: number;
}

/** 1 / norm of a document. */
export function normInverse(norms: Norms, table: Float32Array, doc: number): number {
  return table[norms.address === 0 ? 1 : norms.bytes[norms.address + doc]];
}

/** BM25 of one term. */
export class TermScorer implements Scorer {
  minCompetitive = Number.NEGATIVE_INFINITY;
  readonly cost: number;
  readonly #postings: PostingsIterator;
  readonly #weight: TermWeight;
  readonly #norms: Norms;

  constructor(postings: PostingsIterator, weight: TermWeight, norms: Norms) {
    this.#postings = postings;
    this.#weight = weight;
    this.#norms = norms;
    this.cost = postings.docFreq;
  }

  get doc(): number {
    return this.#postings.doc;
  }

  next(): number {
    return this.#postings.next();
  }

  advance(target: number): number {
    return this.#postings.advance(target);
  }

  score(): number {
    const { weight, normInverse: table } = this.#weight;
    return bm25(weight, this.#postings.freq(), normInverse(this.#norms, table, this.#postings.doc));
  }
}

/** Several terms scored as one: a document's frequency is the sum of theirs (Lucene `SynonymQuery`). */
export class SynonymScorer implements Scorer {
  doc = -1;
  minCompetitive = Number.NEGATIVE_INFINITY;
  readonly cost: number;
  readonly #postings: readonly PostingsIterator[];
  readonly #weight: TermWeight;
  readonly #norms: Norms;

  constructor(postings: readonly PostingsIterator[], weight: TermWeight, norms: Norms) {
    this.#postings = postings;
    this.#weight = weight;
    this.#norms = norms;
    this.cost = postings.reduce((sum, one) => sum + one.docFreq, 0);
  }

  next(): number {
    return this.doc === NO_MORE_DOCS ? NO_MORE_DOCS : this.advance(this.doc + 1);
  }

  advance(target: number): number {
    let first = NO_MORE_DOCS;
    for (const one of this.#postings) {
      if (one.doc < target) one.advance(target);
      if (one.doc < first) first = one.doc;
    }
    this.doc = first;
    return first;
  }

  score(): number {
    let freq = 0;
    for (const one of this.#postings) if (one.doc === this.doc) freq += one.freq();
    const { weight, normInverse: table } = this.#weight;
    return bm25(weight, freq, normInverse(this.#norms, table, this.doc));
  }
}
