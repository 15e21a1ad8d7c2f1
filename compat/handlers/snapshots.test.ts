import { existsSync } from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type TestNode, testNode } from "../testing/node.js";

let node: TestNode;
const OPENSEARCH = { "x-pinakes-identity": "os2" };

beforeAll(async () => {
  node = await testNode();
  await node.call("PUT", "/_snapshot/r", { type: "fs", settings: { location: "r" } });
  await node.call("PUT", "/one", {
    settings: { number_of_shards: 2, number_of_replicas: 0 },
    mappings: { properties: { a: { type: "long" } } },
    aliases: { al: { filter: { term: { a: 1 } } } },
  });
  await node.call("PUT", "/one/_doc/1", { a: 1 });
  await node.call("PUT", "/one/_doc/2?refresh=true", { a: 2 });
  await node.call("PUT", "/two/_doc/1?refresh=true", { b: 1 });
});
afterAll(() => node.close());

const ask = async (method: string, where: string, body?: unknown, headers?: Record<string, string>) => {
  const { status, json } = await node.call(method, where, body, headers);
  return { status, json: json as Record<string, unknown> };
};
const make = (name: string, body: object = {}) =>
  ask("PUT", `/_snapshot/r/${name}?wait_for_completion=true`, body) as Promise<{
    status: number;
    json: { snapshot: Record<string, unknown> };
  }>;
const restore = (name: string, body: object) =>
  ask("POST", `/_snapshot/r/${name}/_restore?wait_for_completion=true`, body);

describe("a repository", () => {
  test("is registered, shown, verified and forgotten", async () => {
    const settings = { location: "other", compress: false, chunk_size: "1mb", max_snapshot_bytes_per_sec: "40mb" };
    expect(await ask("PUT", "/_snapshot/o", { type: "fs", settings })).toEqual({
      status: 200,
      json: { acknowledged: true },
    });
    expect((await ask("GET", "/_snapshot/o")).json).toEqual({
      o: {
        type: "fs",
        settings: { location: "other", compress: "false", chunk_size: "1mb", max_snapshot_bytes_per_sec: "40mb" },
      },
    });
    expect(Object.keys((await ask("GET", "/_snapshot")).json)).toEqual(["o", "r"]);
    expect((await ask("POST", "/_snapshot/o/_verify")).json).toMatchObject({ nodes: {} });
    expect((await node.call("GET", "/_cat/repositories?v")).text).toBe("id type\no    fs\nr    fs\n");
    expect((await ask("DELETE", "/_snapshot/o")).status).toBe(200);
    expect((await ask("GET", "/_snapshot/o")).status).toBe(404);
    expect((await ask("GET", "/_snapshot/o*")).json).toEqual({});
  });

  test("lies in the data folder unless it is told otherwise", () => {
    expect(existsSync(path.join(node.engine.dataFolder, "snapshots", "r"))).toBe(true);
  });

  test.each([
    ["bad", { settings: { location: "x" } }, 400, "action_request_validation_exception", "1: type is missing;"],
    ["bad", { type: "fs", settings: {} }, 500, "repository_exception", "[bad] failed to create repository"],
    ["bad", { type: "s4", settings: {} }, 500, "repository_exception", "[bad] repository type [s4] does not exist"],
    ["bad", { type: "url", settings: {} }, 400, "illegal_argument_exception", "repository type [url] is not supported"],
    [
      "a%20b",
      { type: "fs", settings: { location: "x" } },
      500,
      "repository_exception",
      "must not contain the following",
    ],
    ["bad", { type: "fs", foo: 1 }, 400, "illegal_argument_exception", "Unknown parameter foo"],
  ])("%s with %j is refused", async (name, body, status, type, reason) => {
    const answer = await ask("PUT", `/_snapshot/${name}`, body);
    expect(answer).toMatchObject({ status, json: { error: { type, reason: expect.stringContaining(reason) } } });
  });

  test.each([
    [{ location: "/etc/x" }, "[bad] location [/etc/x] doesn't match any of the locations specified by path.repo"],
    [{ location: "../x" }, "[bad] location [../x] doesn't match any of the locations specified by path.repo"],
    [{}, "[bad] missing location"],
    [{ location: "x", readonly: "maybe" }, "Failed to parse value [maybe] as only [true] or [false] are allowed."],
    [{ location: "x", chunk_size: "9" }, "failed to parse setting [chunk_size] with value [9] as a size in bytes"],
    [
      { location: "x", compres: true },
      "unknown setting [compres] of a repository of type [fs] did you mean [compress]?",
    ],
    [{ location: "x", base_path: "y" }, "repository setting [base_path] is not supported by Pinakes"],
  ])("settings %j are refused, with the cause", async (settings, reason) => {
    const { status, json } = await ask("PUT", "/_snapshot/bad", { type: "fs", settings });
    expect([status, json.error]).toMatchObject([500, { caused_by: { reason: expect.stringContaining(reason) } }]);
  });

  test("that is only read here takes no snapshot and gives what another wrote", async () => {
    await make("for-readers", { indices: "two" });
    await ask("PUT", "/_snapshot/ro", { type: "fs", settings: { location: "r", readonly: true } });
    expect((await ask("PUT", "/_snapshot/ro/x", {})).json.error).toMatchObject({
      type: "repository_exception",
      reason: "[ro] cannot create snapshot in a readonly repository",
    });
    expect((await ask("DELETE", "/_snapshot/ro/for-readers")).status).toBe(500);
    const { json } = await ask("GET", "/_snapshot/ro/for-readers");
    expect(json.snapshots).toMatchObject([{ snapshot: "for-readers", repository: "ro" }]);
    await ask("DELETE", "/_snapshot/ro");
  });
});

describe("a snapshot", () => {
  test("says all there is to say of it", async () => {
    const { status, json } = await make("full", { indices: "one,two", metadata: { by: "me" } });
    expect(status).toBe(200);
    expect(json.snapshot).toEqual({
      snapshot: "full",
      uuid: expect.stringMatching(/^.{22}$/),
      repository: "r",
      version_id: 8190299,
      version: "8.19.2",
      indices: ["one", "two"],
      data_streams: [],
      include_global_state: true,
      metadata: { by: "me" },
      state: "SUCCESS",
      start_time: expect.stringMatching(/Z$/),
      start_time_in_millis: expect.any(Number),
      end_time: expect.stringMatching(/Z$/),
      end_time_in_millis: expect.any(Number),
      duration_in_millis: expect.any(Number),
      failures: [],
      shards: { total: 3, failed: 0, successful: 3 },
      feature_states: [],
    });
    const { snapshots, total, remaining } = (await ask("GET", "/_snapshot/r/full?index_details=true")).json;
    expect([total, remaining]).toEqual([1, 0]);
    expect(snapshots).toMatchObject([
      { ...json.snapshot, index_details: { one: { shard_count: 2, size_in_bytes: expect.any(Number) } } },
    ]);
  });

  test("says to OpenSearch's clients what OpenSearch says", async () => {
    await make("os");
    const { json } = await ask("GET", "/_snapshot/r/os", undefined, OPENSEARCH);
    expect(Object.keys(json)).toEqual(["snapshots"]);
    const [snapshot] = json.snapshots as Record<string, unknown>[];
    expect(snapshot).toMatchObject({ version_id: 136408027, remote_store_index_shallow_copy: false });
    expect(snapshot).not.toHaveProperty("repository");
    const missing = await ask("GET", "/_snapshot/r/zz*", undefined, OPENSEARCH);
    expect(missing.json.error).toMatchObject({ type: "snapshot_missing_exception", reason: "[r:zz*] is missing" });
    expect((await ask("GET", "/_snapshot/r/zz*")).json).toEqual({ snapshots: [], total: 0, remaining: 0 });
  });

  test("shows its files and bytes, of which the next one copies none", async () => {
    await make("status-1", { indices: "one" });
    await make("status-2", { indices: "one" });
    const { json } = await ask("GET", "/_snapshot/r/status-1,status-2/_status");
    const [first, second] = json.snapshots as { stats: Record<string, object>; [key: string]: unknown }[];
    expect(first).toMatchObject({ snapshot: "status-1", state: "SUCCESS", shards_stats: { done: 2, total: 2 } });
    expect(second.stats).toMatchObject({ incremental: { file_count: 0, size_in_bytes: 0 }, total: first.stats.total });
    expect((await ask("GET", "/_snapshot/_status")).json).toEqual({ snapshots: [] });
  });

  test("may be begun without waiting", async () => {
    expect(await ask("PUT", "/_snapshot/r/later")).toEqual({ status: 200, json: { accepted: true } });
    for (let state = ""; state !== "SUCCESS"; ) {
      const { snapshots } = (await ask("GET", "/_snapshot/r/later")).json as { snapshots: { state: string }[] };
      state = snapshots[0].state;
      expect(["IN_PROGRESS", "SUCCESS"]).toContain(state);
    }
  });

  test.each([
    ["SNAP", "must be lowercase"],
    ["_x", "must not start with '_'"],
    ["a%20b", "must not contain whitespace"],
    ["a%23b", "must not contain '#'"],
    ["a,b", "must not contain ','"],
    ["full", "snapshot with the same name already exists"],
  ])("can't be called %s", async (name, why) => {
    const decoded = decodeURIComponent(name);
    expect(await make(name)).toMatchObject({
      status: 400,
      json: {
        error: {
          type: "invalid_snapshot_name_exception",
          reason: `[r:${decoded}] Invalid snapshot name [${decoded}], ${why}`,
        },
      },
    });
  });

  test.each([
    [{ indices: "missing" }, 404, "no such index [missing]"],
    [{ indices: { a: 1 } }, 400, "malformed indices section, should be an array of strings"],
    [{ metadata: "x" }, 400, "malformed metadata, should be an object"],
    [{ include_global_state: "maybe" }, 400, "Could not convert [include_global_state] to boolean"],
    [{ feature_states: ["kibana"] }, 400, "feature state [kibana] is not supported by Pinakes"],
    [{ indicess: "one" }, 400, "Unknown parameter indicess did you mean [indices]?"],
  ])("of %j is refused", async (body, status, reason) => {
    expect(await make("refused", body)).toMatchObject({ status, json: { error: { reason } } });
  });

  test("takes indices by alias and pattern, and leaves out what is unavailable where that is allowed", async () => {
    const names = async (name: string, body: object) => (await make(name, body)).json.snapshot.indices;
    expect(await names("i1", { indices: ["al"] })).toEqual(["one"]);
    expect(await names("i2", { indices: ["*", "-two"] })).toEqual(["one"]);
    expect(await names("i3", { indices: "missing,two", ignore_unavailable: true })).toEqual(["two"]);
    expect(await names("i4", { indices: "missing*" })).toEqual([]);
  });

  test("is found by lists, patterns and pages", async () => {
    for (const name of ["page-a", "page-b", "page-c"]) await make(name, { indices: "two" });
    const names = async (query: string) => {
      const { json } = await ask("GET", `/_snapshot/${query}`);
      return { names: (json.snapshots as { snapshot: string }[]).map(({ snapshot }) => snapshot), ...json };
    };
    expect((await names("r/page-*,-page-b")).names).toEqual(["page-a", "page-c"]);
    expect((await names("*/page-a,page-c?verbose=false")).names).toEqual(["page-a", "page-c"]);
    const first = await names("r/page-*?sort=name&order=desc&size=2");
    expect(first).toMatchObject({ names: ["page-c", "page-b"], total: 3, remaining: 1 });
    const next = (first as { next?: string }).next;
    expect(await names(`r/page-*?sort=name&order=desc&size=2&after=${next}`)).toMatchObject({
      names: ["page-a"],
      remaining: 0,
    });
    expect((await names("r/page-*?offset=2")).names).toEqual(["page-c"]);
    expect((await names("r/page-x,page-a?ignore_unavailable=true")).names).toEqual(["page-a"]);
    expect((await ask("GET", "/_snapshot/r/page-x")).json.error).toMatchObject({ reason: "[r:page-x] is missing" });
    expect((await ask("GET", "/_snapshot/r/page-a?verbose=false")).json.snapshots).toEqual([
      {
        snapshot: "page-a",
        uuid: expect.any(String),
        repository: "r",
        indices: ["two"],
        data_streams: [],
        state: "SUCCESS",
      },
    ]);
    const table = (await node.call("GET", "/_cat/snapshots/r?h=id,repository,status,total_shards&s=id")).text;
    expect(table).toMatch(/^page-a +r SUCCESS +1$/m);
  });

  test("is cloned and removed", async () => {
    await make("to-clone");
    expect((await ask("PUT", "/_snapshot/r/to-clone/_clone/cloned", { indices: "t*" })).status).toBe(200);
    expect((await ask("DELETE", "/_snapshot/r/to-clone")).json).toEqual({ acknowledged: true });
    expect(await restore("cloned", { rename_pattern: "two", rename_replacement: "of-clone" })).toMatchObject({
      json: { snapshot: { snapshot: "cloned", indices: ["of-clone"], shards: { total: 1, failed: 0, successful: 1 } } },
    });
    expect((await ask("DELETE", "/_snapshot/r/nope")).json.error).toMatchObject({ type: "snapshot_missing_exception" });
    expect((await ask("POST", "/_snapshot/r/_cleanup")).json).toEqual({
      results: { deleted_bytes: 0, deleted_blobs: 0 },
    });
    expect((await ask("POST", "/_snapshot/r/_verify_integrity")).json).toMatchObject({
      log: [],
      results: { total_anomalies: 0, result: "pass" },
    });
  });
});

describe("a restore", () => {
  test("brings indices back under other names, with aliases, mappings and settings", async () => {
    await make("back");
    const answer = await restore("back", { indices: "one,two", rename_pattern: "(.+)", rename_replacement: "r_$1" });
    expect(answer.json).toEqual({
      snapshot: { snapshot: "back", indices: ["r_one", "r_two"], shards: { total: 3, failed: 0, successful: 3 } },
    });
    const { json } = await ask("GET", "/r_one");
    expect(json.r_one).toMatchObject({
      aliases: { al: { filter: { term: { a: 1 } } } },
      mappings: { properties: { a: { type: "long" } } },
      settings: { index: { number_of_shards: "2", number_of_replicas: "0" } },
    });
    expect((await ask("GET", "/al/_count")).json.count).toBe(2);
    expect((await ask("GET", "/r_one/_count")).json.count).toBe(2);
  });

  test("changes settings and leaves out aliases where it is asked to", async () => {
    await make("other-settings", { indices: "one" });
    const body = {
      rename_pattern: "one",
      rename_replacement: "changed",
      include_aliases: false,
      index_settings: { "index.number_of_replicas": 3, refresh_interval: "7s" },
    };
    await restore("other-settings", body);
    const { json } = await ask("GET", "/changed");
    expect(json.changed).toMatchObject({
      aliases: {},
      settings: { index: { number_of_replicas: "3", refresh_interval: "7s", number_of_shards: "2" } },
    });
    await ask("PUT", "/changed/_settings", { max_result_window: 5 });
    await ask("PUT", "/_snapshot/r/again?wait_for_completion=true", { indices: "changed" });
    await restore("again", { rename_pattern: "d$", rename_replacement: "2", ignore_index_settings: "max_*" });
    expect((await ask("GET", "/change2/_settings/index.max_result_window")).json).toEqual({});
  });

  test("brings the cluster's settings back when asked, and only then", async () => {
    const put = (value: string | null) =>
      ask("PUT", "/_cluster/settings", { persistent: { "cluster.max_shards_per_node": value } });
    await put("77");
    await make("state", { indices: "-*" });
    await put(null);
    const shown = async () => (await ask("GET", "/_cluster/settings?flat_settings=true")).json.persistent;
    await restore("state", { indices: "-*" });
    expect(await shown()).toEqual({});
    await restore("state", { indices: "-*", include_global_state: true });
    expect(await shown()).toEqual({ "cluster.max_shards_per_node": "77" });
    await put(null);
  });

  test.each([
    [
      {},
      500,
      "snapshot_restore_exception",
      /cannot restore index \[one\] because an open index with same name already exists/,
    ],
    [{ indices: "nope" }, 404, "index_not_found_exception", /no such index \[nope\]/],
    [
      { rename_pattern: ".+", rename_replacement: "same" },
      500,
      "snapshot_restore_exception",
      /indices \[two\] and \[one\] are renamed into the same index \[same\]/,
    ],
    [
      { indices: "one", rename_pattern: "one", rename_replacement: "BAD" },
      400,
      "invalid_index_name_exception",
      /must be lowercase/,
    ],
    [
      { indices: "one", rename_pattern: "one", rename_replacement: "al" },
      400,
      "invalid_index_name_exception",
      /already exists as alias/,
    ],
    [
      { indices: "one", rename_pattern: "(one", rename_replacement: "x" },
      400,
      "pattern_syntax_exception",
      /rename_pattern/,
    ],
    [
      { indices: "one", rename_pattern: "one", rename_replacement: "$2" },
      400,
      "illegal_argument_exception",
      /No group 2/,
    ],
    [
      { indices: "one", rename_pattern: "one", rename_replacement: "n1", index_settings: { number_of_shards: 3 } },
      500,
      "snapshot_restore_exception",
      /cannot modify setting \[index.number_of_shards\] on restore/,
    ],
    [
      {
        indices: "one",
        rename_pattern: "one",
        rename_replacement: "n1",
        ignore_index_settings: "index.number_of_replicas",
      },
      500,
      "snapshot_restore_exception",
      /cannot remove setting \[index.number_of_replicas\] on restore/,
    ],
    [
      { indices: "one", rename_pattern: "one", rename_replacement: "n1", index_settings: { bogus: 1 } },
      400,
      "illegal_argument_exception",
      /unknown setting \[index.bogus\]/,
    ],
    [{ include_global_state: true }, 500, "snapshot_restore_exception", /created without global state/],
    [{ foo: 1 }, 400, "illegal_argument_exception", /Unknown parameter foo/],
  ])("of %j is refused", async (body, status, type, reason) => {
    if ((await ask("GET", "/_snapshot/r/plain")).status === 404) {
      await make("plain", { indices: "one,two", include_global_state: false });
    }
    const answer = await restore("plain", body);
    expect(answer).toMatchObject({ status, json: { error: { type, reason: expect.stringMatching(reason) } } });
    expect((await ask("HEAD", "/n1").catch(() => ({ status: 404 }))).status).toBe(404);
  });

  test("of a pattern that backtracks without end is refused, and holds nobody up for long", async () => {
    const name = `${"a".repeat(60)}b`;
    await ask("PUT", `/${name}`);
    await make("backtracks", { indices: name });
    const { status, json } = await restore("backtracks", { rename_pattern: "(a+)+$", rename_replacement: "x" });
    expect([status, json.error]).toMatchObject([400, { reason: expect.stringContaining("takes more than 200 ms") }]);
  });

  test("of what is not there says so", async () => {
    expect((await restore("nope", {})).json.error).toMatchObject({
      type: "snapshot_restore_exception",
      reason: "[r:nope] snapshot does not exist",
    });
    expect((await ask("POST", "/_snapshot/nope/s/_restore")).json.error).toMatchObject({
      type: "repository_missing_exception",
      reason: "[nope] missing",
    });
  });
});
