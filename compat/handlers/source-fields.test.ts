/** What `_source` shows of documents is what a filter leaves of the whole, though values that it leaves out are not even read. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { sourceFilter } from "../search/source-filter.js";
import { type TestNode, testNode } from "../testing/node.js";

let node: TestNode;

const DOCUMENT = {
  name: "a.ts",
  body: 'one\n"two"',
  tags: ["x", "y"],
  parts: ["first text", "second text"],
  size: 12,
  sizes: [3, 4],
  share: 0.5,
  shares: [1.5, 2.5],
  there: true,
  from: "10.0.0.1",
  at: "2024-01-02T03:04:05Z",
  day: 1704164645000,
  inner: { name: "b", size: 7, body: "deep" },
  list: [{ name: "c" }, { name: "d", size: 8 }],
};

beforeAll(async () => {
  node = await testNode();
  const text = { type: "text", fields: { lines: { type: "wildcard" } } };
  const properties = {
    name: { type: "keyword" },
    body: text,
    tags: { type: "keyword" },
    parts: text,
    size: { type: "long" },
    sizes: { type: "long" },
    share: { type: "double" },
    shares: { type: "double" },
    there: { type: "boolean" },
    from: { type: "ip" },
    at: { type: "date" },
    day: { type: "date" },
    inner: { properties: { name: { type: "keyword" }, size: { type: "integer" }, body: text } },
  };
  await node.call("PUT", "/kept", { mappings: { properties } });
  const lines = Array.from({ length: 40 }, (_, i) => [
    JSON.stringify({ index: { _id: String(i) } }),
    JSON.stringify({ ...DOCUMENT, size: i }),
  ]);
  await node.call("POST", "/kept/_bulk?refresh=true", `${lines.flat().join("\n")}\n`);
});
afterAll(() => node.close());

interface Answer {
  hits: { hits: { _id: string; _source: object; fields?: object; highlight?: object }[] };
}
const page = async (body: object) =>
  ((await node.call("POST", "/kept/_search", { size: 40, sort: ["_doc"], ...body })).json as never as Answer).hits.hits;

const names = Object.keys(DOCUMENT);

test.each([
  ...names.map((name) => ({ includes: [name], excludes: [] })),
  ...names.map((name) => ({ includes: [], excludes: [name] })),
  { includes: ["name", "size", "inner.size"], excludes: [] },
  { includes: ["inner.*"], excludes: ["*.body"] },
  { includes: ["s*"], excludes: ["*s"] },
  { includes: ["*ody", "list.name"], excludes: [] },
  { includes: ["nothing"], excludes: [] },
  { includes: [], excludes: ["inner", "body.lines"] },
])("%j", async (shown) => {
  const shows = sourceFilter(shown);
  const expected = Array.from({ length: 40 }, (_, i) =>
    JSON.parse(shows(Buffer.from(JSON.stringify({ ...DOCUMENT, size: i }))).toString()),
  );
  expect((await page({ _source: shown })).map((hit) => hit._source)).toEqual(expected);
});

test("what else is read from a document is there though `_source` does not show it", async () => {
  const [hit] = await page({
    _source: ["name"],
    fields: ["body", "size"],
    query: { match: { body: "two" } },
    highlight: { fields: { body: {} } },
  });
  expect(hit._source).toEqual({ name: "a.ts" });
  expect(hit.fields).toEqual({ body: [DOCUMENT.body], size: [0] });
  expect(JSON.stringify(hit.highlight)).toContain("<em>two</em>");
});

test("its bytes are those that a filter of the whole document prints, however the document was written", async () => {
  const documents = [
    '{"name":"a","size":1.0,"tags":["x","y"],"inner":{"name":"b"},"body":"one"}',
    '{ "name" : "a" , "size" : 1.0, "tags":[ "x" , "y" ], "inner":{ "name":"b" } }',
    '{"name":"\\u0061\\"","size":1e3,"tags":["y","x"],"other":[1, 2],"list":[{"a b":"c  d"}]}',
    '{"na\\u006de":"a","size":1,"other":{"x": null},"body":"x\\ty"}',
    '{"name":"é","size":"7","tags":[],"inner":{},"other":"a b"}',
  ];
  const mappings = { properties: { other: { type: "object", enabled: false } } };
  await node.call("PUT", "/written", { mappings });
  const lines = documents.flatMap((document, i) => [`{"index":{"_id":"${i}"}}`, document]);
  await node.call("POST", "/written/_bulk?refresh=true", `${lines.join("\n")}\n`);
  const filters = [
    { includes: ["name", "size"], excludes: [] },
    { includes: ["tags", "other", "list"], excludes: [] },
    { includes: [], excludes: ["name", "body"] },
    { includes: ["inner"], excludes: ["inner.name"] },
  ];
  for (const shown of filters) {
    const { text } = await node.call("POST", "/written/_search", { sort: ["_doc"], _source: shown });
    const shows = sourceFilter(shown);
    for (const document of documents) expect(text).toContain(`"_source":${shows(Buffer.from(document))},"sort"`);
  }
});
