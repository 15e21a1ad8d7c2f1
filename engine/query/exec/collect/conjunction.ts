/** The best documents of an AND of terms: those that all the lists have, scored by kernels run by run. */
import type { ScoreRow } from "../../../kernels/kernels.js";
import type { LeafContext } from "../context.js";
import type { Steps } from "../pace.js";
import type { TermPlan } from "../plan.js";
import { Intersection } from "./intersection.js";
import type { Target } from "./target.js";
import { TermList } from "./term-list.js";

/** Collects the documents of one leaf that have all the terms, MAX_BULK_TERMS at most. */
export function* collectConjunction(leaf: LeafContext, plans: readonly TermPlan[], target: Target): Steps {
  const lists: TermList[] = [];
  for (const [number, plan] of plans.entries()) {
    const list = TermList.open(leaf, plan, number);
    if (list === null) return;
    lists.push(list);
  }
  const { candidates, freqs, matchSums } = leaf.context.scratch;
  const rows = lists.map(({ row }): ScoreRow => ({ ...row, docs: candidates, freqs, sums: matchSums }));
  const found = (count: number) => {
    target.counter.count += count;
    scoreRun(leaf, lists, rows, count);
    offerRun(leaf, target, count);
  };
  yield* new Intersection(leaf, lists, target, "sum").run(found);
}

/** Sums the terms' scores, in the order of the clauses. */
function scoreRun(leaf: LeafContext, lists: readonly TermList[], rows: readonly ScoreRow[], count: number): void {
  const { kernels } = leaf.context.environment;
  const { freqs } = leaf.context.scratch;
  for (let k = 0; k < lists.length; k++) {
    kernels.gather(lists[k].buffers.freqs, lists[k].buffers.places, count, freqs);
    rows[k].count = count;
    if (k === 0) kernels.setScores(rows[k]);
    else kernels.addScores(rows[k]);
  }
}

/** Offers those documents of a run whose sums are large enough. */
export function offerRun(leaf: LeafContext, target: Target, count: number): void {
  const { kernels, arena } = leaf.context.environment;
  const { candidates, matchSums, places } = leaf.context.scratch;
  const { top, reader } = target;
  const kept = kernels.keepAbove(matchSums, count, 0, top.threshold, places);
  for (let i = 0; i < kept; i++) {
    const place = arena.u32[(places >>> 2) + i];
    const score = Math.fround(arena.f64[(matchSums >>> 3) + place]);
    if (score > top.threshold) top.offer(score, reader, leaf.leaf.base + arena.u32[(candidates >>> 2) + place]);
  }
}
