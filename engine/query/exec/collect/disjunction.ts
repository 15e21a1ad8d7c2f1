/**
 * The best documents of an OR, window by window of 4096 documents. Within a window, clauses whose bounds together cannot reach
 * the worst kept score are not added up but looked up for candidates only (MaxScore: Turtle and Flood, "Query Evaluation:
 * Strategies and Optimizations", 1995; with bounds per block). Windows that cannot reach it are passed over.
 *
 * A document's contributions are added in double. A sum of float32 values is exact in double unless they differ by a factor of 2^28 or
 * so, so the order in which clauses are added (which depends on what was skipped) does not show in the result.
 */
import { buildScorer } from "../build-scorer.js";
import { type LeafContext, MAX_BULK_TERMS, WINDOW } from "../context.js";
import { filterBits } from "../filter-bits.js";
import type { Steps } from "../pace.js";
import type { Plan } from "../plan.js";
import { NO_MORE_DOCS } from "../scorer.js";
import { maySkip, type Target } from "./target.js";
import { TermList } from "./term-list.js";
import { type Candidates, ConstantClause, ScorerClause, TermClause, type WindowClause } from "./window-clauses.js";

const WINDOWS_PER_STEP = 16;

/** Collects the documents of one leaf that any of the plans matches. */
export function* collectDisjunction(leaf: LeafContext, plans: readonly Plan[], target: Target): Steps {
  const clauses = openClauses(leaf, plans);
  const bounded = clauses.map((clause) => ({ clause, max: 0 }));
  let steps = 0;
  for (let window = nextWindow(clauses, 0); window < leaf.docCount; window = nextWindow(clauses, window + WINDOW)) {
    if (maySkip(target)) collectCompetitive(leaf, bounded, window, target);
    else collectAll(leaf, clauses, window, target);
    if (++steps % WINDOWS_PER_STEP === 0) yield;
  }
}

function openClauses(leaf: LeafContext, plans: readonly Plan[]): WindowClause[] {
  const clauses: WindowClause[] = [];
  let terms = 0;
  for (const plan of plans) {
    if (plan.kind === "term" && plan.terms.length === 1 && terms < MAX_BULK_TERMS) {
      const list = TermList.open(leaf, plan, terms);
      if (list === null) continue;
      clauses.push(new TermClause(leaf, list));
      terms++;
    } else if (plan.kind === "constant") {
      clauses.push(new ConstantClause(leaf, filterBits(leaf, plan.filter), plan.score));
    } else {
      const scorer = buildScorer(leaf, plan);
      if (scorer !== null) clauses.push(new ScorerClause(leaf, scorer));
    }
  }
  return clauses;
}

/** First window >= from that may hold a document; NO_MORE_DOCS: none. */
function nextWindow(clauses: readonly WindowClause[], from: number): number {
  let first = NO_MORE_DOCS;
  for (const clause of clauses) first = Math.min(first, clause.firstFrom(from));
  return first === NO_MORE_DOCS ? first : first - (first % WINDOW);
}

/** A clause with its bound in the current window. */
interface Bounded {
  readonly clause: WindowClause;
  max: number;
}

function collectAll(leaf: LeafContext, clauses: readonly WindowClause[], window: number, target: Target): void {
  for (const clause of clauses) clause.add(window);
  offerAll(leaf, harvest(leaf, window, target, 0), target);
}

/** `clauses` are put into the order of their bounds. */
function collectCompetitive(leaf: LeafContext, clauses: Bounded[], window: number, target: Target): void {
  const { threshold } = target.top;
  for (const one of clauses) one.max = one.clause.bound(window);
  sortByBound(clauses);
  let lookups = 0;
  let bound = 0;
  while (lookups < clauses.length && Math.fround(bound + clauses[lookups].max) <= threshold)
    bound += clauses[lookups++].max;
  if (lookups === clauses.length) return;
  for (let i = lookups; i < clauses.length; i++) clauses[i].clause.add(window);
  const found = harvest(leaf, window, target, bound);
  offerAll(leaf, lookUp(leaf, found, { clauses, lookups, bound, threshold }), target);
}

/** More clauses than this are not sorted by insertion. */
const FEW = 16;

/** From window to window the order hardly changes. */
function sortByBound(clauses: Bounded[]): void {
  if (clauses.length > FEW) {
    clauses.sort((a, b) => a.max - b.max);
    return;
  }
  for (let i = 1; i < clauses.length; i++) {
    const one = clauses[i];
    let at = i;
    for (; at > 0 && clauses[at - 1].max > one.max; at--) clauses[at] = clauses[at - 1];
    clauses[at] = one;
  }
}

/** Takes the window's documents out of the accumulators, which are empty then; those that may still succeed are candidates. */
function harvest(leaf: LeafContext, window: number, target: Target, bound: number): Candidates {
  const { kernels } = leaf.context.environment;
  const { accumulators, marks, candidates: docs, sums } = leaf.context.scratch;
  const { threshold } = target.top;
  const accept = acceptedOf(leaf, window, target.accept);
  const packed = kernels.harvest({ accumulators, marks, accept, base: window, bound, threshold, docs, sums });
  target.counter.count += packed >>> 16;
  return { docs, sums, count: packed & 0xffff };
}

/** Address of the window's accepted documents as bits; 0: all are. */
function acceptedOf(leaf: LeafContext, window: number, accept: Uint32Array | null): number {
  if (accept === null) return 0;
  const { accept: address } = leaf.context.scratch;
  const from = window >>> 5;
  leaf.context.environment.arena.u32.set(accept.subarray(from, from + WINDOW / 32), address >>> 2);
  return address;
}

/**
 * Adds what the first `lookups` clauses, which were not added up, give to the candidates, largest bound first. Who cannot
 * succeed any more is dropped on the way.
 */
function lookUp(
  leaf: LeafContext,
  found: Candidates,
  rest: { clauses: readonly Bounded[]; lookups: number; bound: number; threshold: number },
): Candidates {
  const { kernels } = leaf.context.environment;
  const { places } = leaf.context.scratch;
  const { docs, sums } = found;
  const { clauses, threshold } = rest;
  let { count } = found;
  let { bound } = rest;
  for (let i = rest.lookups - 1; i >= 0 && count > 0; i--) {
    const { clause, max } = clauses[i];
    // It has none in this window.
    if (max === 0) break;
    clause.lookUp({ docs, sums, count });
    bound -= max;
    const kept = kernels.keepAbove(sums, count, bound, threshold, places);
    if (kept === count) continue;
    kernels.gather(docs, places, kept, docs);
    kernels.gatherSums(sums, places, kept, sums);
    count = kept;
  }
  return { docs, sums, count };
}

function offerAll(leaf: LeafContext, { docs, sums, count }: Candidates, target: Target): void {
  const { f64, u32 } = leaf.context.environment.arena;
  const { top, reader } = target;
  const { base } = leaf.leaf;
  for (let i = 0; i < count; i++) {
    const score = Math.fround(f64[(sums >>> 3) + i]);
    if (score > top.threshold) top.offer(score, reader, base + u32[(docs >>> 2) + i]);
  }
}
