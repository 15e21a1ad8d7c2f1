/** Puts the matching documents of one leaf into a list sorted by fields. */
import { nextBit } from "../query/exec/bits.js";
import type { LeafContext } from "../query/exec/context.js";
import type { Steps } from "../query/exec/pace.js";
import type { ResolvedKey } from "./keys.js";
import { type LeafKey, leafKey } from "./leaf-keys.js";
import type { Comparable } from "./sort-value.js";
import type { TopSorted } from "./top-sorted.js";

const BLOCK = 128;
const BLOCKS_PER_STEP = 256;

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
  const blocks = Math.ceil(leaf.docCount / BLOCK);
  const backwards = scoreOf === null && startsAtEnd(keys, work.keys, blocks);
  for (let i = 0; i < blocks; i++) {
    if (i % BLOCKS_PER_STEP === BLOCKS_PER_STEP - 1) yield;
    const block = backwards ? blocks - 1 - i : i;
    const window = enterable(keys[0], work.keys[0].order.descending, top);
    const ranks = keys[0].blocks;
    if (ranks !== null && (ranks.min(block) > window.high || ranks.max(block) < window.low)) continue;
    collectBlock(work, { keys, block, bits }, top, window);
  }
}

function scoreKey(scoreOf: (doc: number) => number): LeafKey {
  return { value: scoreOf, rank: scoreOf, rankOf: Number, exact: true, blocks: null };
}

/**
 * Columns that ascend with the documents (time stamps) give their largest values first when read from the end. The first key
 * whose column can tell decides: among documents that tie by the keys before it, those come first.
 */
function startsAtEnd(keys: readonly LeafKey[], resolved: readonly ResolvedKey[], blocks: number): boolean {
  const telling = keys.findIndex((key) => key.blocks !== null);
  const ranks = telling < 0 ? null : keys[telling].blocks;
  if (ranks === null || blocks === 0) return false;
  const [first, last] = [ranks.max(0), ranks.max(blocks - 1)];
  return resolved[telling].order.descending ? last > first : last < first;
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
  const end = Math.min((block + 1) * BLOCK, leaf.docCount);
  const descending = work.keys[0].order.descending;
  const primary = keys[0];
  let { low, high } = window;
  let rivals = bottomRanks(keys, top);
  for (let doc = nextBit(bits, block * BLOCK); doc >= 0 && doc < end; doc = nextBit(bits, doc + 1)) {
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
