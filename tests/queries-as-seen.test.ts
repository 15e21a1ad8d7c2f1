/** Questions that were answered otherwise than by Elasticsearch and OpenSearch, as testers asked them. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type TestNode, testNode } from "../compat/testing/node.js";

let node: TestNode;
const PROPERTIES = {
  b: { type: "boolean" },
  k: { type: "keyword" },
  ka: { type: "alias", path: "k" },
  n: { type: "integer" },
  t: { type: "text" },
  o: { properties: { x: { type: "keyword" } } },
  fl: { type: "flat_object" },
  ip: { type: "ip" },
  dn: { type: "date_nanos" },
  g: { type: "geo_point" },
};
const DOCUMENTS = [
  {
    ...{ b: false, k: "a", n: 1, t: "quick brown fox", o: { x: "p" }, fl: { a: "Abc" }, ip: "1.1.1.1" },
    ...{ dn: "2020-01-01T00:00:00.123456789Z", g: { lat: 50, lon: 10 } },
  },
  { b: true, k: "b", n: 2, t: "brown quick" },
  { b: true, k: "b", n: 2, t: "+a b" },
];

beforeAll(async () => {
  node = await testNode();
  await node.call("PUT", "/seen", { mappings: { properties: PROPERTIES } });
  const lines = DOCUMENTS.map((one, at) => `{"index":{"_id":"${at + 1}"}}\n${JSON.stringify(one)}\n`);
  await node.call("POST", "/seen/_bulk?refresh=true", lines.join(""));
});
afterAll(() => node.close());

interface Found {
  hits: { hits: { _id: string; fields?: unknown }[] };
  aggregations: { x: { buckets: unknown[] } };
}
const search = async (body: object) => (await node.call("POST", "/seen/_search", body)).json as never as Found;
/** The ids found, in their order; a refusal's text. */
async function finds(query: object): Promise<string[] | string> {
  const { status, text, json } = await node.call("POST", "/seen/_search", { query });
  if (status !== 200) return text;
  return (json as never as Found).hits.hits.map(({ _id }) => _id).sort();
}

test.each([false, "false"])("composite goes on behind a boolean: after %o", async (b) => {
  const source = { b: { terms: { field: "b" } } };
  const found = await search({ size: 0, aggs: { x: { composite: { size: 2, after: { b }, sources: [source] } } } });
  expect(found.aggregations.x.buckets).toEqual([{ key: { b: true }, doc_count: 2 }]);
});

test.each([[{ query: "*" }], [{ query: " * ", fields: ["n", "t"] }], [{ query: "*", flags: "NONE" }]])(
  "simple_query_string %o finds all",
  async (simple) => {
    expect(await finds({ simple_query_string: simple })).toEqual(["1", "2", "3"]);
  },
);

describe("query_string", () => {
  test.each([
    [{ query: "_id:1" }, ["1"]],
    [{ query: "_id:(1 OR 2)" }, ["1", "2"]],
    [{ query: '_id:"1"' }, ["1"]],
    [{ query: "_id:*" }, ["1", "2", "3"]],
    [{ query: "_index:seen" }, ["1", "2", "3"]],
    [{ query: "_index:se*" }, ["1", "2", "3"]],
    [{ query: "_index:other" }, []],
    [{ query: "_id:1*" }, []],
    [{ query: "fox 2", fields: ["_id", "t"] }, ["1", "2"]],
    [{ query: "quick brown", fields: ["t"], type: "phrase" }, ["1"]],
    [{ query: "t:(brown quick)", type: "phrase" }, ["2"]],
    [{ query: "fox OR brown quick", fields: ["t"], type: "phrase" }, ["1", "2"]],
    [{ query: "QUICK", fields: ["t"], analyzer: "keyword" }, []],
    [{ query: "quick brown", fields: ["t"], analyzer: "keyword" }, []],
    [{ query: "+a (b", fields: ["t"], escape: true }, ["3"]],
    [{ query: "t:fox", escape: true }, []],
    [{ query: "qui*", fields: ["t"], escape: true }, []],
  ])("%o finds %o", async (query, ids) => {
    expect(await finds({ query_string: query })).toEqual(ids);
  });

  test("refuses a pattern over ids, and an analyzer that is not there, by name", async () => {
    expect(await finds({ query_string: { query: "1*", fields: ["_id"] } })).toContain(
      "Can only use prefix queries on keyword and text fields - not on [_id] which is of type [_id]",
    );
    const analyzer = { query: "quick", fields: ["t"], analyzer: "nope" };
    expect(await finds({ query_string: analyzer })).toContain("analyzer [nope]");
  });

  test("of an id in the address", async () => {
    const found = (await node.call("GET", "/seen/_search?q=_id:1")).json as never as Found;
    expect(found.hits.hits).toMatchObject([{ _id: "1" }]);
  });
});

describe("collapse", () => {
  test("follows an alias, and shows it under its name", async () => {
    const found = await search({ collapse: { field: "ka" }, sort: "n" });
    expect(found.hits.hits).toMatchObject([
      { _id: "1", fields: { ka: ["a"] } },
      { _id: "2", fields: { ka: ["b"] } },
    ]);
  });

  test.each([
    ["nope", "no mapping found for `nope` in order to collapse on"],
    ["o", "no mapping found for `o` in order to collapse on"],
    ...["fl", "fl.a", "b", "ip", "dn", "g"].map((field) => [
      field,
      `unknown type for collapse field \`${field}\`, only keywords and numbers are accepted`,
    ]),
  ])("by %s is refused", async (field, reason) => {
    const { status, text } = await node.call("POST", "/seen/_search", { collapse: { field } });
    expect([status, text]).toEqual([400, expect.stringContaining(reason)]);
  });
});

test.each([
  [{ range: { dn: { lte: 1_577_836_800_123 } } }, ["1"]],
  [{ range: { dn: { lte: "1577836800123", format: "epoch_millis" } } }, ["1"]],
  [{ range: { dn: { gt: 1_577_836_800_123 } } }, []],
  [{ range: { dn: { gte: 1_577_836_800_123 } } }, ["1"]],
  [{ range: { dn: { lt: 1_577_836_800_123 } } }, []],
  [{ range: { dn: { lte: "2020-01-01T00:00:00.123Z" } } }, []],
  [{ range: { dn: { lte: "1577836800.123", format: "epoch_second" } } }, []],
  [{ range: { dn: { lte: "1577836800123.4", format: "epoch_millis" } } }, []],
  [{ range: { dn: { lte: "1577836800123.456789", format: "epoch_millis" } } }, ["1"]],
  [{ term: { dn: 1_577_836_800_123 } }, ["1"]],
  [{ match: { dn: 1_577_836_800_123 } }, ["1"]],
])("nanoseconds: %o finds %o", async (query, ids) => {
  expect(await finds(query)).toEqual(ids);
});

test.each([
  [{ prefix: { "fl.a": { value: "a", case_insensitive: true } } }, ["1"]],
  [{ prefix: { "fl.a": { value: "b", case_insensitive: true } } }, []],
  [{ prefix: { fl: { value: "a", case_insensitive: true } } }, ["1"]],
  [{ prefix: { "fl.a": { value: "a" } } }, []],
  [{ term: { "fl.a": { value: "abc", case_insensitive: true } } }, ["1"]],
])("a flat object: %o finds %o", async (query, ids) => {
  expect(await finds(query)).toEqual(ids);
});

test("a box with geohashes as corners holds their cells", async () => {
  // Both cells are 49.21875 to 50.625 north: u0y from 8.4375 east, u0z from 9.84375 to 11.25.
  expect(await finds({ geo_bounding_box: { g: { top_left: "u0y", bottom_right: "u0z" } } })).toEqual(["1"]);
  const hashes = { top_right: { geohash: "u0z" }, bottom_left: { geohash: "u0y" } };
  expect(await finds({ geo_bounding_box: { g: hashes } })).toEqual(["1"]);
});
