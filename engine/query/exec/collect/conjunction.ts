/**
 * The best documents of an AND of terms: the rarest term leads block by block, the others follow by advancing; blocks whose
 * bounds together cannot reach the worst kept score are passed over.
 */
import { NO_MORE_DOCS, type PostingsIterator } from "../../../segment/types.js";
import { bm25 } from "../bm25.js";
import type { LeafContext } from "../context.js";
import type { Steps } from "../pace.js";
import type { TermPlan } from "../plan.js";
import { fieldNorms } from "../scorers/phrase-scorer.js";
import { type Norms, normInverse } from "../scorers/term-scorer.js";
import { BlockMax } from "./block-max.js";
import { accepts, maySkip, offer, type Target } from "./target.js";

const BLOCKS_PER_STEP = 16;

interface Part {
  readonly plan: TermPlan;
  readonly postings: PostingsIterator;
  readonly norms: Norms;
  readonly bounds: BlockMax;
}

/** Collects the documents of one leaf that have all the terms. */
export function* collectConjunction(leaf: LeafContext, plans: readonly TermPlan[], target: Target): Steps {
  const parts = openParts(leaf, plans);
  if (parts === null) return;
  const byCost = [...parts].sort((a, b) => a.postings.docFreq - b.postings.docFreq);
  const [lead, ...others] = byCost;
  // The leader is read by blocks, through an iterator of its own.
  const state = lead.plan.terms[0].states[leaf.index];
  if (state === null) return;
  const blocks = leaf.segment.postings(lead.plan.field, state, { positions: false });
  const run = { leaf, parts, lead, others, target };
  let from = 0;
  for (let block = 0; block < blocks.blockCount; block++) {
    const to = blocks.blockLastDoc(block);
    if (!maySkip(target) || mayReach(run, block, from, to)) {
      const count = blocks.decodeBlock(block, leaf.context.scratch.docs, leaf.context.scratch.freqs);
      if (!collectBlock(run, count)) return;
    }
    from = to + 1;
    if (block % BLOCKS_PER_STEP === BLOCKS_PER_STEP - 1) yield;
  }
}

interface Run {
  readonly leaf: LeafContext;
  /** In the order of the clauses, which is the order of summing. */
  readonly parts: readonly Part[];
  readonly lead: Part;
  readonly others: readonly Part[];
  readonly target: Target;
}

function openParts(leaf: LeafContext, plans: readonly TermPlan[]): Part[] | null {
  const parts: Part[] = [];
  for (const plan of plans) {
    const state = plan.terms[0].states[leaf.index];
    if (state === null) return null;
    const postings = leaf.segment.postings(plan.field, state, { positions: false });
    const norms = fieldNorms(leaf, plan.field);
    parts.push({ plan, postings, norms, bounds: new BlockMax(postings, plan.weight, norms.address !== 0) });
  }
  return parts;
}

function mayReach(run: Run, block: number, from: number, to: number): boolean {
  const { threshold } = run.target.top;
  let bound = run.lead.bounds.ofBlock(block);
  for (const other of run.others) {
    const max = other.bounds.within(from, to);
    if (max === 0) return false;
    bound += max;
  }
  return Math.fround(bound) > threshold;
}

/** Collects the block of the leader in scratch memory; false when another term has no more documents. */
function collectBlock(run: Run, count: number): boolean {
  const { leaf, lead, others, target } = run;
  const { scratch, environment } = leaf.context;
  const words = environment.arena.u32;
  const docs = scratch.docs >>> 2;
  const freqs = scratch.freqs >>> 2;
  let wanted = 0;
  candidates: for (let i = 0; i < count; i++) {
    const doc = words[docs + i];
    if (doc < wanted || !accepts(target, doc)) continue;
    for (const { postings } of others) {
      const at = postings.doc < doc ? postings.advance(doc) : postings.doc;
      if (at !== doc) {
        if (at === NO_MORE_DOCS) return false;
        wanted = at;
        continue candidates;
      }
    }
    target.counter.count++;
    offer(target, leaf, doc, scoreOf(run.parts, doc, { lead, freq: words[freqs + i] }));
  }
  return true;
}

function scoreOf(parts: readonly Part[], doc: number, leader: { lead: Part; freq: number }): number {
  let sum = 0;
  for (const part of parts) {
    const freq = part === leader.lead ? leader.freq : part.postings.freq();
    const { weight, normInverse: table } = part.plan.weight;
    sum += bm25(weight, freq, normInverse(part.norms, table, doc));
  }
  return Math.fround(sum);
}
