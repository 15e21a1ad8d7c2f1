/** One-letter words for requests.ts: queries, sort keys and aggregations with Elasticsearch's defaults. */
import type {
  Aggregation,
  AggregationKind,
  HighlightField,
  Query,
  SearchRequest,
  SortKey,
} from "../../engine/index.js";

const DEFAULTS: Omit<SearchRequest, "query"> = {
  knn: [],
  from: 0,
  size: 10,
  sort: [],
  trackTotal: 10_000,
  trackScores: false,
  terminateAfter: 0,
  aggs: {},
  source: true,
  explain: false,
  highlight: [],
  docValueFields: [],
  profile: false,
};

/** A request with Elasticsearch's defaults. */
export function ask(query: Query, more: Partial<SearchRequest> = {}): SearchRequest {
  return { ...DEFAULTS, query, ...more };
}

type Scalar = string | number | boolean;
type Rest<Kind extends Query["kind"]> = Partial<Omit<Extract<Query, { kind: Kind }>, "kind" | "field">>;

export const all: Query = { kind: "match_all", boost: 1 };
export const none: Query = { kind: "match_none", boost: 1 };

export function match(query: string, more: Rest<"match"> = {}, field = "text"): Query {
  const defaults = { operator: "or", zeroTerms: "none", lenient: false, boost: 1 } as const;
  return { kind: "match", field, query, ...defaults, ...more };
}

export function phrase(query: string, more: Rest<"match_phrase"> = {}, field = "text"): Query {
  const defaults = { slop: 0, zeroTerms: "none", lastTermExpansions: 0, boost: 1 } as const;
  return { kind: "match_phrase", field, query, ...defaults, ...more };
}

export function multi(query: string, more: Rest<"multi_match"> = {}): Query {
  const fields = [
    { field: "text", boost: 1 },
    { field: "title", boost: 2 },
  ];
  const defaults = { type: "best_fields", operator: "or", tieBreaker: 0, slop: 0, lenient: false, boost: 1 } as const;
  return { kind: "multi_match", fields, query, zeroTerms: "none", ...defaults, ...more };
}

export function term(field: string, value: Scalar, more: Rest<"term"> = {}): Query {
  return { kind: "term", field, value, caseInsensitive: false, boost: 1, ...more };
}

export function terms(field: string, values: Scalar[], boost = 1): Query {
  return { kind: "terms", field, values, boost };
}

export function range(field: string, bounds: Rest<"range">): Query {
  return { kind: "range", field, boost: 1, ...bounds };
}

export function bool(clauses: Rest<"bool">): Query {
  return { kind: "bool", must: [], should: [], filter: [], mustNot: [], boost: 1, ...clauses };
}

export function exists(field: string): Query {
  return { kind: "exists", field, boost: 1 };
}

export function prefix(field: string, value: string, caseInsensitive = false): Query {
  return { kind: "prefix", field, value, caseInsensitive, boost: 1 };
}

export function wildcard(field: string, value: string, caseInsensitive = false): Query {
  return { kind: "wildcard", field, value, caseInsensitive, boost: 1 };
}

export function lines(pattern: string, more: Rest<"matching_lines"> = {}, field = "title.lines"): Query {
  const defaults = { syntax: "regex", caseInsensitive: false, wholeWord: false, multiline: false, boost: 1 } as const;
  return { kind: "matching_lines", field, pattern, ...defaults, ...more };
}

export function constant(filter: Query, boost = 1): Query {
  return { kind: "constant_score", filter, boost };
}

export function best(queries: Query[], tieBreaker = 0): Query {
  return { kind: "dis_max", queries, tieBreaker, boost: 1 };
}

export function by(field: string, order: "asc" | "desc" = "asc", more: Partial<SortKey> = {}): SortKey {
  return { field, order, missing: "_last", ...more };
}

export function agg(kind: AggregationKind, aggs: Record<string, Aggregation> = {}): Aggregation {
  return { ...kind, aggs } as Aggregation;
}

export const BY_COUNT = [
  { by: "_count", direction: "desc" as const },
  { by: "_key", direction: "asc" as const },
];

type KindOf<Kind> = Partial<Omit<Extract<AggregationKind, { kind: Kind }>, "kind" | "field">>;

export function byTerm(field: string, more: KindOf<"terms"> = {}, aggs: Record<string, Aggregation> = {}): Aggregation {
  return agg({ kind: "terms", field, size: 10, minDocCount: 1, order: BY_COUNT, ...more }, aggs);
}

export function byDate(
  interval: Extract<AggregationKind, { kind: "date_histogram" }>["interval"],
  more: KindOf<"date_histogram"> = {},
  aggs: Record<string, Aggregation> = {},
): Aggregation {
  const defaults = { offsetMillis: 0, minDocCount: 0, keyed: false };
  return agg({ kind: "date_histogram", field: "when", interval, ...defaults, ...more }, aggs);
}

export function byNumber(field: string, interval: number, more: KindOf<"histogram"> = {}): Aggregation {
  return agg({ kind: "histogram", field, interval, offset: 0, minDocCount: 0, keyed: false, ...more });
}

export function highlight(field: string, more: Partial<HighlightField> = {}): HighlightField {
  const shape = { fragmentSize: 40, numberOfFragments: 2, noMatchSize: 0, requireFieldMatch: true } as const;
  return { field, preTag: "<em>", postTag: "</em>", order: "none", encoder: "default", ...shape, ...more };
}
