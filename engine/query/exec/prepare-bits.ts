/**
 * Sets of documents that may take long to find, found in steps: phrases, patterns over many terms, routing of every document.
 * What is found is kept with the leaf for the rest of the search, so that `planBits` and `filterBits` have it at hand; everything
 * else they make at once.
 */
import { noBits, setBit } from "./bits.js";
import type { LeafContext } from "./context.js";
import { cachedBits, knownBits } from "./filter-cache.js";
import { filterKey, planKey } from "./filter-key.js";
import type { Steps } from "./pace.js";
import type { Filter, PhrasePlan, Plan } from "./plan.js";
import { ordinalBits } from "./postings-bits.js";
import { hashDocuments, routedBits, virtualShardBits } from "./routing-bits.js";
import { NO_MORE_DOCS } from "./scorer.js";
import { PENDING, phraseScorer } from "./scorers/phrase-scorer.js";
import { patternOrdinals } from "./term-selection.js";

/** Prepares all that the bits of a plan are made of. */
export function* prepareBits(leaf: LeafContext, plan: Plan): Steps {
  switch (plan.kind) {
    case "constant":
      yield* prepareFilter(leaf, plan.filter);
      break;
    case "bool":
      for (const part of [...plan.must, ...plan.filter, ...plan.should, ...plan.mustNot])
        yield* prepareBits(leaf, part);
      break;
    case "dis_max":
      for (const part of plan.plans) yield* prepareBits(leaf, part);
      break;
    case "phrase":
      yield* keep(leaf, plan, planKey(plan), () => phraseBits(leaf, plan));
  }
}

/** Prepares what scoring a plan needs as bits: what only narrows, and what scores all alike. */
export function* prepareScoring(leaf: LeafContext, plan: Plan): Steps {
  switch (plan.kind) {
    case "constant":
      yield* prepareFilter(leaf, plan.filter);
      break;
    case "bool":
      for (const part of [...plan.filter, ...plan.mustNot]) yield* prepareBits(leaf, part);
      for (const part of [...plan.must, ...plan.should]) yield* prepareScoring(leaf, part);
      break;
    case "dis_max":
      for (const part of plan.plans) yield* prepareScoring(leaf, part);
  }
}

function* prepareFilter(leaf: LeafContext, filter: Filter): Steps {
  switch (filter.kind) {
    case "plan":
      yield* prepareBits(leaf, filter.plan);
      break;
    case "terms":
      if (filter.terms.kind === "pattern")
        yield* keep(leaf, filter, filterKey(filter), () => patternBits(leaf, filter));
      break;
    case "virtual_shard":
    case "routed":
      yield* keep(leaf, filter, filterKey(filter), () => routingBits(leaf, filter));
  }
}

/** Finds a set unless it is known, and keeps it. */
function* keep(leaf: LeafContext, what: Plan | Filter, key: string | null, find: () => Steps<Uint32Array>): Steps {
  if (leaf.prepared.has(what)) return;
  const bits = (key === null ? undefined : knownBits(leaf.segment, key)) ?? (yield* find());
  leaf.prepared.set(
    what,
    cachedBits(leaf.segment, key, () => bits),
  );
}

function* phraseBits(leaf: LeafContext, plan: PhrasePlan): Steps<Uint32Array> {
  const bits = noBits(leaf.docCount);
  const scorer = phraseScorer(leaf, plan);
  if (scorer === null) return bits;
  for (;;) {
    const doc = scorer.seek();
    if (doc === NO_MORE_DOCS) return bits;
    if (doc === PENDING) yield;
    else setBit(bits, doc);
  }
}

function* patternBits(leaf: LeafContext, filter: Filter & { kind: "terms" }): Steps<Uint32Array> {
  const dictionary = leaf.segment.terms(filter.field);
  if (dictionary === null || filter.terms.kind !== "pattern") return noBits(leaf.docCount);
  const ordinals = yield* patternOrdinals(dictionary, filter.terms.glob);
  return ordinalBits(leaf, filter.field, dictionary, ordinals);
}

function* routingBits(leaf: LeafContext, filter: Filter & { kind: "routed" | "virtual_shard" }): Steps<Uint32Array> {
  if (filter.kind === "routed") return routedBits(leaf.segment);
  yield* hashDocuments(leaf.segment);
  return virtualShardBits(leaf.segment, filter);
}
