/**
 * Sets of documents that may take long to find, found in steps: phrases, patterns over many terms, routing of every document.
 * What is found is kept with the leaf for the rest of the search, so that `planBits` and `filterBits` have it at hand; everything
 * else they make at once.
 */
import type { TermDictionary } from "../../segment/types.js";
import { hasNoCandidates, linesBits } from "../lines/lines-bits.js";
import { valueBits } from "../lines/value-bits.js";
import { allBits, intersect, noBits, setBit, subtract } from "./bits.js";
import { isBulkPhrase, phraseDocuments } from "./collect/phrase.js";
import type { LeafContext } from "./context.js";
import { planBits } from "./filter-bits.js";
import { filterKey, planKey } from "./filter-key.js";
import { geoBits } from "./geo-bits.js";
import type { Steps } from "./pace.js";
import type { BoolPlan, Filter, LinesFilter, PhrasePlan, Plan, TermSelection } from "./plan.js";
import { ordinalBits } from "./postings-bits.js";
import { hashDocuments, routedBits, virtualShardBits } from "./routing-bits.js";
import { NO_MORE_DOCS } from "./scorer.js";
import { PENDING, phraseScorer } from "./scorers/phrase-scorer.js";
import { type OrdinalSet, patternOrdinals, rangeOrdinals, regexpOrdinals } from "./term-selection.js";

/** Which documents of a set matter; lines of the others are not read. */
export interface Scope {
  /** null: all that are alive. */
  readonly within: Uint32Array | null;
  /** How many of them are enough, the first ones. */
  readonly enough: number;
}

const EVERYTHING: Scope = { within: null, enough: Number.POSITIVE_INFINITY };

/** Prepares all that the bits of a plan are made of. Within a scope, bits outside of it may be missing. */
export function* prepareBits(leaf: LeafContext, plan: Plan, scope: Scope = EVERYTHING): Steps {
  switch (plan.kind) {
    case "constant":
      yield* prepareFilter(leaf, plan.filter, scope);
      break;
    case "bool":
      if (needsMissingLines(leaf, plan)) {
        leaf.prepared.set(plan, noBits(leaf.docCount));
        break;
      }
      yield* prepareLines(leaf, plan, scope);
      for (const part of [...plan.must, ...plan.filter, ...plan.should, ...plan.mustNot])
        yield* prepareBits(leaf, part, scope);
      break;
    case "dis_max":
      for (const part of plan.plans) yield* prepareBits(leaf, part, { ...scope, enough: Number.POSITIVE_INFINITY });
      break;
    case "phrase":
      yield* keep(leaf, plan, planKey(plan), () => phraseBits(leaf, plan));
  }
}

/** Prepares what scoring a plan needs as bits: what only narrows, and what scores all alike. */
export function* prepareScoring(leaf: LeafContext, plan: Plan): Steps {
  switch (plan.kind) {
    case "constant":
      yield* prepareFilter(leaf, plan.filter, EVERYTHING);
      break;
    case "bool":
      yield* prepareLines(leaf, plan, EVERYTHING);
      for (const part of [...plan.filter, ...plan.mustNot]) yield* prepareBits(leaf, part);
      for (const part of [...plan.must, ...plan.should]) yield* prepareScoring(leaf, part);
      break;
    case "dis_max":
      for (const part of plan.plans) yield* prepareScoring(leaf, part);
  }
}

/**
 * Parts of a combination that read lines: last, one after the other, and only of documents that the other parts let through. What is
 * optional or excluded is looked for among what is required.
 */
function* prepareLines(leaf: LeafContext, plan: BoolPlan, scope: Scope): Steps {
  const parts = [...plan.must, ...plan.filter, ...plan.should, ...plan.mustNot];
  if (!parts.some(readsLines)) return;
  for (const part of parts) if (!readsLines(part)) yield* prepareBits(leaf, part);
  const within = scope.within?.slice() ?? leaf.leaf.live?.slice() ?? allBits(leaf.docCount);
  const required = [...plan.must, ...plan.filter];
  for (const part of required) if (!readsLines(part)) intersect(within, planBits(leaf, part));
  for (const part of plan.mustNot) if (!readsLines(part)) subtract(within, planBits(leaf, part));
  const last = required.filter(readsLines);
  const others = [...plan.should, ...plan.mustNot].filter(readsLines);
  for (const [i, part] of last.entries()) {
    // Only what the last part leaves over are the documents that were asked for.
    const final = i === last.length - 1 && others.length === 0 && plan.minimum === 0;
    yield* prepareBits(leaf, part, { within, enough: final ? scope.enough : Number.POSITIVE_INFINITY });
    intersect(within, planBits(leaf, part));
  }
  for (const part of others) yield* prepareBits(leaf, part, { within, enough: Number.POSITIVE_INFINITY });
}

/** Whether no document of a leaf can have lines that a combination requires: nothing else of it is looked for then. */
function needsMissingLines(leaf: LeafContext, plan: BoolPlan): boolean {
  return requiredLines(plan).some((filter) => hasNoCandidates(leaf, filter));
}

/** Lines that every document of a plan must have. */
export function requiredLines(plan: Plan): LinesFilter[] {
  if (plan.kind === "constant") return plan.filter.kind === "lines" ? [plan.filter] : [];
  return plan.kind === "bool" ? [...plan.must, ...plan.filter].flatMap(requiredLines) : [];
}

/** Whether finding a plan's documents means reading text. */
export function readsLines(plan: Plan): boolean {
  switch (plan.kind) {
    case "constant":
      return (
        plan.filter.kind === "lines" ||
        plan.filter.kind === "values" ||
        (plan.filter.kind === "plan" && readsLines(plan.filter.plan))
      );
    case "bool":
      return [...plan.must, ...plan.filter, ...plan.should, ...plan.mustNot].some(readsLines);
    case "dis_max":
      return plan.plans.some(readsLines);
    default:
      return false;
  }
}

function* prepareFilter(leaf: LeafContext, filter: Filter, scope: Scope): Steps {
  switch (filter.kind) {
    case "plan":
      yield* prepareBits(leaf, filter.plan, scope);
      break;
    case "lines":
      yield* keep(leaf, filter, null, () => linesBits(leaf, filter, scope));
      break;
    case "values":
      yield* keep(leaf, filter, null, () => valueBits(leaf, filter, scope));
      break;
    case "terms":
      if (filter.terms.kind !== "exact" && filter.terms.kind !== "range")
        yield* keep(leaf, filter, filterKey(filter), () => patternBits(leaf, filter));
      break;
    case "geo":
      yield* keep(leaf, filter, filterKey(filter), () => geoBits(leaf, filter.field, filter.area));
      break;
    case "virtual_shard":
    case "routed":
      yield* keep(leaf, filter, filterKey(filter), () => routingBits(leaf, filter));
  }
}

/** Finds a set unless it is known, and keeps it. */
function* keep(leaf: LeafContext, what: Plan | Filter, key: string | null, find: () => Steps<Uint32Array>): Steps {
  if (leaf.prepared.has(what)) return;
  const { filters, memory } = leaf.context.environment;
  const known = key === null ? undefined : filters.known(leaf, key);
  if (known !== undefined) {
    leaf.prepared.set(what, known);
    return;
  }
  memory.charge(leaf.docCount / 8, "<prepared filter>");
  const bits = yield* find();
  leaf.prepared.set(
    what,
    filters.bits(leaf, key, () => bits),
  );
}

function* phraseBits(leaf: LeafContext, plan: PhrasePlan): Steps<Uint32Array> {
  if (isBulkPhrase(plan)) return yield* phraseDocuments(leaf, plan);
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
  if (dictionary === null) return noBits(leaf.docCount);
  const ordinals = yield* comparedOrdinals(dictionary, filter.terms);
  return ordinals === null ? noBits(leaf.docCount) : ordinalBits(leaf, filter.field, dictionary, ordinals);
}

/** Ordinals that are found by looking at many terms; null: these are not. */
function* comparedOrdinals(dictionary: TermDictionary, terms: TermSelection): Steps<OrdinalSet | null> {
  if (terms.kind === "pattern") return yield* patternOrdinals(dictionary, terms.glob);
  if (terms.kind === "regexp") return yield* regexpOrdinals(dictionary, terms);
  return terms.kind === "ranges" ? yield* rangeOrdinals(dictionary, terms) : null;
}

function* routingBits(leaf: LeafContext, filter: Filter & { kind: "routed" | "virtual_shard" }): Steps<Uint32Array> {
  if (filter.kind === "routed") return routedBits(leaf.segment);
  yield* hashDocuments(leaf.segment);
  return virtualShardBits(leaf.segment, filter);
}
