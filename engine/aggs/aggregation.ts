import type { Query, Scalar } from "../query/query.js";

/** An aggregation to compute: plain data, with its sub-aggregations by name. `meta` is handed through untouched. */
export type Aggregation = AggregationKind & { aggs: Record<string, Aggregation>; meta?: Record<string, unknown> };

export type AggregationKind =
  | MetricAggregation
  | PercentilesAggregation
  | DeviationAggregation
  | WeightedAvgAggregation
  | CompositeAggregation
  | TermsAggregation
  | DateHistogramAggregation
  | HistogramAggregation
  | RangeAggregation
  | { kind: "filter"; filter: Query }
  | { kind: "filters"; filters: { key: string; filter: Query }[]; keyed: boolean; otherKey?: string }
  | { kind: "missing"; field: string }
  | { kind: "global" };

export interface MetricAggregation {
  kind: "avg" | "sum" | "min" | "max" | "stats" | "extended_stats" | "value_count" | "cardinality";
  field: string;
  /** Value of documents without the field. */
  missing?: Scalar;
  /** Output format of dates and numbers, the field's own unless said. */
  format?: string;
  /** Of extended_stats: how many standard deviations the bounds lie away (default 2). */
  sigma?: number;
}

export interface PercentilesAggregation {
  kind: "percentiles";
  field: string;
  percents: number[];
  /** How values between two are shown: interpolated, or as a histogram of so many decimal digits has them. */
  method: { kind: "tdigest" } | { kind: "hdr"; digits: number };
  keyed: boolean;
  missing?: Scalar;
  format?: string;
}

export interface DeviationAggregation {
  kind: "median_absolute_deviation";
  field: string;
  missing?: Scalar;
  format?: string;
}

export interface WeightedAvgAggregation {
  kind: "weighted_avg";
  value: { field: string; missing?: Scalar };
  weight: { field: string; missing?: Scalar };
  format?: string;
}

/** Combinations of values, in the order of the sources. Only at the top of a request. */
export interface CompositeAggregation {
  kind: "composite";
  sources: CompositeSource[];
  size: number;
  /** Keys of the last bucket seen, one per source. */
  after?: (Scalar | null)[];
}

export type CompositeSource = {
  name: string;
  field: string;
  order: "asc" | "desc";
  /** Whether documents without a value are counted, under no key. */
  missingBucket: boolean;
  missingOrder: "first" | "last" | "default";
  format?: string;
} & (
  | { kind: "terms" }
  | { kind: "histogram"; interval: number }
  | {
      kind: "date_histogram";
      interval: DateHistogramAggregation["interval"];
      timeZone?: string;
      offsetMillis: number;
    }
);

export interface CompositeBucket {
  /** By the name of the source. */
  key: Record<string, { value: string | number | bigint | boolean | null; isDouble: boolean }>;
  docCount: number;
  aggs: Record<string, AggregationResult>;
}

export interface TermsAggregation {
  kind: "terms";
  field: string;
  size: number;
  minDocCount: number;
  /** Terms of more documents are left out (default: none are); then the result is of `rare_terms`. */
  maxDocCount?: number;
  /** `_count`, `_key` or a metric path (`name`, `name.avg`); ties end with key ascending. */
  order: { by: string; direction: "asc" | "desc" }[];
  missing?: Scalar;
  /** Exact values, or a regular expression over the whole term (keyword fields). */
  include?: string[] | { pattern: string };
  exclude?: string[] | { pattern: string };
  format?: string;
}

export interface DateHistogramAggregation {
  kind: "date_histogram";
  field: string;
  interval:
    | { kind: "fixed"; millis: number }
    | { kind: "calendar"; unit: "minute" | "hour" | "day" | "week" | "month" | "quarter" | "year" };
  /** IANA name or `+hh:mm`; UTC unless said. */
  timeZone?: string;
  offsetMillis: number;
  minDocCount: number;
  format?: string;
  keyed: boolean;
  extendedBounds?: { min?: Scalar; max?: Scalar };
  missing?: Scalar;
  /** Key ascending unless said. */
  order?: { by: string; direction: "asc" | "desc" }[];
}

export interface HistogramAggregation {
  kind: "histogram";
  field: string;
  interval: number;
  offset: number;
  minDocCount: number;
  keyed: boolean;
  extendedBounds?: { min?: number; max?: number };
  missing?: Scalar;
  format?: string;
  order?: { by: string; direction: "asc" | "desc" }[];
}

export interface RangeAggregation {
  kind: "range" | "date_range";
  field: string;
  ranges: { key?: string; from?: Scalar; to?: Scalar }[];
  keyed: boolean;
  format?: string;
  timeZone?: string;
}

/** What a key is, so that the wire can name the result (`sterms`, `lterms`, `dterms`) and print it. */
export type KeyType = "string" | "long" | "unsigned" | "double" | "boolean" | "date" | "ip" | "unmapped";

export interface Bucket {
  key: string | number | bigint;
  /** How the key is printed where that differs (dates, booleans, formatted numbers). */
  keyAsString?: string;
  docCount: number;
  from?: number;
  fromAsString?: string;
  to?: number;
  toAsString?: string;
  aggs: Record<string, AggregationResult>;
}

export type AggregationResult = { meta?: Record<string, unknown> } & (
  | { kind: "avg" | "sum" | "min" | "max"; value: number | null; valueAsString?: string }
  | { kind: "median_absolute_deviation" | "weighted_avg"; value: number | null; valueAsString?: string }
  | {
      kind: "percentiles";
      method: "tdigest" | "hdr";
      keyed: boolean;
      values: { key: number; value: number | null; valueAsString?: string }[];
    }
  | { kind: "composite"; buckets: CompositeBucket[] }
  | { kind: "rare_terms"; keyType: KeyType; buckets: Bucket[] }
  | { kind: "value_count" | "cardinality"; value: number }
  | StatsResult
  | {
      kind: "terms";
      keyType: KeyType;
      buckets: Bucket[];
      sumOtherDocCount: number;
      docCountErrorUpperBound: number;
    }
  | { kind: "date_histogram" | "histogram" | "range" | "date_range" | "filters"; keyed: boolean; buckets: Bucket[] }
  | { kind: "filter" | "missing" | "global"; docCount: number; aggs: Record<string, AggregationResult> }
);

export interface StatsResult {
  kind: "stats" | "extended_stats";
  count: number;
  min: number | null;
  max: number | null;
  avg: number | null;
  sum: number;
  /** extended_stats only. */
  sumOfSquares?: number;
  /** extended_stats only, where it was asked for. */
  sigma?: number;
  /** Printed forms of min, max, avg and sum where the field has a format. */
  asString?: { min: string; max: string; avg: string; sum: string };
}
