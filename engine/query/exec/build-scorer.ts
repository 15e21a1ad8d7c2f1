/** From a plan to the scorer of one leaf: which iterator runs which part. */
import type { Field } from "../../mapping/field-table.js";
import type { PostingsIterator } from "../../segment/types.js";
import { countBits } from "./bits.js";
import type { LeafContext } from "./context.js";
import { filterBits, planBits } from "./filter-bits.js";
import type { BoolPlan, ConstantPlan, Plan, PlannedTerm, TermPlan } from "./plan.js";
import type { Scorer } from "./scorer.js";
import { AllScorer, BitsScorer, DocumentsScorer } from "./scorers/bits-scorer.js";
import { ConjunctionScorer, ExclusionScorer, OptionalScorer } from "./scorers/conjunction.js";
import { DisjunctionScorer } from "./scorers/disjunction.js";
import { fieldNorms, phraseScorer } from "./scorers/phrase-scorer.js";
import { SynonymScorer, TermScorer } from "./scorers/term-scorer.js";

/** The scorer of a plan in a leaf; null when no document of the leaf can match. */
export function buildScorer(leaf: LeafContext, plan: Plan): Scorer | null {
  switch (plan.kind) {
    case "none":
      return null;
    case "constant":
      return constantScorer(leaf, plan);
    case "term":
      return termScorer(leaf, plan);
    case "phrase":
      return phraseScorer(leaf, plan);
    case "bool":
      return boolScorer(leaf, plan);
    case "dis_max": {
      const parts = buildAll(leaf, plan.plans);
      if (parts.length === 0) return null;
      return new DisjunctionScorer(parts, 1, { kind: "max", tieBreaker: plan.tieBreaker });
    }
    case "documents": {
      const { docs, scores } = plan.leaves[leaf.index];
      return docs.length === 0 ? null : new DocumentsScorer(docs, scores);
    }
  }
}

function constantScorer(leaf: LeafContext, plan: ConstantPlan): Scorer | null {
  if (plan.filter.kind === "all") return leaf.docCount === 0 ? null : new AllScorer(leaf.docCount, plan.score);
  return bitsScorer(filterBits(leaf, plan.filter), plan.score);
}

function bitsScorer(bits: Uint32Array, score: number): Scorer | null {
  const count = countBits(bits);
  return count === 0 ? null : new BitsScorer(bits, count, score);
}

function termScorer(leaf: LeafContext, plan: TermPlan): Scorer | null {
  const postings = openPostings(leaf, plan.field, plan.terms);
  if (postings.length === 0) return null;
  const norms = fieldNorms(leaf, plan.field);
  if (postings.length === 1) return new TermScorer(postings[0], plan.weight, norms);
  return new SynonymScorer(postings, plan.weight, norms);
}

/** Postings of the terms that the leaf has. */
export function openPostings(leaf: LeafContext, field: Field, terms: readonly PlannedTerm[]): PostingsIterator[] {
  const opened: PostingsIterator[] = [];
  for (const term of terms) {
    const state = term.states[leaf.index];
    if (state !== null) opened.push(leaf.segment.postings(field, state, { positions: false }));
  }
  return opened;
}

function buildAll(leaf: LeafContext, plans: readonly Plan[]): Scorer[] {
  return plans.map((plan) => buildScorer(leaf, plan)).filter((scorer) => scorer !== null);
}

/** Structure and rounding as Lucene's `Boolean2ScorerSupplier`. */
function boolScorer(leaf: LeafContext, plan: BoolPlan): Scorer | null {
  const hasRequired = plan.must.length + plan.filter.length > 0;
  const optional = optionalScorer(leaf, plan);
  if (!hasRequired) return optional === null ? null : exclude(leaf, optional, plan.mustNot);
  const required = requiredScorer(leaf, plan);
  if (required === null) return null;
  const kept = exclude(leaf, required, plan.mustNot);
  if (plan.minimum > 0) return optional === null ? null : new ConjunctionScorer([kept, optional], []);
  return optional === null ? kept : new OptionalScorer(kept, optional);
}

function requiredScorer(leaf: LeafContext, plan: BoolPlan): Scorer | null {
  const must = buildAll(leaf, plan.must);
  if (must.length < plan.must.length) return null;
  const filters: Scorer[] = [];
  for (const part of plan.filter) {
    const scorer = filterScorer(leaf, part);
    if (scorer === null) return null;
    filters.push(scorer);
  }
  // A conjunction without scoring parts scores 0.
  if (must.length === 1 && filters.length === 0) return must[0];
  return new ConjunctionScorer(must, filters);
}

/** Single terms and phrases are iterated, all else is made into bits. */
function filterScorer(leaf: LeafContext, plan: Plan): Scorer | null {
  const iterated = plan.kind === "term" || plan.kind === "phrase" || plan.kind === "documents";
  return iterated ? buildScorer(leaf, plan) : bitsScorer(planBits(leaf, plan), 0);
}

function optionalScorer(leaf: LeafContext, plan: BoolPlan): Scorer | null {
  const parts = buildAll(leaf, plan.should);
  const minimum = Math.max(1, plan.minimum);
  if (parts.length < minimum) return null;
  if (parts.length === 1) return parts[0];
  return new DisjunctionScorer(parts, minimum, { kind: "sum" });
}

function exclude(leaf: LeafContext, scorer: Scorer, plans: readonly Plan[]): Scorer {
  let kept = scorer;
  for (const plan of plans) {
    const excluded = filterScorer(leaf, plan);
    if (excluded !== null) kept = new ExclusionScorer(kept, excluded);
  }
  return kept;
}
