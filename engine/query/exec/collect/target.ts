/** Where the scored documents of one leaf go. */
import { hasBit } from "../bits.js";
import type { LeafContext } from "../context.js";
import type { HitCounter } from "../hit-counter.js";
import type { TopHits } from "../top-hits.js";

/** What takes the documents, and which of them it may take. */
export interface Target {
  readonly top: TopHits;
  readonly counter: HitCounter;
  /** Number of the leaf's reader among those searched. */
  readonly reader: number;
  /** Documents of the leaf that may be hits; null: all. */
  readonly accept: Uint32Array | null;
}

/** Whether a document may be a hit. */
export function accepts(target: Target, doc: number): boolean {
  return target.accept === null || hasBit(target.accept, doc);
}

/** True when documents that cannot be among the best need not be seen. */
export function maySkip(target: Target): boolean {
  return target.counter.saturated && target.top.full;
}

/** Offers a document to the best. */
export function offer(target: Target, leaf: LeafContext, doc: number, score: number): void {
  target.top.offer(score, target.reader, leaf.leaf.base + doc);
}
