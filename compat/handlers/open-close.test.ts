import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { type TestNode, testNode } from "../testing/node.js";

let node: TestNode;
beforeEach(async () => {
  node = await testNode({ identity: "os2" });
  for (const name of ["one", "two"]) {
    await node.call("PUT", `/${name}`, { settings: { number_of_replicas: 0 } });
    await node.call("PUT", `/${name}/_doc/1?refresh=true`, { a: 1 });
  }
});
afterEach(() => node.close());

const CLOSED = { status: 400, json: { error: { type: "index_closed_exception", reason: "closed", index: "one" } } };

describe("a closed index", () => {
  beforeEach(async () => {
    await node.call("POST", "/one/_close");
  });

  test("is closed one by one, as the answer says", async () => {
    expect((await node.call("POST", "/two/_close")).json).toEqual({
      acknowledged: true,
      shards_acknowledged: true,
      indices: { two: { closed: true } },
    });
  });

  // Index options of Elasticsearch's requests: strictExpandOpenAndForbidClosed.
  test.each([
    ["GET", "/one/_search"],
    ["GET", "/one/_count"],
    ["GET", "/one/_doc/1"],
    ["GET", "/one/_source/1"],
    ["PUT", "/one/_doc/2"],
    ["DELETE", "/one/_doc/1"],
    ["POST", "/one/_update/1"],
    ["POST", "/one/_refresh"],
    ["POST", "/one/_flush"],
    ["POST", "/one/_forcemerge"],
    ["GET", "/one/_stats"],
    ["GET", "/one/_segments"],
    ["GET", "/_cat/segments/one"],
    ["GET", "/_cat/count/one"],
    ["GET", "/one/_field_caps?fields=*"],
    ["GET", "/one/_analyze"],
    ["PUT", "/one/_clone/three"],
  ])("is refused by %s %s", async (method, path) => {
    const bodies: Record<string, unknown> = { "/one/_analyze": { text: "x" }, "/one/_update/1": { doc: { a: 2 } } };
    const needsBody = method === "PUT" && path.includes("_doc");
    const answer = await node.call(method, path, bodies[path] ?? (needsBody ? { a: 2 } : undefined));
    expect(answer).toMatchObject(CLOSED);
  });

  test("fails the items of a bulk request that go to it, and no others", async () => {
    const lines = [{ index: { _index: "one" } }, { a: 2 }, { index: { _index: "two" } }, { a: 2 }];
    const { json } = await node.call("POST", "/_bulk", `${lines.map((line) => JSON.stringify(line)).join("\n")}\n`);
    expect(json).toMatchObject({
      errors: true,
      items: [
        { index: { status: 400, error: { type: "index_closed_exception", reason: "closed" } } },
        { index: { status: 201 } },
      ],
    });
  });

  test("is left out where what is unavailable is ignored, and by wildcards", async () => {
    expect((await node.call("GET", "/one,two/_count?ignore_unavailable=true")).json.count).toBe(1);
    expect((await node.call("GET", "/_count")).json.count).toBe(1);
    expect((await node.call("GET", "/*/_count")).json.count).toBe(1);
    expect((await node.call("GET", "/*/_count?expand_wildcards=closed")).status).toBe(400);
  });

  test("is shown where wildcards may match it", async () => {
    const names = async (query: string) => Object.keys((await node.call("GET", `/*/_mapping${query}`)).json).sort();
    expect(await names("")).toEqual(["two"]);
    expect(await names("?expand_wildcards=closed")).toEqual(["one"]);
    expect(await names("?expand_wildcards=open,closed")).toEqual(["one", "two"]);
    expect(await names("?expand_wildcards=all")).toEqual(["one", "two"]);
    expect(await names("?expand_wildcards=none")).toEqual([]);
    expect(Object.keys((await node.call("GET", "/one/_mapping")).json)).toEqual(["one"]);
  });

  test("is part of the tables and of the cluster's health and state", async () => {
    const table = await node.call("GET", "/_cat/indices?h=status,index,docs.count&s=index");
    expect(table.text).toBe("close one  \nopen  two 1\n");
    expect((await node.call("GET", "/_cluster/health?level=indices")).json).toMatchObject({
      status: "green",
      active_shards: 2,
      indices: { one: { status: "green" } },
    });
    const state = (await node.call("GET", "/_cluster/state/metadata,blocks/one")).json;
    expect(state).toMatchObject({
      metadata: { indices: { one: { state: "close" } } },
      blocks: { indices: { one: { 4: { description: "index closed", levels: ["read", "write"] } } } },
    });
  });

  test("keeps its statistics for those who ask for closed indices", async () => {
    const stats = await node.call("GET", "/one/_stats/segments,store?forbid_closed_indices=false");
    expect(stats.json).toMatchObject({ indices: { one: { status: "close", primaries: { segments: { count: 0 } } } } });
    const unloaded = await node.call(
      "GET",
      "/one/_stats/segments?forbid_closed_indices=false&include_unloaded_segments=true",
    );
    expect(unloaded.json).toMatchObject({ indices: { one: { primaries: { segments: { count: 1 } } } } });
  });

  test("takes settings that are fixed while it is open, analysis among them", async () => {
    const analysis = { analyzer: { loud: { type: "custom", tokenizer: "keyword", filter: ["uppercase"] } } };
    const refused = await node.call("PUT", "/two/_settings", { analysis });
    expect(refused.json.error).toMatchObject({
      type: "illegal_argument_exception",
      reason: expect.stringContaining("Can't update non dynamic settings [[index.analysis.analyzer.loud"),
    });
    expect((await node.call("PUT", "/one/_settings", { analysis })).json).toEqual({ acknowledged: true });
    await node.call("POST", "/one/_open");
    const { json } = await node.call("GET", "/one/_analyze", { analyzer: "loud", text: "word" });
    expect(json).toMatchObject({ tokens: [{ token: "WORD" }] });
    expect((await node.call("PUT", "/one/_settings", { number_of_shards: 3 })).status).toBe(400);
  });

  test("opens with its documents", async () => {
    expect((await node.call("POST", "/one/_open")).json).toEqual({ acknowledged: true, shards_acknowledged: true });
    expect((await node.call("GET", "/one/_count")).json.count).toBe(1);
  });

  test("is opened by a task that runs on", async () => {
    const { json } = await node.call("POST", "/*/_open?wait_for_completion=false");
    const done = await node.call("GET", `/_tasks/${json.task}?wait_for_completion=true`);
    expect(done.json).toMatchObject({
      completed: true,
      task: { action: "indices:admin/open", description: "open indices [one]" },
      response: { acknowledged: true },
    });
    expect((await node.call("GET", "/one/_count")).json.count).toBe(1);
  });

  test("is deleted by its name and by wildcards", async () => {
    expect((await node.call("DELETE", "/on*")).json).toEqual({ acknowledged: true });
    expect((await node.call("GET", "/_cat/indices?h=index&expand_wildcards=all")).text).toBe("two\n");
  });
});

test("wildcards need action.destructive_requires_name to be false, as for deleting", async () => {
  const es8 = await testNode({ identity: "es8" });
  await es8.call("PUT", "/one");
  for (const path of ["/*/_close", "/_all/_close", "/o*/_open"]) {
    expect((await es8.call("POST", path)).json.error).toMatchObject({
      reason: "Wildcard expressions or all indices are not allowed",
    });
  }
  await es8.call("PUT", "/_cluster/settings", { persistent: { "action.destructive_requires_name": "false" } });
  expect((await es8.call("POST", "/*/_close")).json).toMatchObject({ indices: { one: { closed: true } } });
  await es8.close();
});

test("an index that a snapshot brings back takes the place of a closed one", async () => {
  await node.call("PUT", "/_snapshot/r", { type: "fs", settings: { location: "r" } });
  await node.call("PUT", "/_snapshot/r/s?wait_for_completion=true", { indices: "one" });
  await node.call("PUT", "/one/_doc/2", { a: 2 });
  const body = { indices: "one" };
  expect((await node.call("POST", "/_snapshot/r/s/_restore?wait_for_completion=true", body)).status).toBe(500);
  await node.call("POST", "/one/_close");
  expect((await node.call("POST", "/_snapshot/r/s/_restore?wait_for_completion=true", body)).status).toBe(200);
  expect((await node.call("GET", "/one/_count")).json.count).toBe(1);
});

test("a closed index is part of snapshots, and comes back open", async () => {
  await node.call("PUT", "/_snapshot/r", { type: "fs", settings: { location: "r" } });
  await node.call("PUT", "/one/_doc/2", { a: 2 });
  await node.call("POST", "/one/_close");
  const { json } = await node.call("PUT", "/_snapshot/r/s?wait_for_completion=true");
  expect(json).toMatchObject({ snapshot: { state: "SUCCESS", indices: ["one", "two"] } });
  await node.call("DELETE", "/one");
  const body = { indices: "one" };
  expect((await node.call("POST", "/_snapshot/r/s/_restore?wait_for_completion=true", body)).status).toBe(200);
  expect((await node.call("GET", "/one/_count")).json.count).toBe(2);
});
