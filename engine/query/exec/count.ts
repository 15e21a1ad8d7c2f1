/** How many documents match, without looking at more than is needed. */
import { countBits, intersect } from "./bits.js";
import type { LeafContext } from "./context.js";
import { planBits } from "./filter-bits.js";
import type { Plan } from "./plan.js";

/** Number of live documents of a leaf that a plan matches. */
export function countLeaf(leaf: LeafContext, plan: Plan): number {
  if (plan.kind === "none") return 0;
  if (plan.kind === "constant" && plan.filter.kind === "all") return leaf.leaf.liveCount;
  if (leaf.leaf.live === null) {
    if (plan.kind === "term" && plan.terms.length === 1) return plan.terms[0].states[leaf.index]?.docFreq ?? 0;
    return countBits(planBits(leaf, plan));
  }
  return countBits(matchingBits(leaf, plan));
}

/** Live documents of a leaf that a plan matches; the caller's own copy. */
export function matchingBits(leaf: LeafContext, plan: Plan): Uint32Array {
  const { live } = leaf.leaf;
  const bits = planBits(leaf, plan).slice();
  if (live !== null) intersect(bits, live);
  return bits;
}

/** Whether a plan matches every document of a leaf, and all are alive. */
export function matchesAll(leaf: LeafContext, plan: Plan): boolean {
  return leaf.leaf.live === null && plan.kind === "constant" && plan.filter.kind === "all";
}
