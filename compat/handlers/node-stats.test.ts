import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type TestNode, testNode } from "../testing/node.js";

let node: TestNode;
const os2 = { "x-pinakes-identity": "os2" };

async function get(path: string, headers: Record<string, string> = {}) {
  const answer = await node.call("GET", path, undefined, headers);
  // biome-ignore lint/suspicious/noExplicitAny: a test names the members it wants
  return answer.json as any;
}

async function one(path: string, headers: Record<string, string> = {}) {
  const { nodes } = await get(path, headers);
  // biome-ignore lint/suspicious/noExplicitAny: a test names the members it wants
  return Object.values(nodes)[0] as any;
}

beforeAll(async () => {
  node = await testNode();
  const mappings = { properties: { n: { type: "long" }, k: { type: "keyword" }, t: { type: "text" } } };
  // Nothing is refreshed by itself: the tests count what was asked for.
  const settings = { number_of_replicas: 0, refresh_interval: "-1" };
  await node.call("PUT", "/a", { settings, mappings });
  await node.call("PUT", "/b", { settings: { ...settings, number_of_shards: 2 } });
  const lines = Array.from(
    { length: 100 },
    (_, i) => `{"index":{"_id":"${i}"}}\n{"n":${i},"k":"k${i % 7}","t":"some text"}\n`,
  );
  await node.call("POST", "/a/_bulk?refresh=true", lines.join(""));
  await node.call("POST", "/a/_bulk", '{"index":{"_id":"bad"}}\n{"n":"no number"}\n{"delete":{"_id":"1"}}\n');
  await node.call("POST", "/a/_update/2", { doc: { n: 2 } });
  await node.call("POST", "/a/_update/2", { doc: { n: 22 } });
  await node.call("GET", "/a/_doc/3");
  await node.call("GET", "/a/_doc/none");
  await node.call("POST", "/a/_search", { query: { match: { t: "text" } } });
  await node.call("POST", "/a/_search", { size: 0, stats: ["g1"], aggs: { x: { terms: { field: "k" } } } });
});
afterAll(() => node.close());

describe("the numbers", () => {
  test("of an index are what was done to it", async () => {
    const { indices } = await get("/a/_stats");
    expect(indices.a.total).toMatchObject({
      docs: { count: 100, deleted: 0 },
      indexing: { index_total: 101, index_failed: 1, delete_total: 1, noop_update_total: 1, index_current: 0 },
      get: { total: 2, exists_total: 1, missing_total: 1, current: 0 },
      search: { query_total: 2, fetch_total: 1, query_current: 0, open_contexts: 0 },
      refresh: { total: 1, listeners: 0 },
      flush: { total: 0, periodic: 0 },
      segments: { count: 1 },
      translog: { operations: 102, uncommitted_operations: 102 },
      merges: { total: 0, current: 0 },
    });
    expect(indices.a.total).toEqual(indices.a.primaries);
    expect(indices.a.total.segments.index_writer_memory_in_bytes).toBeGreaterThan(0);
  });

  test("follow a refresh, a flush and a merge", async () => {
    await node.call("POST", "/a/_refresh");
    await node.call("POST", "/a/_forcemerge?max_num_segments=1");
    const { total } = (await get("/a/_stats")).indices.a;
    expect(total).toMatchObject({
      docs: { count: 99, deleted: 0 },
      refresh: { total: 2 },
      segments: { count: 1 },
      merges: { total: 1, total_docs: 101, current: 0, current_docs: 0 },
      translog: { operations: 0, uncommitted_operations: 0, uncommitted_size_in_bytes: 0 },
    });
    expect(total.flush.total).toBeGreaterThan(0);
    expect(total.merges.total_size_in_bytes).toBeGreaterThan(0);
  });

  test("of scrolls and points in time are counted while open and after", async () => {
    const { _scroll_id } = (await node.call("POST", "/a/_search?scroll=1m", { size: 1 })).json;
    const { id } = (await node.call("POST", "/a/_pit?keep_alive=1m")).json;
    const during = (await get("/a/_stats/search", os2)).indices.a.total.search;
    expect(during).toMatchObject({ scroll_current: 1, scroll_total: 0, point_in_time_current: 1, open_contexts: 2 });
    await node.call("DELETE", "/_search/scroll", { scroll_id: _scroll_id });
    await node.call("DELETE", "/_pit", { id });
    const after = (await get("/a/_stats/search", os2)).indices.a.total.search;
    expect(after).toMatchObject({ scroll_current: 0, scroll_total: 1, point_in_time_total: 1, open_contexts: 0 });
  });

  test("of searches are kept by group", async () => {
    const { search } = (await get("/a/_stats?groups=g*")).indices.a.total;
    expect(search.groups).toMatchObject({ g1: { query_total: 1, fetch_total: 0 } });
    expect((await get("/a/_stats?groups=other")).indices.a.total.search.groups).toBeUndefined();
  });

  test("of shards stand with the first one", async () => {
    await node.call("PUT", "/b/_doc/1?refresh=true", { x: 1 });
    const { shards } = (await get("/b/_stats?level=shards")).indices.b;
    expect(shards["0"][0]).toMatchObject({ docs: { count: 1 }, seq_no: { max_seq_no: 0 }, routing: { primary: true } });
    expect(shards["1"][0]).toMatchObject({ docs: { count: 0 }, seq_no: { max_seq_no: -1 } });
    expect(shards["0"][0].commit.id).not.toBe(shards["1"][0].commit.id);
  });

  test("of segments on disk are told by section", async () => {
    const { segments } = (await get("/a/_stats/segments?include_segment_file_sizes=true")).indices.a.total;
    expect(segments.file_sizes.columnValues.size_in_bytes).toBeGreaterThan(0);
    expect(segments.file_sizes.columnValues.description).toBe("column values");
  });

  test("of fielddata are told by field and are gone when the cache is cleared", async () => {
    await node.call("POST", "/a/_doc/x?refresh=true", { k: "new" });
    await node.call("POST", "/a/_search", { size: 0, aggs: { x: { terms: { field: "k" } } } });
    const before = (await get("/a/_stats/fielddata?fields=*")).indices.a.total.fielddata;
    expect(before.fields.k.memory_size_in_bytes).toBeGreaterThan(0);
    expect((await node.call("GET", "/_cat/fielddata?h=field,size")).text).toMatch(/^k \d+b\n$/);
    expect((await node.call("POST", "/a/_cache/clear")).json._shards).toEqual({ total: 1, successful: 1, failed: 0 });
    expect((await get("/a/_stats/fielddata")).indices.a.total.fielddata.memory_size_in_bytes).toBe(0);
  });
});

describe("_nodes/stats", () => {
  test("has every group, with numbers of the process itself", async () => {
    const stats = await one("/_nodes/stats");
    expect(Object.keys(stats).filter((key) => typeof stats[key] === "object" && !Array.isArray(stats[key]))).toEqual([
      "attributes",
      "indices",
      "os",
      "process",
      "jvm",
      "thread_pool",
      "fs",
      "transport",
      "http",
      "breakers",
      "script",
      "discovery",
      "ingest",
      "adaptive_selection",
      "script_cache",
      "indexing_pressure",
    ]);
    expect(stats.process.open_file_descriptors).toBeGreaterThan(0);
    expect(stats.jvm.mem.heap_used_in_bytes).toBeGreaterThan(1_000_000);
    expect(stats.jvm.threads.count).toBeGreaterThan(0);
    expect(stats.fs.total.total_in_bytes).toBeGreaterThan(stats.fs.total.available_in_bytes);
    expect(stats.http.total_opened).toBeGreaterThan(0);
    expect(stats.breakers.parent.estimated_size_in_bytes).toBeGreaterThan(10_000_000);
    expect(stats.breakers.in_flight_requests).toMatchObject({ estimated_size_in_bytes: 0, tripped: 0 });
    expect(stats.indexing_pressure.memory.total.coordinating_in_bytes).toBeGreaterThan(1_000);
    expect(stats.indexing_pressure.memory.current.all_in_bytes).toBe(0);
  });

  test("counts the work of the pools", async () => {
    const { thread_pool } = await one("/_nodes/stats/thread_pool");
    expect(thread_pool.search).toMatchObject({
      threads: 1 + node.engine.resources.workers().length,
      active: 0,
      rejected: 0,
      queue: 0,
    });
    expect(thread_pool.search.completed).toBeGreaterThanOrEqual(4);
    expect(thread_pool.write.completed).toBeGreaterThanOrEqual(4);
    expect(thread_pool.management.active).toBe(1);
    expect(thread_pool.merge.completed).toBe(1);
  });

  test("gives the metrics asked for, of indices too", async () => {
    const stats = await one("/_nodes/stats/indices,os/docs,merge");
    expect(Object.keys(stats)).toEqual(expect.arrayContaining(["os", "indices"]));
    expect(stats.jvm).toBeUndefined();
    expect(Object.keys(stats.indices)).toEqual(["docs", "merges"]);
  });

  test("goes down to indices and shards", async () => {
    expect((await one("/_nodes/stats/indices/docs?level=indices")).indices.indices.b).toEqual({
      docs: { count: 1, deleted: 0 },
    });
    expect((await one("/_nodes/stats/indices/docs?level=shards")).indices.shards.b[0][0].docs.count).toBe(1);
  });

  test.each([
    [
      "/_nodes/stats/transprot",
      "request [/_nodes/stats/transprot] contains unrecognized metric: [transprot] -> did you mean [transport]?",
    ],
    [
      "/_nodes/stats/bogus1,bogus2",
      "request [/_nodes/stats/bogus1,bogus2] contains unrecognized metrics: [bogus1], [bogus2]",
    ],
    ["/_nodes/stats/_all,jvm", "request [/_nodes/stats/_all,jvm] contains _all and individual metrics [_all,jvm]"],
    [
      "/_nodes/stats/jvm/docs",
      "request [/_nodes/stats/jvm/docs] contains index metrics [docs] but indices stats not requested",
    ],
    [
      "/_nodes/stats/_all/docs",
      "request [/_nodes/stats/_all/docs] contains index metrics [docs] but all stats requested",
    ],
    [
      "/_nodes/stats/indices/bogus",
      "request [/_nodes/stats/indices/bogus] contains unrecognized index metric: [bogus]",
    ],
    ["/_stats?level=bad", "parameter [level] must be one of [cluster, indices, shards, node] but was [bad]"],
    ["/_stats?level=node", "level parameter must be one of [cluster] or [indices] or [shards] but was [node]"],
  ])("%s is refused by name", async (path, reason) => {
    const answer = await node.call("GET", path);
    expect([answer.status, (answer.json.error as { reason: string }).reason]).toEqual([400, reason]);
  });

  test.each([
    ["_local", 1],
    ["pina*", 1],
    ["data:true", 1],
    ["data:false", 0],
    ["nobody", 0],
    ["_all,data:false", 0],
  ])("nodes %s: %d", async (nodes, total) => {
    expect((await get(`/_nodes/${nodes}/stats/process`))._nodes.total).toBe(total);
  });
});

test("_cluster/stats adds up indices and the node", async () => {
  const stats = await get("/_cluster/stats");
  expect(stats).toMatchObject({
    status: "green",
    indices: { count: 2, shards: { total: 3, primaries: 3, index: { primaries: { min: 1, max: 2, avg: 1.5 } } } },
    nodes: { count: { total: 1, data: 1 }, discovery_types: { "single-node": 1 } },
  });
  expect(stats.indices.mappings.field_types).toContainEqual({ name: "long", count: 2, index_count: 2 });
});

test("_pinakes/memory tells the budget and what it is used for", async () => {
  const report = await get("/_pinakes/memory");
  expect(report.budget_in_bytes.arena).toBe(64 * 2 ** 20);
  expect(report.used_in_bytes.arena_used).toBeLessThanOrEqual(report.used_in_bytes.arena);
  expect(report.drained.map(({ name }: { name: string }) => name)).toEqual([
    "garbage",
    "query cache",
    "block cache",
    "fielddata",
    "write buffers",
  ]);
});

describe("_segments", () => {
  test("shows what is committed, what only memory and the log know, and what no reader shows", async () => {
    await node.call("PUT", "/s", { settings: { number_of_replicas: 0, refresh_interval: "-1" } });
    await node.call("PUT", "/s/_doc/1", { x: 1 });
    await node.call("POST", "/s/_flush");
    const hidden = (await get("/s/_segments")).indices.s.shards["0"][0];
    expect(hidden).toMatchObject({
      num_committed_segments: 1,
      num_search_segments: 0,
      segments: { _0: { generation: 0, num_docs: 1, committed: true, search: false, compound: true } },
    });
    await node.call("PUT", "/s/_doc/2?refresh=true", { x: 2 });
    const { segments } = (await get("/s/_segments")).indices.s.shards["0"][0];
    expect(segments._1).toMatchObject({ generation: 1, num_docs: 1, committed: false, search: true });
    const rows = (await node.call("GET", "/_cat/segments/s?h=segment,committed,searchable,docs.count")).text;
    expect(rows).toBe("_0 true  true 1\n_1 false true 1\n");
  });
});

describe("_cat", () => {
  test("nodes: the machine, the process, and all statistics when asked", async () => {
    const header = (await node.call("GET", "/_cat/nodes?v")).text.split("\n")[0].trim().split(/\s+/);
    expect(header).toEqual("ip heap.percent ram.percent cpu load_1m load_5m load_15m node.role master name".split(" "));
    const [row] = (await get("/_cat/nodes?format=json&h=disk.total,file_desc.max,search.query_total,merges.total")) as [
      Record<string, string>,
    ];
    expect(row).toMatchObject({ "merges.total": "1" });
    expect(Number(row["search.query_total"])).toBeGreaterThan(3);
  });

  test("thread_pool: all pools or those named", async () => {
    const text = (await node.call("GET", "/_cat/thread_pool/write,search?h=name,active,rejected&v")).text;
    expect(text).toMatch(/^name +active rejected\nsearch +0 +0\nwrite +0 +0\n$/);
  });
});
