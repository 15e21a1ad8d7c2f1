/** Which named parts of a query a document matches. */

import { buildScorer } from "./build-scorer.js";
import type { LeafContext } from "./context.js";
import type { Filter, Plan } from "./plan.js";

/** The named parts of a plan, in the order in which they stand. Exclusions are left out: a hit matches none of them. */
export function namedParts(plan: Plan): { name: string; plan: Plan }[] {
  const own = plan.name === undefined ? [] : [{ name: plan.name, plan }];
  return [...own, ...innerPlans(plan).flatMap(namedParts)];
}

function innerPlans(plan: Plan): readonly Plan[] {
  switch (plan.kind) {
    case "bool":
      return [...plan.must, ...plan.should, ...plan.filter];
    case "dis_max":
      return plan.plans;
    case "constant":
      return filterPlans(plan.filter);
    default:
      return [];
  }
}

function filterPlans(filter: Filter): readonly Plan[] {
  return filter.kind === "plan" ? [filter.plan] : [];
}

/** Names that a document of a leaf matches, each once. */
export function matchedNames(leaf: LeafContext, parts: readonly { name: string; plan: Plan }[], doc: number): string[] {
  const names = new Set<string>();
  for (const { name, plan } of parts) {
    const scorer = buildScorer(leaf, plan);
    if (scorer !== null && scorer.advance(doc) === doc) names.add(name);
  }
  return [...names];
}
