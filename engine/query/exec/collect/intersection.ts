/**
 * The documents that several terms of one leaf have in common. The rarest list leads block by block; a run is as much of its
 * block as lies in one block of each other list, and is intersected by a kernel. Blocks whose bounds cannot reach the worst kept score are passed
 * over, and of the leader's documents only those are looked for in the other lists that may still reach it.
 */
import { hasBit, nextBit } from "../bits.js";
import type { LeafContext } from "../context.js";
import type { Steps } from "../pace.js";
import { maySkip, type Target } from "./target.js";
import type { TermList } from "./term-list.js";

/** Blocks and runs between two chances to pause. */
const STEPS = 1024;

/** Documents of the leader's block that are looked for in the other lists. */
interface Leading {
  /** Address of the documents, ascending. */
  readonly docs: number;
  /** Address of their places in the block; 0: they are the whole block. */
  readonly places: number;
  readonly count: number;
}

const NOTHING: Leading = { docs: 0, places: 0, count: 0 };

/** How a document's score is bounded by its terms': it is their sum, or not more than the least of them. */
export type Bounding = "sum" | "least";

/**
 * What is done with the documents of a run: `count` of them, from `scratch.candidates` on; their places in the current block
 * of each list are in that list's buffers. They are accepted, but not counted.
 */
export type Found = (count: number) => void;

/** Finds the common documents of lists, at least one, and hands them to `found` run by run. */
export class Intersection {
  readonly #leaf: LeafContext;
  /** The rarest first. */
  readonly #lists: readonly TermList[];
  readonly #lead: TermList;
  readonly #others: readonly TermList[];
  readonly #target: Target;
  readonly #bounding: Bounding;

  constructor(leaf: LeafContext, lists: readonly TermList[], target: Target, bounding: Bounding) {
    this.#leaf = leaf;
    this.#lists = [...lists].sort((a, b) => a.postings.docFreq - b.postings.docFreq);
    [this.#lead, ...this.#others] = this.#lists;
    this.#target = target;
    this.#bounding = bounding;
  }

  /** Goes through the leaf. */
  *run(found: Found): Steps {
    const lead = this.#lead;
    let steps = 0;
    for (let more = this.#toAccepted(); more; more = lead.nextBlock() && this.#toAccepted()) {
      if (++steps % STEPS === 0) yield;
      const leading = maySkip(this.#target) ? this.#competitive() : this.#whole();
      for (let from = 0; from < leading.count; ) {
        const to = this.#align(leading, from);
        if (to < 0) return;
        this.#runOf(leading, from, to, found);
        from = to;
        if (++steps % STEPS === 0) yield;
      }
    }
  }

  /** Keeps of the run's documents those whose numbers are the first `count` of `scratch.places`. */
  narrow(count: number): void {
    this.#keep(this.#lists.length, count);
    this.#gatherDocs(count);
  }

  /** Goes on to the first block of the leader that may hold an accepted document; false: there is none. */
  #toAccepted(): boolean {
    const { accept } = this.#target;
    if (accept === null) return true;
    for (;;) {
      const next = nextBit(accept, this.#lead.first);
      if (next < 0) return false;
      if (next <= this.#lead.last) return true;
      if (!this.#lead.seek(next)) return false;
    }
  }

  #whole(): Leading {
    this.#lead.decode();
    return { docs: this.#lead.buffers.docs, places: 0, count: this.#lead.count };
  }

  /** Those documents of the leader's block that may reach the worst kept score. */
  #competitive(): Leading {
    const lead = this.#lead;
    const { kernels } = this.#leaf.context.environment;
    const { sums, leading } = this.#leaf.context.scratch;
    const { threshold } = this.#target.top;
    const rest = this.#rest(lead.first, lead.last, threshold);
    if (rest < 0 || Math.fround(lead.bounds.ofBlock(lead.block) + rest) <= threshold) return NOTHING;
    lead.decode();
    lead.scoreInto(sums);
    const { docs, places } = leading;
    const count = kernels.keepAbove(sums, lead.count, rest, threshold, places);
    kernels.gather(lead.buffers.docs, places, count, docs);
    return { docs, places, count };
  }

  /** What the other lists may add to a document in [from, to]; -1: no document there is common, or can succeed. */
  #rest(from: number, to: number, threshold: number): number {
    let rest = 0;
    for (const other of this.#others) {
      const max = other.bounds.within(from, to);
      if (max === 0) return -1;
      if (this.#bounding === "sum") rest += max;
      else if (max <= threshold) return -1;
    }
    return rest;
  }

  /** Puts the other lists on the leading document number `from`; returns where the run ends, -1: no list goes so far. */
  #align(leading: Leading, from: number): number {
    const { u32 } = this.#leaf.context.environment.arena;
    const docs = leading.docs >>> 2;
    let { last } = this.#lead;
    for (const other of this.#others) {
      if (!other.seek(u32[docs + from])) return -1;
      if (other.last < last) last = other.last;
    }
    if (last === this.#lead.last) return leading.count;
    let to = from + 1;
    // Most runs are short, or a third of a block.
    while (to < leading.count && u32[docs + to] <= last) to++;
    return to;
  }

  #runOf(leading: Leading, from: number, to: number, found: Found): void {
    let count = this.#lists.length === 1 ? this.#alone(leading, from, to) : this.#firstTwo(leading, from, to);
    for (let k = 2; k < this.#lists.length && count > 0; k++) count = this.#next(k, count);
    if (count > 0 && this.#target.accept !== null) count = this.#accepted(count, this.#target.accept);
    if (count === 0) return;
    this.#gatherDocs(count);
    found(count);
  }

  #alone(leading: Leading, from: number, to: number): number {
    const { u32 } = this.#leaf.context.environment.arena;
    const own = this.#lead.buffers.places >>> 2;
    const places = leading.places >>> 2;
    for (let i = from; i < to; i++) u32[own + i - from] = places === 0 ? i : u32[places + i];
    return to - from;
  }

  #firstTwo(leading: Leading, from: number, to: number): number {
    const { kernels } = this.#leaf.context.environment;
    const [lead, second] = this.#lists;
    const inA = lead.buffers.places;
    second.decode();
    const count = kernels.intersect({
      a: leading.docs,
      aFrom: from,
      aTo: to,
      b: second.buffers.docs,
      bCount: second.count,
      inA,
      inB: second.buffers.places,
    });
    if (leading.places !== 0) kernels.gather(leading.places, inA, count, inA);
    return count;
  }

  /** Keeps those of `count` documents that list number k has too. */
  #next(k: number, count: number): number {
    const { kernels } = this.#leaf.context.environment;
    const { candidates, places } = this.#leaf.context.scratch;
    const list = this.#lists[k];
    list.decode();
    this.#gatherDocs(count);
    const common = kernels.intersect({
      a: candidates,
      aFrom: 0,
      aTo: count,
      b: list.buffers.docs,
      bCount: list.count,
      inA: places,
      inB: list.buffers.places,
    });
    if (common < count) this.#keep(k, common);
    return common;
  }

  /** Keeps the documents whose numbers are in `scratch.places`, for the first `lists` lists. */
  #keep(lists: number, count: number): void {
    const { kernels } = this.#leaf.context.environment;
    const { places } = this.#leaf.context.scratch;
    for (let k = 0; k < lists; k++) {
      const own = this.#lists[k].buffers.places;
      kernels.gather(own, places, count, own);
    }
  }

  #accepted(count: number, accept: Uint32Array): number {
    const { u32 } = this.#leaf.context.environment.arena;
    const { candidates, places } = this.#leaf.context.scratch;
    this.#gatherDocs(count);
    let kept = 0;
    for (let i = 0; i < count; i++) {
      if (hasBit(accept, u32[(candidates >>> 2) + i])) u32[(places >>> 2) + kept++] = i;
    }
    if (kept < count) this.#keep(this.#lists.length, kept);
    return kept;
  }

  #gatherDocs(count: number): void {
    const { docs, places } = this.#lead.buffers;
    this.#leaf.context.environment.kernels.gather(docs, places, count, this.#leaf.context.scratch.candidates);
  }
}
