/** In which order the leaves of a reader are collected, and which of them need not be. */
import type { LeafContext } from "../query/exec/context.js";
import type { ResolvedKey } from "./keys.js";
import { BLOCK_DOCS, leafKey } from "./leaf-keys.js";
import type { TopSorted } from "./top-sorted.js";

/** A leaf and the best value that one of its documents may have for the first key; null: unknown. */
export interface RankedLeaf {
  readonly leaf: LeafContext;
  readonly best: number | null;
}

/**
 * The leaves with the best values of a key first, so that the list is full of good documents when the others come. Where the
 * values of one can't be told, or not be compared with those of others, they stay as they are.
 */
export function bestLeavesFirst(leaves: readonly LeafContext[], key: ResolvedKey): RankedLeaf[] {
  const ranked = leaves.map((leaf): RankedLeaf => ({ leaf, best: bestOf(leaf, key) }));
  if (ranked.some(({ best }) => best === null)) return leaves.map((leaf) => ({ leaf, best: null }));
  const sign = key.order.descending ? -1 : 1;
  return ranked.sort((a, b) => sign * ((a.best as number) - (b.best as number)));
}

/** Whether a document of the leaf may still enter the list. */
export function mayEnter({ best }: RankedLeaf, key: ResolvedKey, top: TopSorted): boolean {
  const { bottom } = top;
  if (best === null || bottom === null) return true;
  const last = Number(bottom.keys[0]);
  return key.order.descending ? best >= last : best <= last;
}

function bestOf(leaf: LeafContext, key: ResolvedKey): number | null {
  if (key.source.kind !== "field") return null;
  const { blocks, ranksAreValues } = leafKey(leaf, key);
  if (blocks === null || !ranksAreValues) return null;
  const { descending } = key.order;
  let best = descending ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY;
  for (let block = Math.ceil(leaf.docCount / BLOCK_DOCS) - 1; block >= 0; block--) {
    best = descending ? Math.max(best, blocks.max(block)) : Math.min(best, blocks.min(block));
  }
  return best;
}
