import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type TestNode, testNode } from "../testing/node.js";

let node: TestNode;

const VALUES: Record<string, string | string[]> = {
  a: "GET /index.html 200",
  b: "get /Index.html 404",
  c: ["POST /form 200", "two\nlines"],
  d: "",
  e: "Größe: 12 K",
};

beforeAll(async () => {
  node = await testNode();
  const properties = { line: { type: "wildcard" }, word: { type: "keyword" }, none: { type: "wildcard" } };
  await node.call("PUT", "/log", { mappings: { properties } });
  const lines = Object.entries(VALUES).flatMap(([id, value]) => [
    JSON.stringify({ index: { _id: id } }),
    JSON.stringify({ line: value, word: value }),
  ]);
  await node.call("POST", "/log/_bulk?refresh=true", `${lines.join("\n")}\n`);
});
afterAll(() => node.close());

interface Answer {
  hits: { hits: { _id: string; _score: number }[] };
  status?: number;
  error?: { root_cause: { reason: string }[] };
}
const search = async (query: unknown) => (await node.call("POST", "/log/_search", { query })).json as never as Answer;

describe("whole values of a wildcard field, as those of a keyword field", () => {
  test.each([
    [{ term: { FIELD: "GET /index.html 200" } }, ["a"]],
    [{ term: { FIELD: { value: "get /INDEX.html 200", case_insensitive: true } } }, ["a"]],
    [{ term: { FIELD: "GET /index.html" } }, []],
    [{ term: { FIELD: "" } }, ["d"]],
    [{ terms: { FIELD: ["two\nlines", "get /Index.html 404"] } }, ["b", "c"]],
    [{ match: { FIELD: "POST /form 200" } }, ["c"]],
    [{ prefix: { FIELD: "GET" } }, ["a"]],
    [{ prefix: { FIELD: { value: "GET", case_insensitive: true } } }, ["a", "b"]],
    [{ wildcard: { FIELD: "*index*" } }, ["a"]],
    [{ wildcard: { FIELD: { value: "*index*?0?", case_insensitive: true } } }, ["a", "b"]],
    [{ wildcard: { FIELD: "two*s" } }, ["c"]],
    [{ wildcard: { FIELD: "*ö*" } }, ["e"]],
    [{ wildcard: { FIELD: "*" } }, ["a", "b", "c", "d", "e"]],
    [{ regexp: { FIELD: "GET .* [0-9]{3}" } }, ["a"]],
    [{ regexp: { FIELD: { value: "get .*", case_insensitive: true } } }, ["a", "b"]],
    [{ regexp: { FIELD: ".*(form|404).*" } }, ["b", "c"]],
    [{ regexp: { FIELD: ".*&~(.*ndex.*)&.+" } }, ["c", "e"]],
    [{ regexp: { FIELD: "" } }, ["d"]],
    [{ exists: { field: "FIELD" } }, ["a", "b", "c", "d", "e"]],
    [{ bool: { filter: [{ wildcard: { FIELD: "*200" } }], must_not: [{ prefix: { FIELD: "GET" } }] } }, ["c"]],
  ])("%j", async (query, expected) => {
    for (const field of ["line", "word"]) {
      const answer = await search(JSON.parse(JSON.stringify(query).replaceAll("FIELD", field)));
      expect([field, answer.hits?.hits.map((hit) => hit._id).sort()]).toEqual([field, expected]);
    }
  });

  test("score the boost", async () => {
    const { hits } = await search({ term: { line: { value: "", boost: 2 } } });
    expect(hits.hits[0]._score).toBe(2);
  });

  test("of documents that have none", async () => {
    for (const query of [{ exists: { field: "none" } }, { wildcard: { none: "*" } }, { term: { none: "x" } }]) {
      expect((await search(query)).hits.hits).toEqual([]);
    }
  });

  test.each([
    [{ regexp: { line: "a(b" } }, "expected ')' at position 3"],
    [{ regexp: { word: "a(b" } }, "expected ')' at position 3"],
    [{ regexp: { line: { value: "a", flags: "NONE" } } }, "[flags] with value [NONE] in [regexp] is not supported"],
    [{ regexp: { line: { value: "a", max_determinized_states: 10 } } }, "[max_determinized_states] in [regexp] is not"],
  ])("refuses %j", async (query, reason) => {
    const answer = await search(query);
    expect(answer.status).toBe(400);
    expect(answer.error?.root_cause[0].reason).toContain(reason);
  });
});
