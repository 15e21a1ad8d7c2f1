import type { AggregationResult } from "./aggregation.js";
import type { Aggregator } from "./aggregator.js";

/** Results of the sub-aggregations of one bucket. */
export function subResults(subs: ReadonlyMap<string, Aggregator>, bucket: number): Record<string, AggregationResult> {
  const results: Record<string, AggregationResult> = {};
  for (const [name, sub] of subs) results[name] = sub.result(bucket);
  return results;
}
