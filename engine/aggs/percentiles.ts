/** Metrics that need all values: percentiles, and how far values lie from their median. */
import type { AggregationResult, DeviationAggregation, PercentilesAggregation } from "./aggregation.js";
import type { Aggregator, Collect } from "./aggregator.js";
import { numberReader, type ReadNumbers } from "./column-values.js";
import { numberPrinter } from "./number-printer.js";
import { interpolated, medianAbsoluteDeviation, quantized } from "./quantiles.js";
import type { Surroundings } from "./surroundings.js";
import { ValueLists } from "./value-lists.js";
import { missingNumber, requireNumeric, valueSource } from "./value-source.js";

type Within = Pick<Surroundings, "contexts" | "charge">;

/** The aggregator of percentiles. */
export function percentiles(aggregation: PercentilesAggregation, { contexts, charge }: Within): Aggregator {
  const { percents, method, format, keyed } = aggregation;
  const source = valueSource(contexts, aggregation.field, aggregation.kind);
  requireNumeric(source.field, aggregation.kind);
  const missing = missingNumber(contexts, source.field, aggregation.missing, { format });
  const lists = new ValueLists(charge);
  const print = numberPrinter(source.field, format);
  const at = (bucket: number, percent: number) => {
    const sorted = lists.sorted(bucket);
    const share = percent / 100;
    return method.kind === "tdigest" ? interpolated(sorted, share) : quantized(sorted, share, method.digits);
  };
  const shown = (bucket: number, key: number) => {
    const value = at(bucket, key);
    if (Number.isNaN(value)) return { key, value: null };
    return print === null ? { key, value } : { key, value, valueAsString: print(value) };
  };
  return {
    leaf: (leaf) => collector(numberReader(leaf, source.of(leaf.context), missing), lists),
    result: (bucket): AggregationResult => ({
      kind: "percentiles",
      method: method.kind,
      keyed,
      values: percents.map((percent) => shown(bucket, percent)),
    }),
    metric: (bucket, part) => at(bucket, Number(part ?? Number.NaN)),
    inner: null,
  };
}

/** The aggregator of the median absolute deviation. */
export function deviation(aggregation: DeviationAggregation, { contexts, charge }: Within): Aggregator {
  const source = valueSource(contexts, aggregation.field, aggregation.kind);
  requireNumeric(source.field, aggregation.kind);
  const missing = missingNumber(contexts, source.field, aggregation.missing, { format: aggregation.format });
  const lists = new ValueLists(charge);
  const print = aggregation.format === undefined ? null : numberPrinter(source.field, aggregation.format);
  const of = (bucket: number) => medianAbsoluteDeviation(lists.sorted(bucket));
  return {
    leaf: (leaf) => collector(numberReader(leaf, source.of(leaf.context), missing), lists),
    result: (bucket): AggregationResult => {
      const value = of(bucket);
      if (Number.isNaN(value)) return { kind: "median_absolute_deviation", value: null };
      const text = print === null ? {} : { valueAsString: print(value) };
      return { kind: "median_absolute_deviation", value, ...text };
    },
    metric: of,
    inner: null,
  };
}

function collector(read: ReadNumbers, lists: ValueLists): Collect {
  return (batch) => {
    const { values, index, count } = read(batch);
    lists.addAll({ values, index, count, buckets: batch.buckets });
  };
}
