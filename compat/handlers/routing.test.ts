import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type TestNode, testNode } from "../testing/node.js";

let node: TestNode;

/** What OpenSearch 2.19 finds of the documents below in an index of three shards: routing r0, r1, r2 and id 7 lie on 0. */
const SHARDS = { 0: ["0", "1", "2", "3", "4", "5", "7"], 1: ["10"], 2: ["6", "8", "9", "11"] } as const;

beforeAll(async () => {
  node = await testNode();
  const lines = Array.from({ length: 12 }, (_, id) => {
    const routing = id < 6 ? { routing: `r${id % 3}` } : {};
    return `${JSON.stringify({ index: { _id: String(id), ...routing } })}\n{"n":${id}}\n`;
  });
  for (const [index, shards] of [
    ["three", 3],
    ["one", 1],
  ] as const) {
    await node.call("PUT", `/${index}`, { settings: { number_of_shards: shards } });
    await node.call("POST", `/${index}/_bulk?refresh=true`, lines.join(""));
  }
  await node.call("PUT", "/three/_alias/routed", { search_routing: "r0,10", index_routing: "r1" });
});
afterAll(() => node.close());

interface Answer {
  hits: { total: { value: number }; hits: { _id: string }[] };
  _shards: { total: number };
}

async function found(path: string): Promise<[ids: string[], shards: number]> {
  const { hits, _shards } = (await node.call("POST", path, { size: 100 })).json as never as Answer;
  return [hits.hits.map(({ _id }) => _id).sort((a, b) => Number(a) - Number(b)), _shards.total];
}

const all = [...SHARDS[0], ...SHARDS[1], ...SHARDS[2]].sort((a, b) => Number(a) - Number(b));

describe("a search of some shards", () => {
  test.each([
    ["/three/_search?routing=r0", SHARDS[0], 1],
    ["/three/_search?routing=r0,10", [...SHARDS[0], ...SHARDS[1]], 2],
    ["/three/_search?routing=", [], 0],
    ["/three/_search?preference=_shards:1", SHARDS[1], 1],
    ["/three/_search?preference=_shards:0,2", [...SHARDS[0], ...SHARDS[2]], 2],
    ["/three/_search?preference=_shards:1|_local", SHARDS[1], 1],
    ["/three/_search?routing=r0&preference=_shards:1", [], 0],
    ["/three/_search?preference=_shards:9", [], 0],
    ["/three/_search?preference=_local", all, 3],
    ["/three/_search?preference=session", all, 3],
    ["/routed/_search", [...SHARDS[0], ...SHARDS[1]], 2],
    ["/routed/_search?routing=10", SHARDS[1], 1],
    ["/routed,three/_search", all, 3],
    ["/one/_search?routing=r0", all, 1],
    ["/one/_search?preference=_shards:1", [], 0],
  ])("%s", async (path, expected, shards) => {
    expect(await found(path)).toEqual([[...expected].sort((a, b) => Number(a) - Number(b)), shards]);
  });

  test("is counted, multi-searched and scrolled alike", async () => {
    expect((await node.call("POST", "/three/_count?routing=r0")).json).toMatchObject({
      count: 7,
      _shards: { total: 1 },
    });
    const lines = '{"routing":"10"}\n{"size":0}\n{"preference":"_shards:2"}\n{"size":0}\n{}\n{"size":0}\n';
    const { responses } = (await node.call("POST", "/three/_msearch?routing=r0", lines)).json as never as {
      responses: Answer[];
    };
    expect(responses.map(({ hits }) => hits.total.value)).toEqual([1, 0, 7]);
    expect((await found("/three/_search?scroll=1m&routing=10"))[0]).toEqual(SHARDS[1]);
  });

  test.each([
    ["_shards:x", "number_format_exception", 'For input string: "x"'],
    ["_zzz", "illegal_argument_exception", "no Preference for [_zzz]"],
    ["_only_nodes:abc", "illegal_argument_exception", "no data nodes with criteria [abc] found"],
  ])("is refused for the preference %s", async (preference, type, reason) => {
    const answer = await node.call("GET", `/three/_search?preference=${preference}`);
    expect([answer.status, answer.json.error]).toMatchObject([400, { type, reason }]);
  });
});

describe("a document of an index of several shards", () => {
  test.each([
    ["/three/_doc/0", 404],
    ["/three/_doc/0?routing=r0", 200],
    ["/three/_doc/0?routing=r1", 200],
    ["/three/_doc/0?routing=10", 404],
    ["/three/_doc/7", 200],
    ["/three/_doc/7?routing=10", 404],
    ["/three/_source/0", 404],
    ["/one/_doc/0", 200],
  ])("is found on the shard of its routing value alone: %s is %i", async (path, status) => {
    expect((await node.call("GET", path)).status).toBe(status);
  });

  test("is read so by _mget", async () => {
    const docs = [{ _id: "0" }, { _id: "0", routing: "r2" }];
    expect((await node.call("POST", "/three/_mget", { docs })).json.docs).toMatchObject([
      { found: false },
      { found: true },
    ]);
  });

  test("is not deleted or updated from elsewhere", async () => {
    expect((await node.call("DELETE", "/three/_doc/1?routing=10")).json).toMatchObject({ result: "not_found" });
    expect((await node.call("POST", "/three/_update/1?routing=10", { doc: { n: 9 } })).status).toBe(404);
    const lines =
      '{"delete":{"_id":"1"}}\n{"update":{"_id":"1","routing":"10"}}\n{"doc":{"n":9},"doc_as_upsert":true}\n';
    const { items } = (await node.call("POST", "/three/_bulk", lines)).json as never as { items: object[] };
    expect(items).toMatchObject([
      { delete: { result: "not_found", status: 404 } },
      { update: { status: 400, error: { reason: expect.stringContaining("is not supported by Pinakes") } } },
    ]);
    expect((await node.call("GET", "/three/_source/1?routing=r1")).text).toBe('{"n":1}');
  });

  test("is found by the operations that follow it in a bulk", async () => {
    const lines = ['{"index":{"_id":"b","routing":"10"}}', "{}", '{"delete":{"_id":"b","routing":"10"}}', ""];
    const { items } = (await node.call("POST", "/three/_bulk", lines.join("\n"))).json as never as { items: object[] };
    expect(items).toMatchObject([{ index: { status: 201 } }, { delete: { status: 200 } }]);
  });
});

describe("an alias with index routing", () => {
  test("gives it to what is written by it, and refuses another", async () => {
    await node.call("PUT", "/routed/_doc/a", {});
    expect((await node.call("GET", "/routed/_doc/a")).json).toMatchObject({ found: true, _routing: "r1" });
    const reason =
      "Alias [routed] has index routing associated with it [r1], and was provided with routing value [r0], rejecting operation";
    expect((await node.call("PUT", "/routed/_doc/a?routing=r0", {})).json.error).toMatchObject({ reason });
    const lines = '{"index":{"_id":"c"}}\n{}\n{"index":{"_id":"d","routing":"r0"}}\n{}\n';
    const { items } = (await node.call("POST", "/routed/_bulk", lines)).json as never as { items: object[] };
    expect(items).toMatchObject([{ index: { status: 201 } }, { index: { status: 400, error: { reason } } }]);
    await node.call(
      "POST",
      "/three/_bulk?refresh=true",
      '{"delete":{"_id":"a","routing":"r1"}}\n{"delete":{"_id":"c","routing":"r1"}}\n',
    );
  });

  test("has one value", async () => {
    const answer = await node.call("PUT", "/three/_alias/several", { routing: "a,b" });
    expect(answer.json.error).toMatchObject({
      reason: "alias [several] has several index routing values associated with it",
    });
  });
});

test("what is deleted by query is what lies on the routed shards", async () => {
  await node.call("PUT", "/doomed", { settings: { number_of_shards: 3 } });
  await node.call("POST", "/doomed/_bulk?refresh=true", all.map((id) => `{"index":{"_id":"${id}"}}\n{}\n`).join(""));
  const deleted = await node.call("POST", "/doomed/_delete_by_query?routing=10&refresh=true", {
    query: { match_all: {} },
  });
  const left = (await found("/doomed/_search"))[0];
  expect(left.length + Number(deleted.json.deleted)).toBe(all.length);
  expect(left.length).toBeGreaterThan(0);
  expect((await found("/doomed/_search?routing=10"))[0]).toEqual([]);
});
