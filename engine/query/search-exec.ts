/**
 * Runs a search over the readers of some indices: makes the query ready for each, collects the best documents and the
 * aggregations leaf by leaf, and fetches what the hits show. Work is done in slices of a few milliseconds, so that a
 * long search does not hold up the others.
 */

import { Aggregations } from "../aggs/aggregate.js";
import type { CancelSignal } from "../canceller.js";
import { InternalError } from "../errors.js";
import type { DocRange, Hit, SearchRequest, SearchResult } from "../search.js";
import { compileQuery, compileWithin } from "./compile/compile.js";
import { simplifyBool } from "./compile/compound.js";
import { type Collected, collectHits, type PlannedReader } from "./exec/collect-hits.js";
import { type ReaderContext, readerContext, type SearchEnvironment, type SearchReader } from "./exec/context.js";
import { countLeaf } from "./exec/count.js";
import { runInSlices, type Steps } from "./exec/pace.js";
import type { Plan } from "./exec/plan.js";
import { prepareBits } from "./exec/prepare-bits.js";
import { giveScratch, takeScratch } from "./exec/scratch-pool.js";
import { countLines } from "./fetch/count-lines.js";
import { fetchHits } from "./fetch/fetch-hits.js";
import { knnPlans } from "./knn/knn-plans.js";
import { rememberLines } from "./lines/remembered-lines.js";
import { createProfile, type Profile } from "./profile.js";
import type { Query } from "./query.js";

/**
 * Searches. Throws what compiling a query throws, and `fielddata_disabled`, `too_many_buckets`, `cancelled`. Only nearest
 * neighbours make it wait for somebody else: everything besides is searchSteps.
 */
export async function executeSearch(
  readers: readonly SearchReader[],
  request: SearchRequest,
  environment: SearchEnvironment,
): Promise<SearchResult> {
  if (request.knn.length === 0) return runInSlices(searchSteps(readers, request, environment), request.signal);
  const opened = openReaders(readers, environment);
  let state: "clean" | "dirty" = "dirty";
  try {
    const profile = createProfile(request.profile);
    const nearest = await knnPlans(opened.contexts, opened.sources, request, profile);
    const result = await runInSlices(collectAndFetch(opened, request, { nearest, profile }), request.signal);
    state = "clean";
    return result;
  } finally {
    opened.close(state);
  }
}

/** A search without nearest neighbours as steps, for whoever decides when each is taken. Ended early it lets go of all. */
export function* searchSteps(
  readers: readonly SearchReader[],
  request: SearchRequest,
  environment: SearchEnvironment,
  docs: DocRange | null = null,
): Steps<SearchResult> {
  if (request.knn.length > 0) throw new InternalError("nearest neighbours are not found in steps");
  const work = (opened: OpenedReaders) =>
    collectAndFetch(opened, request, { nearest: [], profile: createProfile(request.profile) });
  return yield* within(readers, environment, work, docs);
}

/** Number of live documents that match. */
export async function executeCount(
  readers: readonly SearchReader[],
  query: Query,
  environment: SearchEnvironment,
  signal?: CancelSignal,
): Promise<number> {
  return runInSlices(countSteps(readers, query, environment), signal);
}

/** The same as steps. */
export function countSteps(
  readers: readonly SearchReader[],
  query: Query,
  environment: SearchEnvironment,
): Steps<number> {
  return within(readers, environment, (opened) => countOpened(opened, query));
}

function* countOpened({ contexts, sources }: OpenedReaders, query: Query): Steps<number> {
  let count = 0;
  for (const context of contexts) {
    const ready = compileWithin(context, query, sources[context.number].filter);
    for (const leaf of context.leaves) {
      yield* prepareBits(leaf, ready);
      count += countLeaf(leaf, ready);
      yield;
    }
  }
  return count;
}

/** Takes the steps of some work with the readers open. */
function* within<T>(
  readers: readonly SearchReader[],
  environment: SearchEnvironment,
  work: (opened: OpenedReaders) => Steps<T>,
  docs: DocRange | null = null,
): Steps<T> {
  const opened = openReaders(readers, environment, docs);
  let state: "clean" | "dirty" = "dirty";
  try {
    const result = yield* work(opened);
    state = "clean";
    return result;
  } finally {
    opened.close(state);
  }
}

/** Readers while a search works on them: in the order of index names, their segments in use. */
interface OpenedReaders {
  readonly contexts: readonly ReaderContext[];
  readonly sources: readonly SearchReader[];
  readonly phases: SearchEnvironment["phases"];
  /** Ends the use of segments and gives the working memory back. "dirty": the work ended in its middle. */
  close(state: "clean" | "dirty"): void;
}

function openReaders(
  readers: readonly SearchReader[],
  environment: SearchEnvironment,
  docs: DocRange | null = null,
): OpenedReaders {
  const sources = [...readers].sort((a, b) => (a.reader.index < b.reader.index ? -1 : 1));
  const scratch = takeScratch(environment.arena);
  const used = sources.flatMap((source) => source.reader.leaves.map((leaf) => leaf.segment));
  let begun = 0;
  const close = (state: "clean" | "dirty") => {
    for (const segment of used.slice(0, begun)) segment.endUse();
    giveScratch(environment.arena, scratch, state);
  };
  try {
    for (const segment of used) {
      segment.beginUse();
      begun++;
    }
    const contexts = sources.map((source, i) => readerContext(environment, source, i, { scratch, docs }));
    return { contexts, sources, phases: environment.phases, close };
  } catch (error) {
    close("clean");
    throw error;
  }
}

function* collectAndFetch(
  opened: OpenedReaders,
  request: SearchRequest,
  made: { nearest: readonly Plan[][]; profile: Profile },
): Steps<SearchResult> {
  const { nearest, profile } = made;
  const began = performance.now();
  const planned = yield* plan(opened, request, nearest);
  const aggregations = new Aggregations(opened.contexts, request.aggs);
  const collected = yield* collectHits(planned, request, aggregations, profile);
  const found = performance.now();
  const hits = yield* fetchHits(planned, request, collected);
  const aggs = aggregations.results();
  const lines = request.matchingLines?.totals === true ? yield* countLines(planned, request) : undefined;
  opened.phases?.(found - began, performance.now() - found);
  return result(request, collected, hits, { aggregations: aggs, profile: profile.record, matchingLines: lines });
}

function* plan(
  { contexts, sources }: OpenedReaders,
  request: SearchRequest,
  nearest: readonly Plan[][],
): Steps<PlannedReader[]> {
  const planned: PlannedReader[] = [];
  for (const context of contexts) {
    const asked = compileWithin(context, boosted(request, context.reader.index), sources[context.number].filter);
    const plan = withNearest(asked, nearest[context.number] ?? []);
    rememberLines(context, plan, request);
    planned.push({
      context,
      plan,
      postFilter: request.postFilter === undefined ? null : compileQuery(context, request.postFilter),
    });
    yield;
  }
  return planned;
}

/** The query as it is asked of one index. */
function boosted({ query, indexBoosts }: SearchRequest, index: string): Query {
  const boost = indexBoosts?.[index] ?? 1;
  return boost === 1 ? query : { ...query, boost: query.boost * boost };
}

/** The query's hits and those of each kNN section, scores added. */
function withNearest(asked: Plan, nearest: readonly Plan[]): Plan {
  if (nearest.length === 0) return asked;
  return simplifyBool({ kind: "bool", must: [], filter: [], mustNot: [], should: [asked, ...nearest], minimum: 1 });
}

function result(
  request: SearchRequest,
  collected: Collected,
  hits: Hit[],
  rest: Pick<SearchResult, "aggregations" | "profile" | "matchingLines">,
): SearchResult {
  const { counter, terminatedEarly, maxScore } = collected;
  return {
    total: request.trackTotal === 0 ? undefined : counter.total(),
    maxScore,
    hits,
    terminatedEarly,
    ...rest,
  };
}
