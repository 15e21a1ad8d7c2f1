/**
 * Queries made of queries, and the rewriting of boolean ones. The rewrites are those of Lucene's `BooleanQuery.rewrite` that
 * change how a score is rounded, so they are needed for equal scores, besides being faster.
 */
import { reweigh } from "../exec/bm25.js";
import type { ReaderContext } from "../exec/context.js";
import { planKey } from "../exec/filter-key.js";
import { minimumShouldMatch } from "../exec/minimum-should-match.js";
import { type BoolPlan, constantPlan, nonePlan, type Plan, type TermPlan } from "../exec/plan.js";
import type { Bool, ConstantScore, DisMax } from "../query.js";
import type { Compile } from "./contract.js";
import { planText } from "./plan-text.js";

/** All documents of a query with the score 1 * boost. */
export function planConstantScore(_: ReaderContext, query: ConstantScore, boost: number, compile: Compile): Plan {
  const plan = compile(query.filter, 1);
  if (plan.kind === "none") return plan;
  return constantPlan({ kind: "plan", plan }, boost, `ConstantScore(${planText(plan)})`);
}

/** The best score of several queries. */
export function planDisMax(_: ReaderContext, query: DisMax, boost: number, compile: Compile): Plan {
  return disMax(
    query.queries.map((one) => compile(one, boost)),
    query.tieBreaker,
  );
}

/** Best of the plans. A tie breaker of 1 adds them all up; a single plan stands for itself. */
export function disMax(plans: readonly Plan[], tieBreaker: number): Plan {
  if (plans.length === 0) return nonePlan('MatchNoDocsQuery("empty DisjunctionMaxQuery")');
  if (plans.length === 1) return plans[0];
  if (tieBreaker === 1) {
    return simplifyBool({ kind: "bool", must: [], filter: [], mustNot: [], should: plans, minimum: 1 });
  }
  return { kind: "dis_max", plans, tieBreaker: Math.fround(tieBreaker) };
}

/** Required, optional, filtering and excluded clauses, as Elasticsearch reads them. */
export function planBool(_: ReaderContext, query: Bool, boost: number, compile: Compile): Plan {
  const must = query.must.map((one) => compile(one, boost));
  const should = query.should.map((one) => compile(one, boost));
  const filter = query.filter.map((one) => compile(one, 1));
  const mustNot = query.mustNot.map((one) => compile(one, 1));
  const required = must.length + filter.length > 0;
  if (!required && should.length === 0) {
    if (mustNot.length === 0) return constantPlan({ kind: "all" }, boost, "*:*");
    // Only exclusions: all other documents, without a score, whatever minimum was asked for.
    filter.push(constantPlan({ kind: "all" }, 1, "*:*"));
    return simplifyBool({ kind: "bool", must, filter, should, mustNot, minimum: 0 });
  }
  const byDefault = required || should.length === 0 ? 0 : 1;
  const minimum =
    query.minimumShouldMatch === undefined
      ? byDefault
      : Math.max(byDefault, minimumShouldMatch(query.minimumShouldMatch, should.length));
  return simplifyBool({ kind: "bool", must, filter, should, mustNot, minimum });
}

/** The same documents and scores in fewer clauses. */
export function simplifyBool(plan: BoolPlan): Plan {
  const inlined = inlineShould(inlineFilters(plan));
  if (inlined.minimum > inlined.should.length) return nonePlan("more optional clauses must match than there are");
  if ([...inlined.must, ...inlined.filter].some((part) => part.kind === "none")) {
    return nonePlan("a required clause matches nothing");
  }
  let simple: BoolPlan = {
    ...inlined,
    mustNot: inlined.mustNot.filter((part) => part.kind !== "none"),
  };
  const pure = simple.must.length === 0 && simple.filter.length === 0;
  if (simple.minimum <= 1) {
    simple = { ...simple, should: mergeEqualTerms(simple.should.filter((part) => part.kind !== "none" || part.name)) };
    if (simple.should.length === 0 && (pure || simple.minimum === 1))
      return nonePlan("no optional clause matches anything");
  }
  // All optional clauses must match: they are required.
  if (simple.should.length > 0 && simple.minimum === simple.should.length) {
    simple = { ...simple, must: [...simple.must, ...simple.should], should: [], minimum: 0 };
    return simplifyBool(simple);
  }
  simple = { ...simple, must: mergeEqualTerms(simple.must) };
  const only = simple.must[0];
  const single = simple.must.length === 1 && simple.filter.length + simple.should.length + simple.mustNot.length === 0;
  return single && (simple.name === undefined || only.name === undefined)
    ? { ...only, name: only.name ?? simple.name }
    : simple;
}

/** Conjunctions among the filters become filters. Lucene keeps scoring ones apart, which shows in how sums are rounded. */
function inlineFilters(plan: BoolPlan): BoolPlan {
  const filter: Plan[] = [];
  const mustNot: Plan[] = [...plan.mustNot];
  for (const part of plan.filter) {
    if (part.kind !== "bool" || part.name !== undefined || part.should.length > 0) filter.push(part);
    else {
      filter.push(...part.must, ...part.filter);
      mustNot.push(...part.mustNot);
    }
  }
  return { ...plan, filter, mustNot };
}

/** Marks a plan whose query has a boost of its own. */
export function markBoosted(plan: Plan, boost: number): Plan {
  return plan.kind === "bool" && Math.fround(boost) !== 1 ? { boosted: true, ...plan } : plan;
}

/** Pure disjunctions inside a disjunction become part of it. */
function inlineShould(plan: BoolPlan): BoolPlan {
  if (plan.minimum > 1) return plan;
  const should = plan.should.flatMap((part) => (isPureDisjunction(part) ? part.should : [part]));
  return { ...plan, should };
}

function isPureDisjunction(plan: Plan): plan is BoolPlan {
  if (plan.kind !== "bool" || plan.boosted || plan.name !== undefined || plan.minimum > 1) return false;
  return plan.should.length > 0 && plan.must.length + plan.filter.length + plan.mustNot.length === 0;
}

/** The same term twice counts as one with the sum of the boosts. */
function mergeEqualTerms(plans: readonly Plan[]): readonly Plan[] {
  if (plans.length < 2) return plans;
  const merged: Plan[] = [];
  const places = new Map<string, number>();
  for (const plan of plans) {
    const key = plan.kind === "term" && plan.name === undefined ? planKey(plan) : null;
    const at = key === null ? undefined : places.get(key);
    if (at !== undefined) merged[at] = addBoost(merged[at] as TermPlan, (plan as TermPlan).weight.boost);
    else if (key !== null) places.set(key, merged.push(plan) - 1);
    else merged.push(plan);
  }
  return merged;
}

function addBoost(plan: TermPlan, boost: number): TermPlan {
  return { ...plan, weight: reweigh(plan.weight, plan.weight.boost + boost) };
}
