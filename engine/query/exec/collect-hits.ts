/**
 * One pass over all leaves of all readers: the best documents, their number, and the aggregations.
 *
 * Without aggregations, sort keys or limits, documents are scored by the fastest way for the query's shape and those that
 * cannot be hits are skipped. Otherwise the set of matching documents is made first, because every one of them counts.
 */
import type { Aggregations } from "../../aggs/aggregate.js";
import { UNLIMITED } from "../../memory/index.js";
import type { SearchRequest, SortKey } from "../../search.js";
import type { Comparable } from "../../sort/index.js";
import {
  afterValue,
  bestLeavesFirst,
  checkComparable,
  collectSorted,
  mayEnter,
  type ResolvedKey,
  resolveKeys,
  TopSorted,
} from "../../sort/index.js";
import { simplifyBool } from "../compile/compound.js";
import { hasNoCandidates } from "../lines/lines-bits.js";
import type { Profile } from "../profile.js";
import { countBits, intersect, keepFirst } from "./bits.js";
import { collectLeaf, planStrategy } from "./collect/collect.js";
import type { LeafContext, ReaderContext } from "./context.js";
import { countLeaf, matchesAll, matchingBits } from "./count.js";
import { planBits } from "./filter-bits.js";
import { HitCounter } from "./hit-counter.js";
import type { Steps } from "./pace.js";
import type { Plan } from "./plan.js";
import { prepareBits, prepareScoring, readsLines, requiredLines } from "./prepare-bits.js";
import { scoredBits, scoreReader } from "./scored-bits.js";
import { TopHits } from "./top-hits.js";

/** A document that will be shown; `doc` counts over all leaves of its reader. */
export interface FoundHit {
  readonly reader: number;
  readonly doc: number;
  /** null: not scored yet. */
  readonly score: number | null;
  readonly keys: readonly Comparable[] | null;
}

/** What a pass found. */
export interface Collected {
  /** From `from` on, at most `size`. */
  readonly hits: readonly FoundHit[];
  readonly counter: HitCounter;
  readonly maxScore: number | null;
  readonly terminatedEarly: boolean;
  /** Sort keys by reader; empty lists when sorted by score. */
  readonly keys: readonly (readonly ResolvedKey[])[];
}

/** One index with its query made ready. */
export interface PlannedReader {
  readonly context: ReaderContext;
  /** What matches, before the post filter. */
  readonly plan: Plan;
  /** What narrows the hits, null: nothing. */
  readonly postFilter: Plan | null;
}

interface State {
  readonly request: SearchRequest;
  readonly sort: readonly SortKey[];
  readonly counter: HitCounter;
  readonly top: TopHits;
  readonly sorted: TopSorted | null;
  readonly keys: readonly (readonly ResolvedKey[])[];
  readonly aggregations: Aggregations;
  /** Best score, wanted beside sorted hits. */
  readonly best: TopHits | null;
  /** Documents that may still be collected (`terminateAfter`). */
  left: number;
  /** Documents found by reading lines, where the first ones are enough. */
  read: number;
}

/** Runs the pass. Throws what resolving sort keys throws. */
export function* collectHits(
  planned: readonly PlannedReader[],
  request: SearchRequest,
  aggregations: Aggregations,
  profile: Profile,
): Steps<Collected> {
  const state = begin(planned, request, aggregations);
  for (const reader of planned) {
    profile.note("query", { index: reader.context.reader.index, strategy: planStrategy(reader.plan) });
    const lines = aggregations.empty ? requiredLines(reader.plan) : [];
    for (const leaf of leavesToCollect(state, reader)) {
      // Most segments have nothing of a rare word: they are not even begun.
      if (lines.some((filter) => hasNoCandidates(leaf, filter))) continue;
      yield* collectOne(state, reader, leaf);
      yield;
    }
    for (const [filter, effort] of reader.context.efforts) {
      profile.note("matching_lines", { index: reader.context.reader.index, field: filter.field.path, ...effort });
    }
  }
  return finish(state);
}

function begin(planned: readonly PlannedReader[], request: SearchRequest, aggregations: Aggregations): State {
  const sort = effectiveSort(request);
  const wanted = pageEnd(request);
  const keys = planned.map(({ context }) => resolveKeys(context, sort));
  checkComparable(keys);
  const limit = request.trackTotal === 0 ? 0 : request.trackTotal;
  const byField = sort.length > 0;
  const memory = planned[0]?.context.environment.memory ?? UNLIMITED;
  const charge = (bytes: number) => memory.charge(bytes, "<top hits>");
  return {
    request,
    sort,
    counter: new HitCounter(limit),
    top: new TopHits(byField ? 0 : wanted, charge),
    sorted: byField
      ? new TopSorted(keys[0]?.map((key) => key.order) ?? [], wanted, after(planned, keys, request), charge)
      : null,
    keys,
    aggregations,
    best: byField && request.trackScores ? new TopHits(1, charge) : null,
    left: request.terminateAfter > 0 ? request.terminateAfter : Number.POSITIVE_INFINITY,
    read: 0,
  };
}

/** Documents that must be kept to fill the page; none for an empty page, wherever it begins. */
function pageEnd(request: SearchRequest): number {
  return request.size === 0 ? 0 : request.from + request.size;
}

/** What hits are ordered by; empty: by score. By score descending alone is no sorting, unless it goes on from a value. */
export function effectiveSort(request: SearchRequest): readonly SortKey[] {
  const byScore: SortKey = { field: "_score", order: "desc", missing: "_last" };
  const byDoc: SortKey = { field: "_shard_doc", order: "asc", missing: "_last" };
  const { sort, searchAfter } = request;
  const scoreAlone = sort.length === 1 && sort[0].field === "_score" && sort[0].order === "desc";
  if (searchAfter === undefined) return scoreAlone ? [] : sort;
  const keys = sort.length === 0 ? [byScore] : sort;
  return searchAfter.length === keys.length + 1 ? [...keys, byDoc] : keys;
}

function after(
  planned: readonly PlannedReader[],
  keys: readonly (readonly ResolvedKey[])[],
  request: SearchRequest,
): Comparable[] | null {
  const { searchAfter } = request;
  if (searchAfter === undefined || planned.length === 0) return null;
  // An index that has the field reads the value best.
  return searchAfter.map((value, i) => {
    const knowing = keys.findIndex((own) => own[i]?.source.kind === "field" && own[i].source.field !== undefined);
    const reader = Math.max(0, knowing);
    return afterValue(planned[reader].context, keys[reader][i], value);
  });
}

/** The leaves in the order that suits the page; those that no longer matter are left out as it fills. */
function* leavesToCollect(state: State, { context }: PlannedReader): Generator<LeafContext, void> {
  const { sorted, counter, request } = state;
  const [first] = state.keys[context.number];
  const everyDocumentCounts =
    !state.aggregations.empty || state.best !== null || request.terminateAfter > 0 || first?.source.kind !== "field";
  if (sorted === null || everyDocumentCounts) {
    yield* context.leaves;
    return;
  }
  for (const ranked of bestLeavesFirst(context.leaves, first)) {
    if (counter.saturated && !mayEnter(ranked, first, sorted)) continue;
    yield ranked.leaf;
  }
}

function* collectOne(state: State, reader: PlannedReader, leaf: LeafContext): Steps {
  const { request, aggregations, counter } = state;
  if (state.left === 0) return;
  if (request.minScore === undefined && request.terminateAfter === 0 && state.sorted === null) {
    if (aggregations.empty) {
      const plan = postFiltered(reader);
      yield* prepareFirst(state, plan, leaf);
      if (request.size === 0) yield* countMatching(leaf, plan, request.trackTotal === 0 ? null : counter);
      else yield* collectLeaf(leaf, plan, { top: state.top, counter, reader: reader.context.number });
      return;
    }
    if (matchesAll(leaf, reader.plan) && reader.postFilter === null) {
      yield* aggregations.collect(leaf, null);
      counter.count += leaf.docCount;
      yield* collectLeaf(leaf, reader.plan, { top: state.top, counter: saturated(), reader: reader.context.number });
      return;
    }
  }
  yield* collectMatching(state, reader, leaf);
}

/**
 * Finds documents by their lines as far as the answer needs them: where all score alike the first ones of the index are the best, and
 * nobody counts beyond a limit.
 */
function* prepareFirst(state: State, plan: Plan, leaf: LeafContext): Steps {
  const { request } = state;
  if (!readsLines(plan) || !scoresAlike(plan) || request.matchingLines?.totals === true) return;
  const counted = request.trackTotal === 0 ? 0 : request.trackTotal + 1;
  const enough = Math.max(pageEnd(request), counted) - state.read;
  if (enough === Number.POSITIVE_INFINITY) return;
  yield* prepareBits(leaf, plan, { within: null, enough });
  state.read += countBits(matchingBits(leaf, plan));
}

/** Whether all documents of a plan have the same score. */
function scoresAlike(plan: Plan): boolean {
  if (plan.kind === "bool") return plan.should.length === 0 && plan.must.every(scoresAlike);
  return plan.kind === "constant" || plan.kind === "none";
}

function* countMatching(leaf: LeafContext, plan: Plan, counter: HitCounter | null): Steps {
  if (counter === null) return;
  yield* prepareBits(leaf, plan);
  counter.count += countLeaf(leaf, plan);
}

function postFiltered(reader: PlannedReader): Plan {
  if (reader.postFilter === null) return reader.plan;
  const { plan, postFilter } = reader;
  return simplifyBool({ kind: "bool", must: [plan], filter: [postFilter], should: [], mustNot: [], minimum: 0 });
}

/** A counter for when the number of hits is known from elsewhere: skipping may begin at once. */
function saturated(): HitCounter {
  const counter = new HitCounter(0);
  counter.count = 1;
  return counter;
}

function* collectMatching(state: State, reader: PlannedReader, leaf: LeafContext): Steps {
  const { request, counter } = state;
  const { plan, postFilter, context } = reader;
  const inOrder = state.sort.length === 1 && state.sort[0].field === "_doc" && state.sort[0].order === "asc";
  const firstCount = state.aggregations.empty && state.best === null && request.searchAfter === undefined;
  const unlimited = request.minScore === undefined && request.terminateAfter === 0 && postFilter === null;
  if (inOrder && firstCount && unlimited) yield* prepareFirst(state, plan, leaf);
  const bits = yield* matching(leaf, plan, request.minScore);
  if (state.left < Number.POSITIVE_INFINITY) {
    keepFirst(bits, state.left);
    state.left -= countBits(bits);
  }
  if (!state.aggregations.empty) yield* state.aggregations.collect(leaf, bits);
  if (postFilter !== null) {
    yield* prepareBits(leaf, postFilter);
    intersect(bits, planBits(leaf, postFilter));
  }
  const count = countBits(bits);
  counter.count += count;
  if (request.size === 0 || count === 0) return;
  const number = context.number;
  if (state.sorted === null) {
    yield* collectLeaf(leaf, plan, { top: state.top, counter: saturated(), reader: number }, bits);
    return;
  }
  const needsScore = state.sort.some((key) => key.field === "_score");
  const scoreOf = needsScore ? scoreReader(leaf, plan) : null;
  yield* collectSorted({ leaf, reader: number, keys: state.keys[number], bits, scoreOf }, state.sorted);
  if (state.best !== null)
    yield* collectLeaf(leaf, plan, { top: state.best, counter: saturated(), reader: number }, bits);
}

/** Live documents that match, and score enough; the caller's own copy. */
function* matching(leaf: LeafContext, plan: Plan, minScore: number | undefined): Steps<Uint32Array> {
  if (minScore !== undefined) {
    yield* prepareScoring(leaf, plan);
    return yield* scoredBits(leaf, plan, minScore);
  }
  yield* prepareBits(leaf, plan);
  return matchingBits(leaf, plan);
}

function finish(state: State): Collected {
  const { request, counter, keys } = state;
  const end = pageEnd(request);
  const common = { counter, keys, terminatedEarly: state.left === 0 };
  if (state.sorted === null) {
    const all = state.top.sorted();
    const hits = all.slice(request.from, end).map((hit) => ({ keys: null, ...hit }));
    return { hits, maxScore: all[0]?.score ?? null, ...common };
  }
  const hits = state.sorted.sorted().slice(request.from, end);
  return {
    hits: hits.map((hit) => ({ score: null, ...hit })),
    maxScore: state.best?.sorted()[0]?.score ?? null,
    ...common,
  };
}
