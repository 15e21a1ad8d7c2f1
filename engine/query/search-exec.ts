/**
 * Runs a search over the readers of some indices: makes the query ready for each, collects the best documents and the
 * aggregations leaf by leaf, and fetches what the hits show. Work is done in slices of a few milliseconds, so that a
 * long search does not hold up the others.
 */
import { createAggregations } from "../aggs/aggregate.js";
import type { Hit, SearchRequest, SearchResult } from "../search.js";
import { compileQuery, compileWithin } from "./compile/compile.js";
import { simplifyBool } from "./compile/compound.js";
import { type Collected, collectHits, type PlannedReader } from "./exec/collect-hits.js";
import {
  allocateScratch,
  type ReaderContext,
  readerContext,
  type Scratch,
  type SearchEnvironment,
  type SearchReader,
} from "./exec/context.js";
import { countLeaf } from "./exec/count.js";
import { runInSlices } from "./exec/pace.js";
import type { Plan } from "./exec/plan.js";
import { prepareBits } from "./exec/prepare-bits.js";
import { fetchHits } from "./fetch/fetch-hits.js";
import { knnPlans } from "./knn/knn-plans.js";
import { createProfile, type Profile } from "./profile.js";
import type { Query } from "./query.js";

/** Searches. Throws what compiling a query throws, and `fielddata_disabled`, `too_many_buckets`, `cancelled`. */
export async function executeSearch(
  readers: readonly SearchReader[],
  request: SearchRequest,
  environment: SearchEnvironment,
): Promise<SearchResult> {
  return withReaders(readers, environment, async (contexts, sources) => {
    const profile = createProfile(request.profile);
    const planned = await plan(contexts, sources, request, profile);
    const aggregations = createAggregations(contexts, request.aggs);
    const steps = collectHits(planned, request, aggregations, profile);
    const collected = await runInSlices(steps, request.signal);
    const hits = await runInSlices(fetchHits(planned, request, collected), request.signal);
    return result(request, collected, hits, { aggregations: aggregations.results(), profile: profile.record });
  });
}

/** Number of live documents that match. */
export async function executeCount(
  readers: readonly SearchReader[],
  query: Query,
  environment: SearchEnvironment,
  signal?: AbortSignal,
): Promise<number> {
  return withReaders(readers, environment, (contexts, sources) =>
    runInSlices(
      (function* () {
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
      })(),
      signal,
    ),
  );
}

/** Keeps the segments in use and the working memory allocated for as long as the work takes. */
async function withReaders<T>(
  readers: readonly SearchReader[],
  environment: SearchEnvironment,
  work: (contexts: ReaderContext[], sources: readonly SearchReader[]) => Promise<T>,
): Promise<T> {
  const sources = [...readers].sort((a, b) => (a.reader.index < b.reader.index ? -1 : 1));
  const scratch: Scratch = allocateScratch(environment.arena);
  const used = sources.flatMap((source) => source.reader.leaves.map((leaf) => leaf.segment));
  let begun = 0;
  try {
    for (const segment of used) {
      segment.beginUse();
      begun++;
    }
    const contexts = sources.map((source, number) => readerContext(environment, source, number, scratch));
    return await work(contexts, sources);
  } finally {
    for (const segment of used.slice(0, begun)) segment.endUse();
    environment.arena.free(scratch.address);
  }
}

async function plan(
  contexts: readonly ReaderContext[],
  sources: readonly SearchReader[],
  request: SearchRequest,
  profile: Profile,
): Promise<PlannedReader[]> {
  const nearest = await knnPlans(contexts, sources, request, profile);
  return contexts.map((context) => {
    const asked = compileWithin(context, request.query, sources[context.number].filter);
    return {
      context,
      plan: withNearest(asked, nearest[context.number]),
      postFilter: request.postFilter === undefined ? null : compileQuery(context, request.postFilter),
    };
  });
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
  rest: Pick<SearchResult, "aggregations" | "profile">,
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
