import type { Query, Scalar } from "../query/query.js";

/** An aggregation to compute: plain data, with its sub-aggregations by name. `meta` is handed through untouched. */
export type Aggregation = AggregationKind & { aggs: Record<string, Aggregation>; meta?: Record<string, unknown> };

export type AggregationKind =
  | MetricAggregation
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
}

export interface TermsAggregation {
  kind: "terms";
  field: string;
  size: number;
  minDocCount: number;
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
export type KeyType = "string" | "long" | "double" | "boolean" | "date" | "ip" | "unmapped";

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
  /** Printed forms of min, max, avg and sum where the field has a format. */
  asString?: { min: string; max: string; avg: string; sum: string };
}
