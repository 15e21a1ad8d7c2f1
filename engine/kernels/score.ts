/** BM25 contributions of one term's block into a window's accumulators; Lucene's BM25Similarity.BM25Scorer.score. */
import type { ScoreBlock } from "./kernels.js";
import type { MemoryViews } from "./memory.js";

const { fround } = Math;

/** See Kernels.scoreBlock. */
export function scoreBlock(memory: MemoryViews, block: ScoreBlock): number {
  const { view, u8 } = memory;
  const weight = fround(block.weight);
  let at = block.from;
  for (; at < block.count; at++) {
    const doc = view.getUint32(block.docs + 4 * at, true);
    if (doc >= block.windowEnd) break;
    const freq = fround(view.getUint32(block.freqs + 4 * at, true));
    const norm = block.norms === 0 ? 1 : u8[block.norms + doc];
    const inverse = view.getFloat32(block.normInverse + 4 * norm, true);
    const score = fround(weight - fround(weight / fround(1 + fround(freq * inverse))));
    const slot = doc - block.windowBase;
    const accumulator = block.accumulators + 8 * slot;
    view.setFloat64(accumulator, view.getFloat64(accumulator, true) + score, true);
    const word = block.bits + 4 * (slot >>> 5);
    view.setUint32(word, view.getUint32(word, true) | (1 << (slot & 31)), true);
  }
  return at;
}
