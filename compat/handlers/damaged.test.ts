/**
 * A damaged index on the wire: red, explained with file and offset, refused as Elasticsearch refuses a red one; other
 * indices answer. What OpenSearch 2.19 said of an index without a primary was asked beforehand.
 */
import fs from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type EngineFace, openEngine } from "../../engine/index.js";
import { damageSegmentData, filesOf, flipBit } from "../../engine/testing/damage.js";
import { type Answer, type TestServer, testServer } from "../testing/http.js";

const ARENA_BYTES = 64 * 2 ** 20;

let folder: string;
let engine: EngineFace;
let server: TestServer;
let file: string;

const call = (method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<Answer> =>
  server.call(method, path, body, headers);

beforeAll(async () => {
  folder = fs.mkdtempSync(path.join(fs.realpathSync("/tmp"), "pinakes-red-"));
  engine = await openEngine(folder, { arenaBytes: ARENA_BYTES });
  server = await testServer(engine);
  for (const name of ["good", "late", "red"]) {
    const settings = { number_of_replicas: 0, number_of_shards: name === "red" ? 2 : 1 };
    await call("PUT", `/${name}`, { settings, aliases: name === "red" ? { al: {} } : {} });
    for (const id of ["1", "2", "3"]) await call("PUT", `/${name}/_doc/${id}`, { n: Number(id) });
    await call("POST", `/${name}/_flush`);
  }
  const uuids = ["red", "late"].map((name) => engine.index(name)?.definition.uuid ?? "");
  await server.close();
  await engine.close();
  file = filesOf(folder, uuids[0], "commit")[0];
  flipBit(file, 40);
  // Opening reads none of this: `late` is sound until a search meets it.
  damageSegmentData(filesOf(folder, uuids[1], ".seg")[0]);
  engine = await openEngine(folder, { arenaBytes: ARENA_BYTES });
  server = await testServer(engine);
});
afterAll(async () => {
  await server.close();
  await engine.close();
  fs.rmSync(folder, { recursive: true });
});

const MISSING = {
  shard: 0,
  index: "red",
  node: null,
  reason: { type: "no_shard_available_action_exception", reason: expect.stringContaining("damaged at byte 8") },
};

describe("a damaged index", () => {
  test("is red in the health of the cluster and of the index", async () => {
    const health = (await call("GET", "/_cluster/health?level=shards")).json;
    const unassigned = { status: "red", active_primary_shards: 0, active_shards: 0, unassigned_shards: 2 };
    const shard = { status: "red", primary_active: false, active_shards: 0, unassigned_shards: 1 };
    expect(health).toMatchObject({
      status: "red",
      active_primary_shards: 2,
      active_shards: 2,
      unassigned_shards: 2,
      unassigned_primary_shards: 2,
      active_shards_percent_as_number: 50,
      indices: {
        red: { ...unassigned, number_of_shards: 2, number_of_replicas: 0, shards: { 0: shard, 1: shard } },
        good: { status: "green" },
      },
    });
    expect((await call("GET", "/_cluster/health/good")).json).toMatchObject({ status: "green" });
    expect((await call("GET", "/_cluster/health?wait_for_status=yellow&timeout=1ms")).status).toBe(408);
  });

  test("is red in _cat/indices and has no shards in _cat/shards; what is not known is blank", async () => {
    const rows = (await call("GET", "/_cat/indices?format=json&h=health,index,pri,docs.count,store.size&s=index")).json;
    expect(rows).toMatchObject([
      { health: "green", index: "good", "docs.count": "3" },
      { health: "green", index: "late", "docs.count": "3" },
      { health: "red", index: "red", pri: "2", "docs.count": null, "store.size": null },
    ]);
    const shards = (await call("GET", "/_cat/shards/red?h=index,shard,prirep,state,docs,node")).text;
    expect(shards.split("\n").map((line) => line.trim())).toEqual(["red 0 p UNASSIGNED", "red 1 p UNASSIGNED", ""]);
    expect((await call("GET", "/_cat/health?h=status,unassign,active_shards_percent")).text.trim()).toBe("red 2 50.0%");
    expect((await call("GET", "/_cat/indices?health=red&h=index")).text).toBe("red\n");
  });

  test("is explained with index, shard, file and offset", async () => {
    const explained = (await call("GET", "/_cluster/allocation/explain")).json as never as Record<string, never>;
    expect(explained).toMatchObject({
      note: expect.stringContaining("No shard was specified"),
      index: "red",
      shard: 0,
      primary: true,
      current_state: "unassigned",
      unassigned_info: {
        reason: "ALLOCATION_FAILED",
        details: expect.stringContaining(`file ${file} is damaged at byte 8`),
        last_allocation_status: "no_valid_shard_copy",
      },
      can_allocate: "no_valid_shard_copy",
      allocate_explanation: expect.stringContaining("pinakes repair red"),
      node_allocation_decisions: [
        {
          node_decision: "no",
          store: {
            in_sync: true,
            store_exception: { type: "corrupt_index_exception", reason: expect.stringContaining(`${file} is damaged`) },
          },
        },
      ],
    });
    const asked = await call("POST", "/_cluster/allocation/explain", { index: "red", shard: 1, primary: true });
    expect(asked.json).toMatchObject({ index: "red", shard: 1, current_state: "unassigned" });
    expect(asked.json).not.toHaveProperty("note");
  });

  test("refuses searches with 503 and 'all shards failed'", async () => {
    for (const [method, path] of [
      ["GET", "/red/_search"],
      ["GET", "/al/_search"],
      ["GET", "/red/_count"],
      ["GET", "/_cat/count/red"],
      ["POST", "/red/_search?scroll=1m"],
      ["POST", "/red/_pit?keep_alive=1m"],
      ["POST", "/red/_delete_by_query"],
    ]) {
      const body = path.includes("delete") ? { query: { match_all: {} } } : undefined;
      const answer = await call(method, path, body);
      expect([path, answer.status, answer.json]).toMatchObject([
        path,
        503,
        {
          error: {
            root_cause: [{ type: "no_shard_available_action_exception" }],
            type: "search_phase_execution_exception",
            phase: "query",
            grouped: true,
            failed_shards: [MISSING],
          },
          status: 503,
        },
      ]);
    }
    expect((await call("GET", "/red/_search")).json).toMatchObject({ error: { reason: "all shards failed" } });
  });

  test("leaves the other indices of a search their answer, and says what is missing", async () => {
    const found = (await call("GET", "/good,red/_search?size=1")).json;
    expect(found).toMatchObject({
      _shards: { total: 3, successful: 1, skipped: 0, failed: 2, failures: [MISSING] },
      hits: { total: { value: 3 } },
    });
    const count = (await call("GET", "/go*,re*/_count")).json;
    expect(count).toMatchObject({ count: 3, _shards: { total: 3, successful: 1, failed: 2 } });
    const whole = await call("GET", "/good,red/_search?allow_partial_search_results=false");
    expect([whole.status, whole.json]).toMatchObject([
      503,
      {
        error: {
          type: "search_phase_execution_exception",
          caused_by: { reason: expect.stringContaining("missing shards [[red][0], [red][1]]. Consider using") },
        },
      },
    ]);
    const many = await call("POST", "/_msearch", '{"index":"red"}\n{}\n{"index":"good"}\n{}\n', {
      "content-type": "application/x-ndjson",
    });
    expect(many.json).toMatchObject({ responses: [{ status: 503 }, { status: 200, hits: { total: { value: 3 } } }] });
  });

  test("refuses to be read and written by id, item by item in bulk", async () => {
    const got = await call("GET", "/red/_doc/1");
    const unavailable = { type: "no_shard_available_action_exception", reason: expect.stringContaining(file) };
    expect([got.status, got.json]).toMatchObject([503, { error: unavailable }]);
    const several = await call("POST", "/_mget", {
      docs: [
        { _index: "red", _id: "1" },
        { _index: "good", _id: "1" },
      ],
    });
    expect(several.json).toMatchObject({
      docs: [
        { _index: "red", error: unavailable },
        { _index: "good", found: true },
      ],
    });
    const inactive = {
      type: "unavailable_shards_exception",
      reason: expect.stringContaining("[red][0] primary shard is not active"),
    };
    for (const [method, path, body] of [
      ["PUT", "/red/_doc/1", { n: 1 }],
      ["POST", "/red/_update/1", { doc: { n: 1 } }],
      ["DELETE", "/red/_doc/1", undefined],
    ] as const) {
      const answer = await call(method, path, body);
      expect([answer.status, answer.json]).toMatchObject([503, { error: inactive }]);
    }
    const lines = '{"index":{"_index":"red","_id":"9"}}\n{}\n{"index":{"_index":"good","_id":"1"}}\n{"n":1}\n';
    const bulk = await call("POST", "/_bulk?refresh=true", lines, { "content-type": "application/x-ndjson" });
    expect(bulk.json).toMatchObject({
      errors: true,
      items: [{ index: { _index: "red", status: 503, error: inactive } }, { index: { _index: "good", status: 200 } }],
    });
  });

  test("takes part in what is asked of all indices with no successful shard", async () => {
    for (const path of ["_refresh", "_flush", "_forcemerge"]) {
      expect((await call("POST", `/red/${path}`)).json).toEqual({ _shards: { total: 2, successful: 0, failed: 0 } });
    }
    const stats = (await call("GET", "/red,good/_stats/docs")).json as never as { indices: object };
    expect(stats).toMatchObject({ _shards: { total: 3, successful: 1, failed: 0 } });
    expect(Object.keys(stats.indices)).toEqual(["good"]);
    expect((await call("GET", "/_nodes/stats/indices")).status).toBe(200);
    expect((await call("POST", "/red/_validate/query")).json).toMatchObject({
      valid: true,
      _shards: { successful: 0 },
    });
  });

  test("shows and changes its definition as any other", async () => {
    expect((await call("GET", "/red")).json).toMatchObject({ red: { aliases: { al: {} } } });
    expect((await call("PUT", "/red/_mapping", { properties: { z: { type: "long" } } })).status).toBe(200);
    expect((await call("PUT", "/red/_settings", { "index.refresh_interval": "5s" })).status).toBe(200);
    expect((await call("GET", "/red/_mapping")).json).toMatchObject({ red: { mappings: { properties: { z: {} } } } });
    expect((await call("PUT", "/red")).json).toMatchObject({ error: { type: "resource_already_exists_exception" } });
    expect((await call("HEAD", "/red")).status).toBe(200);
  });
});

describe("allocation explain without a damaged shard to explain", () => {
  const explain = (body?: unknown, headers?: Record<string, string>) =>
    call("POST", "/_cluster/allocation/explain", body, headers);

  test("says that an assigned primary is started", async () => {
    expect((await explain({ index: "good", shard: 0, primary: true })).json).toMatchObject({
      current_state: "started",
      can_remain_on_current_node: "yes",
      can_rebalance_to_other_node: "no",
    });
  });

  test("refuses half a question, by what is missing, and a shard that is not there", async () => {
    const reasons = async (body: unknown) => {
      const { status, json } = await explain(body);
      return [status, (json.error as { reason: string }).reason];
    };
    const missing = (what: string) => [400, `Validation Failed: 1: ${what} must be specified;`];
    expect(await reasons({ shard: 0, primary: true })).toEqual(missing("index"));
    expect(await reasons({ index: "good", primary: true })).toEqual(missing("shard"));
    expect(await reasons({ index: "good", shard: 0 })).toEqual(missing("primary"));
    expect(await reasons({ index: "none", shard: 0, primary: true })).toEqual([404, "no such index [none]"]);
    expect(await reasons({ index: "good", shard: 3, primary: true })).toEqual([404, "no such shard"]);
    expect((await reasons({ index: "good", shard: 0, primary: false }))[0]).toBe(400);
    expect(await reasons({ foo: 1 })).toEqual([
      400,
      expect.stringContaining("[cluster/allocation/explain] unknown field"),
    ]);
    const elsewhere = { index: "good", shard: 0, primary: true, current_node: "nope" };
    expect(await reasons(elsewhere)).toEqual([400, "failed to resolve [nope], no matching nodes"]);
  });
});

describe("damage that a search meets", () => {
  test("fails that index from then on, and not the others; deleting the red ones makes the cluster green", async () => {
    const found = (await call("GET", "/good,late/_search?size=6")).json;
    expect(found).toMatchObject({
      _shards: { total: 2, successful: 1, failed: 1, failures: [{ index: "late" }] },
      hits: { total: { value: 3 } },
    });
    expect((await call("GET", "/late/_search")).status).toBe(503);
    expect((await call("GET", "/_cluster/health/late")).json).toMatchObject({ status: "red" });
    expect((await call("DELETE", "/late,red")).status).toBe(200);
    expect((await call("GET", "/_cluster/health")).json).toMatchObject({ status: "green" });
    const explained = await call("GET", "/_cluster/allocation/explain");
    expect([explained.status, explained.json]).toMatchObject([
      400,
      {
        error: {
          type: "illegal_argument_exception",
          reason: expect.stringContaining("there are no unassigned shards in this cluster"),
        },
      },
    ]);
  });
});
