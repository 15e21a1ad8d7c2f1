/**
 * The documents of one leaf that a filter or a plan matches, as bits (deleted documents included). Combinations are word
 * operations over the bits of their parts.
 */
import type { Presence } from "../../segment/types.js";
import { linesBits } from "../lines/lines-bits.js";
import { valueBits } from "../lines/value-bits.js";
import { allBits, intersect, noBits, setBit, subtract, unite } from "./bits.js";
import type { LeafContext } from "./context.js";
import { filterKey, planKey } from "./filter-key.js";
import { geoBits } from "./geo-bits.js";
import { runAtOnce } from "./pace.js";
import type { BoolPlan, Filter, Plan } from "./plan.js";
import { addPostings, termsBits } from "./postings-bits.js";
import { doubleRangeBits, doubleSetBits, longRangeBits, longSetBits } from "./range-bits.js";
import { routedBits, virtualShardBits } from "./routing-bits.js";
import { NO_MORE_DOCS } from "./scorer.js";
import { phraseScorer } from "./scorers/phrase-scorer.js";

/** Bits of a filter. The result may be shared: copy before changing it. */
export function filterBits(leaf: LeafContext, filter: Filter): Uint32Array {
  const prepared = leaf.prepared.get(filter);
  if (prepared !== undefined) return prepared;
  return leaf.context.environment.filters.bits(leaf, filterKey(filter), () => makeFilterBits(leaf, filter));
}

function makeFilterBits(leaf: LeafContext, filter: Filter): Uint32Array {
  switch (filter.kind) {
    case "all":
      return allBits(leaf.docCount);
    case "terms":
      return termsBits(leaf, filter.field, filter.terms);
    case "long_range":
      return longRangeBits(leaf, filter.field, filter.low, filter.high);
    case "double_range":
      return doubleRangeBits(leaf, filter.field, filter.low, filter.high);
    case "long_set":
      return longSetBits(leaf, filter.field, filter.values);
    case "double_set":
      return doubleSetBits(leaf, filter.field, filter.values);
    case "presence":
      return presenceBits(leaf.segment.presence(filter.field), leaf.docCount);
    case "geo":
      return runAtOnce(geoBits(leaf, filter.field, filter.area));
    case "ids":
      return idBits(leaf, filter.values);
    case "routed":
      return routedBits(leaf.segment);
    case "virtual_shard":
      return virtualShardBits(leaf.segment, filter);
    case "lines":
      return runAtOnce(linesBits(leaf, filter, { within: null, enough: Number.POSITIVE_INFINITY }));
    case "values":
      return runAtOnce(valueBits(leaf, filter, { within: null, enough: Number.POSITIVE_INFINITY }));
    case "plan":
      return planBits(leaf, filter.plan);
  }
}

/** Bits of documents that have a field; `null`: none has. */
export function presenceBits(presence: Presence | null, docCount: number): Uint32Array {
  if (presence === null) return noBits(docCount);
  return presence.bits ?? allBits(docCount);
}

function idBits(leaf: LeafContext, ids: readonly string[]): Uint32Array {
  const bits = noBits(leaf.docCount);
  for (const id of ids) {
    const doc = leaf.segment.findId(id);
    if (doc >= 0) setBit(bits, doc);
  }
  return bits;
}

/** Bits of the documents that a plan matches. The result may be shared: copy before changing it. */
export function planBits(leaf: LeafContext, plan: Plan): Uint32Array {
  const prepared = leaf.prepared.get(plan);
  if (prepared !== undefined) return prepared;
  switch (plan.kind) {
    case "none":
      return noBits(leaf.docCount);
    case "constant":
      return filterBits(leaf, plan.filter);
    case "bool":
      return boolBits(leaf, plan);
    case "dis_max":
      return anyBits(leaf, plan.plans);
    case "documents": {
      const bits = noBits(leaf.docCount);
      for (const doc of plan.leaves[leaf.index].docs) setBit(bits, doc);
      return bits;
    }
    case "term":
    case "phrase":
      return leaf.context.environment.filters.bits(leaf, planKey(plan), () => leafPlanBits(leaf, plan));
  }
}

function leafPlanBits(leaf: LeafContext, plan: Plan & { kind: "term" | "phrase" }): Uint32Array {
  const bits = noBits(leaf.docCount);
  if (plan.kind === "term") {
    for (const term of plan.terms) {
      const state = term.states[leaf.index];
      if (state !== null) addPostings(leaf, plan.field, state, bits);
    }
    return bits;
  }
  const scorer = phraseScorer(leaf, plan);
  if (scorer === null) return bits;
  for (let doc = scorer.next(); doc !== NO_MORE_DOCS; doc = scorer.next()) setBit(bits, doc);
  return bits;
}

function anyBits(leaf: LeafContext, plans: readonly Plan[]): Uint32Array {
  if (plans.length === 1) return planBits(leaf, plans[0]);
  const bits = noBits(leaf.docCount);
  for (const plan of plans) unite(bits, planBits(leaf, plan));
  return bits;
}

function boolBits(leaf: LeafContext, plan: BoolPlan): Uint32Array {
  const required = [...plan.must, ...plan.filter];
  const first = required.length > 0 ? planBits(leaf, required[0]) : optionalBits(leaf, plan);
  const others = required.length > 0 ? required.slice(1) : [];
  const needsOptional = required.length > 0 && plan.minimum > 0;
  if (others.length === 0 && plan.mustNot.length === 0 && !needsOptional) return first;
  const bits = first.slice();
  for (const part of others) intersect(bits, planBits(leaf, part));
  if (needsOptional) intersect(bits, optionalBits(leaf, plan));
  for (const part of plan.mustNot) subtract(bits, planBits(leaf, part));
  return bits;
}

function optionalBits(leaf: LeafContext, plan: BoolPlan): Uint32Array {
  const minimum = Math.max(1, plan.minimum);
  return minimum === 1 ? anyBits(leaf, plan.should) : atLeast(leaf, plan.should, minimum);
}

/**
 * Documents in at least `minimum` of the sets: `reached[k]` holds those in more than k of the sets seen so far, so
 * each set moves documents up by one step, from the top.
 */
function atLeast(leaf: LeafContext, plans: readonly Plan[], minimum: number): Uint32Array {
  const { memory } = leaf.context.environment;
  const bytes = (minimum * leaf.docCount) / 8;
  memory.charge(bytes, "<minimum_should_match>");
  try {
    return reachedBy(leaf, plans, minimum);
  } finally {
    memory.release(bytes);
  }
}

function reachedBy(leaf: LeafContext, plans: readonly Plan[], minimum: number): Uint32Array {
  const reached = Array.from({ length: minimum }, () => noBits(leaf.docCount));
  for (const plan of plans) {
    const bits = planBits(leaf, plan);
    for (let w = 0; w < bits.length; w++) {
      let word = bits[w];
      for (let k = 0; k < minimum && word !== 0; k++) {
        const both = reached[k][w] & word;
        reached[k][w] |= word;
        word = both;
      }
    }
  }
  return reached[minimum - 1];
}
