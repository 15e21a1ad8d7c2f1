/** Metrics of numbers: avg, sum, min, max, stats, extended_stats, and value_count of any field. */
import { EngineError } from "../errors.js";
import type { LeafContext } from "../query/exec/context.js";
import type { AggregationResult, MetricAggregation, StatsResult } from "./aggregation.js";
import { type Aggregator, bucketBound, type Collect, Counts, countKeys } from "./aggregator.js";
import { numberReader, ordinalReader, type ReadNumbers, type ReadOrdinals } from "./column-values.js";
import { ExactSums } from "./exact-sums.js";
import { Extremes, type Owned } from "./extremes.js";
import { numberPrinter } from "./number-printer.js";
import type { Surroundings } from "./surroundings.js";
import { isNumeric, missingNumber, requireNumeric, type ValueSource, valueSource } from "./value-source.js";

type Within = Pick<Surroundings, "contexts" | "charge">;
type NumberMetric = Exclude<MetricAggregation["kind"], "value_count" | "cardinality">;

/** What has been seen, by bucket; only what the kind of metric needs is filled. */
interface State {
  readonly counts: Counts;
  readonly sums: ExactSums;
  readonly squares: ExactSums;
  readonly extremes: Extremes;
}

/** The aggregator of a metric over numbers. */
export function numberMetric(aggregation: MetricAggregation, { contexts, charge }: Within): Aggregator {
  const source = valueSource(contexts, aggregation.field, aggregation.kind);
  requireNumeric(source.field, aggregation.kind);
  const kind = aggregation.kind as NumberMetric;
  const missing = missingNumber(contexts, source.field, aggregation.missing, { format: aggregation.format });
  const state: State = {
    counts: new Counts(charge),
    sums: new ExactSums(charge),
    squares: new ExactSums(charge),
    extremes: new Extremes(charge),
  };
  const print = numberPrinter(source.field, aggregation.format);
  return {
    leaf: (leaf) => collector(numberReader(leaf, source.of(leaf.context), missing), kind, state),
    result: (bucket) => {
      const result = metricResult(kind, state, bucket, print);
      if (result.kind === "extended_stats" && aggregation.sigma !== undefined) result.sigma = aggregation.sigma;
      return result;
    },
    metric: (bucket, part) => metricPart(kind, state, bucket, part),
    inner: null,
  };
}

function collector(read: ReadNumbers, kind: NumberMetric, state: State): Collect {
  const sums = kind !== "min" && kind !== "max";
  const extremes = kind !== "avg" && kind !== "sum";
  return (batch) => {
    const bound = bucketBound(batch);
    const { values, index, count } = read(batch);
    const { buckets } = batch;
    const counts = state.counts.room(bound);
    if (buckets === null) counts[0] += count;
    else if (index === null) countKeys(counts, buckets, count);
    else for (let i = 0; i < count; i++) counts[buckets[index[i]]]++;
    if (sums) addSums(state.sums, bound, { values, index, count, buckets });
    if (extremes) state.extremes.addAll(bound, { values, index, count, buckets });
    if (kind === "extended_stats") addSquares(state.squares, bound, { values, index, count, buckets });
  };
}

function addSums(sums: ExactSums, bound: number, { values, index, count, buckets }: Owned): void {
  sums.room(bound);
  sums.addAll(values, count, index, buckets);
}

/** Each square is rounded; their sum is not. */
function addSquares(squares: ExactSums, bound: number, { values, index, count, buckets }: Owned): void {
  squares.room(bound);
  squares.addAll(
    values.subarray(0, count).map((value) => value * value),
    count,
    index,
    buckets,
  );
}

type Print = (value: number) => string;

function metricResult(kind: NumberMetric, state: State, bucket: number, print: Print | null): AggregationResult {
  if (kind === "stats" || kind === "extended_stats") return statsResult(kind, state, bucket, print);
  const number = metricPart(kind, state, bucket, undefined);
  const value = Number.isNaN(number) || !Number.isFinite(number) ? null : number;
  if (value === null || print === null) return { kind, value };
  return { kind, value, valueAsString: print(value) };
}

function statsResult(kind: StatsResult["kind"], state: State, bucket: number, print: Print | null): StatsResult {
  const count = state.counts.get(bucket);
  const sum = state.sums.value(bucket);
  const result: StatsResult = {
    kind,
    count,
    min: count === 0 ? null : state.extremes.min(bucket),
    max: count === 0 ? null : state.extremes.max(bucket),
    avg: count === 0 ? null : sum / count,
    sum,
  };
  if (kind === "extended_stats") result.sumOfSquares = state.squares.value(bucket);
  if (print !== null && count > 0) {
    const { min, max, avg } = result as { min: number; max: number; avg: number };
    result.asString = { min: print(min), max: print(max), avg: print(avg), sum: print(sum) };
  }
  return result;
}

function metricPart(kind: NumberMetric, state: State, bucket: number, part: string | undefined): number {
  const what = part === undefined || part === "value" ? kind : part;
  const count = state.counts.get(bucket);
  switch (what) {
    case "count":
      return count;
    case "sum":
      return state.sums.value(bucket);
    case "avg":
      return count === 0 ? Number.NaN : state.sums.value(bucket) / count;
    // Infinite where there is no value, which orders such buckets as Elasticsearch does.
    case "min":
      return state.extremes.min(bucket);
    case "max":
      return state.extremes.max(bucket);
    case "sum_of_squares":
      return state.squares.value(bucket);
    case "variance":
    case "std_deviation":
      return deviation(state, bucket, what);
    default:
      throw new EngineError(
        "invalid_value",
        `Unknown value key [${what}] for single-value metric aggregation [${kind}]`,
      );
  }
}

function deviation(state: State, bucket: number, what: "variance" | "std_deviation"): number {
  const count = state.counts.get(bucket);
  const sum = state.sums.value(bucket);
  const variance = Math.max(0, (state.squares.value(bucket) - (sum * sum) / count) / count);
  return what === "variance" ? variance : Math.sqrt(variance);
}

/** The aggregator that counts values of any field. */
export function valueCount(aggregation: MetricAggregation, { contexts, charge }: Within): Aggregator {
  const source = valueSource(contexts, aggregation.field, aggregation.kind);
  // Only that there is a value counts; of a field that no index has it may be anything.
  const mapped = source.field !== undefined || aggregation.missing === undefined;
  const missing = mapped ? missingNumber(contexts, source.field, aggregation.missing) : 0;
  const counts = new Counts(charge);
  return {
    leaf: (leaf) => countCollector(valueReader(leaf, source, missing), counts, aggregation.missing !== undefined),
    result: (bucket) => ({ kind: "value_count", value: counts.get(bucket) }),
    metric: (bucket) => counts.get(bucket),
    inner: null,
  };
}

function valueReader(leaf: LeafContext, source: ValueSource, missing: number | null): ReadNumbers | ReadOrdinals {
  const field = source.of(leaf.context);
  if (field === undefined || isNumeric(field)) return numberReader(leaf, field, missing);
  const column = leaf.segment.column(field);
  return ordinalReader(leaf, column?.kind === "ordinals" ? column : null);
}

function countCollector(read: ReadNumbers | ReadOrdinals, counts: Counts, hasMissing: boolean): Collect {
  return (batch) => {
    const all = counts.room(bucketBound(batch));
    const { values, index, count } = read(batch);
    const { buckets } = batch;
    for (let i = 0; i < count; i++) all[buckets === null ? 0 : buckets[index === null ? i : index[i]]]++;
    // Terms have no number that stands in for missing ones: documents without any are counted here.
    if (!hasMissing || index === null || !(values instanceof Uint32Array)) return;
    const has = new Set(index.subarray(0, count));
    for (let i = 0; i < batch.count; i++) if (!has.has(i)) all[buckets === null ? 0 : buckets[i]]++;
  };
}
