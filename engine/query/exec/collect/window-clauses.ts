/**
 * The clauses of a disjunction as its windows see them. Each adds its scores of a window of documents to the accumulators, in
 * double, and marks the documents; or gives its score of single documents. Documents are asked for in ascending order only.
 */
import type { PostingsIterator, TermState } from "../../../segment/types.js";
import { nextBit } from "../bits.js";
import { bm25 } from "../bm25.js";
import { BLOCK_BYTES, type LeafContext, NORM_TABLE_BYTES, WINDOW } from "../context.js";
import type { TermPlan } from "../plan.js";
import { NO_MORE_DOCS, type Scorer } from "../scorer.js";
import { fieldNorms } from "../scorers/phrase-scorer.js";
import { type Norms, normInverse } from "../scorers/term-scorer.js";
import { BlockMax } from "./block-max.js";

/** One clause in one leaf. */
export interface WindowClause {
  /** First document >= from that it may have; NO_MORE_DOCS: none. */
  firstFrom(from: number): number;
  /** No document of the window scores more; 0: it has none there. */
  bound(window: number): number;
  /** Adds its scores of the window's documents. */
  add(window: number): void;
  /** Its score of one document, 0 where it does not match. */
  scoreOf(doc: number): number;
}

/** A term: a block at a time is decoded into buffers of its own, and scored by the kernel. */
export class TermClause implements WindowClause {
  readonly #leaf: LeafContext;
  readonly #plan: TermPlan;
  readonly #postings: PostingsIterator;
  readonly #norms: Norms;
  readonly #bounds: BlockMax;
  readonly #table: number;
  readonly #docs: number;
  readonly #freqs: number;
  #block = 0;
  /** Documents decoded; 0: the block is not decoded. */
  #count = 0;
  #at = 0;

  /** `buffers`: TERM_BYTES of arena memory. */
  constructor(leaf: LeafContext, plan: TermPlan, state: TermState, buffers: number) {
    this.#leaf = leaf;
    this.#plan = plan;
    this.#postings = leaf.segment.postings(plan.field, state, { positions: false });
    this.#norms = fieldNorms(leaf, plan.field);
    this.#bounds = new BlockMax(this.#postings, plan.weight, this.#norms.address !== 0);
    this.#table = buffers;
    this.#docs = buffers + NORM_TABLE_BYTES;
    this.#freqs = this.#docs + BLOCK_BYTES;
    leaf.context.environment.arena.f32.set(plan.weight.normInverse, buffers >>> 2);
  }

  firstFrom(from: number): number {
    this.#skipBlocks(from);
    if (this.#block === this.#postings.blockCount) return NO_MORE_DOCS;
    return Math.max(from, this.#block === 0 ? 0 : this.#bounds.lastDoc(this.#block - 1) + 1);
  }

  #skipBlocks(target: number): void {
    while (this.#block < this.#postings.blockCount && this.#bounds.lastDoc(this.#block) < target) this.#nextBlock();
  }

  #nextBlock(): void {
    this.#block++;
    this.#count = 0;
    this.#at = 0;
  }

  bound(window: number): number {
    return this.#bounds.within(window, window + WINDOW - 1);
  }

  add(window: number): void {
    const { scratch, environment } = this.#leaf.context;
    const end = window + WINDOW;
    while (this.firstFrom(window) < end) {
      this.#seek(window);
      this.#at = environment.kernels.scoreBlock({
        docs: this.#docs,
        freqs: this.#freqs,
        from: this.#at,
        count: this.#count,
        windowBase: window,
        windowEnd: end,
        norms: this.#norms.address,
        normInverse: this.#table,
        weight: this.#plan.weight.weight,
        accumulators: scratch.accumulators,
        bits: scratch.windowBits,
      });
      if (this.#at < this.#count) return;
      this.#nextBlock();
    }
  }

  /** Decodes the current block if need be, and moves in it to the first document >= target. */
  #seek(target: number): void {
    if (this.#count === 0) this.#count = this.#postings.decodeBlock(this.#block, this.#docs, this.#freqs);
    const words = this.#leaf.context.environment.arena.u32;
    const docs = this.#docs >>> 2;
    let low = this.#at;
    let high = this.#count;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (words[docs + middle] < target) low = middle + 1;
      else high = middle;
    }
    this.#at = low;
  }

  scoreOf(doc: number): number {
    if (this.firstFrom(doc) > doc) return 0;
    this.#seek(doc);
    const words = this.#leaf.context.environment.arena.u32;
    if (words[(this.#docs >>> 2) + this.#at] !== doc) return 0;
    const { weight, normInverse: table } = this.#plan.weight;
    return bm25(weight, words[(this.#freqs >>> 2) + this.#at], normInverse(this.#norms, table, doc));
  }
}

/** Documents that all have one score. */
export class ConstantClause implements WindowClause {
  readonly #leaf: LeafContext;
  readonly #bits: Uint32Array;
  readonly #score: number;

  constructor(leaf: LeafContext, bits: Uint32Array, score: number) {
    this.#leaf = leaf;
    this.#bits = bits;
    this.#score = score;
  }

  firstFrom(from: number): number {
    const first = nextBit(this.#bits, from);
    return first < 0 ? NO_MORE_DOCS : first;
  }

  bound(window: number): number {
    return this.firstFrom(window) < window + WINDOW ? this.#score : 0;
  }

  add(window: number): void {
    const { scratch, environment } = this.#leaf.context;
    const { f64, u32 } = environment.arena;
    const scores = scratch.accumulators >>> 3;
    const marks = scratch.windowBits >>> 2;
    const first = window >>> 5;
    const words = Math.min(WINDOW / 32, this.#bits.length - first);
    for (let w = 0; w < words; w++) {
      let word = this.#bits[first + w];
      u32[marks + w] |= word;
      while (word !== 0) {
        f64[scores + (w << 5) + 31 - Math.clz32(word & -word)] += this.#score;
        word &= word - 1;
      }
    }
  }

  scoreOf(doc: number): number {
    return ((this.#bits[doc >>> 5] >>> (doc & 31)) & 1) === 1 ? this.#score : 0;
  }
}

/** Any other clause, by its scorer. Nothing bounds its scores, so it is never only looked up. */
export class ScorerClause implements WindowClause {
  readonly #leaf: LeafContext;
  readonly #scorer: Scorer;

  constructor(leaf: LeafContext, scorer: Scorer) {
    this.#leaf = leaf;
    this.#scorer = scorer;
  }

  firstFrom(from: number): number {
    return this.#scorer.doc < from ? this.#scorer.advance(from) : this.#scorer.doc;
  }

  bound(window: number): number {
    return this.firstFrom(window) < window + WINDOW ? Number.POSITIVE_INFINITY : 0;
  }

  add(window: number): void {
    const { scratch, environment } = this.#leaf.context;
    const { f64, u32 } = environment.arena;
    const end = window + WINDOW;
    for (let doc = this.firstFrom(window); doc < end; doc = this.#scorer.next()) {
      const slot = doc - window;
      f64[(scratch.accumulators >>> 3) + slot] += this.#scorer.score();
      u32[(scratch.windowBits >>> 2) + (slot >>> 5)] |= 1 << (slot & 31);
    }
  }

  scoreOf(doc: number): number {
    return this.firstFrom(doc) === doc ? this.#scorer.score() : 0;
  }
}
