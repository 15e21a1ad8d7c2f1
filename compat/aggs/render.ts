/** Aggregation results as Elasticsearch prints them, text built directly: doubles keep their `.0`, keys their type. */
import type { AggregationResult, Bucket, CompositeBucket, KeyType, StatsResult } from "../../engine/index.js";
import { printDouble, printJson } from "../json/print.js";
import { ANONYMOUS } from "./clause.js";

/** `{"name":{...},...}`; with `typed`, names become `type#name`. */
export function renderAggregations(results: Readonly<Record<string, AggregationResult>>, typed: boolean): string {
  return `{${members(results, typed)}}`;
}

function members(results: Readonly<Record<string, AggregationResult>>, typed: boolean): string {
  return Object.entries(results)
    .map(
      ([name, result]) => `${JSON.stringify(typed ? `${typeName(result)}#${name}` : name)}:${renderOne(result, typed)}`,
    )
    .join(",");
}

const TERMS_TYPES: Readonly<Record<KeyType, string>> = {
  string: "sterms",
  ip: "sterms",
  long: "lterms",
  unsigned: "ulterms",
  boolean: "lterms",
  date: "lterms",
  double: "dterms",
  unmapped: "umterms",
};

function typeName(result: AggregationResult): string {
  if (result.kind === "terms") return TERMS_TYPES[result.keyType];
  if (result.kind === "rare_terms") return RARE_TYPES[TERMS_TYPES[result.keyType]];
  return result.kind === "percentiles" ? `${result.method}_percentiles` : result.kind;
}

/** Doubles are counted among the longs, as in Elasticsearch. */
const RARE_TYPES: Readonly<Record<string, string>> = {
  sterms: "srareterms",
  lterms: "lrareterms",
  ulterms: "lrareterms",
  dterms: "lrareterms",
  umterms: "umrareterms",
};

function renderOne(result: AggregationResult, typed: boolean): string {
  const meta = result.meta === undefined ? "" : `"meta":${printJson(result.meta)},`;
  return `{${meta}${renderBody(result, typed)}}`;
}

function renderBody(result: AggregationResult, typed: boolean): string {
  switch (result.kind) {
    case "avg":
    case "sum":
    case "min":
    case "max":
    case "median_absolute_deviation":
    case "weighted_avg":
      return `"value":${number(result.value)}${asString("value", result.valueAsString)}`;
    case "value_count":
    case "cardinality":
      return `"value":${result.value}`;
    case "stats":
    case "extended_stats":
      return renderStats(result);
    case "percentiles":
      return `"values":${renderPercentiles(result)}`;
    case "composite":
      return renderComposite(result.buckets, typed);
    case "rare_terms":
      return `"buckets":[${keyedTerms(result, typed)}]`;
    case "terms":
      return `"doc_count_error_upper_bound":${result.docCountErrorUpperBound},"sum_other_doc_count":${result.sumOtherDocCount},"buckets":[${keyedTerms(result, typed)}]`;
    case "filter":
    case "missing":
    case "global":
      return `"doc_count":${result.docCount}${below(result.aggs, typed)}`;
    default:
      return `"buckets":${renderBuckets(result, typed)}`;
  }
}

function renderComposite(buckets: readonly CompositeBucket[], typed: boolean): string {
  const last = buckets.at(-1);
  const after = last === undefined ? "" : `"after_key":${compositeKey(last)},`;
  const shown = buckets.map(
    (bucket) => `{"key":${compositeKey(bucket)},"doc_count":${bucket.docCount}${below(bucket.aggs, typed)}}`,
  );
  return `${after}"buckets":[${shown.join(",")}]`;
}

function compositeKey({ key }: CompositeBucket): string {
  const members = Object.entries(key).map(([name, { value, isDouble }]) => {
    const text = isDouble && typeof value === "number" ? printDouble(value) : printJson(value);
    return `${JSON.stringify(name)}:${text}`;
  });
  return `{${members.join(",")}}`;
}

function keyedTerms({ buckets, keyType }: { buckets: Bucket[]; keyType: KeyType }, typed: boolean): string {
  return buckets
    .map((bucket) => {
      const key = `"key":${termKey(bucket, keyType)}${asString("key", bucket.keyAsString)}`;
      return `{${key},${rest(bucket, typed)}}`;
    })
    .join(",");
}

function renderPercentiles({ keyed, values }: Extract<AggregationResult, { kind: "percentiles" }>): string {
  const shown = values.map(({ key, value, valueAsString }) => {
    if (!keyed) return `{"key":${printDouble(key)},"value":${number(value)}${asString("value", valueAsString)}}`;
    return `"${printDouble(key)}":${number(value)}${asString(printDouble(key), valueAsString)}`;
  });
  return keyed ? `{${shown.join(",")}}` : `[${shown.join(",")}]`;
}

function renderBuckets(
  result: Exclude<Extract<AggregationResult, { keyed: boolean }>, { kind: "percentiles" }>,
  typed: boolean,
): string {
  const { kind, keyed, buckets } = result;
  if (!keyed) {
    return `[${buckets.map((bucket) => `{${ownKey(kind, bucket)}${rest(bucket, typed)}}`).join(",")}]`;
  }
  const named = buckets.map((bucket) => {
    const name = JSON.stringify(
      bucket.keyAsString ?? (kind === "histogram" ? printDouble(Number(bucket.key)) : String(bucket.key)),
    );
    const own = kind === "date_histogram" || kind === "histogram" ? `${bucketKey(kind, bucket)},` : "";
    return `${name}:{${own}${rest(bucket, typed)}}`;
  });
  return `{${named.join(",")}}`;
}

function ownKey(kind: string, bucket: Bucket): string {
  return String(bucket.key).startsWith(ANONYMOUS) ? "" : `${bucketKey(kind, bucket)},`;
}

function bucketKey(kind: string, bucket: Bucket): string {
  const text = kind === "date_histogram" ? asStringFirst(bucket) : "";
  const key = kind === "histogram" ? printDouble(Number(bucket.key)) : printJson(bucket.key);
  return `${text}"key":${key}${kind === "histogram" ? asString("key", bucket.keyAsString) : ""}`;
}

function asStringFirst(bucket: Bucket): string {
  return bucket.keyAsString === undefined ? "" : `"key_as_string":${JSON.stringify(bucket.keyAsString)},`;
}

function termKey(bucket: Bucket, type: KeyType): string {
  return type === "double" ? printDouble(Number(bucket.key)) : printJson(bucket.key);
}

/** What follows a bucket's key: bounds of ranges, the count, and what lies below. */
function rest(bucket: Bucket, typed: boolean): string {
  return (
    bound("from", bucket.from, bucket.fromAsString) +
    bound("to", bucket.to, bucket.toAsString) +
    `"doc_count":${bucket.docCount}${below(bucket.aggs, typed)}`
  );
}

function bound(name: string, value: number | undefined, text: string | undefined): string {
  if (value === undefined) return "";
  const readable = text === undefined ? "" : `"${name}_as_string":${JSON.stringify(text)},`;
  return `"${name}":${printDouble(value)},${readable}`;
}

function below(aggs: Readonly<Record<string, AggregationResult>>, typed: boolean): string {
  const text = members(aggs, typed);
  return text === "" ? "" : `,${text}`;
}

function asString(name: string, text: string | undefined): string {
  return text === undefined ? "" : `,"${name}_as_string":${JSON.stringify(text)}`;
}

function number(value: number | null): string {
  return value === null ? "null" : printDouble(value);
}

function renderStats(stats: StatsResult): string {
  const basic = `"count":${stats.count},"min":${number(stats.min)},"max":${number(stats.max)},"avg":${number(stats.avg)},"sum":${printDouble(stats.sum)}`;
  const text = stats.asString;
  const readable =
    text === undefined
      ? ""
      : ["min", "max", "avg", "sum"].map((name) => asString(name, text[name as keyof typeof text])).join("");
  return basic + readable + (stats.kind === "extended_stats" ? renderExtended(stats) : "");
}

/** Standard deviations on either side that the bounds lie at. */
const DEFAULT_SIGMA = 2;

/** Elasticsearch's InternalExtendedStats, from the sums. */
function renderExtended(stats: StatsResult): string {
  const { count, sum, avg } = stats;
  if (count === 0 || avg === null) return EMPTY_EXTENDED;
  const squares = stats.sumOfSquares ?? 0;
  const sigma = stats.sigma ?? DEFAULT_SIGMA;
  const spread = Math.max(0, squares - (sum * sum) / count);
  const population = spread / count;
  const sampling = count > 1 ? spread / (count - 1) : Number.NaN;
  const [deviation, sampled] = [Math.sqrt(population), Math.sqrt(sampling)];
  const fields: [string, number][] = [
    ["sum_of_squares", squares],
    ["variance", population],
    ["variance_population", population],
    ["variance_sampling", sampling],
    ["std_deviation", deviation],
    ["std_deviation_population", deviation],
    ["std_deviation_sampling", sampled],
  ];
  const bounds: [string, number][] = [
    ["upper", avg + sigma * deviation],
    ["lower", avg - sigma * deviation],
    ["upper_population", avg + sigma * deviation],
    ["lower_population", avg - sigma * deviation],
    ["upper_sampling", avg + sigma * sampled],
    ["lower_sampling", avg - sigma * sampled],
  ];
  return `,${pairs(fields)},"std_deviation_bounds":{${pairs(bounds)}}`;
}

function pairs(entries: readonly [string, number][]): string {
  return entries.map(([name, value]) => `"${name}":${printDouble(value)}`).join(",");
}

const EMPTY_BOUNDS = ["upper", "lower", "upper_population", "lower_population", "upper_sampling", "lower_sampling"];
const EMPTY_FIELDS = [
  "sum_of_squares",
  "variance",
  "variance_population",
  "variance_sampling",
  "std_deviation",
  "std_deviation_population",
  "std_deviation_sampling",
];
const EMPTY_EXTENDED = `,${EMPTY_FIELDS.map((name) => `"${name}":null`).join(",")},"std_deviation_bounds":{${EMPTY_BOUNDS.map((name) => `"${name}":null`).join(",")}}`;
