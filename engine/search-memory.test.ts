import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { Aggregation } from "./aggs/aggregation.js";
import { searchRequest } from "./query/testing/memory-reader.js";
import type { SearchRequest } from "./search.js";
import { definitionOf, type EngineFixture, engineFixture, good, indexOf } from "./testing/engine-fixture.js";

const DOCS = 20_000;
const LONG_TEXT = "word ".repeat(20_000);
const KIB = 1024;

let fixture: EngineFixture;
beforeAll(async () => {
  fixture = await engineFixture();
  const mapping = {
    properties: {
      k: { type: "keyword" as const },
      n: { type: "long" as const },
      d: { type: "double" as const },
      t: { type: "text" as const },
    },
  };
  const index = await fixture.engine.createIndex("i", definitionOf(mapping));
  for (let from = 0; from < DOCS; from += 5000) {
    const documents = Array.from({ length: 5000 }, (_, i) => from + i);
    good(
      await index.write(documents.map((n) => indexOf(String(n), { k: `key${n}`, n, d: n / 7, t: `text number ${n}` }))),
    );
    await index.refresh();
  }
  good(await index.write([indexOf("long", { t: LONG_TEXT })]));
  await index.refresh();
});
afterAll(() => fixture.remove());

const search = (change: Partial<SearchRequest>) =>
  fixture.engine.search([{ index: "i" }], searchRequest({ size: 0, ...change }));
const breaker = (name: "request" | "fielddata") => fixture.engine.resources.breakers.stats(name);
const limit = (bytes: number) => fixture.engine.resources.breakers.setLimit("request", bytes);

beforeEach(() => limit(-1));

const metric = (kind: "cardinality" | "stats" | "sum", field: string) => ({ kind, field, aggs: {} }) as Aggregation;
const terms = (field: string, aggs: Record<string, Aggregation> = {}): Aggregation => ({
  kind: "terms",
  field,
  size: 10,
  order: [{ by: "_count", direction: "desc" }],
  minDocCount: 1,
  aggs,
});

describe("a search that holds much", () => {
  const cases: Record<string, { change: Partial<SearchRequest>; bytes: number }> = {
    "cardinality of many numbers": { change: { aggs: { c: metric("cardinality", "d") } }, bytes: 300 * KIB },
    "cardinality of many terms": { change: { aggs: { c: metric("cardinality", "k") } }, bytes: 300 * KIB },
    "terms of many numbers": { change: { aggs: { b: terms("n") } }, bytes: 200 * KIB },
    "metrics below many buckets": {
      change: { aggs: { b: terms("k", { s: metric("stats", "d") }) } },
      bytes: 500 * KIB,
    },
    "a histogram of many intervals": {
      change: {
        aggs: {
          h: { kind: "histogram", field: "n", interval: 1, offset: 0, minDocCount: 1, keyed: false, aggs: {} },
        } as Record<string, Aggregation>,
      },
      bytes: 60 * KIB,
    },
  };

  it.each(Object.entries(cases))("%s: is refused past the limit, and its memory returns", async (_, one) => {
    const { change, bytes } = one;
    limit(bytes);
    const before = breaker("request").tripped;
    await expect(search(change)).rejects.toMatchObject({
      code: "circuit_breaking",
      message: expect.stringMatching(
        /^\[request\] Data too large, data for \[<(?:agg \[\w\]|buckets|ordinals over segments)>\] would be/,
      ),
      details: { breaker: "request", bytesLimit: bytes, durability: "TRANSIENT" },
    });
    expect(breaker("request")).toMatchObject({ tripped: before + 1, estimatedBytes: 0 });
    limit(-1);
    await search(change);
    expect(breaker("request").estimatedBytes).toBe(0);
  });

  it("many kept hits, by score and by field", async () => {
    limit(500 * KIB);
    await expect(search({ size: 10_000 })).rejects.toThrow("data for [<top hits>]");
    const byKey = { field: "k", order: "asc" as const, missing: "_last" as const };
    await expect(search({ size: 5_000, sort: [byKey] })).rejects.toThrow("data for [<top hits>]");
    await search({ size: 100, sort: [byKey] });
    expect(breaker("request").estimatedBytes).toBe(0);
  });

  it("sources of hits", async () => {
    limit(150 * KIB);
    const query = { kind: "ids" as const, values: ["long"], boost: 1 };
    await expect(search({ query, size: 1, source: true })).rejects.toThrow("data for [<fetched hits>]");
    await search({ query, size: 1, source: false });
  });

  it("the highlighting of a huge field, for as long as it takes", async () => {
    const query = {
      kind: "match",
      field: "t",
      query: "word",
      operator: "or",
      zeroTerms: "none",
      lenient: false,
      boost: 1,
    };
    const field = {
      field: "t",
      preTag: "<",
      postTag: ">",
      fragmentSize: 100,
      numberOfFragments: 1,
      noMatchSize: 0,
      requireFieldMatch: true,
      order: "none" as const,
      encoder: "default" as const,
    };
    const change = { query: query as SearchRequest["query"], size: 1, highlight: [field] };
    limit(500 * KIB);
    await expect(search(change)).rejects.toThrow("data for [<highlight>]");
    limit(2000 * KIB);
    expect((await search(change)).hits[0].highlight?.t).toHaveLength(1);
    expect(breaker("request").estimatedBytes).toBe(0);
  });

  it("thousands of words and of values", async () => {
    limit(400 * KIB);
    const words = Array.from({ length: 3000 }, (_, i) => `w${i}`).join(" ");
    const match = {
      kind: "match",
      field: "t",
      query: words,
      operator: "or",
      zeroTerms: "none",
      lenient: false,
      boost: 1,
    };
    await expect(search({ query: match as SearchRequest["query"] })).rejects.toThrow("data for [<query terms>]");
    const values = Array.from({ length: 50_000 }, (_, i) => `key${i}`);
    await expect(search({ query: { kind: "terms", field: "k", values, boost: 1 } })).rejects.toThrow(
      "data for [<query terms>]",
    );
    expect(breaker("request").estimatedBytes).toBe(0);
  });
});

describe("the memory of a result", () => {
  it("is held by whoever gave it, until that is closed", async () => {
    const memory = fixture.engine.resources.openRequest();
    await search({ size: 1000, source: true, memory });
    expect(memory.used).toBeGreaterThan(100 * KIB);
    expect(breaker("request").estimatedBytes).toBeGreaterThanOrEqual(memory.used);
    memory.close();
    expect(breaker("request").estimatedBytes).toBe(0);
  });
});

describe("what is kept with a reader", () => {
  it("is charged to fielddata while the reader lives, and told by field", async () => {
    fixture.engine.resources.clearCaches({ query: false, fielddata: true });
    expect(breaker("fielddata").estimatedBytes).toBe(0);
    await search({ aggs: { b: terms("k") } });
    const index = fixture.engine.index("i");
    const { bytes, byField } = index!.stats().fielddata;
    expect(byField.k).toBeGreaterThan(DOCS * 4);
    expect(breaker("fielddata").estimatedBytes).toBe(bytes);
    good(await index!.write([indexOf("new", { k: "new" })]));
    await index!.refresh();
    expect(breaker("fielddata").estimatedBytes).toBeLessThan(1000);
  });

  it("is refused when it is larger than its breaker allows", async () => {
    fixture.engine.resources.breakers.setLimit("fielddata", 10_000);
    await expect(search({ aggs: { b: terms("k") } })).rejects.toThrow("[fielddata] Data too large, data for [k]");
    fixture.engine.resources.breakers.setLimit("fielddata", -1);
    await search({ aggs: { b: terms("k") } });
  });
});

describe("bitsets of filters", () => {
  it("are kept within their bound, and go with their index", async () => {
    const query = (low: number): SearchRequest["query"] => ({
      kind: "range",
      field: "n",
      boost: 1,
      ...({ gte: low, lt: low + 100 } as object),
    });
    for (let i = 0; i < 3; i++) await search({ query: query(100) });
    const { hits, entries } = fixture.engine.index("i")!.stats().queryCache;
    expect(hits).toBeGreaterThan(0);
    expect(entries).toBeGreaterThan(0);
    expect(fixture.engine.memory().queryCacheBytes).toBeGreaterThan(0);
    fixture.engine.resources.clearCaches({ indices: ["i"], query: true, fielddata: false });
    expect(fixture.engine.memory().queryCacheBytes).toBe(0);
  });
});
