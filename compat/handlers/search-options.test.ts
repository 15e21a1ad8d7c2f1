import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type TestNode, testNode } from "../testing/node.js";

let node: TestNode;
beforeAll(async () => {
  node = await testNode();
  await node.call("PUT", "/i", {
    settings: { number_of_shards: 5, number_of_routing_shards: 5 },
    mappings: {
      properties: { g: { type: "keyword" }, n: { type: "integer" }, at: { type: "date", format: "yyyy/MM/dd" } },
    },
    aliases: { narrow: { filter: { term: { g: "a" } } }, plain: {} },
  });
  const documents = Array.from({ length: 30 }, (_, n) => ({ g: "abc"[n % 3], n, at: "2020/01/02", t: `word${n}` }));
  const lines = documents.map((one) => `{"index":{"_id":"${one.n}"}}\n${JSON.stringify(one)}\n`);
  await node.call("POST", "/i/_bulk?refresh=true", lines.join(""));
});
afterAll(() => node.close());

const call = async (path: string, body?: unknown) =>
  (await node.call(body === undefined ? "GET" : "POST", path, body)).json as never as Any;
type Any = Record<string, never> & { hits: { total: never; hits: { _id: string; _score: number }[] } };
const ids = ({ hits }: Any) => hits.hits.map(({ _id }) => _id);

describe("slice", () => {
  test.each([2, 3, 7])("cuts a scroll into %i parts that are disjoint and complete", async (max) => {
    const parts = await Promise.all(
      Array.from({ length: max }, (_, id) => call("/i/_search?scroll=1m&size=100", { slice: { id, max } })),
    );
    const all = parts.flatMap(ids);
    expect(all.map(Number).sort((a, b) => a - b)).toEqual(Array.from({ length: 30 }, (_, n) => n));
  });

  test("cuts a point in time too", async () => {
    const { id } = await call("/i/_pit?keep_alive=1m", {}).then(
      async () => (await node.call("POST", "/i/_pit?keep_alive=1m")).json as never as { id: string },
    );
    const parts = await Promise.all(
      [0, 1].map((part) => call("/_search", { size: 100, pit: { id }, slice: { id: part, max: 2 } })),
    );
    expect(parts.flatMap(ids)).toHaveLength(30);
  });

  test.each([
    [{ id: 0, max: 1 }, "?scroll=1m", "max must be greater than 1"],
    [{ id: 2, max: 2 }, "?scroll=1m", "max must be greater than id"],
    [{ id: 0, max: 1025 }, "?scroll=1m", "The number of slices [1025] is too large. It must be less than [1024]."],
    [{ id: 0, max: 2 }, "", "`slice` cannot be used outside of a scroll context"],
    [{ id: 0, max: 2, field: "n" }, "?scroll=1m", "[field] other than [_id] in [slice] is not supported"],
  ])("%o%s is refused", async (slice, query, reason) => {
    const { status, text } = await node.call("POST", `/i/_search${query}`, { slice });
    expect([status, text]).toEqual([400, expect.stringContaining(reason)]);
  });
});

describe("collapse", () => {
  test("shows the first of each group, counts all, and searches behind it", async () => {
    const found = await call("/i/_search", {
      query: { match_all: {} },
      sort: { n: "desc" },
      collapse: { field: "g", inner_hits: { name: "more", size: 2, sort: { n: "asc" } } },
    });
    expect(found.hits).toMatchObject({
      total: { value: 30 },
      hits: [
        {
          _id: "29",
          fields: { g: ["c"] },
          sort: [29],
          inner_hits: { more: { hits: { total: { value: 10 }, hits: [{ _id: "2" }, { _id: "5" }] } } },
        },
        { _id: "28" },
        { _id: "27" },
      ],
    });
    expect(ids(await call("/i/_search", { sort: { n: "desc" }, collapse: { field: "g" }, from: 1, size: 1 }))).toEqual([
      "28",
    ]);
  });

  test("by score, beyond one page of hits", async () => {
    expect(ids(await call("/i/_search", { size: 40, collapse: { field: "n" } }))).toHaveLength(30);
    const best = await call("/i/_search", { query: { term: { g: "b" } }, collapse: { field: "g" } });
    expect(best.hits).toMatchObject({
      max_score: expect.any(Number),
      hits: [{ _id: "1", _score: expect.any(Number) }],
    });
    expect(best.hits.hits[0]).not.toHaveProperty("sort");
  });

  test.each([
    [{ collapse: {} }, "", "Required [field]"],
    [{ collapse: { field: "g" } }, "?scroll=1m", "cannot use `collapse` in a scroll context"],
    [{ collapse: { field: "g" }, sort: "n", search_after: [1] }, "", "collapse field and sort field must be the same"],
    [{ collapse: { field: "t" } }, "", "Text fields are not optimised"],
  ])("%o%s is refused", async (body, query, reason) => {
    const { status, text } = await node.call("POST", `/i/_search${query}`, body);
    expect([status, text]).toEqual([400, expect.stringContaining(reason)]);
  });
});

test("fields are lists in the form of the mapping", async () => {
  const found = await call("/i/_search", {
    size: 1,
    sort: "n",
    _source: false,
    fields: ["t*", { field: "at", format: "yyyy" }, "n", { field: "nope", include_unmapped: true }],
  });
  expect(found.hits.hits[0]).toEqual({
    _index: "i",
    _id: "0",
    _score: null,
    fields: { at: ["2020"], n: [0], t: ["word0"], "t.keyword": ["word0"] },
    sort: [0],
  });
});

test("indices_boost multiplies scores, and names what is not there", async () => {
  await node.call("PUT", "/other/_doc/x?refresh=true", {});
  const boosts = { indices_boost: [{ "oth*": 3 }, { other: 1 }] };
  expect((await call("/i,other/_search", boosts)).hits.hits[0]).toMatchObject({ _id: "x", _score: 3 });
  expect((await call("/i/_search", { indices_boost: [{ nope: 2 }] })).error).toMatchObject({
    reason: "no such index [nope]",
  });
});

describe("_explain", () => {
  test("explains a match, a document that is none, and one that is not there", async () => {
    const match = await call("/i/_explain/3?_source=n", { query: { term: { g: "a" } } });
    expect(match).toMatchObject({ _index: "i", _id: "3", matched: true, get: { found: true, _source: { n: 3 } } });
    const searched = await call("/i/_search", { query: { term: { g: "a" } }, size: 1 });
    expect((match.explanation as { value: number }).value).toBe(searched.hits.hits[0]._score);
    expect(await call("/i/_explain/4", { query: { term: { g: "a" } } })).toMatchObject({
      matched: false,
      explanation: { value: 0 },
    });
    expect(await call("/narrow/_explain/4", { query: { match_all: {} } })).toMatchObject({ matched: false });
    const missing = await node.call("GET", "/i/_explain/none?q=g:a");
    expect([missing.status, missing.json]).toEqual([404, { _index: "i", _id: "none", matched: false }]);
    expect((await node.call("POST", "/i/_explain/1", {})).status).toBe(400);
  });
});

test("_search_shards says which shards, and what aliases narrow", async () => {
  const shards = await call("/narrow/_search_shards", { slice: { id: 1, max: 3 } });
  expect(shards.shards).toMatchObject([[{ index: "i", shard: 1, state: "STARTED", primary: true }], [{ shard: 4 }]]);
  expect(shards.indices).toEqual({ i: { aliases: ["narrow"], filter: { term: { g: { value: "a", boost: 1 } } } } });
  expect((await call("/narrow,plain/_search_shards")).indices).toEqual({ i: { aliases: ["narrow", "plain"] } });
});

describe("_msearch", () => {
  test("answers a hundred in their order, whatever runs beside them", async () => {
    const lines = Array.from({ length: 100 }, (_, at) => `{"index":"i"}\n{"query":{"term":{"n":${at % 30}}}}\n`);
    for (const concurrent of ["", "?max_concurrent_searches=1", "?max_concurrent_searches=50"]) {
      const { responses } = (await node.call("POST", `/_msearch${concurrent}`, lines.join(""))).json as never as {
        responses: Any[];
      };
      expect(responses.map((one) => ids(one)[0])).toEqual(Array.from({ length: 100 }, (_, at) => String(at % 30)));
    }
  });

  test("what cannot be read fails the request, what cannot be searched fails alone", async () => {
    const unread = await node.call("POST", "/_msearch", '{"index":"i"}\n{"query":{"nonsense":{}}}\n');
    expect([unread.status, unread.json.error]).toMatchObject([400, { reason: "unknown query [nonsense]" }]);
    const none = await node.call("POST", "/_msearch?max_concurrent_searches=0", '{"index":"i"}\n{}\n');
    expect(none.status).toBe(400);
  });
});

test("field_caps may be narrowed to indices that have what a query finds", async () => {
  await node.call("PUT", "/late/_doc/1?refresh=true", { n: 500 });
  const caps = (filter: object) => call("/i,late/_field_caps?fields=n", { index_filter: filter });
  expect((await caps({ range: { n: { gte: 100 } } })).indices).toEqual(["late"]);
  expect((await caps({ match_none: {} })).indices).toEqual([]);
});

test("q in the query string is a query", async () => {
  expect(await call("/i/_count?q=g:a AND n:[0 TO 3]".replaceAll(" ", "%20"))).toMatchObject({ count: 2 });
  expect(ids(await call("/i/_search?q=word7&df=t"))).toEqual(["7"]);
  expect((await node.call("GET", "/i/_search?q=n:x")).status).toBe(400);
  expect((await call("/i/_search?q=n:x&lenient=true")).hits.total).toMatchObject({ value: 0 });
});

describe("aggregations over all values", () => {
  test("percentiles, deviation and weighted average", async () => {
    const aggs = {
      p: { percentiles: { field: "n", percents: [50, 100] } },
      h: { percentiles: { field: "n", percents: [50], hdr: {}, keyed: false } },
      d: { median_absolute_deviation: { field: "n" } },
      w: { weighted_avg: { value: { field: "n" }, weight: { field: "n" } } },
    };
    const { aggregations } = await call("/i/_search", { size: 0, aggs });
    expect(aggregations).toEqual({
      p: { values: { "50.0": 14.5, "100.0": 29 } },
      h: { values: [{ key: 50, value: expect.closeTo(14, 1) }] },
      d: { value: 7.5 },
      w: { value: expect.closeTo(8555 / 435, 9) },
    });
  });

  test("composite pages come to the end, each bucket once", async () => {
    const sources = [
      { g: { terms: { field: "g", order: "desc" } } },
      { h: { histogram: { field: "n", interval: 10 } } },
    ];
    const seen: string[] = [];
    let after: object | undefined;
    do {
      const page = await call("/i/_search", {
        size: 0,
        aggs: { c: { composite: { sources, size: 4, ...(after && { after }) }, aggs: { m: { max: { field: "n" } } } } },
      });
      const { buckets, after_key } = (
        page.aggregations as Record<string, { buckets: { key: object; doc_count: number }[]; after_key?: object }>
      ).c;
      seen.push(...buckets.map(({ key, doc_count }) => `${Object.values(key).join(" ")}: ${doc_count}`));
      after = after_key;
    } while (after !== undefined);
    expect(seen).toEqual([
      "c 0: 3",
      "c 10: 3",
      "c 20: 4",
      "b 0: 3",
      "b 10: 4",
      "b 20: 3",
      "a 0: 4",
      "a 10: 3",
      "a 20: 3",
    ]);
  });

  test("rare terms are those of few documents", async () => {
    const { aggregations } = await call("/i/_search?typed_keys", {
      size: 0,
      query: { range: { n: { lt: 4 } } },
      aggs: { r: { rare_terms: { field: "g" } } },
    });
    expect(aggregations).toEqual({
      "srareterms#r": {
        buckets: [
          { key: "b", doc_count: 1 },
          { key: "c", doc_count: 1 },
        ],
      },
    });
  });
});

describe("terms lookup", () => {
  beforeAll(async () => {
    await node.call("PUT", "/lists/_doc/1?refresh=true", { who: [{ name: "word3" }, { name: ["word7", "word9"] }] });
  });

  test("takes the values that a document has", async () => {
    const query = { terms: { t: { index: "lists", id: "1", path: "who.name" } } };
    const found = await call("/i/_search", { query: { bool: { filter: [query] } }, sort: "n" });
    expect(ids(found)).toEqual(["3", "7", "9"]);
    expect(await call("/i/_count", { query })).toMatchObject({ count: 3 });
    const aggs = { f: { filter: query } };
    expect(await call("/i/_search", { size: 0, aggs })).toMatchObject({ aggregations: { f: { doc_count: 3 } } });
  });

  test("of a document that is not there matches nothing, of an index that is not there fails", async () => {
    const query = (index: string) => ({ query: { terms: { t: { index, id: "2", path: "who.name" } } } });
    expect(ids(await call("/i/_search", query("lists")))).toEqual([]);
    expect((await node.call("POST", "/i/_search", query("none"))).text).toContain("no such index [none]");
  });
});

test("extended_stats takes how wide its bounds are", async () => {
  const aggs = (sigma: number) => ({ size: 0, aggs: { s: { extended_stats: { field: "n", sigma } } } });
  const { std_deviation, avg, std_deviation_bounds } = (
    (await call("/i/_search", aggs(3))) as never as {
      aggregations: { s: { std_deviation: number; avg: number; std_deviation_bounds: { upper: number } } };
    }
  ).aggregations.s;
  expect(std_deviation_bounds.upper).toBe(avg + 3 * std_deviation);
  expect((await node.call("POST", "/i/_search", aggs(-1))).text).toContain("Found [-1.0] in [s]");
});
