/**
 * The clauses of a disjunction as its windows see them. Each adds its scores of a window of documents to the accumulators, in
 * double, and marks the documents; or adds its scores of given documents to their sums. Documents are asked for in
 * ascending order only.
 */
import type { ScoreBlock, ScoreWanted } from "../../../kernels/kernels.js";
import { nextBit } from "../bits.js";
import { type LeafContext, WINDOW } from "../context.js";
import { NO_MORE_DOCS, type Scorer } from "../scorer.js";
import type { TermList } from "./term-list.js";

/** Documents with their sums so far, in scratch memory. */
export interface Candidates {
  /** Address of u32, ascending. */
  readonly docs: number;
  /** Address of f64. */
  readonly sums: number;
  readonly count: number;
}

/** One clause in one leaf. */
export interface WindowClause {
  /** First document >= from that it may have; NO_MORE_DOCS: none. */
  firstFrom(from: number): number;
  /** No document of the window scores more; 0: it has none there. */
  bound(window: number): number;
  /** Adds its scores of the window's documents. */
  add(window: number): void;
  /** Adds its scores of the candidates to their sums. */
  lookUp(candidates: Candidates): void;
}

/** A term: blocks are scored by kernels. */
export class TermClause implements WindowClause {
  readonly #leaf: LeafContext;
  readonly #list: TermList;
  /** What the kernels are called with, made once: calls are many. */
  readonly #window: ScoreBlock;
  readonly #wanted: ScoreWanted;
  #block = -1;

  constructor(leaf: LeafContext, list: TermList) {
    this.#leaf = leaf;
    this.#list = list;
    const { accumulators, marks } = leaf.context.scratch;
    const { docs, freqs, norms, normInverse, weight } = list.row;
    // Written out: spreading one into the other costs a microsecond.
    this.#window = {
      docs,
      freqs,
      count: 0,
      norms,
      normInverse,
      weight,
      from: 0,
      windowBase: 0,
      windowEnd: 0,
      accumulators,
      marks,
    };
    this.#wanted = { docs, freqs, count: 0, norms, normInverse, weight, wanted: 0, from: 0, wantedCount: 0, sums: 0 };
  }

  firstFrom(from: number): number {
    return this.#list.seek(from) ? Math.max(from, this.#list.first) : NO_MORE_DOCS;
  }

  bound(window: number): number {
    return this.#list.bounds.within(window, window + WINDOW - 1);
  }

  add(window: number): void {
    const list = this.#list;
    const end = window + WINDOW;
    for (let more = list.seek(window); more && list.first < end; more = list.nextBlock()) {
      if (this.#scoreBlock(window, end) < list.count) return;
    }
  }

  /** Scores the current block's documents of the window; returns the place behind them. */
  #scoreBlock(window: number, end: number): number {
    const list = this.#list;
    const work = this.#window;
    list.decode();
    // Places before `from` were of earlier windows.
    work.from = list.placeOf(window, this.#block === list.block ? work.from : 0);
    work.count = list.count;
    work.windowBase = window;
    work.windowEnd = end;
    this.#block = list.block;
    work.from = this.#leaf.context.environment.kernels.scoreBlock(work);
    return work.from;
  }

  lookUp({ docs, sums, count }: Candidates): void {
    const { kernels, arena } = this.#leaf.context.environment;
    const list = this.#list;
    const work = this.#wanted;
    work.wanted = docs;
    work.wantedCount = count;
    work.sums = sums;
    for (work.from = 0; work.from < count && list.seek(arena.u32[(docs >>> 2) + work.from]); ) {
      list.decode();
      work.count = list.count;
      work.from = kernels.addScoresOf(work);
    }
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
    const { f64, u8 } = environment.arena;
    const scores = scratch.accumulators >>> 3;
    const first = window >>> 5;
    const words = Math.min(WINDOW / 32, this.#bits.length - first);
    for (let w = 0; w < words; w++) {
      let word = this.#bits[first + w];
      while (word !== 0) {
        const slot = (w << 5) + 31 - Math.clz32(word & -word);
        word &= word - 1;
        f64[scores + slot] += this.#score;
        u8[scratch.marks + slot] = 255;
      }
    }
  }

  lookUp({ docs, sums, count }: Candidates): void {
    const { f64, u32 } = this.#leaf.context.environment.arena;
    for (let i = 0; i < count; i++) {
      const doc = u32[(docs >>> 2) + i];
      if (((this.#bits[doc >>> 5] >>> (doc & 31)) & 1) === 1) f64[(sums >>> 3) + i] += this.#score;
    }
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
    const { f64, u8 } = environment.arena;
    const end = window + WINDOW;
    for (let doc = this.firstFrom(window); doc < end; doc = this.#scorer.next()) {
      const slot = doc - window;
      f64[(scratch.accumulators >>> 3) + slot] += this.#scorer.score();
      u8[scratch.marks + slot] = 255;
    }
  }

  lookUp({ docs, sums, count }: Candidates): void {
    const { f64, u32 } = this.#leaf.context.environment.arena;
    for (let i = 0; i < count; i++) {
      const doc = u32[(docs >>> 2) + i];
      if (this.firstFrom(doc) === doc) f64[(sums >>> 3) + i] += this.#scorer.score();
    }
  }
}
