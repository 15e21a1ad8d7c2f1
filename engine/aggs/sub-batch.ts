/** Batches that a bucket aggregation passes on: documents with the buckets it put them into. */

import type { BatchBuffers } from "../query/exec/batch-buffers.js";
import type { LeafContext } from "../query/exec/context.js";
import type { Aggregator, Batch, Collect } from "./aggregator.js";

/** Collects pairs of document and bucket, to be handed to the sub-aggregations together. */
export class SubBatch {
  docs: Uint32Array;
  buckets: Uint32Array;
  count = 0;

  constructor(buffers: BatchBuffers) {
    this.docs = buffers.words();
    this.buckets = buffers.words();
  }

  /** Empties the batch and makes room for `size` pairs. */
  reset(size: number): void {
    this.count = 0;
    if (size <= this.docs.length) return;
    this.docs = new Uint32Array(size);
    this.buckets = new Uint32Array(size);
  }

  /** Hands the pairs on. */
  send(collects: readonly Collect[]): void {
    if (this.count === 0) return;
    const batch: Batch = { docs: this.docs, first: 0, count: this.count, buckets: this.buckets };
    for (const collect of collects) collect(batch);
  }
}

/** Document i of a batch. */
export function docAt(batch: Batch, i: number): number {
  return batch.docs === null ? batch.first + i : batch.docs[i];
}

/** Collectors of the sub-aggregations for one leaf. */
export function subCollects(subs: ReadonlyMap<string, Aggregator>, leaf: LeafContext): Collect[] {
  return [...subs.values()].map((sub) => sub.leaf(leaf));
}
