import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type TestNode, testNode } from "../compat/testing/node.js";

let node: TestNode;
beforeAll(async () => {
  node = await testNode();
});
afterAll(() => node.close());

interface Found {
  hits: { total: { value: number }; hits: { _id: string; sort?: unknown[]; fields?: unknown; _source?: unknown }[] };
  aggregations: Record<string, Record<string, unknown>>;
  error?: { root_cause: { type: string; reason: string }[] };
}

async function make(index: string, properties: object, documents: Record<string, unknown>): Promise<void> {
  const created = await node.call("PUT", `/${index}`, { mappings: { properties } });
  expect([created.status, created.text]).toEqual([200, expect.anything()]);
  for (const [id, document] of Object.entries(documents)) {
    const body = typeof document === "string" ? document : JSON.stringify(document);
    const written = await node.call("PUT", `/${index}/_doc/${id}?refresh=true`, body);
    expect([id, written.status, written.text]).toEqual([id, 201, expect.anything()]);
  }
}

async function search(index: string, body: object): Promise<Found> {
  return (await node.call("POST", `/${index}/_search`, body)).json as never;
}

const ids = (found: Found) => found.hits.hits.map((hit) => hit._id);
const finds = async (index: string, query: object) => ids(await search(index, { query, sort: "_doc" }));

/** The same answer from the segments as they were written, and from the one that they are merged into. */
function beforeAndAfterMerge(index: string, title: string, check: () => Promise<void>): void {
  test(title, async () => {
    await check();
    await node.call("POST", `/${index}/_forcemerge?max_num_segments=1`);
    await check();
  });
}

describe("unsigned_long", () => {
  const MAX = "18446744073709551615";
  beforeAll(() =>
    make(
      "unsigned",
      { n: { type: "unsigned_long" } },
      {
        small: '{"n":5}',
        half: '{"n":9223372036854775808}',
        max: `{"n":${MAX}}`,
        text: '{"n":"10223372036854775807.23"}',
      },
    ),
  );

  beforeAndAfterMerge("unsigned", "is found, sorted, counted and shown with every digit", async () => {
    expect(
      await node.call("POST", "/unsigned/_search", `{"query":{"term":{"n":${MAX}}}}`).then(({ json }) => json),
    ).toMatchObject({
      hits: { total: { value: 1 }, hits: [{ _id: "max" }] },
    });
    expect(await finds("unsigned", { term: { n: "10223372036854775807" } })).toEqual(["text"]);
    expect(await finds("unsigned", { range: { n: { gt: 5, lt: MAX } } })).toEqual(["half", "text"]);
    const sorted = await node.call("POST", "/unsigned/_search", { sort: { n: "desc" }, docvalue_fields: ["n"] });
    expect(ids(sorted.json as never)).toEqual(["max", "text", "half", "small"]);
    expect(sorted.text).toContain(`"fields":{"n":[${MAX}]},"sort":[${MAX}]`);
    const terms = await node.call("POST", "/unsigned/_search?typed_keys", {
      size: 0,
      aggs: { t: { terms: { field: "n" } }, m: { max: { field: "n" } } },
    });
    expect(terms.text).toContain('"ulterms#t"');
    expect(terms.text).toContain(`"key":${MAX}`);
    expect(terms.text).toContain('"max#m":{"value":1.8446744073709552E19}');
  });

  test.each(["-1", "18446744073709551616", '"x"'])("%s is refused", async (value) => {
    expect((await node.call("POST", "/unsigned/_doc", `{"n":${value}}`)).status).toBe(400);
  });
});

describe("date_nanos", () => {
  beforeAll(() =>
    make(
      "nanos",
      { at: { type: "date_nanos" } },
      {
        a: { at: "2018-10-29T12:12:12.123456789Z" },
        b: { at: "2018-10-29T12:12:12.123456788Z" },
        c: { at: "2018-10-29T12:12:12.987Z" },
      },
    ),
  );

  beforeAndAfterMerge("nanos", "is told apart below the millisecond", async () => {
    const sorted = await search("nanos", { sort: { at: "asc" }, docvalue_fields: ["at"] });
    expect(ids(sorted)).toEqual(["b", "a", "c"]);
    expect(sorted.hits.hits[0].fields).toEqual({ at: ["2018-10-29T12:12:12.123456788Z"] });
    expect(await finds("nanos", { range: { at: { gt: "2018-10-29T12:12:12.123456788Z" } } })).toEqual(["a", "c"]);
    expect(await finds("nanos", { term: { at: "2018-10-29" } })).toEqual(["a", "b", "c"]);
    const { aggregations } = await search("nanos", {
      size: 0,
      aggs: { s: { date_histogram: { field: "at", fixed_interval: "1s" } }, m: { max: { field: "at" } } },
    });
    expect(aggregations.s.buckets).toMatchObject([{ key: 1_540_815_132_000, doc_count: 3 }]);
    expect(aggregations.m).toEqual({ value: 1_540_815_132_987, value_as_string: "2018-10-29T12:12:12.987Z" });
  });

  test("what 64 bits of nanoseconds cannot say is refused", async () => {
    for (const at of ["1969-12-31", "2300-01-01"]) {
      const { status, text } = await node.call("POST", "/nanos/_doc", { at });
      expect([status, text]).toEqual([400, expect.stringContaining("cannot be stored in nanosecond resolution")]);
    }
  });
});

describe("ranges", () => {
  beforeAll(() =>
    make(
      "ranges",
      { r: { type: "integer_range" }, ip: { type: "ip_range" } },
      {
        wide: { r: { gte: 1, lte: 5 }, ip: "10.0.0.0/8" },
        low: { r: { gte: 1, lt: 4 } },
        two: { r: [{ gte: 4, lte: 5 }, { gte: 100 }] },
        none: { r: null },
      },
    ),
  );

  beforeAndAfterMerge("ranges", "are found by how they stand to the one asked for", async () => {
    const range = (relation?: string) =>
      finds("ranges", { range: { r: { gte: 3, lte: 4, ...(relation && { relation }) } } });
    expect(await range()).toEqual(["wide", "low", "two"]);
    expect(await range("contains")).toEqual(["wide"]);
    expect(await range("within")).toEqual([]);
    expect(await finds("ranges", { range: { r: { gte: 0, lte: 4, relation: "within" } } })).toEqual(["low"]);
    expect(await finds("ranges", { term: { r: 1_000_000 } })).toEqual(["two"]);
    expect(await finds("ranges", { term: { ip: "10.1.2.3" } })).toEqual(["wide"]);
    expect(await finds("ranges", { exists: { field: "r" } })).toEqual(["wide", "low", "two"]);
    expect(await finds("ranges", { query_string: { query: "r:[3 TO 4]" } })).toEqual(["wide", "low", "two"]);
  });

  test("are no values to sort by or to count", async () => {
    const { error } = await search("ranges", { sort: "r" });
    expect(error?.root_cause[0].reason).toContain("fielddata is unsupported on fields of type [integer_range]");
    expect((await node.call("POST", "/ranges/_doc", { r: 3 })).status).toBe(400);
    expect((await node.call("POST", "/ranges/_doc", { r: { gte: 3, lte: 2 } })).text).toContain(
      "min value (3) is greater",
    );
  });
});

describe("flat_object", () => {
  beforeAll(() =>
    make(
      "flat",
      { o: { type: "flat_object" } },
      {
        a: { o: { title: "Lucene in Action", author: { given: "Mike" }, price: 9.2, tags: [["x", 80.0]] } },
        b: { o: [{ title: "Mock", author: { given: "John" } }] },
        c: { o: null },
      },
    ),
  );

  beforeAndAfterMerge("flat", "is asked as a whole and by path, always as words", async () => {
    expect(await finds("flat", { term: { "o.author.given": "Mike" } })).toEqual(["a"]);
    expect(await finds("flat", { match: { o: "Lucene in Action" } })).toEqual(["a"]);
    expect(await finds("flat", { terms: { o: ["Mike", "John"] } })).toEqual(["a", "b"]);
    expect(await finds("flat", { prefix: { "o.title": "Luc" } })).toEqual(["a"]);
    expect(await finds("flat", { wildcard: { "o.title": "*ock" } })).toEqual(["b"]);
    expect(await finds("flat", { range: { "o.price": { gte: "9", lt: "91" } } })).toEqual(["a"]);
    expect(await finds("flat", { exists: { field: "o.author" } })).toEqual(["a", "b"]);
    expect(await finds("flat", { exists: { field: "o" } })).toEqual(["a", "b"]);
    expect(await finds("flat", { term: { "o.title": "Mike" } })).toEqual([]);
  });

  test("takes objects alone, and no numbers are made of it", async () => {
    expect((await node.call("POST", "/flat/_doc", { o: "text" })).status).toBe(400);
    const { error } = await search("flat", { aggs: { m: { avg: { field: "o.price" } } } });
    expect(error?.root_cause[0].reason).toBe(
      "Field [o.price] of type [flat_object] is not supported for aggregation [avg]",
    );
  });
});

describe("constant_keyword", () => {
  test("every document has the value, whether or not it says so", async () => {
    await make(
      "constant",
      { k: { type: "constant_keyword", value: "v" }, n: { type: "long" } },
      { a: { k: "v" }, b: { n: 1 } },
    );
    expect(await finds("constant", { term: { k: "v" } })).toEqual(["a", "b"]);
    expect((await node.call("GET", "/constant/_source/b")).text).toBe('{"n":1}');
    const { status, text } = await node.call("POST", "/constant/_doc", { k: "w" });
    expect([status, text]).toEqual([
      400,
      expect.stringContaining(
        "only accepts values that are equal to the value defined in the mappings [v], but got [w]",
      ),
    ]);
  });

  test("the first document that has one says which", async () => {
    await make("first", { k: { type: "constant_keyword" } }, { a: { k: "x" }, b: {} });
    expect((await node.call("GET", "/first/_mapping")).json).toEqual({
      first: { mappings: { properties: { k: { type: "constant_keyword", value: "x" } } } },
    });
    expect(await finds("first", { term: { k: "x" } })).toEqual(["a", "b"]);
  });
});

test("match_only_text scores every match alike", async () => {
  await make("only", { t: { type: "match_only_text" } }, { a: { t: "fox fox fox" }, b: { t: "a fox in a long text" } });
  const { hits } = (await node.call("POST", "/only/_search", { query: { match: { t: "fox" } } })).json as never as {
    hits: { hits: { _score: number }[] };
  };
  expect(hits.hits.map((hit) => hit._score)).toEqual([1, 1]);
  expect(await finds("only", { match_phrase: { t: "long text" } })).toEqual(["b"]);
  expect((await node.call("GET", "/only/_mapping")).json).toEqual({
    only: { mappings: { properties: { t: { type: "match_only_text" } } } },
  });
});

test("an alias stands for its field in questions, and takes no values", async () => {
  await make("aliased", { n: { type: "long" }, m: { type: "alias", path: "n" } }, { a: { n: 1 }, b: { n: 2 } });
  expect(await finds("aliased", { range: { m: { gte: 2 } } })).toEqual(["b"]);
  const { aggregations } = await search("aliased", { size: 0, aggs: { s: { sum: { field: "m" } } } });
  expect(aggregations.s).toEqual({ value: 3 });
  expect((await node.call("GET", "/aliased/_mapping")).json).toMatchObject({
    aliased: { mappings: { properties: { m: { type: "alias", path: "n" } } } },
  });
  expect((await node.call("POST", "/aliased/_doc", { m: 1 })).text).toContain("Cannot write to a field alias [m]");
});

describe("nested", () => {
  test("objects are checked, kept and counted; no query of the document finds what is in them", async () => {
    await make(
      "nest",
      { o: { type: "nested", properties: { n: { type: "long" }, t: { type: "text" } } } },
      { a: { o: [{ n: 1, t: "x" }, { n: 2 }] } },
    );
    expect(await finds("nest", { term: { "o.n": 1 } })).toEqual([]);
    expect(await finds("nest", { match: { "o.t": "x" } })).toEqual([]);
    expect(await finds("nest", { exists: { field: "o.n" } })).toEqual([]);
    expect((await node.call("POST", "/nest/_doc", { o: { n: "none" } })).status).toBe(400);
    const refused = await node.call("POST", "/nest/_search", {
      query: { nested: { path: "o", query: { match_all: {} } } },
    });
    expect([refused.status, refused.text]).toEqual([
      400,
      expect.stringContaining("[nested] query is not supported by Pinakes"),
    ]);
  });

  test("a document may have so many", async () => {
    await node.call("PUT", "/few", {
      settings: { "index.mapping.nested_objects.limit": 1 },
      mappings: { properties: { o: { type: "nested" } } },
    });
    expect((await node.call("POST", "/few/_doc", { o: [{ a: 1 }] })).status).toBe(201);
    expect((await node.call("POST", "/few/_doc", { o: [{ a: 1 }, { a: 2 }] })).text).toContain(
      "has exceeded the allowed limit of [1]",
    );
  });
});

describe("geo_point", () => {
  beforeAll(() =>
    make(
      "geo",
      { p: { type: "geo_point" } },
      {
        paris: { p: "48.8566,2.3522" },
        rome: { p: { lat: 41.9, lon: 12.5 } },
        fiji: {
          p: [
            [179.9, -17],
            [-179.9, -17],
          ],
        },
      },
    ),
  );

  beforeAndAfterMerge("geo", "is found by box, distance and shape, over the date line too", async () => {
    const box = { top_left: { lat: 50, lon: 0 }, bottom_right: { lat: 40, lon: 10 } };
    expect(await finds("geo", { geo_bounding_box: { p: box } })).toEqual(["paris"]);
    const over = { top: 0, left: 179, bottom: -20, right: -179 };
    expect(await finds("geo", { geo_bounding_box: { p: over } })).toEqual(["fiji"]);
    expect(await finds("geo", { geo_distance: { distance: "1200km", p: "48.8566,2.3522" } })).toEqual([
      "paris",
      "rome",
    ]);
    const envelope = {
      type: "envelope",
      coordinates: [
        [0, 50],
        [20, 40],
      ],
    };
    expect(await finds("geo", { geo_shape: { p: { shape: envelope } } })).toEqual(["paris", "rome"]);
    expect(await finds("geo", { geo_shape: { p: { shape: envelope, relation: "disjoint" } } })).toEqual(["fiji"]);
    const polygon = {
      type: "polygon",
      coordinates: [
        [
          [0, 45],
          [5, 45],
          [5, 50],
          [0, 50],
          [0, 45],
        ],
      ],
    };
    expect(await finds("geo", { geo_shape: { p: { shape: polygon } } })).toEqual(["paris"]);
    expect(await finds("geo", { exists: { field: "p" } })).toEqual(["paris", "rome", "fiji"]);
  });
});

test("stored fields are shown by name, with _source switched off as well", async () => {
  await node.call("PUT", "/stored", {
    mappings: {
      _source: { enabled: false },
      properties: { k: { type: "keyword", store: true }, n: { type: "integer", store: true }, o: { type: "keyword" } },
    },
  });
  await node.call("PUT", "/stored/_doc/1?refresh=true", { k: ["a", "b"], n: "7", o: "x" });
  const got = await node.call("GET", "/stored/_doc/1?stored_fields=k,n,o");
  expect(got.json).toMatchObject({ found: true, fields: { k: ["a", "b"], n: [7] } });
  expect(got.json).not.toHaveProperty("_source");
  expect((await node.call("GET", "/stored/_source/1")).status).toBe(404);
  const { hits } = await search("stored", { stored_fields: ["n"] });
  expect(hits.hits[0]).toEqual({ _index: "stored", _id: "1", _score: 1, fields: { n: [7] } });
  expect((await search("stored", {})).hits.hits[0]).not.toHaveProperty("_source");
});

test("dynamic: strict_allow_templates adds what a template names", async () => {
  await node.call("PUT", "/templated", {
    mappings: {
      dynamic: "strict_allow_templates",
      dynamic_templates: [{ words: { match: "w_*", match_mapping_type: "string", mapping: { type: "keyword" } } }],
    },
  });
  expect((await node.call("POST", "/templated/_doc", { w_a: "x" })).status).toBe(201);
  expect((await node.call("POST", "/templated/_doc", { other: "x" })).text).toContain(
    "mapping set to strict_allow_templates, dynamic introduction of [other] within [_doc] is not allowed",
  );
});

describe("scaled_float", () => {
  beforeAll(() =>
    make(
      "scaled",
      { p: { type: "scaled_float", scaling_factor: 100 } },
      { a: { p: 1.234 }, b: { p: "-2.1" }, c: { p: 3 } },
    ),
  );

  beforeAndAfterMerge("scaled", "keeps so many parts of one", async () => {
    const found = await search("scaled", { sort: { p: "asc" }, docvalue_fields: ["p"] });
    expect(found.hits.hits.map(({ _id, fields }) => [_id, fields])).toEqual([
      ["b", { p: [-2.1] }],
      ["a", { p: [1.23] }],
      ["c", { p: [3] }],
    ]);
    expect(await finds("scaled", { term: { p: 1.23 } })).toEqual(["a"]);
    expect(await finds("scaled", { range: { p: { gte: 1.23, lt: 3 } } })).toEqual(["a"]);
  });

  test("is shown as it was mapped, and needs its factor", async () => {
    expect((await node.call("GET", "/scaled/_mapping")).text).toContain(
      '"p":{"type":"scaled_float","scaling_factor":100.0}',
    );
    expect((await node.call("GET", "/scaled/_field_caps?fields=p")).text).toContain('"p":{"scaled_float":{');
    const without = await node.call("PUT", "/unscaled", { mappings: { properties: { p: { type: "scaled_float" } } } });
    expect(without.text).toContain("Field [p] misses required parameter [scaling_factor]");
  });
});

test("a sort does not mix unsigned numbers with signed ones", async () => {
  await make("mixed-long", { n: { type: "long" } }, { 1: { n: 1 } });
  await make("mixed-unsigned", { n: { type: "unsigned_long" } }, { 1: { n: 1 } });
  const { error } = await search("mixed-*", { sort: { n: "asc" } });
  expect(error?.root_cause[0].reason).toContain("a field has [unsigned_long] type in one index");
});
