/**
 * The requests of same-answer.test.ts, by name: every kind of query, sorting, page, aggregation and highlight the
 * engine has, with the parameters that change how they are executed.
 */
import type { Aggregation, MetricAggregation, Query, SearchRequest } from "../../engine/index.js";
import * as q from "./builders.js";
import { document } from "./corpus.js";

/** Queries that are asked for their best hits, with scores. */
const QUERIES: Record<string, Query> = {
  "all documents": q.all,
  "a frequent word": q.match("alpha"),
  "a rare word": q.match("rare7"),
  "a word that is nowhere": q.match("omega"),
  "words, any": q.match("alpha beta gamma delta"),
  "words, any, rare and frequent": q.match("rare3 alpha rare500 beta"),
  "words, all": q.match("alpha beta", { operator: "and" }),
  "words, two of four": q.match("alpha beta gamma delta", { minimumShouldMatch: "2" }),
  "words, three quarters": q.match("alpha beta gamma delta", { minimumShouldMatch: "75%" }),
  "words, boosted": q.match("alpha rare5", { boost: 3.5 }),
  "words of another field": q.match("quick brown", {}, "title"),
  "words of a keyword": q.match("t3", {}, "tag"),
  "a phrase": q.phrase("alpha beta"),
  "a phrase with slop": q.phrase("beta alpha", { slop: 3 }),
  "a phrase of another field": q.phrase("quick brown fox", {}, "title"),
  "a phrase, its last word begun": q.phrase("quick bro", { lastTermExpansions: 50 }, "title"),
  "words of two fields, the best": q.multi("alpha quick"),
  "words of two fields, the best and some of the rest": q.multi("alpha quick brown", { tieBreaker: 0.3 }),
  "words of two fields, added": q.multi("alpha quick", { type: "most_fields" }),
  "words of two fields, all": q.multi("quick brown", { operator: "and" }),
  "a phrase of two fields": q.multi("brown fox", { type: "phrase" }),
  "an exact word": q.term("text", "gamma"),
  "an exact tag": q.term("tag", "t3"),
  "an exact tag in any case": q.term("tag", "T3", { caseInsensitive: true }),
  "a tag of several": q.term("tags", "g2"),
  "an exact number": q.term("n", 137),
  "an exact number of several": q.term("many", 6),
  "an exact float": q.term("f", document(9).f as number),
  "an exact boolean": q.term("maybe", true),
  "an exact date": q.term("when", "2024-01-03"),
  "an address": q.term("from", "10.1.1.1"),
  "a network": q.term("from", "10.1.0.0/16"),
  "some of many terms": q.terms("tag", ["t1", "t5", "none"], 2),
  "some of many numbers": q.terms("n", [1, 2, 3, 500, 999]),
  "some of many words": q.terms("text", ["rare1", "rare2", "delta"]),
  "a range of numbers": q.range("n", { gte: 100, lt: 600 }),
  "a narrow range of numbers": q.range("n", { gt: 499, lte: 501 }),
  "an open range of doubles": q.range("x", { gt: 0.5 }),
  "a range of floats": q.range("f", { gte: 1, lte: 2 }),
  "a range of several numbers": q.range("many", { gte: 10, lt: 12 }),
  "a range of dates": q.range("when", { gte: "2024-01-03" }),
  "a range of dates, rounded": q.range("when", { gte: "2024-01-02||/d", lt: "2024-01-02||+2d/d" }),
  "a range of dates in a zone": q.range("when", { gte: "2024-01-02", lt: "2024-01-04", timeZone: "+05:30" }),
  "a range of tags": q.range("tag", { gte: "t1", lt: "t2" }),
  "a range of addresses": q.range("from", { gte: "10.0.0.0", lt: "10.0.50.0" }),
  "a field that exists": q.exists("maybe"),
  "a field with vectors": q.exists("vector"),
  "a text that exists": q.exists("text"),
  "a prefix": q.prefix("tag", "t1"),
  "a prefix in any case": q.prefix("tag", "T2", true),
  "a prefix of words": q.prefix("text", "rare99"),
  "a wildcard": q.wildcard("tag", "t?2*"),
  "a wildcard inside": q.wildcard("tag", "*3"),
  "a wildcard of words": q.wildcard("text", "rare*7"),
  "lines of a pattern": q.lines("^a? ?\\w+ .*(fox|dogs)"),
  "lines of a text in any case": q.lines("QUICK", { syntax: "literal", caseInsensitive: true, boost: 2 }),
  "lines of a field without an index of them": q.lines("rare9\\d \\w", {}, "text"),
  "lines among filters": q.bool({
    filter: [q.lines("brown"), q.term("tags", "g1")],
    mustNot: [q.lines("quick quick|study", { wholeWord: true })],
  }),
  "a wildcard of whole values": q.wildcard("title.lines", "*brown*"),
  "a regexp of whole values": {
    kind: "regexp",
    field: "title.lines",
    value: "[a-m].*s",
    caseInsensitive: true,
    boost: 1,
  },
  "a regexp of terms": { kind: "regexp", field: "tag", value: "t[1-3].?", caseInsensitive: false, boost: 1 },
  "some ids": { kind: "ids", values: ["d3", "d701", "d1402", "nobody"], boost: 1 },
  "a tree of clauses": q.bool({
    must: [q.match("alpha")],
    should: [q.match("gamma"), q.term("tag", "t2")],
    filter: [q.range("n", { gte: 50 })],
    mustNot: [q.term("tag", "t4")],
  }),
  "should clauses only": q.bool({ should: [q.match("alpha"), q.match("rare9"), q.term("tag", "t7")] }),
  "two of the should clauses": q.bool({
    should: [q.match("alpha"), q.match("beta"), q.term("tags", "g1")],
    minimumShouldMatch: "2",
  }),
  "filters only": q.bool({ filter: [q.term("tags", "g0"), q.range("n", { lt: 300 }), q.exists("maybe")] }),
  "all but some": q.bool({ mustNot: [q.match("alpha"), q.range("n", { gte: 500 })] }),
  "clauses in clauses": q.bool({
    must: [
      q.bool({ should: [q.match("alpha"), q.match("beta")] }),
      q.bool({ must: [q.phrase("gamma delta", { slop: 9 })] }),
    ],
    should: [q.constant(q.term("maybe", false), 4)],
  }),
  "a filter with a score": q.constant(q.match("alpha"), 2.5),
  "the best of two": q.best([q.match("beta"), q.match("delta")], 0.3),
  "the best of many": q.best([
    q.match("alpha"),
    q.phrase("beta alpha", { slop: 2 }),
    q.term("tag", "t1"),
    q.match("rare8"),
  ]),
  "a named query": q.bool({ should: [q.match("alpha", { name: "first" }), q.term("tag", "t9", { name: "second" })] }),
  "some virtual shards": { kind: "virtual_shard", shards: 5, wanted: [1, 3], boost: 1 },
};

const SHOWN_LINES = { size: 5, before: 0, after: 0, maxLineBytes: 12, totals: false };

const SORTS: Record<string, SearchRequest["sort"]> = {
  number: [q.by("n")],
  "number, falling": [q.by("n", "desc")],
  double: [q.by("x")],
  "double, falling": [q.by("x", "desc")],
  float: [q.by("f", "desc")],
  date: [q.by("when")],
  "date, printed": [q.by("when", "desc", { format: "yyyy-MM-dd" })],
  tag: [q.by("tag")],
  "several tags": [q.by("tags", "desc"), q.by("n")],
  "least of several": [q.by("many", "asc", { missing: "_first" })],
  "sum of several": [q.by("many", "desc", { mode: "sum" })],
  "average of several": [q.by("many", "asc", { mode: "avg" })],
  boolean: [q.by("maybe", "desc", { missing: "_first" })],
  "boolean, then number": [q.by("maybe"), q.by("n", "desc")],
  address: [q.by("from")],
  "missing as a value": [q.by("many", "asc", { missing: 25 }), q.by("n")],
  "index order": [q.by("_doc")],
  "score, then tag": [q.by("_score", "desc"), q.by("tag")],
  "tag, then number, then date": [q.by("tag", "desc"), q.by("n"), q.by("when", "desc")],
};

const metric = (kind: MetricAggregation["kind"], field: string, more: Partial<MetricAggregation> = {}) =>
  q.agg({ kind, field, ...more });

const DAYS = { kind: "calendar", unit: "day" } as const;

const AGGREGATIONS: Record<string, Aggregation> = {
  ...Object.fromEntries(
    (["avg", "sum", "min", "max", "stats", "extended_stats", "value_count", "cardinality"] as const).flatMap((kind) =>
      ["n", "x", "many"].map((field) => [`${kind} of ${field}`, metric(kind, field)]),
    ),
  ),
  "sum of f": metric("sum", "f"),
  "average with a value for the missing": metric("avg", "many", { missing: 100 }),
  "count of tags": metric("value_count", "tags"),
  "distinct tags": metric("cardinality", "tag"),
  "distinct texts": metric("cardinality", "text.raw"),
  "extent of dates": metric("stats", "when"),
  "most frequent tags": q.byTerm("tag"),
  "least frequent tags": q.byTerm("tag", { order: [{ by: "_count", direction: "asc" }] }),
  "tags by name": q.byTerm("tag", { order: [{ by: "_key", direction: "desc" }], size: 3 }),
  "tags by their mean": q.byTerm("tag", { order: [{ by: "mean", direction: "desc" }] }, { mean: metric("avg", "x") }),
  "tags by their sum": q.byTerm("tag", { order: [{ by: "sum", direction: "asc" }] }, { sum: metric("sum", "x") }),
  "some tags": q.byTerm("tag", { include: ["t1", "t2", "t30"] }),
  "all tags but some": q.byTerm("tag", { exclude: { pattern: "t[12].*" } }),
  "several tags each": q.byTerm("tags", { size: 3 }),
  "numbers as terms": q.byTerm("n", { size: 7 }),
  "several numbers as terms": q.byTerm("many", { minDocCount: 50 }),
  "booleans as terms": q.byTerm("maybe", { missing: false }),
  "addresses as terms": q.byTerm("from", { size: 4 }),
  "tags in tags": q.byTerm(
    "tags",
    { size: 4 },
    { inner: q.byTerm("tag", { size: 3 }, { x: metric("extended_stats", "x") }) },
  ),
  days: q.byDate(DAYS),
  "days with tags": q.byDate(DAYS, {}, { tags: q.byTerm("tag", { size: 4 }), sum: metric("sum", "x") }),
  "days of a zone": q.byDate(DAYS, { timeZone: "America/New_York" }),
  "hours that have any": q.byDate({ kind: "calendar", unit: "hour" }, { minDocCount: 1, format: "yyyy-MM-dd HH" }),
  months: q.byDate({ kind: "calendar", unit: "month" }, { keyed: true }),
  "six hours, from three on": q.byDate({ kind: "fixed", millis: 6 * 3_600_000 }, { offsetMillis: 3 * 3_600_000 }),
  "weeks around": q.byDate(
    { kind: "calendar", unit: "week" },
    { extendedBounds: { min: "2023-12-01", max: "2024-02-01" } },
  ),
  "steps of number": q.byNumber("n", 100),
  "steps of double": q.byNumber("x", 1e6, { minDocCount: 1 }),
  "steps of several": q.byNumber("many", 7, { offset: 3, keyed: true }),
  "ranges of number": q.agg(
    { kind: "range", field: "x", ranges: [{ to: 0 }, { from: 0, to: 50 }, { from: 50 }], keyed: false },
    { n: metric("avg", "n") },
  ),
  "ranges that overlap": q.agg({
    kind: "range",
    field: "n",
    ranges: [
      { from: 0, to: 600 },
      { from: 400, key: "high" },
    ],
    keyed: true,
  }),
  "ranges of date": q.agg({
    kind: "date_range",
    field: "when",
    ranges: [{ to: "2024-01-03" }, { from: "2024-01-03||/d" }],
    keyed: false,
  }),
  "one filter": q.agg({ kind: "filter", filter: q.term("tags", "g1") }, { x: metric("sum", "x") }),
  "several filters": q.agg(
    {
      kind: "filters",
      filters: [
        { key: "a", filter: q.match("alpha") },
        { key: "b", filter: q.match("beta") },
      ],
      keyed: true,
      otherKey: "rest",
    },
    { mean: metric("avg", "x") },
  ),
  "what is missing": q.agg({ kind: "missing", field: "maybe" }, { n: metric("stats", "n") }),
  "everything beside the query": q.agg({ kind: "global" }, { n: metric("sum", "n") }),
};

const ALPHA = q.match("alpha beta");

/** What a request can want beside its hits. */
const SHAPES: Record<string, SearchRequest> = {
  "a page of 25": q.ask(ALPHA, { size: 25 }),
  "the third page": q.ask(ALPHA, { from: 20, size: 10 }),
  "a page far behind": q.ask(q.all, { from: 900, size: 5 }),
  "no hits": q.ask(ALPHA, { size: 0 }),
  "hits without a count": q.ask(ALPHA, { trackTotal: 0 }),
  "a count up to a hundred": q.ask(ALPHA, { trackTotal: 100 }),
  "an exact count": q.ask(ALPHA, { trackTotal: Number.POSITIVE_INFINITY }),
  "explained hits": q.ask(q.bool({ must: [ALPHA], should: [q.phrase("alpha beta", { slop: 2 })] }), {
    size: 3,
    explain: true,
  }),
  "explained filters": q.ask(q.bool({ filter: [ALPHA], should: [q.constant(q.term("tag", "t1"), 2)] }), {
    size: 3,
    explain: true,
  }),
  "scores above a limit": q.ask(ALPHA, { minScore: 1.2 }),
  "narrowed after aggregating": q.ask(ALPHA, { postFilter: q.term("tag", "t1"), aggs: { tags: q.byTerm("tag") } }),
  "sorted, with scores": q.ask(ALPHA, { sort: [q.by("n")], trackScores: true }),
  "sorted, the third page": q.ask(ALPHA, { sort: [q.by("n", "desc")], from: 20 }),
  "after a hit": q.ask(q.all, { sort: [q.by("n")], searchAfter: [400] }),
  "after a hit of two keys": q.ask(q.all, { sort: [q.by("tag"), q.by("n", "desc")], searchAfter: ["t2", 300] }),
  "values of columns": q.ask(ALPHA, {
    docValueFields: [
      { field: "when", format: "epoch_millis" },
      { field: "many" },
      { field: "tags" },
      { field: "x" },
      { field: "from" },
    ],
    source: false,
  }),
  "highlighted words": q.ask(q.match("alpha rare5"), { highlight: [q.highlight("text")] }),
  "a highlighted phrase": q.ask(q.phrase("brown fox", {}, "title"), {
    highlight: [q.highlight("title", { numberOfFragments: 0 })],
  }),
  "lines of hits": q.ask(q.lines("brown|quick"), { source: false, trackTotal: 0, size: 7, matchingLines: SHOWN_LINES }),
  "all lines, of many documents": q.ask(q.lines("brown|quick"), {
    source: false,
    size: 5000,
    from: 3,
    trackTotal: Number.POSITIVE_INFINITY,
    matchingLines: { ...SHOWN_LINES, totals: true },
  }),
  "all lines, as far as a page goes": q.ask(q.lines("fox"), { size: 4, from: 400, matchingLines: SHOWN_LINES }),
  "how many lines": q.ask(q.lines("o"), { size: 0, trackTotal: 0, matchingLines: { ...SHOWN_LINES, totals: true } }),
  "lines of whole values, counted up to a limit": q.ask(q.lines("t[0-4]$", {}, "tag"), { size: 2, trackTotal: 1000 }),
  "lines of a text without an index": q.ask(q.lines("rare9", {}, "text"), { size: 3, trackTotal: 5000 }),
  "lines of hits, counted": q.ask(q.bool({ should: [q.lines("fox"), q.lines("rare9", {}, "text")] }), {
    sort: [q.by("n")],
    matchingLines: { ...SHOWN_LINES, before: 1, totals: true },
  }),
  "all lines among conditions, in the order of documents": q.ask(
    q.bool({ filter: [q.lines("brown|quick"), q.term("tags", "g1")], mustNot: [q.lines("study")] }),
    { size: 2000, trackTotal: 0, sort: [q.by("_doc")], matchingLines: SHOWN_LINES },
  ),
  "lines that score, among conditions": q.ask(
    q.bool({ must: [q.lines("o", { boost: 3 })], filter: [q.term("tags", "g1")] }),
    {
      size: 1500,
      from: 3,
      matchingLines: { ...SHOWN_LINES, totals: true },
    },
  ),
  "the first hits of a pattern": q.ask(q.lines("a"), { trackTotal: 0, sort: [q.by("_doc")], size: 4 }),
  "highlights by score": q.ask(q.multi("quick alpha"), {
    highlight: [q.highlight("title", { order: "score" }), q.highlight("text", { fragmentSize: 18, order: "score" })],
  }),
  "highlights of another query": q.ask(q.term("tag", "t3"), {
    highlight: [q.highlight("text", { highlightQuery: q.match("gamma"), noMatchSize: 20 })],
  }),
  "neighbours of a vector": q.ask(q.none, { knn: [neighbours([0.3, 0.7, 0.5, 0.5])] }),
  "neighbours among some": q.ask(q.none, { knn: [{ ...neighbours([1, 0, 0.2, 0.5]), filter: q.term("tags", "g1") }] }),
  "neighbours and words": q.ask(q.match("rare7 alpha"), { knn: [{ ...neighbours([0.1, 0.9, 0.9, 0.5]), boost: 3 }] }),
  "several aggregations at once": q.ask(q.match("alpha"), {
    size: 2,
    aggs: pick("sum of x", "most frequent tags", "days", "distinct tags"),
  }),
};

function neighbours(vector: number[]) {
  return { field: "vector", vector, k: 10, numCandidates: 100, boost: 1 };
}

function pick(...names: string[]): Record<string, Aggregation> {
  return Object.fromEntries(names.map((name, i) => [`a${i}`, AGGREGATIONS[name]]));
}

/** All of them. */
export const REQUESTS: Record<string, SearchRequest> = {
  ...named("query", QUERIES, (query) => q.ask(query)),
  ...named("sorted by", SORTS, (sort) => q.ask(q.all, { sort, size: 20 })),
  ...named("some, sorted by", SORTS, (sort) => q.ask(q.match("alpha"), { sort, size: 5, from: 3 })),
  ...named("aggregation", AGGREGATIONS, (one) => q.ask(q.all, { size: 0, aggs: { one } })),
  ...named("aggregation of some", AGGREGATIONS, (one) => q.ask(q.match("alpha delta"), { size: 0, aggs: { one } })),
  ...named("request", SHAPES, (one) => one),
};

function named<T>(
  kind: string,
  table: Record<string, T>,
  make: (value: T) => SearchRequest,
): Record<string, SearchRequest> {
  return Object.fromEntries(Object.entries(table).map(([name, value]) => [`${kind}: ${name}`, make(value)]));
}

/** Requests that find nothing on purpose. */
export const EMPTY = ["query: a word that is nowhere"];
