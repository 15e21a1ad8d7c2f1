/** From aggregations as asked for to aggregators: each kind has its maker in the table below. */

import { EngineError } from "../errors.js";
import type { Aggregation, AggregationKind, AggregationResult } from "./aggregation.js";
import type { Aggregator } from "./aggregator.js";
import { cardinality } from "./cardinality.js";
import { filterAggregator, filtersAggregator, missingAggregator } from "./filters.js";
import { dateHistogram, numberHistogram } from "./histogram.js";
import { numberMetric, valueCount } from "./metrics.js";
import { rangeAggregator } from "./ranges.js";
import { type Surroundings, termsAggregator } from "./terms.js";

type Make<K> = (aggregation: Extract<Aggregation, { kind: K }>, within: Surroundings) => Aggregator;
type Makers = { [K in Exclude<AggregationKind["kind"], "global">]: Make<K> };

const MAKERS: Makers = {
  avg: (aggregation, { contexts }) => numberMetric(contexts, aggregation),
  sum: (aggregation, { contexts }) => numberMetric(contexts, aggregation),
  min: (aggregation, { contexts }) => numberMetric(contexts, aggregation),
  max: (aggregation, { contexts }) => numberMetric(contexts, aggregation),
  stats: (aggregation, { contexts }) => numberMetric(contexts, aggregation),
  extended_stats: (aggregation, { contexts }) => numberMetric(contexts, aggregation),
  value_count: (aggregation, { contexts }) => valueCount(contexts, aggregation),
  cardinality: (aggregation, { contexts }) => cardinality(contexts, aggregation),
  terms: termsAggregator,
  date_histogram: dateHistogram,
  histogram: numberHistogram,
  range: (aggregation, { contexts, subs, budget }) => rangeAggregator(contexts, aggregation, subs, budget),
  date_range: (aggregation, { contexts, subs, budget }) => rangeAggregator(contexts, aggregation, subs, budget),
  filter: (aggregation, { subs }) => filterAggregator(aggregation.filter, subs),
  filters: (aggregation, { subs, budget }) => filtersAggregator(aggregation, subs, budget),
  missing: (aggregation, { contexts, subs }) => missingAggregator(contexts, aggregation.field, subs),
};

/** Kinds that leave documents in the buckets they came in. */
const KEEPS_OWNERS: ReadonlySet<string> = new Set(["filter", "missing"]);

/** What aggregators of one level are made within. */
type Level = Pick<Surroundings, "contexts" | "budget" | "owners">;

/** Makes an aggregator with all below it. */
function createAggregator(name: string, aggregation: Aggregation, within: Level): Aggregator {
  if (aggregation.kind === "global") {
    throw new EngineError("invalid_value", "global aggregations can only be at the top level of the request");
  }
  const owners = KEEPS_OWNERS.has(aggregation.kind) ? within.owners : "many";
  const subs = createAll(aggregation.aggs, { ...within, owners });
  const make = MAKERS[aggregation.kind] as Make<typeof aggregation.kind>;
  return withMeta(make(aggregation as never, { ...within, name, subs }), aggregation.meta);
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
