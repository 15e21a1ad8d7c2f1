/** From aggregations as asked for to aggregators: each kind has its maker in the table below. */

import { EngineError } from "../errors.js";
import type { Ledger } from "../memory/index.js";
import type { Aggregation, AggregationKind, AggregationResult } from "./aggregation.js";
import type { Aggregator } from "./aggregator.js";
import { cardinality } from "./cardinality.js";
import { composite } from "./composite.js";
import { filterAggregator, filtersAggregator, missingAggregator } from "./filters.js";
import { dateHistogram, numberHistogram } from "./histogram.js";
import { numberMetric, valueCount } from "./metrics.js";
import { deviation, percentiles } from "./percentiles.js";
import { rangeAggregator } from "./ranges.js";
import type { Surroundings } from "./surroundings.js";
import { termsAggregator } from "./terms.js";
import { weightedAvg } from "./weighted-avg.js";

type Make<K> = (aggregation: Extract<Aggregation, { kind: K }>, within: Surroundings) => Aggregator;
type Makers = { [K in Exclude<AggregationKind["kind"], "global">]: Make<K> };

const MAKERS: Makers = {
  avg: numberMetric,
  sum: numberMetric,
  min: numberMetric,
  max: numberMetric,
  stats: numberMetric,
  extended_stats: numberMetric,
  value_count: valueCount,
  cardinality,
  percentiles,
  median_absolute_deviation: deviation,
  weighted_avg: weightedAvg,
  composite,
  terms: termsAggregator,
  date_histogram: dateHistogram,
  histogram: numberHistogram,
  range: (aggregation, within) => rangeAggregator(within.contexts, aggregation, within),
  date_range: (aggregation, within) => rangeAggregator(within.contexts, aggregation, within),
  filter: (aggregation, within) => filterAggregator(aggregation.filter, within),
  filters: filtersAggregator,
  missing: (aggregation, within) => missingAggregator(within.contexts, aggregation.field, within),
};

/** Kinds that leave documents in the buckets they came in. */
const KEEPS_OWNERS: ReadonlySet<string> = new Set(["filter", "missing"]);

/** What aggregators of one level are made within. */
type Level = Pick<Surroundings, "contexts" | "budget" | "owners"> & { readonly memory: Ledger };

/** What an aggregator takes before it has seen a document. */
const AGGREGATOR_BYTES = 4096;

/** Makes an aggregator with all below it. */
function createAggregator(name: string, aggregation: Aggregation, within: Level): Aggregator {
  if (aggregation.kind === "global") {
    throw new EngineError("invalid_value", "global aggregations can only be at the top level of the request");
  }
  const owners = KEEPS_OWNERS.has(aggregation.kind) ? within.owners : "many";
  const subs = createAll(aggregation.aggs, { ...within, owners });
  const charge = (bytes: number) => within.memory.charge(bytes, `<agg [${name}]>`);
  charge(AGGREGATOR_BYTES);
  const make = MAKERS[aggregation.kind] as Make<typeof aggregation.kind>;
  return withMeta(make(aggregation as never, { name, subs, charge, ...within }), aggregation.meta);
}

/** Makes the aggregators of one level, by name. */
export function createAll(aggregations: Record<string, Aggregation>, within: Level): Map<string, Aggregator> {
  return new Map(Object.entries(aggregations).map(([name, one]) => [name, createAggregator(name, one, within)]));
}

function withMeta(aggregator: Aggregator, meta: Record<string, unknown> | undefined): Aggregator {
  if (meta === undefined) return aggregator;
  const result = (bucket: number): AggregationResult => ({ meta, ...aggregator.result(bucket) });
  return { ...aggregator, result };
}
