import { nextBit } from "../bits.js";
import { NO_MORE_DOCS, type Scorer } from "../scorer.js";

/** The documents of a bitset, all with one score. */
export class BitsScorer implements Scorer {
  doc = -1;
  minCompetitive = Number.NEGATIVE_INFINITY;
  readonly #bits: Uint32Array;
  readonly #score: number;

  constructor(
    bits: Uint32Array,
    readonly cost: number,
    score: number,
  ) {
    this.#bits = bits;
    this.#score = score;
  }

  next(): number {
    return this.doc === NO_MORE_DOCS ? NO_MORE_DOCS : this.advance(this.doc + 1);
  }

  advance(target: number): number {
    const found = target === NO_MORE_DOCS ? -1 : nextBit(this.#bits, target);
    this.doc = found < 0 ? NO_MORE_DOCS : found;
    return this.doc;
  }

  score(): number {
    return this.#score;
  }
}

/** All documents of a leaf, with one score. */
export class AllScorer implements Scorer {
  doc = -1;
  minCompetitive = Number.NEGATIVE_INFINITY;
  readonly #score: number;

  constructor(
    readonly cost: number,
    score: number,
  ) {
    this.#score = score;
  }

  next(): number {
    return this.doc === NO_MORE_DOCS ? NO_MORE_DOCS : this.advance(this.doc + 1);
  }

  advance(target: number): number {
    this.doc = target < this.cost ? target : NO_MORE_DOCS;
    return this.doc;
  }

  score(): number {
    return this.#score;
  }
}

/** Given documents with a score each. */
export class DocumentsScorer implements Scorer {
  doc = -1;
  minCompetitive = Number.NEGATIVE_INFINITY;
  readonly cost: number;
  #at = -1;
  readonly #docs: Uint32Array;
  readonly #scores: Float32Array;

  constructor(docs: Uint32Array, scores: Float32Array) {
    this.#docs = docs;
    this.#scores = scores;
    this.cost = docs.length;
  }

  next(): number {
    return this.doc === NO_MORE_DOCS ? NO_MORE_DOCS : this.advance(this.doc + 1);
  }

  advance(target: number): number {
    let at = Math.max(0, this.#at);
    while (at < this.#docs.length && this.#docs[at] < target) at++;
    this.#at = at;
    this.doc = at < this.#docs.length ? this.#docs[at] : NO_MORE_DOCS;
    return this.doc;
  }

  score(): number {
    return this.#scores[this.#at];
  }
}
