import { describe, expect, it } from "vitest";
import type { MatchAll } from "../query/query.js";
import { executeSearch } from "../query/search-exec.js";
import { memoryReader, searchRequest, testEnvironment, testIndex } from "../query/testing/memory-reader.js";
import { RANDOM_INDEX, type Random, random, randomDocuments, randomQuery } from "../query/testing/random.js";
import type { Aggregation, AggregationKind } from "./aggregation.js";

const ALL: MatchAll = { kind: "match_all", boost: 1 };
const environment = testEnvironment();
const SALES = testIndex({
  shop: { type: "keyword" },
  price: { type: "double" },
  amount: { type: "long" },
  time: { type: "date" },
  open: { type: "boolean" },
  note: { type: "text" },
});

const SOURCES = [
  { shop: "north", price: 0.1, amount: 3, time: "2024-03-30T22:30:00Z", open: true },
  { shop: "north", price: 0.2, amount: 5, time: "2024-03-31T01:30:00Z", open: false },
  { shop: ["south", "north"], price: 0.3, amount: [1, 1, 9], time: "2024-04-02T00:00:00Z" },
  { shop: "west", amount: 7, time: "2024-04-02T12:00:00Z", open: true },
  { price: 10 },
];
const DOCUMENTS = SOURCES.map((source, i) => ({ id: String(i), source }));

/** The result of one aggregation over the sales, without a query. */
async function aggregate(aggregation: AggregationKind & { aggs?: Record<string, Aggregation> }): Promise<unknown> {
  const source = memoryReader(environment, SALES, DOCUMENTS, { segments: [2, 3] });
  const a = { aggs: {}, ...aggregation } as Aggregation;
  const { aggregations } = await executeSearch(
    [source],
    searchRequest({ query: ALL, size: 0, aggs: { a } }),
    environment,
  );
  return aggregations.a;
}

/** Keys and counts of a result's buckets. */
function counts(result: unknown): [unknown, number][] {
  const { buckets } = result as { buckets: { key: unknown; keyAsString?: string; docCount: number }[] };
  return buckets.map(({ key, keyAsString, docCount }) => [keyAsString ?? key, docCount]);
}

const TERMS = {
  kind: "terms" as const,
  size: 10,
  minDocCount: 1,
  order: [{ by: "_count", direction: "desc" as const }],
};
const BY_DAY = {
  kind: "date_histogram",
  field: "time",
  interval: { kind: "calendar", unit: "day" },
  offsetMillis: 0,
  minDocCount: 0,
  keyed: false,
} as const;

describe("aggregations", () => {
  it("count a document once under each of its terms, ties by key", async () => {
    const result = await aggregate({ ...TERMS, field: "shop" });
    expect(counts(result)).toEqual([
      ["north", 3],
      ["south", 1],
      ["west", 1],
    ]);
    expect(result).toMatchObject({ keyType: "string", sumOtherDocCount: 0, docCountErrorUpperBound: 0 });
  });

  it("show how many documents the terms left out have", async () => {
    expect(await aggregate({ ...TERMS, field: "shop", size: 1 })).toMatchObject({ sumOtherDocCount: 2 });
  });

  it("count documents without a value under the missing one, in its place", async () => {
    const result = await aggregate({
      ...TERMS,
      field: "shop",
      missing: "nowhere",
      order: [{ by: "_key", direction: "asc" }],
    });
    expect(counts(result).map(([key]) => key)).toEqual(["north", "nowhere", "south", "west"]);
  });

  it("include and exclude terms by list and by pattern over the whole term", async () => {
    expect(counts(await aggregate({ ...TERMS, field: "shop", include: ["west"] }))).toEqual([["west", 1]]);
    expect(
      counts(await aggregate({ ...TERMS, field: "shop", include: { pattern: ".*th" }, exclude: ["south"] })),
    ).toEqual([["north", 3]]);
  });

  it("order terms by a metric of theirs", async () => {
    const most = { kind: "max", field: "amount", aggs: {} } as const;
    const result = await aggregate({
      ...TERMS,
      field: "shop",
      order: [{ by: "most", direction: "asc" }],
      aggs: { most },
    });
    expect(counts(result).map(([key]) => key)).toEqual(["west", "north", "south"]);
    await expect(aggregate({ ...TERMS, field: "shop", order: [{ by: "least", direction: "asc" }] })).rejects.toThrow(
      "Invalid aggregation order path [least]",
    );
  });

  it("give booleans as 0 and 1 with their names, and equal numbers of a document once", async () => {
    expect(counts(await aggregate({ ...TERMS, field: "open" }))).toEqual([
      ["true", 2],
      ["false", 1],
    ]);
    expect(counts(await aggregate({ ...TERMS, field: "amount" }))).toContainEqual([1, 1]);
  });

  it("sum exactly, and print dates beside their numbers", async () => {
    expect(await aggregate({ kind: "sum", field: "price" })).toEqual({ kind: "sum", value: 10.6 });
    expect(await aggregate({ kind: "avg", field: "price", missing: 0 })).toEqual({ kind: "avg", value: 2.12 });
    expect(await aggregate({ kind: "max", field: "time" })).toEqual({
      kind: "max",
      value: Date.parse("2024-04-02T12:00:00Z"),
      valueAsString: "2024-04-02T12:00:00.000Z",
    });
    expect(await aggregate({ kind: "value_count", field: "amount" })).toMatchObject({ value: 6 });
    expect(await aggregate({ kind: "cardinality", field: "shop" })).toMatchObject({ value: 3 });
  });

  it("give nothing, not zero, for the mean of no values", async () => {
    expect(await aggregate({ kind: "avg", field: "absent" })).toEqual({ kind: "avg", value: null });
    expect(await aggregate({ kind: "stats", field: "absent" })).toMatchObject({
      count: 0,
      min: null,
      avg: null,
      sum: 0,
    });
  });

  it("cut days in a time zone, across the change to summer time, and fill gaps", async () => {
    expect(counts(await aggregate({ ...BY_DAY, timeZone: "Europe/Berlin" }))).toEqual([
      ["2024-03-30T00:00:00.000+01:00", 1],
      ["2024-03-31T00:00:00.000+01:00", 1],
      ["2024-04-01T00:00:00.000+02:00", 0],
      ["2024-04-02T00:00:00.000+02:00", 2],
    ]);
  });

  it("extend a histogram to its bounds, and refuse to fill more buckets than a response may have", async () => {
    const bounds = { min: "2024-03-29", max: "2024-04-03" };
    expect(counts(await aggregate({ ...BY_DAY, extendedBounds: bounds }))).toHaveLength(6);
    const everyMinute = { kind: "fixed", millis: 60_000 } as const;
    await expect(
      aggregate({ ...BY_DAY, interval: everyMinute, extendedBounds: { min: "2020-01-01", max: "2024-01-01" } }),
    ).rejects.toMatchObject({ code: "too_many_buckets" });
  });

  it("put a document into every range it lies in, start included, end not", async () => {
    const ranges = [{ from: 0.2 }, { to: 0.2 }, { key: "some", from: 0.1, to: 0.3 }];
    expect(counts(await aggregate({ kind: "range", field: "price", ranges, keyed: false }))).toEqual([
      ["*-0.2", 1],
      ["some", 2],
      ["0.2-*", 3],
    ]);
  });

  it("tell documents apart by filters, the rest in a bucket of its own", async () => {
    const filter = { kind: "term", field: "shop", value: "north", caseInsensitive: false, boost: 1 } as const;
    const result = await aggregate({
      kind: "filters",
      filters: [{ key: "n", filter }],
      keyed: true,
      otherKey: "_other_",
    });
    expect(counts(result)).toEqual([
      ["n", 3],
      ["_other_", 2],
    ]);
    expect(await aggregate({ kind: "missing", field: "shop" })).toEqual({ kind: "missing", docCount: 1, aggs: {} });
  });

  it("refuse texts and terms without numbers in Elasticsearch's words", async () => {
    await expect(aggregate({ ...TERMS, field: "note" })).rejects.toMatchObject({
      code: "fielddata_disabled",
      message: expect.stringContaining(
        "Text fields are not optimised for operations that require per-document field data",
      ),
    });
    await expect(aggregate({ kind: "avg", field: "shop" })).rejects.toThrow(
      "Field [shop] of type [keyword] is not supported for aggregation [avg]",
    );
  });

  it("see all live documents when global, and hand meta through", async () => {
    const source = memoryReader(environment, SALES, DOCUMENTS, { deleted: new Set(["3"]) });
    const aggs: Record<string, Aggregation> = {
      everything: { kind: "global", meta: { note: 1 }, aggs: { n: { kind: "value_count", field: "shop", aggs: {} } } },
    };
    const query = { kind: "term", field: "open", value: true, caseInsensitive: false, boost: 1 } as const;
    const { aggregations, total } = await executeSearch([source], searchRequest({ query, aggs, size: 0 }), environment);
    expect(total?.value).toBe(1);
    expect(aggregations.everything).toEqual({
      meta: { note: 1 },
      kind: "global",
      docCount: 4,
      aggs: { n: { kind: "value_count", value: 4 } },
    });
  });
});

function randomAggregation(r: Random, depth: number): Aggregation {
  const aggs: Record<string, Aggregation> = {};
  if (depth > 0) for (let i = r.below(3); i > 0; i--) aggs[`sub${i}`] = randomAggregation(r, depth - 1);
  const number = r.pick(["count", "price", "date", "flag"]);
  return r.pick<() => Aggregation>([
    () => ({ kind: r.pick(["avg", "sum", "min", "max", "stats", "extended_stats"] as const), field: number, aggs: {} }),
    () => ({
      kind: r.pick(["value_count", "cardinality"] as const),
      field: r.pick(["tag", "count", "address"]),
      aggs: {},
    }),
    () => ({
      ...TERMS,
      order: [...TERMS.order],
      minDocCount: r.below(3),
      field: r.pick(["tag", "count", "flag", "address", "price"]),
      size: 5,
      aggs,
    }),
    () => ({ ...BY_DAY, field: "date", minDocCount: r.below(2), timeZone: r.pick([undefined, "Asia/Kolkata"]), aggs }),
    () => ({
      kind: "histogram",
      field: "price",
      interval: 7.5,
      offset: 1,
      minDocCount: r.below(2),
      keyed: false,
      aggs,
    }),
    () => ({ kind: "range", field: "count", ranges: [{ to: 10 }, { from: 5, to: 30 }], keyed: false, aggs }),
    () => ({ kind: "missing", field: "tag", aggs }),
    () => ({ kind: "filter", filter: randomQuery(r, 0), aggs }),
  ])();
}

describe("aggregation results", () => {
  it("do not depend on how documents are cut into segments, nor on deleted ones", async () => {
    const r = random();
    const documents = randomDocuments(r, 250);
    const deleted = new Set(documents.filter(() => r.next() < 0.3).map(({ id }) => id));
    const kept = documents.filter(({ id }) => !deleted.has(id));
    const whole = memoryReader(environment, RANDOM_INDEX, kept);
    const cut = memoryReader(environment, RANDOM_INDEX, documents, { segments: [90, 1, 159], deleted });
    for (let i = 0; i < 80; i++) {
      const query = r.next() < 0.5 ? ALL : randomQuery(r, 1);
      const request = searchRequest({ query, size: 0, aggs: { a: randomAggregation(r, 2) } });
      const expected = await executeSearch([whole], request, environment);
      const found = await executeSearch([cut], request, environment);
      expect(found, `PINAKES_SEED=${r.seed} ${JSON.stringify(request)}`).toEqual(expected);
    }
  });
});
