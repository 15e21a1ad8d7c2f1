/** The requests of same-answer.test.ts, by name: every kind of query, sorting and aggregation the engine has. */
import type { Aggregation, Query, SearchRequest } from "../../engine/index.js";

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

const ALL: Query = { kind: "match_all", boost: 1 };

function match(query: string, operator: "or" | "and" = "or"): Query {
  return { kind: "match", field: "text", query, operator, zeroTerms: "none", lenient: false, boost: 1 };
}

function phrase(query: string, slop = 0): Query {
  const rest = { zeroTerms: "none", lastTermExpansions: 0, boost: 1 } as const;
  return { kind: "match_phrase", field: "text", query, slop, ...rest };
}

function term(field: string, value: string | number | boolean): Query {
  return { kind: "term", field, value, caseInsensitive: false, boost: 1 };
}

function agg(kind: Record<string, unknown>, aggs: Record<string, Aggregation> = {}): Aggregation {
  return { ...kind, aggs } as unknown as Aggregation;
}

const BY_TAG = { kind: "terms", field: "tag", size: 5, minDocCount: 1, order: [{ by: "_count", direction: "desc" }] };

/** A request with Elasticsearch's defaults. */
export function request(query: Query, more: Partial<SearchRequest> = {}): SearchRequest {
  return { ...DEFAULTS, query, ...more };
}

export const REQUESTS: Record<string, SearchRequest> = {
  "all documents": request(ALL),
  "a frequent word": request(match("alpha"), { size: 25 }),
  "a rare word": request(match("rare7")),
  "words, any": request(match("alpha beta gamma delta")),
  "words, all": request(match("alpha beta", "and"), { explain: true }),
  "a phrase": request(phrase("alpha beta")),
  "a phrase with slop": request(phrase("beta alpha", 3)),
  "an exact tag": request(term("tag", "t3"), { trackTotal: Number.POSITIVE_INFINITY }),
  "some of many terms": request({ kind: "terms", field: "tag", values: ["t1", "t5", "none"], boost: 2 }),
  "a range of numbers": request({ kind: "range", field: "n", gte: 100, lt: 600, boost: 1 }),
  "a range of dates": request({ kind: "range", field: "when", gte: "2024-01-03", boost: 1 }),
  "a field that exists": request({ kind: "exists", field: "maybe", boost: 1 }),
  "a prefix": request({ kind: "prefix", field: "tag", value: "t1", caseInsensitive: false, boost: 1 }),
  "a wildcard": request({ kind: "wildcard", field: "tag", value: "t?2*", caseInsensitive: false, boost: 1 }),
  ids: request({ kind: "ids", values: ["d3", "d700", "d4000"], boost: 1 }),
  "a tree of clauses": request({
    kind: "bool",
    must: [match("alpha")],
    should: [match("gamma"), term("tag", "t2")],
    filter: [{ kind: "range", field: "n", gte: 50, boost: 1 }],
    mustNot: [term("tag", "t4")],
    boost: 1,
  }),
  "the best of two": request({ kind: "dis_max", queries: [match("beta"), match("delta")], tieBreaker: 0.3, boost: 1 }),
  "sorted by number, a page": request(ALL, {
    sort: [{ field: "n", order: "desc", missing: "_last" }],
    from: 40,
    size: 20,
    docValueFields: [{ field: "when" }],
  }),
  "sorted by tag, then number": request(match("alpha"), {
    sort: [
      { field: "tag", order: "asc", missing: "_last" },
      { field: "n", order: "asc", missing: "_first" },
    ],
    trackScores: true,
  }),
  "after a hit": request(ALL, { sort: [{ field: "n", order: "asc", missing: "_last" }], searchAfter: [400] }),
  "sums and counts": request(match("alpha"), {
    size: 0,
    aggs: {
      sum: agg({ kind: "sum", field: "x" }),
      stats: agg({ kind: "extended_stats", field: "x" }),
      tags: agg(BY_TAG, { mean: agg({ kind: "avg", field: "x" }) }),
      distinct: agg({ kind: "cardinality", field: "n" }),
    },
  }),
  "buckets of time and number": request(ALL, {
    size: 0,
    aggs: {
      days: agg(
        {
          kind: "date_histogram",
          field: "when",
          interval: { kind: "calendar", unit: "day" },
          offsetMillis: 0,
          minDocCount: 0,
          keyed: false,
        },
        { tags: agg(BY_TAG) },
      ),
      steps: agg({ kind: "histogram", field: "n", interval: 100, offset: 0, minDocCount: 0, keyed: false }),
      ranges: agg({ kind: "range", field: "x", ranges: [{ to: 0 }, { from: 0, to: 50 }, { from: 50 }], keyed: false }),
      none: agg({ kind: "missing", field: "maybe" }),
    },
  }),
};
