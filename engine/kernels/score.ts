/**
 * BM25 contributions (Lucene's BM25Similarity.BM25Scorer.score) of a term's documents: into a window's accumulators, or into a
 * row of sums beside a row of documents; and picking out of sums those that may be among the best.
 */
import type { MemoryViews } from "./memory.js";

/** How a term's documents are scored. */
export interface TermScoring {
  /** One norm byte a document; 0: the norm is 1 for all. */
  norms: number;
  /** 256 f32: 1 / (k1 * ((1 - b) + b * length / average)) by norm byte. */
  normInverse: number;
  weight: number;
}

/** What `scoreBlock` is called with: a block's documents, and a window's accumulators. */
export interface ScoreBlock extends TermScoring {
  docs: number;
  freqs: number;
  from: number;
  count: number;
  windowBase: number;
  windowEnd: number;
  accumulators: number;
  /** One byte a document: 255 where something was added. */
  marks: number;
}

/** What `addScores` is called with: documents, and a sum (f64) of each. */
export interface ScoreRow extends TermScoring {
  docs: number;
  freqs: number;
  count: number;
  sums: number;
}

/** What `addScoresOf` is called with: the sums are of `wanted`, of which places [from, wantedCount) are looked at. */
export interface ScoreWanted extends ScoreRow {
  wanted: number;
  from: number;
  wantedCount: number;
}

/** What `harvest` is called with. */
export interface Harvest {
  /** WINDOW f64, and WINDOW bytes: 255 where something was added. Both zero afterwards. */
  accumulators: number;
  marks: number;
  /** WINDOW bits: documents that may be hits; 0: all. */
  accept: number;
  /** The window's first document. */
  base: number;
  /** What may still be added to a sum. */
  bound: number;
  threshold: number;
  /** Where candidates go, and their sums: room for WINDOW u32 and f64. */
  docs: number;
  sums: number;
}

const { fround } = Math;

/** See Kernels.scoreBlock. */
export function scoreBlock(memory: MemoryViews, block: ScoreBlock): number {
  const { view } = memory;
  let at = block.from;
  for (; at < block.count; at++) {
    const doc = view.getUint32(block.docs + 4 * at, true);
    if (doc >= block.windowEnd) break;
    const score = scoreOf(memory, block, doc, view.getUint32(block.freqs + 4 * at, true));
    const slot = doc - block.windowBase;
    const accumulator = block.accumulators + 8 * slot;
    view.setFloat64(accumulator, view.getFloat64(accumulator, true) + score, true);
    memory.u8[block.marks + slot] = 255;
  }
  return at;
}

function scoreOf({ u8, view }: MemoryViews, scoring: TermScoring, doc: number, freq: number): number {
  const weight = fround(scoring.weight);
  const norm = scoring.norms === 0 ? 1 : u8[scoring.norms + doc];
  const inverse = view.getFloat32(scoring.normInverse + 4 * norm, true);
  return fround(weight - fround(weight / fround(1 + fround(fround(freq) * inverse))));
}

function add({ view }: MemoryViews, sum: number, score: number): void {
  view.setFloat64(sum, view.getFloat64(sum, true) + score, true);
}

/** See Kernels.addScores. */
export function addScores(memory: MemoryViews, row: ScoreRow): void {
  const { view } = memory;
  for (let i = 0; i < row.count; i++) {
    const doc = view.getUint32(row.docs + 4 * i, true);
    add(memory, row.sums + 8 * i, scoreOf(memory, row, doc, view.getUint32(row.freqs + 4 * i, true)));
  }
}

/** See Kernels.setScores. */
export function setScores(memory: MemoryViews, row: ScoreRow): void {
  for (let i = 0; i < row.count; i++) memory.view.setFloat64(row.sums + 8 * i, 0, true);
  addScores(memory, row);
}

/** See Kernels.addScoresOf. */
export function addScoresOf(memory: MemoryViews, row: ScoreWanted): number {
  const { view } = memory;
  let j = 0;
  let at = row.from;
  for (; at < row.wantedCount; at++) {
    const doc = view.getUint32(row.wanted + 4 * at, true);
    while (j < row.count && view.getUint32(row.docs + 4 * j, true) < doc) j++;
    if (j === row.count) break;
    if (view.getUint32(row.docs + 4 * j, true) !== doc) continue;
    add(memory, row.sums + 8 * at, scoreOf(memory, row, doc, view.getUint32(row.freqs + 4 * j, true)));
  }
  return at;
}

/** See Kernels.keepAbove. */
export function keepAbove(
  { view }: MemoryViews,
  sums: number,
  count: number,
  limit: { bound: number; threshold: number; out: number },
): number {
  const { bound, threshold, out } = limit;
  let kept = 0;
  for (let i = 0; i < count; i++) {
    if (fround(view.getFloat64(sums + 8 * i, true) + bound) > threshold) view.setUint32(out + 4 * kept++, i, true);
  }
  return kept;
}

/** Documents that a window of accumulators covers; a power of two, so many that the accumulators just stay near the core. */
export const WINDOW = 4096;

/** See Kernels.harvest. */
export function harvest({ u8, view }: MemoryViews, work: Harvest): number {
  const { accumulators, marks, accept, base, bound, threshold, docs, sums } = work;
  let hits = 0;
  let found = 0;
  for (let slot = 0; slot < WINDOW; slot++) {
    if (u8[marks + slot] === 0) continue;
    u8[marks + slot] = 0;
    const sum = view.getFloat64(accumulators + 8 * slot, true);
    view.setFloat64(accumulators + 8 * slot, 0, true);
    if (accept !== 0 && ((u8[accept + (slot >>> 3)] >>> (slot & 7)) & 1) === 0) continue;
    hits++;
    if (fround(sum + bound) <= threshold) continue;
    view.setUint32(docs + 4 * found, base + slot, true);
    view.setFloat64(sums + 8 * found, sum, true);
    found++;
  }
  return (hits << 16) | found;
}
