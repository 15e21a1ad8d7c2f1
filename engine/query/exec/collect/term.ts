/**
 * The best documents of a single term: block by block. Blocks that hold no accepted document, or cannot reach the worst kept
 * score, are not decoded.
 */
import type { TermState } from "../../../segment/types.js";
import { hasBit, nextBit } from "../bits.js";
import type { LeafContext } from "../context.js";
import type { Steps } from "../pace.js";
import type { TermPlan } from "../plan.js";
import { maySkip, type Target } from "./target.js";
import { TermList } from "./term-list.js";

/** Blocks looked at between two chances to pause. */
const BLOCKS_PER_STEP = 512;

/** Collects the documents of one leaf that have a term; `state` is its place there. */
export function* collectTerm(leaf: LeafContext, plan: TermPlan, state: TermState, target: Target): Steps {
  const list = TermList.open(leaf, plan, 0);
  if (list === null) return;
  const { accept, counter, top } = target;
  // Without exclusions the count is known beforehand, and skipping may begin when the list is full.
  if (accept === null) counter.count += state.docFreq;
  let steps = 0;
  for (let more = seekAccepted(list, accept); more; more = list.nextBlock() && seekAccepted(list, accept)) {
    if (++steps % BLOCKS_PER_STEP === 0) yield;
    if (accept === null ? top.full : maySkip(target)) {
      if (list.bounds.ofBlock(list.block) > top.threshold) collectBlock(leaf, list, target);
      else if (list.bounds.uniform) return;
    } else collectBlock(leaf, list, target);
  }
}

/** Goes on to the first block that may hold an accepted document; false: there is none. */
function seekAccepted(list: TermList, accept: Uint32Array | null): boolean {
  if (accept === null) return true;
  for (;;) {
    const next = nextBit(accept, list.first);
    if (next < 0) return false;
    if (next <= list.last) return true;
    if (!list.seek(next)) return false;
  }
}

function collectBlock(leaf: LeafContext, list: TermList, target: Target): void {
  const { scratch, environment } = leaf.context;
  const { f64, u32 } = environment.arena;
  const { accept, counter, top, reader } = target;
  const sums = scratch.sums >>> 3;
  const places = scratch.places >>> 2;
  const docs = list.buffers.docs >>> 2;
  list.decode();
  if (accept !== null && !counter.saturated) counter.count += countAccepted(u32, docs, list.count, accept);
  list.scoreInto(scratch.sums);
  const kept = environment.kernels.keepAbove(scratch.sums, list.count, 0, top.threshold, scratch.places);
  for (let i = 0; i < kept; i++) {
    const place = u32[places + i];
    const doc = u32[docs + place];
    const score = Math.fround(f64[sums + place]);
    if (score > top.threshold && (accept === null || hasBit(accept, doc)))
      top.offer(score, reader, leaf.leaf.base + doc);
  }
}

function countAccepted(words: Uint32Array, docs: number, count: number, accept: Uint32Array): number {
  let accepted = 0;
  for (let i = docs; i < docs + count; i++) accepted += (accept[words[i] >>> 5] >>> (words[i] & 31)) & 1;
  return accepted;
}
