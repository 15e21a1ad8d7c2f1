import type { LeafKey } from "./leaf-keys.js";
import type { KeyOrder } from "./sort-value.js";

/**
 * The blocks of a leaf, those with the best documents first: a list that is full of good documents turns away all blocks
 * behind, however the values lie. A heap, since few blocks are asked for; blocks that tie come in their own order.
 */
export class BestBlocks {
  /** By telling key, the first one first: the best rank of each block, larger is better. */
  readonly #best: readonly Float64Array[];
  /** The blocks that are left, the best at the root. */
  readonly #heap: Uint32Array;
  #left: number;

  /** Keys whose columns keep no ranks of blocks tell nothing. */
  constructor(keys: readonly LeafKey[], orders: readonly KeyOrder[], blocks: number) {
    this.#best = keys.flatMap((key, i) => (key.blocks ? [bestRanks(key.blocks, orders[i], blocks)] : []));
    this.#heap = Uint32Array.from({ length: blocks }, (_, block) => block);
    this.#left = blocks;
    if (this.#best.length > 0) for (let at = (blocks >>> 1) - 1; at >= 0; at--) this.#down(at);
  }

  /** The best of the blocks that are left; -1: none is. */
  next(): number {
    if (this.#left === 0) return -1;
    if (this.#best.length === 0) return this.#heap[this.#heap.length - this.#left--]; // all tie
    const [block] = this.#heap;
    this.#heap[0] = this.#heap[--this.#left];
    this.#down(0);
    return block;
  }

  #down(from: number): void {
    const heap = this.#heap;
    for (let at = from; ; ) {
      let child = 2 * at + 1;
      if (child >= this.#left) return;
      if (child + 1 < this.#left && this.#isBefore(heap[child + 1], heap[child])) child++;
      if (!this.#isBefore(heap[child], heap[at])) return;
      [heap[at], heap[child]] = [heap[child], heap[at]];
      at = child;
    }
  }

  #isBefore(a: number, b: number): boolean {
    for (const best of this.#best) if (best[a] !== best[b]) return best[a] > best[b];
    return a < b;
  }
}

function bestRanks(ranks: NonNullable<LeafKey["blocks"]>, { descending }: KeyOrder, blocks: number): Float64Array {
  const best = new Float64Array(blocks);
  for (let block = 0; block < blocks; block++) best[block] = descending ? ranks.max(block) : -ranks.min(block);
  return best;
}
