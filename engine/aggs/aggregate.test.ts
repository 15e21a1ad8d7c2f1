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

const NUMBERS = testIndex({
  d: { type: "double" },
  l: { type: "long" },
  i: { type: "integer" },
  made: { type: "date" },
  address: { type: "ip" },
  on: { type: "boolean" },
  k: { type: "keyword" },
});

/** The result of one aggregation named `a` over documents of the fields above, cut into two segments. */
async function over(
  sources: readonly Record<string, unknown>[],
  aggregation: AggregationKind & { aggs?: Record<string, Aggregation> },
): Promise<unknown> {
  const documents = sources.map((source, i) => ({ id: String(i), source }));
  const source = memoryReader(environment, NUMBERS, documents, { segments: [1, documents.length - 1] });
  const a = { aggs: {}, ...aggregation } as Aggregation;
  const { aggregations } = await executeSearch([source], searchRequest({ size: 0, aggs: { a } }), environment);
  return aggregations.a;
}

describe("histograms", () => {
  const histogram = (field: string, interval: number, offset = 0) =>
    ({ kind: "histogram", field, interval, offset, minDocCount: 1, keyed: false }) as const;

  it("put a value into the interval that dividing gives, whatever its neighbours and however long the interval", async () => {
    const sources = [{ d: 0.3 }, { d: -5 }, { d: -1e-13 }];
    expect(counts(await over(sources, histogram("d", 1e18)))).toEqual([
      [-1e18, 2],
      [0, 1],
    ]);
    expect(counts(await over(sources, histogram("d", 7)))).toEqual([
      [-7, 2],
      [0, 1],
    ]);
    expect(counts(await over([{ d: 0.3 }, { d: 0.1 }, { d: 0.7 }], histogram("d", 0.1)))).toEqual([
      [0.1, 1],
      [0.2, 1],
      [0.6000000000000001, 1],
    ]);
    const longs = [{ l: "-9223372036854775808" }, { l: 0 }, { l: -3 }, { l: "9223372036854775807" }];
    expect(counts(await over(longs, histogram("l", 1e18)))).toEqual([
      [-1e19, 1],
      [-1e18, 1],
      [0, 1],
      [9e18, 1],
    ]);
    expect(counts(await over([{ i: -3 }, { i: 3 }, { i: 5 }], histogram("i", 5, 1)))).toEqual([
      [-4, 1],
      [1, 2],
    ]);
  });
});

describe("aggregations of dates", () => {
  it("read dates and print them where no index has the field", async () => {
    const sources = [{ k: "x" }, { k: "y" }];
    const ranges = [{ from: "2020-01-01" }, { to: "2020-01-01||+1d/d" }];
    const open = { kind: "date_range", field: "gone", ranges, keyed: false } as const;
    expect(counts(await over(sources, open))).toEqual([
      ["*-2020-01-02T00:00:00.000Z", 0],
      ["2020-01-01T00:00:00.000Z-*", 0],
    ]);
    const day = { ...BY_DAY, field: "gone", missing: "2020-03-01", timeZone: "+02:00" };
    expect(counts(await over(sources, day))).toEqual([["2020-03-01T00:00:00.000+02:00", 2]]);
    await expect(over(sources, { ...day, format: "yyyy" })).rejects.toMatchObject({ code: "invalid_value" });
  });

  it("read the missing date by the format and in the zone of the aggregation", async () => {
    const day = {
      ...BY_DAY,
      field: "made",
      minDocCount: 1,
      missing: "03/2020",
      format: "MM/yyyy",
      timeZone: "America/New_York",
    };
    expect(await over([{ made: "2020-01-01" }, {}], day)).toMatchObject({
      buckets: [
        { key: Date.parse("2019-12-31T05:00:00Z") },
        { key: Date.parse("2020-03-01T05:00:00Z"), keyAsString: "03/2020" },
      ],
    });
  });

  it("refuse bounds and missing values that are none", async () => {
    const ranges = [{ from: "2020-01-01" }];
    const range = { kind: "date_range", field: "l", ranges, keyed: false } as const;
    await expect(over([{ l: 1 }, {}], range)).rejects.toThrow('For input string: "2020-01-01"');
    expect(await over([{ l: 1 }, {}], { ...range, ranges: [{ from: 1 }] })).toMatchObject({
      buckets: [{ key: "1.0-*", from: 1, docCount: 1 }],
    });
    await expect(over([{}, {}], { kind: "sum", field: "gone", missing: "x" })).rejects.toThrow("For input string");
  });
});

describe("terms", () => {
  it("of a field that no index has are the missing value as text", async () => {
    for (const missing of ["x", 5, 5.5, true]) {
      expect(await over([{}, {}, {}], { ...TERMS, field: "gone", missing })).toMatchObject({
        keyType: "string",
        buckets: [{ key: String(missing), docCount: 3 }],
      });
      expect(await over([{}, {}], { kind: "cardinality", field: "gone", missing })).toMatchObject({ value: 1 });
      expect(await over([{}, {}], { kind: "value_count", field: "gone", missing })).toMatchObject({ value: 2 });
    }
    expect(counts(await over([{}, {}], { ...TERMS, field: "gone", include: { pattern: "a.*" } }))).toEqual([]);
  });

  it("include and exclude values as the field's type reads them", async () => {
    const sources = [
      { made: "2020-01-01", address: "2001:db8::1", on: true, i: 1, d: 0.5 },
      { made: "2021-01-01", address: "10.0.0.1", on: false, i: 2, d: 1.5 },
    ];
    const kept = async (field: string, include: string[]) => counts(await over(sources, { ...TERMS, field, include }));
    expect(await kept("made", ["2020-01-01"])).toEqual([["2020-01-01T00:00:00.000Z", 1]]);
    expect(await kept("address", ["2001:DB8:0:0::1"])).toEqual([["2001:db8::1", 1]]);
    expect(await kept("on", ["true"])).toEqual([["true", 1]]);
    expect(await kept("i", ["1.0"])).toEqual([[1, 1]]);
    expect(await kept("d", ["0.50"])).toEqual([[0.5, 1]]);
    expect(counts(await over(sources, { ...TERMS, field: "made", exclude: ["2020-01-01"] }))).toHaveLength(1);
    await expect(kept("address", ["x"])).rejects.toThrow("'x' is not an IP string literal.");
    await expect(kept("on", ["1"])).rejects.toThrow("Cannot parse boolean [1]");
    await expect(kept("i", ["x"])).rejects.toThrow('For input string: "x"');
  });

  it("refuse patterns over other fields than texts, by the name of the aggregation", async () => {
    for (const field of ["address", "on", "i", "made"]) {
      await expect(over([{}, {}], { ...TERMS, field, include: { pattern: "1.*" } }), field).rejects.toThrow(
        "Aggregation [a] cannot support regular expression style include/exclude settings",
      );
    }
    const sources = [{ k: "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa" }, { k: "b" }];
    expect(counts(await over(sources, { ...TERMS, field: "k", include: { pattern: "(a*)*b" } }))).toEqual([["b", 1]]);
  });

  it("and their number are exact for longs beyond 2^53, in order, missing ones included", async () => {
    const sources = [{ l: "9007199254740993" }, { l: "9007199254740992" }, { l: "-9223372036854775808" }, {}];
    const order = [{ by: "_key", direction: "asc" as const }];
    expect(counts(await over(sources, { ...TERMS, field: "l", order, missing: "9007199254740993" }))).toEqual([
      [-9223372036854775808n, 1],
      [9007199254740992n, 1],
      [9007199254740993n, 2],
    ]);
    expect(await over(sources, { kind: "cardinality", field: "l", missing: 7 })).toMatchObject({ value: 4 });
    expect(counts(await over(sources, { ...TERMS, field: "l", include: ["9007199254740993"] }))).toHaveLength(1);
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
