/** Buckets by queries: filter, filters, missing. */
import { compileQuery } from "../query/compile/compile.js";
import type { LeafContext, ReaderContext } from "../query/exec/context.js";
import { planBits } from "../query/exec/filter-bits.js";
import type { Query } from "../query/query.js";
import type { Aggregation, Bucket } from "./aggregation.js";
import { type Aggregator, bucketBound, type Collect, Counts, countKeys } from "./aggregator.js";
import { presenceTest } from "./column-values.js";
import { subResults } from "./results.js";
import { docAt, SubBatch, subCollects } from "./sub-batch.js";
import type { Surroundings } from "./surroundings.js";
import { valueSource } from "./value-source.js";

type Subs = ReadonlyMap<string, Aggregator>;
type Within = Pick<Surroundings, "subs" | "budget" | "charge">;
type Test = (leaf: LeafContext) => (doc: number) => boolean;

/** Documents that match a query, or that lack a field: they stay in their buckets, the others are left out. */
function narrowing(kind: "filter" | "missing", test: Test, { subs, charge }: Within): Aggregator {
  const counts = new Counts(charge);
  return {
    leaf: (leaf) => {
      const passes = test(leaf);
      const collects = subCollects(subs, leaf);
      const passed = new SubBatch(leaf.buffers);
      return (batch) => {
        passed.reset(batch.count);
        for (let i = 0; i < batch.count; i++) {
          const doc = docAt(batch, i);
          if (!passes(doc)) continue;
          passed.docs[passed.count] = doc;
          passed.buckets[passed.count++] = batch.buckets === null ? 0 : batch.buckets[i];
        }
        countInto(counts, bucketBound(batch), passed);
        passed.send(collects);
      };
    },
    result: (bucket) => ({ kind, docCount: counts.get(bucket), aggs: subResults(subs, bucket) }),
    metric: (bucket) => counts.get(bucket),
    inner: subs,
  };
}

function countInto(counts: Counts, bound: number, batch: SubBatch): void {
  countKeys(counts.room(bound), batch.buckets, batch.count);
}

/** Documents that match a query. */
export function filterAggregator(query: Query, within: Within): Aggregator {
  return narrowing("filter", (leaf) => queryTest(leaf, query), within);
}

function queryTest(leaf: LeafContext, query: Query): (doc: number) => boolean {
  const bits = planBits(leaf, compileQuery(leaf.context, query));
  return (doc) => ((bits[doc >>> 5] >>> (doc & 31)) & 1) === 1;
}

/** Documents without a value of a field. */
export function missingAggregator(contexts: readonly ReaderContext[], path: string, within: Within): Aggregator {
  const source = valueSource(contexts, path, "missing");
  return narrowing(
    "missing",
    (leaf) => {
      const has = presenceTest(leaf, source.of(leaf.context));
      return (doc) => !has(doc);
    },
    within,
  );
}

/** A bucket per query: a document is in each that it matches, or in the last, which is for those that match none. */
export function filtersAggregator(aggregation: Aggregation & { kind: "filters" }, within: Within): Aggregator {
  const { subs, budget, charge } = within;
  const { filters, otherKey, keyed } = aggregation;
  const width = filters.length + (otherKey === undefined ? 0 : 1);
  const counts = new Counts(charge);
  return {
    leaf: (leaf) => filtersCollector(leaf, aggregation, { subs, counts, width }),
    result: (bucket) => {
      const keys = filters.map((filter) => filter.key);
      if (otherKey !== undefined) keys.push(otherKey);
      budget.take(keys.length);
      const buckets: Bucket[] = keys.map((key, i) => {
        const own = bucket < 0 ? bucket : bucket * width + i;
        return { key, docCount: counts.get(own), aggs: subResults(subs, own) };
      });
      return { kind: "filters", keyed, buckets };
    },
    metric: () => Number.NaN,
    inner: null,
  };
}

function filtersCollector(
  leaf: LeafContext,
  aggregation: Aggregation & { kind: "filters" },
  into: { subs: Subs; counts: Counts; width: number },
): Collect {
  const { subs, counts, width } = into;
  const tests = aggregation.filters.map(({ filter }) => queryTest(leaf, filter));
  const collects = subCollects(subs, leaf);
  const passed = new SubBatch(leaf.buffers);
  return (batch) => {
    passed.reset(batch.count * width);
    for (let i = 0; i < batch.count; i++) {
      const doc = docAt(batch, i);
      const first = (batch.buckets === null ? 0 : batch.buckets[i]) * width;
      const before = passed.count;
      for (let f = 0; f < tests.length; f++) if (tests[f](doc)) put(passed, doc, first + f);
      if (passed.count === before && width > tests.length) put(passed, doc, first + tests.length);
    }
    countInto(counts, bucketBound(batch) * width, passed);
    passed.send(collects);
  };
}

function put(batch: SubBatch, doc: number, bucket: number): void {
  batch.docs[batch.count] = doc;
  batch.buckets[batch.count++] = bucket;
}
