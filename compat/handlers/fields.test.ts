import { afterAll, beforeAll, expect, test } from "vitest";
import { type TestNode, testNode } from "../testing/node.js";

let node: TestNode;
beforeAll(async () => {
  node = await testNode();
  const properties = {
    o: { properties: { a: { type: "keyword" }, p: { properties: { q: { type: "long" } } } } },
    empty: { type: "object" },
    code: { type: "text", fields: { lines: { type: "wildcard" } } },
  };
  await node.call("PUT", "/f", { mappings: { properties } });
});
afterAll(() => node.close());

const OPENSEARCH = { "x-pinakes-identity": "os2" };

async function caps(fields: string, headers: Record<string, string> = {}) {
  return (await node.call("GET", `/f/_field_caps?fields=${fields}`, undefined, headers)).json.fields as object;
}

test.each([
  ["o.*", ["o", "o.a", "o.p", "o.p.q"]],
  ["o.p.q", ["o", "o.p", "o.p.q"]],
  ["o", []],
  ["empty", []],
  ["o.*&filters=-parent", ["o.a", "o.p.q"]],
])("_field_caps of %s lists fields with the objects around them", async (fields, names) => {
  expect(Object.keys(await caps(fields))).toEqual(names);
});

test("a field searched by lines is of the family of keywords, without columns", async () => {
  const keyword = { type: "keyword", metadata_field: false, searchable: true, aggregatable: false };
  expect(await caps("code.lines")).toEqual({ "code.lines": { keyword } });
});

test("Elasticsearch says which fields are its own, OpenSearch does not and aggregates by _id", async () => {
  const own = { type: "_id", searchable: true };
  expect(await caps("_id")).toEqual({ _id: { _id: { ...own, metadata_field: true, aggregatable: false } } });
  expect(await caps("_id", OPENSEARCH)).toEqual({ _id: { _id: { ...own, aggregatable: true } } });
  const index = { _index: { _index: { type: "_index", searchable: true, aggregatable: true } } };
  expect(await caps("_index", OPENSEARCH)).toEqual(index);
});
