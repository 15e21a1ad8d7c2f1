import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type TestNode, testNode } from "../testing/node.js";

let node: TestNode;
beforeAll(async () => {
  node = await testNode({ identity: "os2", nodeAttributes: { zone: "z", rack: "r1" } });
  await node.call("PUT", "/i", { settings: { number_of_shards: 2, number_of_replicas: 1 } });
  await node.call("PUT", "/i/_doc/1?refresh=true", { a: 1 });
});
afterAll(() => node.close());

const lines = async (path: string) => (await node.call("GET", path)).text.trimEnd().split("\n");

describe("_cat/allocation", () => {
  test("counts the node's shards, and those that no node has", async () => {
    expect(await lines("/_cat/allocation?h=shards,node")).toEqual(["2 pinakes", "2 UNASSIGNED"]);
    expect(await lines("/_cat/allocation/_local?h=shards,node")).toEqual(["2 pinakes"]);
    expect((await node.call("GET", "/_cat/allocation/none")).text).toBe("");
  });

  test("says how full the disk is", async () => {
    const [row] = (await node.call("GET", "/_cat/allocation?format=json&bytes=b")).json as never as Record<
      string,
      string
    >[];
    expect(Number(row["disk.indices"])).toBeGreaterThan(0);
    expect(Number(row["disk.used"]) + Number(row["disk.avail"])).toBe(Number(row["disk.total"]));
  });
});

test("_cat/recovery shows how each shard came to be open", async () => {
  const columns = "h=index,shard,type,stage,source_host,translog_ops_percent";
  expect(await lines(`/_cat/recovery/i?${columns}`)).toEqual([
    "i 0 empty_store done n/a 100.0%",
    "i 1 empty_store done n/a 100.0%",
  ]);
  expect((await node.call("GET", "/_cat/recovery?active_only=true")).text).toBe("");
});

test("_recovery has times that people can read, where they are asked for", async () => {
  const shard = async (query: string) => {
    const { json } = await node.call("GET", `/i/_recovery${query}`);
    return (json as never as { i: { shards: Record<string, unknown>[] } }).i.shards[0];
  };
  expect(await shard("?human=true&detailed=true")).toMatchObject({
    type: "EMPTY_STORE",
    stage: "DONE",
    primary: true,
    start_time: expect.stringMatching(/^2\d{3}-/),
    index: { files: { total: 0, details: [] }, size: { percent: "0.0%" } },
  });
  expect(await shard("")).not.toHaveProperty("start_time");
  expect((await node.call("GET", "/none/_recovery")).status).toBe(404);
  expect((await node.call("GET", "/none*/_recovery")).json).toEqual({});
});

test("_recovery tells of an index whose name every object of the language has", async () => {
  await node.call("PUT", "/constructor");
  expect((await node.call("GET", "/constructor/_recovery")).json).toMatchObject({
    constructor: { shards: [{ id: 0, type: "EMPTY_STORE" }] },
  });
  await node.call("DELETE", "/constructor");
});

test("_shard_stores shows what may need care, and everything where it is asked for", async () => {
  const stores = async (query: string) => (await node.call("GET", `/_shard_stores${query}`)).json.indices;
  expect(await stores("")).toMatchObject({ i: { shards: { 0: { stores: [{ allocation: "primary" }] } } } });
  expect(await stores("?status=green")).toEqual({});
  expect(await stores("?status=all")).toHaveProperty("i");
  expect((await node.call("GET", "/_shard_stores?status=blue")).status).toBe(400);
});

test("_cat/nodeattrs lists attributes by name", async () => {
  expect(await lines("/_cat/nodeattrs?h=node,attr,value&v=true")).toEqual([
    "node    attr value",
    "pinakes rack r1",
    "pinakes zone z",
  ]);
});

test("_cat/cluster_manager and _cat/master are the node; only OpenSearch has the first", async () => {
  expect(await lines("/_cat/cluster_manager?h=node")).toEqual(["pinakes"]);
  expect(await lines("/_cat/master?h=node")).toEqual(["pinakes"]);
  const es8 = await testNode({ identity: "es8" });
  expect((await es8.call("GET", "/_cat/cluster_manager")).status).toBe(405);
  await es8.close();
});

test("tables of what there is none of have their columns and no rows", async () => {
  for (const table of ["plugins", "pending_tasks"]) {
    expect((await node.call("GET", `/_cat/${table}`)).text).toBe("");
    expect((await node.call("GET", `/_cat/${table}?help=true`)).text).toMatch(/\|/);
  }
});

test("_cat/health has OpenSearch's column for it alone, and no time where none is wanted", async () => {
  expect(await lines("/_cat/health?ts=false&v=true&h=cluster,discovered_cluster_manager")).toEqual([
    "cluster discovered_cluster_manager",
    "pinakes true",
  ]);
  expect((await lines("/_cat/health?ts=false"))[0]).toMatch(/^pinakes yellow 1 1 true/);
});
