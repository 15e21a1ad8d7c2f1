/**
 * The best documents of a plan in one leaf, by the fastest way there is for its shape. What only narrows (filters,
 * exclusions, deleted documents) is taken out first as a set of accepted documents.
 */
import { countBits, intersect, nextBit, subtract } from "../bits.js";
import { buildScorer } from "../build-scorer.js";
import { type LeafContext, MAX_BULK_TERMS } from "../context.js";
import { filterBits, planBits } from "../filter-bits.js";
import type { Steps } from "../pace.js";
import type { ConstantPlan, PhrasePlan, Plan, TermPlan } from "../plan.js";
import { prepareScoring } from "../prepare-bits.js";
import { NO_MORE_DOCS, type Scorer } from "../scorer.js";
import { BitsScorer } from "../scorers/bits-scorer.js";
import { ConjunctionScorer } from "../scorers/conjunction.js";
import { PENDING, PhraseScorer } from "../scorers/phrase-scorer.js";
import { collectConjunction } from "./conjunction.js";
import { collectDisjunction } from "./disjunction.js";
import { collectPhrase, isBulkPhrase } from "./phrase.js";
import { accepts, maySkip, offer, type Target } from "./target.js";
import { collectTerm } from "./term.js";

const DOCS_PER_STEP = 512;

/** What scores, and what merely narrows. */
interface Narrowed {
  core: Plan;
  filters: readonly Plan[];
  mustNot: readonly Plan[];
}

/** How a plan will be executed; for `profile`. */
export type Strategy = "none" | "constant" | "term" | "disjunction" | "conjunction" | "phrase" | "scorer";

/** Collects the documents of one leaf that are in `within` (null: that are alive). */
export function* collectLeaf(
  leaf: LeafContext,
  plan: Plan,
  sink: Omit<Target, "accept">,
  within: Uint32Array | null = null,
): Steps {
  yield* prepareScoring(leaf, plan);
  const narrowed = narrow(plan);
  const accept = acceptedBits(leaf, narrowed, within ?? leaf.leaf.live);
  const target: Target = { accept, ...sink };
  const { core } = narrowed;
  const strategy = strategyOf(core);
  if (strategy === "constant") collectConstant(leaf, core as ConstantPlan, target);
  else if (strategy === "term") {
    const term = core as TermPlan;
    const state = term.terms[0].states[leaf.index];
    if (state !== null) yield* collectTerm(leaf, term, state, target);
  } else if (strategy === "disjunction") yield* collectDisjunction(leaf, clausesOf(core), target);
  else if (strategy === "conjunction") yield* collectConjunction(leaf, clausesOf(core) as readonly TermPlan[], target);
  else if (strategy === "phrase") yield* collectPhrase(leaf, core as PhrasePlan, target);
  else if (strategy === "scorer") {
    const scorer = buildScorer(leaf, core);
    if (scorer !== null) yield* collectScorer(leaf, led(scorer, narrowed, accept), target);
  }
}

/** How the scoring part of a plan is run. */
export function planStrategy(plan: Plan): Strategy {
  return strategyOf(narrow(plan).core);
}

function narrow(plan: Plan): Narrowed {
  if (plan.kind !== "bool") return { core: plan, filters: [], mustNot: [] };
  const { must, filter, should, mustNot } = plan;
  if (must.length === 1 && should.length === 0) {
    const inner = narrow(must[0]);
    return { core: inner.core, filters: [...inner.filters, ...filter], mustNot: [...inner.mustNot, ...mustNot] };
  }
  if (must.length === 0 && should.length === 0) {
    // Nothing scores: every document gets 0.
    const core: ConstantPlan = { kind: "constant", filter: { kind: "all" }, score: 0, text: "" };
    return { core, filters: filter, mustNot };
  }
  if (must.length > 0 || filter.length === 0)
    return { core: { ...plan, filter: [], mustNot: [] }, filters: filter, mustNot };
  return { core: plan, filters: [], mustNot: [] };
}

function acceptedBits(leaf: LeafContext, narrowed: Narrowed, live: Uint32Array | null): Uint32Array | null {
  if (narrowed.filters.length === 0 && narrowed.mustNot.length === 0) return live;
  const [first, ...rest] = narrowed.filters;
  const bits = (first === undefined ? (live ?? filterBits(leaf, { kind: "all" })) : planBits(leaf, first)).slice();
  for (const plan of rest) intersect(bits, planBits(leaf, plan));
  for (const plan of narrowed.mustNot) subtract(bits, planBits(leaf, plan));
  if (live !== null) intersect(bits, live);
  return bits;
}

function strategyOf(core: Plan): Strategy {
  if (core.kind === "none") return "none";
  if (core.kind === "constant") return "constant";
  if (core.kind === "term" && core.terms.length === 1) return "term";
  if (core.kind === "phrase" && isBulkPhrase(core)) return "phrase";
  if (core.kind !== "bool" || core.filter.length + core.mustNot.length > 0) return "scorer";
  if (core.must.length === 0) return core.minimum <= 1 ? "disjunction" : "scorer";
  const terms = core.must.every((part) => part.kind === "term" && part.terms.length === 1);
  return terms && core.should.length === 0 && core.must.length <= MAX_BULK_TERMS ? "conjunction" : "scorer";
}

/** Clauses of a disjunction or conjunction. */
function clausesOf(core: Plan): readonly Plan[] {
  return core.kind === "bool" ? [...core.must, ...core.should] : [];
}

function collectConstant(leaf: LeafContext, plan: ConstantPlan, target: Target): void {
  const { accept } = target;
  const all = plan.filter.kind === "all";
  if (all && accept === null) {
    target.counter.count += leaf.docCount;
    for (let doc = 0; doc < leaf.docCount && target.top.threshold < plan.score; doc++)
      offer(target, leaf, doc, plan.score);
    return;
  }
  let bits = all && accept !== null ? accept : filterBits(leaf, plan.filter);
  if (!all && accept !== null) {
    bits = bits.slice();
    intersect(bits, accept);
  }
  target.counter.count += countBits(bits);
  for (let doc = nextBit(bits, 0); doc >= 0 && target.top.threshold < plan.score; doc = nextBit(bits, doc + 1)) {
    offer(target, leaf, doc, plan.score);
  }
}

/** When filters narrow, they lead or follow like any other part of a conjunction. */
function led(scorer: Scorer, narrowed: Narrowed, accept: Uint32Array | null): Scorer {
  if (accept === null || narrowed.filters.length === 0) return scorer;
  return new ConjunctionScorer([scorer], [new BitsScorer(accept, countBits(accept), 0)]);
}

function* collectScorer(leaf: LeafContext, scorer: Scorer, target: Target): Steps {
  let seen = 0;
  const next = scorer instanceof PhraseScorer ? () => scorer.seek() : () => scorer.next();
  for (let doc = next(); doc !== NO_MORE_DOCS; doc = next()) {
    if (++seen % DOCS_PER_STEP === 0 || doc === PENDING) yield;
    if (doc === PENDING || !accepts(target, doc)) continue;
    target.counter.count++;
    offer(target, leaf, doc, scorer.score());
    if (maySkip(target)) scorer.minCompetitive = target.top.threshold;
  }
}
