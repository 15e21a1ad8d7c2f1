/**
 * The best documents of an OR of terms, window by window of 2048 documents. Within a window, terms whose bounds together
 * cannot reach the worst kept score are not scored but looked up for candidates only (MaxScore: Turtle and Flood, "Query
 * Evaluation: Strategies and Optimizations", 1995; with bounds per block). Windows that cannot reach it are passed over.
 *
 * A document's contributions are added in double. A sum of float32 values is exact in double unless they differ by a factor of 2^28 or
 * so, so the order in which terms are added (which depends on what was skipped) does not show in the result.
 */
import type { Field } from "../../../mapping/field-table.js";
import type { PostingsIterator } from "../../../segment/types.js";
import { popCount } from "../bits.js";
import { bm25 } from "../bm25.js";
import { BLOCK_BYTES, type LeafContext, NORM_TABLE_BYTES, TERM_BYTES, WINDOW } from "../context.js";
import type { Steps } from "../pace.js";
import type { TermPlan } from "../plan.js";
import { fieldNorms } from "../scorers/phrase-scorer.js";
import { type Norms, normInverse } from "../scorers/term-scorer.js";
import { BlockMax } from "./block-max.js";
import { maySkip, type Target } from "./target.js";

const WINDOWS_PER_STEP = 16;

/** One term's place in its postings: a block, decoded at the term's own buffers, and an index into it. */
interface Cursor {
  readonly field: Field;
  readonly plan: TermPlan;
  readonly postings: PostingsIterator;
  readonly norms: Norms;
  readonly bounds: BlockMax;
  readonly table: number;
  readonly docs: number;
  readonly freqs: number;
  block: number;
  /** Documents decoded at `docs`; 0: the block is not decoded. */
  count: number;
  at: number;
  /** Bound of the current window. */
  max: number;
}

export function* collectDisjunction(leaf: LeafContext, plans: readonly TermPlan[], target: Target): Steps {
  const cursors = openCursors(leaf, plans);
  if (cursors.length === 0) return;
  let steps = 0;
  for (let window = nextWindow(cursors, 0); window < leaf.docCount; window = nextWindow(cursors, window + WINDOW)) {
    collectWindow(leaf, cursors, window, target);
    if (++steps % WINDOWS_PER_STEP === 0) yield;
  }
}

function openCursors(leaf: LeafContext, plans: readonly TermPlan[]): Cursor[] {
  const cursors: Cursor[] = [];
  for (const plan of plans) {
    const state = plan.terms[0].states[leaf.index];
    if (state === null) continue;
    const postings = leaf.segment.postings(plan.field, state, { positions: false });
    const norms = fieldNorms(leaf, plan.field);
    const table = leaf.context.scratch.terms + cursors.length * TERM_BYTES;
    leaf.context.environment.arena.f32.set(plan.weight.normInverse, table >>> 2);
    const bounds = new BlockMax(postings, plan.weight, norms.address !== 0);
    const docs = table + NORM_TABLE_BYTES;
    const buffers = { table, docs, freqs: docs + BLOCK_BYTES };
    cursors.push({ field: plan.field, plan, postings, norms, bounds, ...buffers, block: 0, count: 0, at: 0, max: 0 });
  }
  return cursors;
}

/** First window >= from that may hold a document; Infinity: none. */
function nextWindow(cursors: readonly Cursor[], from: number): number {
  let first = Number.POSITIVE_INFINITY;
  for (const cursor of cursors) {
    const { postings } = cursor;
    while (cursor.block < postings.blockCount && postings.blockLastDoc(cursor.block) < from) {
      cursor.block++;
      cursor.count = 0;
      cursor.at = 0;
    }
    if (cursor.block === postings.blockCount) continue;
    const after = cursor.block === 0 ? 0 : postings.blockLastDoc(cursor.block - 1) + 1;
    first = Math.min(first, Math.max(from, after));
  }
  return first === Number.POSITIVE_INFINITY ? first : first - (first % WINDOW);
}

function collectWindow(leaf: LeafContext, cursors: readonly Cursor[], window: number, target: Target): void {
  const end = window + WINDOW;
  if (!maySkip(target)) {
    for (const cursor of cursors) scoreWindow(leaf, cursor, window, end);
    harvest(leaf, window, { target, lookups: [], bound: 0 });
    return;
  }
  const { threshold } = target.top;
  for (const cursor of cursors) cursor.max = cursor.bounds.within(window, end - 1);
  const byBound = cursors.filter((cursor) => cursor.max > 0).sort((a, b) => a.max - b.max);
  const lookups: Cursor[] = [];
  let bound = 0;
  for (const cursor of byBound) {
    if (Math.fround(bound + cursor.max) > threshold) break;
    bound += cursor.max;
    lookups.push(cursor);
  }
  if (lookups.length === byBound.length) return;
  for (const cursor of cursors) if (cursor.max > 0 && !lookups.includes(cursor)) scoreWindow(leaf, cursor, window, end);
  harvest(leaf, window, { target, lookups, bound });
}

/** Adds a term's scores of a window to the accumulators. */
function scoreWindow(leaf: LeafContext, cursor: Cursor, window: number, end: number): void {
  const { scratch, environment } = leaf.context;
  const { postings } = cursor;
  while (cursor.block < postings.blockCount) {
    if (cursor.block > 0 && postings.blockLastDoc(cursor.block - 1) + 1 >= end) return;
    if (cursor.count === 0) decode(cursor);
    skipTo(environment.arena.u32, cursor, window);
    cursor.at = environment.kernels.scoreBlock({
      docs: cursor.docs,
      freqs: cursor.freqs,
      from: cursor.at,
      count: cursor.count,
      windowBase: window,
      windowEnd: end,
      norms: cursor.norms.address,
      normInverse: cursor.table,
      weight: cursor.plan.weight.weight,
      accumulators: scratch.accumulators,
      bits: scratch.windowBits,
    });
    if (cursor.at < cursor.count) return;
    cursor.block++;
    cursor.count = 0;
    cursor.at = 0;
  }
}

function decode(cursor: Cursor): void {
  cursor.count = cursor.postings.decodeBlock(cursor.block, cursor.docs, cursor.freqs);
  cursor.at = 0;
}

/** Moves within the decoded block to the first document >= target. */
function skipTo(words: Uint32Array, cursor: Cursor, target: number): void {
  const docs = cursor.docs >>> 2;
  let low = cursor.at;
  let high = cursor.count;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (words[docs + middle] < target) low = middle + 1;
    else high = middle;
  }
  cursor.at = low;
}

/** Takes the window's documents out of the accumulators, and leaves those empty. */
function harvest(
  leaf: LeafContext,
  window: number,
  work: { target: Target; lookups: readonly Cursor[]; bound: number },
): void {
  const { target, lookups, bound } = work;
  const { arena } = leaf.context.environment;
  const { accumulators, windowBits } = leaf.context.scratch;
  const scores = arena.f64;
  const first = accumulators >>> 3;
  const { accept, top, reader, counter } = target;
  for (let w = 0; w < WINDOW / 32; w++) {
    let word = arena.u32[(windowBits >>> 2) + w];
    if (word === 0) continue;
    arena.u32[(windowBits >>> 2) + w] = 0;
    if (accept !== null) word &= accept[(window >>> 5) + w];
    counter.count += popCount(word);
    while (word !== 0) {
      const slot = (w << 5) + 31 - Math.clz32(word & -word);
      word &= word - 1;
      let score = scores[first + slot];
      if (Math.fround(score + bound) <= top.threshold) continue;
      if (lookups.length > 0) score = lookUp(arena.u32, lookups, { doc: window + slot, score, bound, threshold: top.threshold });
      top.offer(Math.fround(score), reader, leaf.leaf.base + window + slot);
    }
  }
  scores.fill(0, first, first + WINDOW);
}

/** Adds what the terms that were not scored give to one document, largest bound first; stops when it cannot succeed. */
function lookUp(
  words: Uint32Array,
  lookups: readonly Cursor[],
  candidate: { doc: number; score: number; bound: number; threshold: number },
): number {
  let { score, bound } = candidate;
  for (let i = lookups.length - 1; i >= 0; i--) {
    if (Math.fround(score + bound) <= candidate.threshold) return score;
    const cursor = lookups[i];
    bound -= cursor.max;
    score += contribution(words, cursor, candidate.doc);
  }
  return score;
}

/** A term's score of a document, 0 when it is not in it. Documents must be asked for in ascending order. */
function contribution(words: Uint32Array, cursor: Cursor, doc: number): number {
  const { postings } = cursor;
  while (cursor.block < postings.blockCount && postings.blockLastDoc(cursor.block) < doc) {
    cursor.block++;
    cursor.count = 0;
  }
  if (cursor.block === postings.blockCount) return 0;
  if (cursor.count === 0) decode(cursor);
  skipTo(words, cursor, doc);
  if (words[(cursor.docs >>> 2) + cursor.at] !== doc) return 0;
  const { weight, normInverse: table } = cursor.plan.weight;
  return bm25(weight, words[(cursor.freqs >>> 2) + cursor.at], normInverse(cursor.norms, table, doc));
}
