/** Aggregation results as Elasticsearch prints them, text built directly: doubles keep their `.0`, keys their type. */
import type { AggregationResult, Bucket, KeyType, StatsResult } from "../../engine/index.js";
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
  boolean: "lterms",
  date: "lterms",
  double: "dterms",
  unmapped: "umterms",
};

function typeName(result: AggregationResult): string {
  return result.kind === "terms" ? TERMS_TYPES[result.keyType] : result.kind;
}

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
      return `"value":${number(result.value)}${asString("value", result.valueAsString)}`;
    case "value_count":
    case "cardinality":
      return `"value":${result.value}`;
    case "stats":
    case "extended_stats":
      return renderStats(result);
    case "terms":
      return `"doc_count_error_upper_bound":${result.docCountErrorUpperBound},"sum_other_doc_count":${result.sumOtherDocCount},"buckets":[${result.buckets
        .map(
          (bucket) =>
            `{"key":${termKey(bucket, result.keyType)}${asString("key", bucket.keyAsString)},${rest(bucket, typed)}}`,
        )
        .join(",")}]`;
    case "filter":
    case "missing":
    case "global":
      return `"doc_count":${result.docCount}${below(result.aggs, typed)}`;
    default:
      return `"buckets":${renderBuckets(result, typed)}`;
  }
}

function renderBuckets(result: Extract<AggregationResult, { keyed: boolean }>, typed: boolean): string {
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
const SIGMA = 2;

/** Elasticsearch's InternalExtendedStats, from the sums. */
function renderExtended(stats: StatsResult): string {
  const { count, sum, avg } = stats;
  if (count === 0 || avg === null) return EMPTY_EXTENDED;
  const squares = stats.sumOfSquares ?? 0;
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
    ["upper", avg + SIGMA * deviation],
    ["lower", avg - SIGMA * deviation],
    ["upper_population", avg + SIGMA * deviation],
    ["lower_population", avg - SIGMA * deviation],
    ["upper_sampling", avg + SIGMA * sampled],
    ["lower_sampling", avg - SIGMA * sampled],
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
