/**
 * The aggregations DSL: Elasticsearch's JSON to the engine's typed aggregations. One row per kind; kinds that
 * Elasticsearch has and Pinakes has not are refused by name. Results are printed in render.ts.
 */
import type { Aggregation } from "../../engine/index.js";
import { illegalArgument, notSupported, parsingError } from "../errors.js";
import { isObject, type Json, type JsonObject, setMember, tokenName } from "../json/value.js";
import { didYouMean } from "../near-names.js";
import { readQuery } from "../query/index.js";
import type { ReadAggregation } from "./clause.js";
import { readComposite } from "./composite.js";
import { readFilter, readFilters, readGlobal, readMissing } from "./filters.js";
import { readDateHistogram, readHistogram } from "./histograms.js";
import { readMetric } from "./metrics.js";
import { readDeviation, readPercentiles, readWeightedAvg } from "./percentiles.js";
import { readRanges } from "./ranges.js";
import { readRareTerms, readTermsAggregation } from "./terms.js";

export { renderAggregations } from "./render.js";

/** Sorted by kind. */
export const AGGREGATION_KINDS: Readonly<Record<string, ReadAggregation>> = {
  avg: readMetric("avg"),
  cardinality: readMetric("cardinality"),
  composite: readComposite,
  date_histogram: readDateHistogram,
  date_range: readRanges("date_range"),
  extended_stats: readMetric("extended_stats"),
  filter: readFilter,
  filters: readFilters,
  global: readGlobal,
  histogram: readHistogram,
  max: readMetric("max"),
  median_absolute_deviation: readDeviation,
  min: readMetric("min"),
  missing: readMissing,
  percentiles: readPercentiles,
  range: readRanges("range"),
  rare_terms: readRareTerms,
  stats: readMetric("stats"),
  sum: readMetric("sum"),
  terms: readTermsAggregation,
  value_count: readMetric("value_count"),
  weighted_avg: readWeightedAvg,
};

/** Kinds of Elasticsearch's that are not built; sorted. */
export const REFUSED_AGGREGATIONS: ReadonlySet<string> = new Set([
  "adjacency_matrix",
  "auto_date_histogram",
  "avg_bucket",
  "boxplot",
  "bucket_correlation",
  "bucket_count_ks_test",
  "bucket_script",
  "bucket_selector",
  "bucket_sort",
  "cartesian_bounds",
  "cartesian_centroid",
  "categorize_text",
  "change_point",
  "children",
  "cumulative_cardinality",
  "cumulative_sum",
  "derivative",
  "diversified_sampler",
  "extended_stats_bucket",
  "frequent_item_sets",
  "geo_bounds",
  "geo_centroid",
  "geo_distance",
  "geo_line",
  "geohash_grid",
  "geohex_grid",
  "geotile_grid",
  "inference",
  "ip_prefix",
  "ip_range",
  "matrix_stats",
  "max_bucket",
  "min_bucket",
  "moving_fn",
  "multi_terms",
  "nested",
  "normalize",
  "parent",
  "percentile_ranks",
  "percentiles_bucket",
  "random_sampler",
  "rate",
  "reverse_nested",
  "sampler",
  "scripted_metric",
  "serial_diff",
  "significant_terms",
  "significant_text",
  "stats_bucket",
  "string_stats",
  "sum_bucket",
  "t_test",
  "time_series",
  "top_hits",
  "top_metrics",
  "variable_width_histogram",
]);

/** Reads the object under `aggs`. Throws ApiError 400 that names what is wrong. */
export function readAggregations(given: Json): Record<string, Aggregation> {
  if (!isObject(given))
    throw parsingError(`Expected [START_OBJECT] under [aggs], but got a [${tokenName(given)}]`, "aggs");
  const read: Record<string, Aggregation> = {};
  for (const [name, body] of Object.entries(given)) {
    if (/[[\]>]/.test(name)) {
      throw parsingError(
        `Invalid aggregation name [${name}]. Aggregation names can contain any character except '[', ']', and '>'`,
        name,
      );
    }
    setMember(read, name, readOne(name, body));
  }
  return read;
}

function readOne(name: string, body: Json): Aggregation {
  if (!isObject(body))
    throw parsingError(
      `Aggregation definition for [${name}] starts with a [${tokenName(body)}], expected a [START_OBJECT].`,
      name,
    );
  const { aggs, aggregations, meta, ...kinds } = body;
  const names = Object.keys(kinds);
  if (names.length === 0) throw parsingError(`Missing definition for aggregation [${name}]`, name);
  if (names.length > 1)
    throw parsingError(
      `Found two aggregation type definitions in [${name}]: [${names[0]}] and [${names[1]}]`,
      names[1],
    );
  const [kind] = names;
  const read = Object.hasOwn(AGGREGATION_KINDS, kind) ? AGGREGATION_KINDS[kind] : undefined;
  if (read === undefined) throw unknownKind(kind);
  const below = aggs ?? aggregations;
  const aggregation: Aggregation = {
    ...read(kinds[kind], readQuery, name),
    aggs: below === undefined ? {} : readAggregations(below),
  };
  for (const [inner, { kind: below }] of Object.entries(aggregation.aggs)) checkParent(inner, below, kind);
  if (METRICS.has(kind) && Object.keys(aggregation.aggs).length > 0) {
    throw parsingError(`Aggregator [${name}] of type [${kind}] cannot accept sub-aggregations`);
  }
  if (meta !== undefined) aggregation.meta = readMeta(meta, name);
  return aggregation;
}

/** Pages of combinations are of the whole request. */
function checkParent(name: string, kind: Aggregation["kind"], parent: string): void {
  if (kind !== "composite") return;
  throw illegalArgument(
    `[composite] aggregation cannot be used with a parent aggregation of type: [${parent}] (in [${name}])`,
  );
}

function readMeta(meta: Json, name: string): JsonObject {
  if (isObject(meta)) return meta;
  throw parsingError(`Expected [START_OBJECT] under [meta], but got a [${tokenName(meta)}] in [${name}]`, "meta");
}

const METRICS: ReadonlySet<string> = new Set([
  "avg",
  "cardinality",
  "extended_stats",
  "max",
  "median_absolute_deviation",
  "min",
  "percentiles",
  "stats",
  "sum",
  "value_count",
  "weighted_avg",
]);

function unknownKind(kind: string): Error {
  if (REFUSED_AGGREGATIONS.has(kind)) return notSupported(`[${kind}] aggregation`);
  const hint = didYouMean(kind, Object.keys(AGGREGATION_KINDS));
  return parsingError(`Unknown aggregation type [${kind}]${hint}`, kind, {
    type: "named_object_not_found_exception",
    reason: `unknown field [${kind}]`,
  });
}
