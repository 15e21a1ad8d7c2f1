/** Documents that score at least so much. */
import { hasBit, noBits, setBit } from "./bits.js";
import { buildScorer } from "./build-scorer.js";
import type { LeafContext } from "./context.js";
import type { Steps } from "./pace.js";
import type { Plan } from "./plan.js";
import { NO_MORE_DOCS } from "./scorer.js";

const DOCS_PER_STEP = 1024;

/** Live documents of a leaf whose score is not below `minScore`. */
export function* scoredBits(leaf: LeafContext, plan: Plan, minScore: number): Steps<Uint32Array> {
  const bits = noBits(leaf.docCount);
  const scorer = buildScorer(leaf, plan);
  if (scorer === null) return bits;
  const { live } = leaf.leaf;
  let seen = 0;
  for (let doc = scorer.next(); doc !== NO_MORE_DOCS; doc = scorer.next()) {
    if (++seen % DOCS_PER_STEP === 0) yield;
    if ((live === null || hasBit(live, doc)) && scorer.score() >= minScore) setBit(bits, doc);
  }
  return bits;
}

/** Scores of single documents, asked for in ascending order; 0 for documents that do not match. */
export function scoreReader(leaf: LeafContext, plan: Plan): (doc: number) => number {
  const scorer = buildScorer(leaf, plan);
  return (doc) => {
    if (scorer === null) return 0;
    if (scorer.doc < doc) scorer.advance(doc);
    return scorer.doc === doc ? scorer.score() : 0;
  };
}
