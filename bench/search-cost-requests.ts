/** The requests of search-cost.ts, by name, over the log corpus. */
import type { Aggregation, Query, SearchRequest } from "../engine/index.js";
import type { LogDocument } from "./corpus/logs.js";

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

type Asked = Record<string, Partial<SearchRequest> & { query: Query }>;

const ALL: Query = { kind: "match_all", boost: 1 };
const EXACT = { trackTotal: Number.POSITIVE_INFINITY };

function match(query: string, operator: "or" | "and" = "or"): Query {
  return { kind: "match", field: "message", query, operator, zeroTerms: "none", lenient: false, boost: 1 };
}

function phrase(query: string): Query {
  return { kind: "match_phrase", field: "message", query, slop: 0, zeroTerms: "none", lastTermExpansions: 0, boost: 1 };
}

function term(field: string, value: string | number): Query {
  return { kind: "term", field, value, caseInsensitive: false, boost: 1 };
}

function pattern(kind: "prefix" | "wildcard", field: string, value: string): Query {
  return { kind, field, value, caseInsensitive: false, boost: 1 };
}

function bool(parts: { must?: Query[]; filter?: Query[]; mustNot?: Query[] }): Query {
  return { kind: "bool", must: [], filter: [], should: [], mustNot: [], boost: 1, ...parts };
}

/** Every request, complete. The words are of the documents, the same for the same documents. */
export function costRequests(documents: readonly LogDocument[]): Record<string, SearchRequest> {
  const words = documents.slice(100, 140).map((document) => document.message.split(" ")[0]);
  words.sort((a, b) => a.length - b.length);
  const asked = { ...ofWords(words), ...ofValues(documents), ...ofBuckets(documents), ...ofPages(documents, words) };
  return Object.fromEntries(Object.entries(asked).map(([name, one]) => [name, { ...DEFAULTS, ...one }]));
}

function ofWords(words: readonly string[]): Asked {
  const some = (count: number) => words.slice(0, count).join(" ");
  return {
    "a word": { query: match(some(1)) },
    "a word, counted": { query: match(some(1)), ...EXACT },
    "2 words or": { query: match(some(2)) },
    "2 words or, counted": { query: match(some(2)), ...EXACT },
    "5 words or": { query: match(some(5)) },
    "5 words or, counted": { query: match(some(5)), ...EXACT },
    "40 words or": { query: match(some(40)) },
    "40 words or, counted": { query: match(some(40)), ...EXACT },
    "2 words and": { query: match(some(2), "and") },
    "2 words and, counted": { query: match(some(2), "and"), ...EXACT },
    "a phrase": { query: phrase(some(2)) },
    "words with a least score": { query: match(some(2)), minScore: 0.5 },
  };
}

function ofValues(documents: readonly LogDocument[]): Asked {
  const agents = documents.slice(0, 60).map(({ agent }) => agent);
  return {
    "a frequent term": { query: term("host", "web-0") },
    "a rare term": { query: term("agent", agents[5]) },
    "60 terms": { query: { kind: "terms", field: "agent", values: agents, boost: 1 } },
    "a range not in order": { query: { kind: "range", field: "took", gte: 500, boost: 1 } },
    "a window of time": { query: window(documents) },
    "a prefix of all": { query: pattern("prefix", "agent", "Mozilla") },
    "a prefix of words": { query: pattern("prefix", "message", "b") },
    "a pattern led by text": { query: pattern("wildcard", "message", "ba*") },
    "a pattern led by nothing": { query: pattern("wildcard", "message", "*zq*") },
    "a status but a method": { query: bool({ filter: [term("status", 200)], mustNot: [term("method", "GET")] }) },
  };
}

function window(documents: readonly LogDocument[]): Query {
  const from = documents[0]["@timestamp"];
  return { kind: "range", field: "@timestamp", gte: from, lt: from + 300 * documents.length, boost: 1 };
}

function terms(field: string, aggs: Record<string, unknown> = {}): Record<string, unknown> {
  return { kind: "terms", field, size: 10, minDocCount: 1, order: [{ by: "_count", direction: "desc" }], aggs };
}

function metric(kind: string, field: string): Record<string, unknown> {
  return { kind, field, aggs: {} };
}

function hours(aggs: Record<string, unknown> = {}): Record<string, unknown> {
  const interval = { kind: "fixed", millis: 3_600_000 };
  return { kind: "date_histogram", field: "@timestamp", interval, offsetMillis: 0, minDocCount: 0, keyed: false, aggs };
}

function ofBuckets(documents: readonly LogDocument[]): Asked {
  const within = (query: Query, aggregation: Record<string, unknown>) => {
    return { query, size: 0, aggs: { x: aggregation as unknown as Aggregation } };
  };
  return {
    "terms of all": within(ALL, terms("host")),
    "many terms of all": within(ALL, terms("clientip")),
    "terms of a window": within(window(documents), terms("host")),
    "terms and averages": within(ALL, terms("host", { y: metric("avg", "bytes") })),
    "terms of terms": within(ALL, terms("host", { y: terms("method") })),
    "hours of all": within(ALL, hours()),
    "hours of a window": within(window(documents), hours()),
    "hours and statistics of a window": within(window(documents), hours({ y: metric("stats", "bytes") })),
    "statistics of all": within(ALL, metric("stats", "bytes")),
    "distinct values of all": within(ALL, metric("cardinality", "clientip")),
    "an average of a term": within(term("host", "web-0"), metric("avg", "bytes")),
  };
}

function ofPages(documents: readonly LogDocument[], words: readonly string[]): Asked {
  const look = { fragmentSize: 100, numberOfFragments: 3, noMatchSize: 0, requireFieldMatch: true } as const;
  const tags = { preTag: "<b>", postTag: "</b>", order: "none", encoder: "default" } as const;
  const narrowed = bool({ must: [match(words[0])], filter: [term("status", 500), window(documents)] });
  return {
    "all documents": { query: ALL },
    "a word, a status, a window": { query: narrowed },
    "sorted, in order": { query: ALL, sort: [{ field: "@timestamp", order: "desc", missing: "_last" }] },
    "sorted, not in order": { query: ALL, sort: [{ field: "bytes", order: "desc", missing: "_last" }] },
    "sorted by term": { query: ALL, sort: [{ field: "agent", order: "asc", missing: "_last" }] },
    "1000 hits side by side": { query: ALL, size: 1000 },
    "1000 hits far apart": { query: term("agent", documents[5].agent), size: 1000 },
    "1000 ids": { query: ALL, size: 1000, source: false },
    "50 hits highlighted": { query: match(words[0]), size: 50, highlight: [{ field: "message", ...look, ...tags }] },
    "50 hits explained": { query: match(words.slice(0, 3).join(" ")), size: 50, explain: true },
  };
}
