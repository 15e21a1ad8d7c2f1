/**
 * Buckets by the values of several fields together, in their order, a page at a time. All combinations that occur are kept
 * and charged; a page is what follows `after`.
 */
import type { LeafContext } from "../query/exec/context.js";
import type { Comparable } from "../sort/sort-value.js";
import type { AggregationResult, CompositeAggregation, CompositeBucket } from "./aggregation.js";
import { type Aggregator, type Collect, Counts } from "./aggregator.js";
import type { BatchValues } from "./column-values.js";
import { NO_KEY, type SourceKeys, sourceKeys } from "./composite-source.js";
import { subResults } from "./results.js";
import { docAt, SubBatch, subCollects } from "./sub-batch.js";
import type { Surroundings } from "./surroundings.js";

/** A combination: its text in a map, and its keys. */
const COMBINATION_BYTES = 120;

interface State {
  readonly sources: readonly SourceKeys[];
  /** Bucket by its keys, joined by commas. */
  readonly numbers: Map<string, number>;
  /** Keys of each bucket. */
  readonly keys: (readonly number[])[];
  readonly counts: Counts;
  readonly within: Surroundings;
}

/** The aggregator of combinations of values. */
export function composite(aggregation: CompositeAggregation, within: Surroundings): Aggregator {
  const sources = aggregation.sources.map((source) => sourceKeys(source, within));
  const state: State = { sources, numbers: new Map(), keys: [], counts: new Counts(within.charge), within };
  const after = aggregation.after?.map((value, i) => sources[i].readAfter(value));
  return {
    leaf: (leaf) => collector(state, leaf),
    result: () => compositeResult(aggregation, state, after),
    metric: () => Number.NaN,
    inner: null,
  };
}

function collector(state: State, leaf: LeafContext): Collect {
  const { sources, counts, within } = state;
  const reads = sources.map((source) => source.reader(leaf));
  const collects = subCollects(within.subs, leaf);
  const passed = new SubBatch(leaf.buffers);
  return (batch) => {
    const found = reads.map((read) => read(batch));
    const places = sources.map(() => 0);
    const pairs: [doc: number, bucket: number][] = [];
    for (let i = 0; i < batch.count; i++) {
      const lists = found.map((values, s) => {
        const keys = keysOf(values, i, places, s);
        return keys.length === 0 && sources[s].source.missingBucket ? [NO_KEY] : keys;
      });
      for (const keys of combinations(lists)) pairs.push([docAt(batch, i), bucketOf(state, keys)]);
    }
    const all = counts.room(state.keys.length);
    for (const [, bucket] of pairs) all[bucket]++;
    passOn(passed, pairs, collects);
  };
}

function passOn(passed: SubBatch, pairs: readonly [number, number][], collects: readonly Collect[]): void {
  if (collects.length === 0) return;
  passed.reset(pairs.length);
  for (const [i, [doc, bucket]] of pairs.entries()) {
    passed.docs[i] = doc;
    passed.buckets[i] = bucket;
  }
  passed.count = pairs.length;
  passed.send(collects);
}

/** The keys of one document of a batch; places move on with it. */
function keysOf(
  { values, index, count }: BatchValues<Uint32Array>,
  doc: number,
  places: number[],
  source: number,
): number[] {
  const keys: number[] = [];
  if (index === null) keys.push(values[doc]);
  else
    for (; places[source] < count && index[places[source]] === doc; places[source]++) keys.push(values[places[source]]);
  return keys;
}

/** One key of each list, in all ways. */
function combinations(lists: readonly (readonly number[])[]): number[][] {
  let found: number[][] = [[]];
  for (const list of lists) found = found.flatMap((keys) => list.map((key) => [...keys, key]));
  return found;
}

function bucketOf({ numbers, keys, within }: State, combination: readonly number[]): number {
  const name = combination.join(",");
  const known = numbers.get(name);
  if (known !== undefined) return known;
  within.charge(COMBINATION_BYTES + 8 * combination.length);
  numbers.set(name, keys.length);
  return keys.push(combination) - 1;
}

function compositeResult(
  aggregation: CompositeAggregation,
  state: State,
  after: readonly Comparable[] | undefined,
): AggregationResult {
  const { sources, keys, counts, within } = state;
  const compare = (a: readonly number[], b: readonly number[]) =>
    firstDifference(sources, (source, i) => source.compare(a[i], b[i]));
  const isAfter = (one: readonly number[]) =>
    after === undefined || firstDifference(sources, (source, i) => source.compareAfter(one[i], after[i])) > 0;
  const page = [...keys.keys()]
    .filter((bucket) => isAfter(keys[bucket]))
    .sort((a, b) => compare(keys[a], keys[b]))
    .slice(0, aggregation.size);
  within.budget.take(page.length);
  const buckets = page.map((bucket): CompositeBucket => {
    const shown = sources.map(({ source, show }, i) => [source.name, show(keys[bucket][i])] as const);
    return { key: Object.fromEntries(shown), docCount: counts.get(bucket), aggs: subResults(within.subs, bucket) };
  });
  return { kind: "composite", buckets };
}

function firstDifference(sources: readonly SourceKeys[], order: (source: SourceKeys, i: number) => number): number {
  for (const [i, source] of sources.entries()) {
    const found = order(source, i);
    if (found !== 0) return found;
  }
  return 0;
}
