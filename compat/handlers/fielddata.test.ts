import { afterAll, beforeAll, expect, test } from "vitest";
import { type TestNode, testNode } from "../testing/node.js";

let node: TestNode;
beforeAll(async () => {
  node = await testNode();
  await node.call("PUT", "/i", {
    mappings: { properties: { t: { type: "text", fielddata: true }, u: { type: "text" } } },
  });
  const texts = ["delta alpha", "charlie", "", "alpha bravo bravo"];
  for (const [id, t] of texts.entries()) {
    await node.call("PUT", `/i/_doc/${id}`, { t, u: t });
    if (id === 1) await node.call("POST", "/i/_refresh");
  }
  await node.call("POST", "/i/_refresh");
});
afterAll(() => node.close());

async function sorted(order: string): Promise<[string, unknown][]> {
  const { json } = await node.call("GET", "/i/_search", { sort: [{ t: order }, "_doc"], _source: false });
  const { hits } = json as never as { hits: { hits: { _id: string; sort: unknown[] }[] } };
  return hits.hits.map(({ _id, sort }) => [_id, sort[0]]);
}

test("a text with fielddata is sorted by its least or greatest token, over segments and after a merge", async () => {
  const ascending = [
    ["0", "alpha"],
    ["3", "alpha"],
    ["1", "charlie"],
    ["2", null],
  ];
  expect(await sorted("asc")).toEqual(ascending);
  expect(await sorted("desc")).toEqual([
    ["0", "delta"],
    ["1", "charlie"],
    ["3", "bravo"],
    ["2", null],
  ]);
  await node.call("POST", "/i/_forcemerge?max_num_segments=1");
  expect(await sorted("asc")).toEqual(ascending);
});

test("it is aggregated by its tokens, each once a document", async () => {
  const body = { size: 0, aggs: { t: { terms: { field: "t" } }, n: { cardinality: { field: "t" } } } };
  expect((await node.call("GET", "/i/_search", body)).json.aggregations).toMatchObject({
    t: {
      buckets: [
        { key: "alpha", doc_count: 2 },
        { key: "bravo", doc_count: 1 },
        { key: "charlie", doc_count: 1 },
        { key: "delta", doc_count: 1 },
      ],
    },
    n: { value: 4 },
  });
});

test("what that takes is told by field, and field_caps says that it can be", async () => {
  await sorted("asc");
  const stats = (await node.call("GET", "/i/_stats/fielddata?fielddata_fields=*")).json;
  const { fields } = (stats as never as { _all: { total: { fielddata: { fields: Record<string, object> } } } })._all
    .total.fielddata;
  expect(fields.t).toMatchObject({ memory_size_in_bytes: expect.any(Number) });
  const table = await node.call("GET", "/_cat/fielddata?h=field&fields=t");
  expect(table.text).toBe("t\n");
  const caps = (await node.call("GET", "/i/_field_caps?fields=t,u")).json;
  expect(caps).toMatchObject({ fields: { t: { text: { aggregatable: true } }, u: { text: { aggregatable: false } } } });
});

test("a text without it is refused, and queries of one with it find words", async () => {
  expect((await node.call("GET", "/i/_search", { sort: ["u"] })).text).toContain("set fielddata=true on [u]");
  expect((await node.call("GET", "/i/_count", { query: { match: { t: "bravo" } } })).json.count).toBe(1);
  expect((await node.call("GET", "/i/_mapping")).json).toMatchObject({
    i: { mappings: { properties: { t: { fielddata: true } } } },
  });
});
