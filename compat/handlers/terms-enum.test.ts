import { afterAll, beforeAll, expect, test } from "vitest";
import { type TestNode, testNode } from "../testing/node.js";

let node: TestNode;
beforeAll(async () => {
  node = await testNode();
  const properties = { tag: { type: "keyword" }, text: { type: "text" }, year: { type: "long" } };
  for (const index of ["one", "two"]) await node.call("PUT", `/${index}`, { mappings: { properties } });
  await node.call("PUT", "/three", { mappings: { properties: { other: { type: "keyword" } } } });
  const tags = { one: ["apple", "Apricot", "a.b", "a+b", "axb"], two: ["banana", "apple", "avocado", "äpfel"] };
  for (const [index, values] of Object.entries(tags)) {
    for (const tag of values) await node.call("POST", `/${index}/_doc`, { tag, year: index === "one" ? 1 : 2 });
    await node.call("POST", `/${index}/_refresh`);
  }
});
afterAll(() => node.close());

async function terms(index: string, body: Record<string, unknown>): Promise<unknown> {
  return (await node.call("POST", `/${index}/_terms_enum`, { field: "tag", ...body })).json.terms;
}

test.each([
  [
    "everything, sorted by bytes, each once",
    {},
    ["Apricot", "a+b", "a.b", "apple", "avocado", "axb", "banana", "äpfel"],
  ],
  ["what begins with a text", { string: "ap" }, ["apple"]],
  ["whatever its case", { string: "aP", case_insensitive: true }, ["Apricot", "apple"]],
  ["signs of regular expressions taken as they are", { string: "a." }, ["a.b"]],
  ["a plus too", { string: "a+" }, ["a+b"]],
  ["no more than asked for", { string: "a", size: 2 }, ["a+b", "a.b"]],
  ["those after a term", { string: "a", search_after: "a.b" }, ["apple", "avocado", "axb"]],
  ["of documents that a filter finds", { string: "a", index_filter: { term: { year: 2 } } }, ["apple", "avocado"]],
])("_terms_enum lists %s", async (_what, body, found) => {
  expect(await terms("one,two,three", body)).toEqual(found);
});

test("_terms_enum answers in Elasticsearch's shape, and refuses what has no terms to list by name", async () => {
  const { json } = await node.call("POST", "/one/_terms_enum", { field: "tag", string: "z" });
  expect(json).toEqual({ _shards: { total: 1, successful: 1, skipped: 0, failed: 0 }, terms: [], complete: true });
  for (const field of ["text", "year"]) {
    const refused = await node.call("POST", "/one/_terms_enum", { field });
    expect([refused.status, refused.text]).toEqual([400, expect.stringContaining("not supported in [terms_enum]")]);
  }
  expect((await node.call("POST", "/one/_terms_enum", {})).status).toBe(400);
  expect((await node.call("POST", "/one/_terms_enum", { field: "tag", size: 0 })).status).toBe(400);
});
