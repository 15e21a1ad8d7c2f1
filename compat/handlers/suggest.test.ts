import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type TestNode, testNode } from "../testing/node.js";

let node: TestNode;
beforeAll(async () => {
  node = await testNode();
  await node.call("PUT", "/i", {
    mappings: {
      properties: {
        name: { type: "completion", fields: { raw: { type: "keyword" } } },
        title: { type: "text", fields: { complete: { type: "completion", preserve_separators: false } } },
        plain: { type: "keyword" },
      },
    },
  });
  const docs = [
    { name: "Bar" },
    { name: ["baz", "foo"] },
    { name: { input: ["bar fly", "barfly"], weight: 7 } },
    { name: [{ input: "bass", weight: "3" }], title: "Bar none" },
    { name: "gone" },
  ];
  for (const [id, doc] of docs.entries()) await node.call("PUT", `/i/_doc/${id}`, doc);
  await node.call("POST", "/i/_refresh");
  await node.call("DELETE", "/i/_doc/4?refresh=true");
});
afterAll(() => node.close());

interface Option {
  text: string;
  _id: string;
  _score: number;
  _source: object;
}

async function options(completion: object, prefix: string): Promise<Option[]> {
  const { json } = await node.call("GET", "/i/_search", { suggest: { s: { prefix, completion } } });
  return (json as never as { suggest: { s: { options: Option[] }[] } }).suggest.s[0].options;
}

const textsOf = async (completion: object, prefix: string) =>
  (await options(completion, prefix)).map(({ text }) => text);

describe("a completion", () => {
  test("gives the heaviest inputs first, one of each document, with their sources", async () => {
    const found = await options({ field: "name" }, "ba");
    expect(found.map(({ text, _id, _score }) => [text, _id, _score])).toEqual([
      ["bar fly", "2", 7],
      ["bass", "3", 3],
      ["Bar", "0", 1],
      ["baz", "1", 1],
    ]);
    expect(found[1]._source).toEqual({ name: [{ input: "bass", weight: "3" }], title: "Bar none" });
  });

  test.each([
    ["BAR", ["bar fly", "Bar"]],
    ["bar f", ["bar fly"]],
    ["barf", ["barfly"]],
    ["foo", ["foo"]],
    ["gone", []],
    ["fly", []],
  ])("of %j is %j", async (prefix, expected) => {
    expect(await textsOf({ field: "name" }, prefix)).toEqual(expected);
  });

  test("of a field without separators runs over words, and multi-fields complete too", async () => {
    expect(await textsOf({ field: "title.complete" }, "barno")).toEqual(["Bar none"]);
  });

  test("is the same after a merge, and has as many options as asked for", async () => {
    const before = await options({ field: "name", size: 2 }, "b");
    expect(before.map(({ text }) => text)).toEqual(["bar fly", "bass"]);
    await node.call("POST", "/i/_forcemerge?max_num_segments=1");
    expect(await options({ field: "name", size: 2 }, "b")).toEqual(before);
  });

  test("gives each text once where that is wanted", async () => {
    await node.call("PUT", "/i/_doc/5?refresh=true", { name: "Bar" });
    expect(await textsOf({ field: "name" }, "bar")).toEqual(["bar fly", "Bar", "Bar"]);
    expect(await textsOf({ field: "name", skip_duplicates: true }, "bar")).toEqual(["bar fly", "Bar"]);
    await node.call("DELETE", "/i/_doc/5?refresh=true");
  });

  test("comes beside hits when there is a query, and alone when there is none", async () => {
    const suggest = { s: { text: "b", completion: { field: "name" } } };
    const alone = (await node.call("GET", "/i/_search?typed_keys=true", { suggest })).json;
    expect(alone).toMatchObject({
      hits: { total: { value: 0 }, hits: [] },
      suggest: { "completion#s": [{ length: 1 }] },
    });
    const beside = (await node.call("GET", "/i/_search", { suggest, query: { match_all: {} } })).json;
    expect(beside).toMatchObject({ hits: { total: { value: 4 } }, suggest: { s: [{ offset: 0 }] } });
  });

  test("is counted, and its field's bytes are told", async () => {
    const { json } = await node.call("GET", "/i/_stats/search,completion?completion_fields=name");
    const all = json as never as {
      _all: { total: { search: { suggest_total: number }; completion: { size_in_bytes: number; fields: object } } };
    };
    const { search, completion } = all._all.total;
    expect(search.suggest_total).toBeGreaterThan(0);
    expect(completion.size_in_bytes).toBeGreaterThan(0);
    expect(Object.keys(completion.fields)).toEqual(["name"]);
  });
});

test.each([
  [{ s: { prefix: "b", completion: { field: "plain" } } }, "Field [plain] is not a completion suggest field"],
  [{ s: { prefix: "b", completion: { field: "none" } } }, "no mapping found for field [none]"],
  [{ s: { prefix: "b", completion: { field: "name", fuzzy: {} } } }, "[fuzzy]"],
  [{ s: { prefix: "b", phrase: { field: "title" } } }, "[phrase] suggester is not supported by Pinakes"],
  [{ s: { completion: { field: "name" } } }, "The required text option is missing"],
])("%j is refused", async (suggest, reason) => {
  const answer = await node.call("GET", "/i/_search", { suggest });
  expect(answer.status).toBe(400);
  expect(answer.text).toContain(reason);
});

test.each([
  [{ name: { input: "x", weight: -1 } }, "weight must be in the interval"],
  [{ name: { input: "x", wight: 1 } }, "unknown field name [wight]"],
  [{ name: { input: "x", contexts: {} } }, "Contexts are not enabled for field: [name]"],
  [{ name: 5 }, "expected text or object"],
  [{ name: "" }, "value must have a length > 0"],
])("a document with %j is refused", async (doc, reason) => {
  const answer = await node.call("PUT", "/i/_doc/x", doc);
  expect(answer.status).toBe(400);
  expect(answer.text).toContain(reason);
});

test("queries of a completion field are refused by name; its sub-field has the inputs", async () => {
  const term = await node.call("GET", "/i/_search", { query: { term: { name: "baz" } } });
  expect(term.text).toContain("Field [name] of type [completion] can be used in suggesters only");
  const raw = await node.call("GET", "/i/_count", { query: { term: { "name.raw": "bar fly" } } });
  expect(raw.json.count).toBe(1);
});
