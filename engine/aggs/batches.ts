/** Cutting the documents of a leaf into batches. */
import { BATCH, type BatchBuffers } from "../query/exec/batch-buffers.js";
import type { Batch } from "./aggregator.js";

/** Batches of consecutive documents: all of a leaf. */
export function* denseBatches(docCount: number): Generator<Batch> {
  for (let first = 0; first < docCount; first += BATCH) {
    yield { docs: null, first, count: Math.min(BATCH, docCount - first), buckets: null };
  }
}

/** Batches of the documents of a set. The array of a batch is filled anew for the next. */
export function* bitBatches(bits: Uint32Array, buffers: BatchBuffers): Generator<Batch> {
  const docs = buffers.words();
  let count = 0;
  for (let w = 0; w < bits.length; w++) {
    let word = bits[w];
    if (word === 0) continue;
    if (count + 32 > BATCH) {
      yield batchOf(docs, count);
      count = 0;
    }
    if (word === 0xffffffff) {
      for (let doc = w << 5; doc < (w + 1) << 5; doc++) docs[count++] = doc;
      continue;
    }
    while (word !== 0) {
      docs[count++] = (w << 5) + 31 - Math.clz32(word & -word);
      word &= word - 1;
    }
  }
  if (count > 0) yield batchOf(docs, count);
}

/** Consecutive documents are told by the first: columns are then read without looking documents up one by one. */
function batchOf(docs: Uint32Array, count: number): Batch {
  const first = docs[0];
  const consecutive = docs[count - 1] - first === count - 1;
  return { docs: consecutive ? null : docs, first, count, buckets: null };
}
