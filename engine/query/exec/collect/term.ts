/** The best documents of a single term: block by block, skipping blocks that cannot reach the worst kept score. */
import type { TermState } from "../../../segment/types.js";
import type { LeafContext } from "../context.js";
import type { Steps } from "../pace.js";
import type { TermPlan } from "../plan.js";
import { fieldNorms } from "../scorers/phrase-scorer.js";
import type { Norms } from "../scorers/term-scorer.js";
import { BlockMax } from "./block-max.js";
import { maySkip, type Target } from "./target.js";

/** Blocks scored between two chances to pause. */
const BLOCKS_PER_STEP = 512;

/** Collects the documents of one leaf that have a term; `state` is its place there. */
export function* collectTerm(leaf: LeafContext, plan: TermPlan, state: TermState, target: Target): Steps {
  const postings = leaf.segment.postings(plan.field, state, { positions: false });
  const norms = fieldNorms(leaf, plan.field);
  const bounds = new BlockMax(postings, plan.weight, norms.address !== 0);
  const { scratch } = leaf.context;
  // Without exclusions the count is known beforehand, and skipping may begin at once.
  const counted = target.accept === null;
  if (counted) target.counter.count += state.docFreq;
  for (let block = 0; block < postings.blockCount; block++) {
    if (block % BLOCKS_PER_STEP === BLOCKS_PER_STEP - 1) yield;
    if (maySkip(target) && bounds.ofBlock(block) <= target.top.threshold) continue;
    const count = postings.decodeBlock(block, scratch.docs, scratch.freqs);
    const accepted = scoreDecoded(leaf, plan, { target, norms, count });
    if (!counted) target.counter.count += accepted;
  }
}

/** Scores the block in scratch memory; returns how many of its documents are accepted. */
function scoreDecoded(
  leaf: LeafContext,
  plan: TermPlan,
  block: { target: Target; norms: Norms; count: number },
): number {
  const { target, norms, count } = block;
  const { scratch, environment } = leaf.context;
  const words = environment.arena.u32;
  const docs = scratch.docs >>> 2;
  const freqs = scratch.freqs >>> 2;
  const { weight, normInverse } = plan.weight;
  const { bytes, address } = norms;
  const { accept, top, reader } = target;
  const { base } = leaf.leaf;
  let accepted = 0;
  for (let i = 0; i < count; i++) {
    const doc = words[docs + i];
    if (accept !== null && ((accept[doc >>> 5] >>> (doc & 31)) & 1) === 0) continue;
    accepted++;
    const inverse = normInverse[address === 0 ? 1 : bytes[address + doc]];
    const product = Math.fround(Math.fround(words[freqs + i]) * inverse);
    const score = Math.fround(weight - Math.fround(weight / Math.fround(1 + product)));
    if (score > top.threshold) top.offer(score, reader, base + doc);
  }
  return accepted;
}
