/**
 * The best documents of an OR, window by window of 2048 documents. Within a window, clauses whose bounds together cannot reach
 * the worst kept score are not added up but looked up for candidates only (MaxScore: Turtle and Flood, "Query Evaluation:
 * Strategies and Optimizations", 1995; with bounds per block). Windows that cannot reach it are passed over.
 *
 * A document's contributions are added in double. A sum of float32 values is exact in double unless they differ by a factor of 2^28 or
 * so, so the order in which clauses are added (which depends on what was skipped) does not show in the result.
 */
import { popCount } from "../bits.js";
import { buildScorer } from "../build-scorer.js";
import { type LeafContext, MAX_BULK_TERMS, TERM_BYTES, WINDOW } from "../context.js";
import { filterBits } from "../filter-bits.js";
import type { Steps } from "../pace.js";
import type { Plan } from "../plan.js";
import { NO_MORE_DOCS } from "../scorer.js";
import { maySkip, type Target } from "./target.js";
import { ConstantClause, ScorerClause, TermClause, type WindowClause } from "./window-clauses.js";

const WINDOWS_PER_STEP = 16;

/** Collects the documents of one leaf that any of the plans matches. */
export function* collectDisjunction(leaf: LeafContext, plans: readonly Plan[], target: Target): Steps {
  const clauses = openClauses(leaf, plans);
  let steps = 0;
  for (let window = nextWindow(clauses, 0); window < leaf.docCount; window = nextWindow(clauses, window + WINDOW)) {
    collectWindow(leaf, clauses, window, target);
    if (++steps % WINDOWS_PER_STEP === 0) yield;
  }
}

function openClauses(leaf: LeafContext, plans: readonly Plan[]): WindowClause[] {
  const clauses: WindowClause[] = [];
  let terms = 0;
  for (const plan of plans) {
    if (plan.kind === "term" && plan.terms.length === 1 && terms < MAX_BULK_TERMS) {
      const state = plan.terms[0].states[leaf.index];
      const buffers = leaf.context.scratch.terms + terms * TERM_BYTES;
      if (state !== null) clauses.push(new TermClause(leaf, plan, state, buffers));
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
  readonly max: number;
}

function collectWindow(leaf: LeafContext, clauses: readonly WindowClause[], window: number, target: Target): void {
  if (!maySkip(target)) {
    for (const clause of clauses) clause.add(window);
    harvest(leaf, window, { target, lookups: [], bound: 0 });
    return;
  }
  const { threshold } = target.top;
  const here: Bounded[] = [];
  for (const clause of clauses) {
    const max = clause.bound(window);
    if (max > 0) here.push({ clause, max });
  }
  const byBound = [...here].sort((a, b) => a.max - b.max);
  let lookups = 0;
  let bound = 0;
  while (lookups < byBound.length && Math.fround(bound + byBound[lookups].max) <= threshold)
    bound += byBound[lookups++].max;
  if (lookups === byBound.length) return;
  for (const { clause } of byBound.slice(lookups)) clause.add(window);
  harvest(leaf, window, { target, lookups: byBound.slice(0, lookups), bound });
}

/** Takes the window's documents out of the accumulators, and leaves those empty. */
function harvest(
  leaf: LeafContext,
  window: number,
  work: { target: Target; lookups: readonly Bounded[]; bound: number },
): void {
  const { target, lookups, bound } = work;
  const { arena } = leaf.context.environment;
  const { accumulators, windowBits } = leaf.context.scratch;
  const { f64: scores, u32 } = arena;
  const first = accumulators >>> 3;
  const marks = windowBits >>> 2;
  const { accept, top, reader, counter } = target;
  for (let w = 0; w < WINDOW / 32; w++) {
    let word = u32[marks + w];
    if (word === 0) continue;
    u32[marks + w] = 0;
    if (accept !== null) word &= accept[(window >>> 5) + w];
    counter.count += popCount(word);
    while (word !== 0) {
      const slot = (w << 5) + 31 - Math.clz32(word & -word);
      word &= word - 1;
      let score = scores[first + slot];
      if (Math.fround(score + bound) <= top.threshold) continue;
      if (lookups.length > 0) score = lookUp(lookups, window + slot, { score, bound, threshold: top.threshold });
      top.offer(Math.fround(score), reader, leaf.leaf.base + window + slot);
    }
  }
  scores.fill(0, first, first + WINDOW);
}

/** Adds what the clauses that were not added up give to one document, largest bound first; stops when it cannot succeed. */
function lookUp(
  lookups: readonly Bounded[],
  doc: number,
  from: { score: number; bound: number; threshold: number },
): number {
  let { score, bound } = from;
  for (let i = lookups.length - 1; i >= 0; i--) {
    if (Math.fround(score + bound) <= from.threshold) return score;
    bound -= lookups[i].max;
    score += lookups[i].clause.scoreOf(doc);
  }
  return score;
}
