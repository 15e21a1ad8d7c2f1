/**
 * A term's documents in one leaf, a block at a time in working memory of its own: decoded, scored and compared with other
 * lists by kernels. Blocks are passed over by their last documents and the bounds of their scores, without decoding them.
 */
import type { ScoreRow } from "../../../kernels/kernels.js";
import type { PostingsIterator, TermState } from "../../../segment/types.js";
import { type LeafContext, type TermBuffers, termBuffers } from "../context.js";
import type { TermPlan } from "../plan.js";
import { fieldNorms } from "../scorers/phrase-scorer.js";
import type { Norms } from "../scorers/term-scorer.js";
import { BlockMax } from "./block-max.js";

const NOT_DECODED = 0;

/** What a list is made of: one term, and how it is scored. */
export type ListPlan = Pick<TermPlan, "field" | "terms" | "weight">;

/** One term in one leaf; `block` only goes forward. */
export class TermList {
  readonly bounds: BlockMax;
  readonly buffers: TermBuffers;
  readonly norms: Norms;
  readonly postings: PostingsIterator;
  /** What kernels that score are called with; made once, because calls are many. */
  readonly row: ScoreRow;
  /** The current block; the list's number of blocks behind the last. */
  block = 0;
  /** Last document of the current block. */
  last: number;
  /** Documents of the current block in the buffers; 0: it is not decoded. */
  count = NOT_DECODED;
  readonly #leaf: LeafContext;

  private constructor(
    leaf: LeafContext,
    plan: ListPlan,
    state: TermState,
    options: { number: number; positions: boolean },
  ) {
    const { weight } = plan;
    this.#leaf = leaf;
    this.buffers = termBuffers(leaf.context.scratch, options.number);
    this.norms = fieldNorms(leaf, plan.field);
    const hasNorms = this.norms.address !== 0;
    this.postings = leaf.segment.postings(plan.field, state, { positions: options.positions });
    const uniform = !hasNorms && state.totalTermFreq === state.docFreq;
    this.bounds = new BlockMax(this.postings, weight, { hasNorms, uniform });
    this.last = this.bounds.lastDoc(0);
    const { docs, freqs, normInverse } = this.buffers;
    leaf.context.environment.arena.f32.set(weight.normInverse, normInverse >>> 2);
    this.row = { docs, freqs, count: 0, norms: this.norms.address, normInverse, weight: weight.weight, sums: 0 };
  }

  /** The list of a plan's only term, null where the leaf lacks it; `number` of its buffers is below MAX_BULK_TERMS. */
  static open(
    leaf: LeafContext,
    plan: ListPlan,
    number: number,
    { positions } = { positions: false },
  ): TermList | null {
    const state = plan.terms[0].states[leaf.index];
    return state === null ? null : new TermList(leaf, plan, state, { number, positions });
  }

  get atEnd(): boolean {
    return this.block === this.postings.blockCount;
  }

  /** First document the current block may hold. */
  get first(): number {
    return this.block === 0 ? 0 : this.bounds.lastDoc(this.block - 1) + 1;
  }

  /** Goes to the first block whose last document is not less; false: there is none. */
  seek(target: number): boolean {
    if (target <= this.last) return !this.atEnd;
    return this.#goTo(this.postings.findBlock(this.block + 1, target));
  }

  /** Goes to the next block; false at the end. */
  nextBlock(): boolean {
    return this.#goTo(this.block + 1);
  }

  #goTo(block: number): boolean {
    this.block = Math.min(block, this.postings.blockCount);
    this.count = NOT_DECODED;
    if (this.atEnd) {
      this.last = -1;
      return false;
    }
    this.last = this.bounds.lastDoc(this.block);
    return true;
  }

  /** Decodes the current block unless it is. */
  decode(): void {
    if (this.count !== NOT_DECODED) return;
    this.count = this.postings.decodeBlock(this.block, this.buffers.docs, this.buffers.freqs);
  }

  /** Writes the scores of the decoded block's documents, `count` f64 from this address on. */
  scoreInto(sums: number): void {
    this.row.count = this.count;
    this.row.sums = sums;
    this.#leaf.context.environment.kernels.setScores(this.row);
  }

  /** Place in the decoded block of the first document >= target, from place `from` on. */
  placeOf(target: number, from: number): number {
    const words = this.#leaf.context.environment.arena.u32;
    const docs = this.buffers.docs >>> 2;
    let low = from;
    let high = this.count;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (words[docs + middle] < target) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}
