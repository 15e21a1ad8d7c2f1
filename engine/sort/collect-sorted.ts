/** Puts the matching documents of one leaf into a list sorted by fields. */
import { nextBit } from "../query/exec/bits.js";
import type { LeafContext } from "../query/exec/context.js";
import type { Steps } from "../query/exec/pace.js";
import { BestBlocks } from "./best-blocks.js";
import type { ResolvedKey } from "./keys.js";
import { BLOCK_DOCS, type LeafKey, leafKey } from "./leaf-keys.js";
import type { Comparable } from "./sort-value.js";
import type { TopSorted } from "./top-sorted.js";

const BLOCKS_PER_STEP = 256;
const BLOCK_WORDS = BLOCK_DOCS / 32;

/** What collecting one leaf needs. `scoreOf` is asked for documents in ascending order, when a key is `_score`. */
export interface SortedLeaf {
  readonly leaf: LeafContext;
  readonly reader: number;
  readonly keys: readonly ResolvedKey[];
  /** Matching, live documents. */
  readonly bits: Uint32Array;
  readonly scoreOf: ((doc: number) => number) | null;
}

/** Ranks outside of which documents of the leaf cannot enter the list. */
interface Window {
  low: number;
  high: number;
}

/** Offers the documents of a leaf to the list, skipping those that cannot enter it. */
export function* collectSorted(work: SortedLeaf, top: TopSorted): Steps {
  const { leaf, bits, scoreOf } = work;
  const keys = work.keys.map((key) =>
    key.source.kind === "score" ? scoreKey(scoreOf as (doc: number) => number) : leafKey(leaf, key),
  );
  const { descending } = work.keys[0].order;
  const ranks = keys[0].blocks;
  const nextBlock = blocksOf(work, keys);
  for (let block = nextBlock(), met = 1; block >= 0; block = nextBlock(), met++) {
    if (met % BLOCKS_PER_STEP === 0) yield;
    if (isEmpty(bits, block)) continue;
    const window = enterable(keys[0], descending, top);
    if (ranks !== null && scoreOf === null) {
      const [worst, best] = [ranks.min(block), ranks.max(block)];
      // The best blocks come first: what is behind cannot enter either.
      if (descending ? best < window.low : worst > window.high) return;
      if (worst > window.high || best < window.low) continue;
    }
    collectBlock(work, { keys, block, bits }, top, window);
  }
}

/** Tells block after block, -1 at the end: as they lie when scores are asked for, else the best first. */
function blocksOf({ leaf, scoreOf, keys: resolved }: SortedLeaf, keys: readonly LeafKey[]): () => number {
  const blocks = Math.ceil(leaf.docCount / BLOCK_DOCS);
  let next = 0;
  if (scoreOf !== null) return () => (next < blocks ? next++ : -1);
  const orders = resolved.map(({ order }) => order);
  const best = new BestBlocks(keys, orders, blocks);
  return () => best.next();
}

/** Whether a block has no document that matches. */
function isEmpty(bits: Uint32Array, block: number): boolean {
  const from = block * BLOCK_WORDS;
  for (let word = from; word < from + BLOCK_WORDS && word < bits.length; word++) if (bits[word] !== 0) return false;
  return true;
}

function scoreKey(scoreOf: (doc: number) => number): LeafKey {
  return { value: scoreOf, rank: scoreOf, rankOf: Number, exact: true, blocks: null, ranksAreValues: true };
}

function enterable(key: LeafKey, descending: boolean, top: TopSorted): Window {
  const window: Window = { low: Number.NEGATIVE_INFINITY, high: Number.POSITIVE_INFINITY };
  const bottom = top.bottom;
  if (bottom !== null) {
    const rank = key.rankOf(bottom.keys[0]);
    if (descending) window.low = rank;
    else window.high = rank;
  }
  if (top.after !== null) {
    const rank = key.rankOf(top.after[0]);
    if (descending) window.high = rank;
    else window.low = rank;
  }
  return window;
}

function collectBlock(
  work: SortedLeaf,
  part: { keys: readonly LeafKey[]; block: number; bits: Uint32Array },
  top: TopSorted,
  window: Window,
): void {
  const { keys, block, bits } = part;
  const { leaf, reader } = work;
  const end = Math.min((block + 1) * BLOCK_DOCS, leaf.docCount);
  const descending = work.keys[0].order.descending;
  const primary = keys[0];
  let { low, high } = window;
  let rivals = bottomRanks(keys, top);
  for (let doc = nextBit(bits, block * BLOCK_DOCS); doc >= 0 && doc < end; doc = nextBit(bits, doc + 1)) {
    const rank = primary.rank(doc);
    if (rank < low || rank > high) continue;
    if (rivals !== null && rank === rivals[0] && losesTie(work.keys, keys, rivals, doc)) continue;
    const bottom = top.bottom;
    top.offer({ keys: keys.map((key): Comparable => key.value(doc)), reader, doc: leaf.leaf.base + doc });
    if (top.bottom === bottom) continue;
    ({ low, high } = enterable(primary, descending, top));
    rivals = bottomRanks(keys, top);
  }
}

/** Ranks that the last kept document has, or would have, in this leaf; null while there is room. */
function bottomRanks(keys: readonly LeafKey[], top: TopSorted): number[] | null {
  const bottom = top.bottom;
  return bottom === null ? null : keys.map((key, i) => key.rankOf(bottom.keys[i]));
}

/** Whether a document that ties with the last kept one by the first key comes after it by another. */
function losesTie(
  resolved: readonly ResolvedKey[],
  keys: readonly LeafKey[],
  rivals: readonly number[],
  doc: number,
): boolean {
  for (let i = 1; i < keys.length; i++) {
    // Equal ranks that hide unequal values decide nothing: the document is offered and compared by its values.
    if (!keys[i - 1].exact) return false;
    const rank = keys[i].rank(doc);
    if (rank !== rivals[i]) return rank > rivals[i] !== resolved[i].order.descending;
  }
  return false;
}
