import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { type TestNode, testNode } from "../testing/node.js";

interface Counts {
  total: number;
  created: number;
  updated: number;
  deleted: number;
  batches: number;
  version_conflicts: number;
  noops: number;
  requests_per_second: number;
  throttled_until_millis: number;
  failures: { index: string; id: string; status: number; cause: { type: string } }[];
  slices?: { slice_id: number; total: number; created: number }[];
  task: string;
  error: { type: string; reason: string };
}

let node: TestNode;
let round = 0;
let from: string;
let to: string;

beforeAll(async () => {
  node = await testNode();
});
afterAll(() => node.close());

const DOCS = 25;

beforeEach(async () => {
  round++;
  from = `from-${round}`;
  to = `to-${round}`;
  const lines = Array.from({ length: DOCS }, (_, n) => [
    { index: { _id: String(n) } },
    { n, even: n % 2 === 0, text: 1.0 },
  ]);
  const body = `${lines
    .flat()
    .map((line) => JSON.stringify(line))
    .join("\n")}\n`;
  await node.call("POST", `/${from}/_bulk?refresh`, body);
});

async function post(path: string, body: unknown = {}): Promise<{ status: number; json: Counts }> {
  const { status, json } = await node.call("POST", path, body);
  return { status, json: json as never };
}

async function count(index: string, query: object = { match_all: {} }): Promise<number> {
  await node.call("POST", `/${index}/_refresh`);
  return (await node.call("POST", `/${index}/_count`, { query })).json.count as never as number;
}

describe("reindexing within the node", () => {
  test("copies everything, byte for byte", async () => {
    await node.call("PUT", `/${from}/_doc/raw`, '{"d":1.0,"s":  "x"}');
    await node.call("POST", `/${from}/_refresh`);
    const { status, json } = await post("/_reindex?refresh", { source: { index: from }, dest: { index: to } });
    expect(status).toBe(200);
    expect(json).toMatchObject({
      total: DOCS + 1,
      created: DOCS + 1,
      updated: 0,
      batches: 1,
      version_conflicts: 0,
      failures: [],
    });
    expect((await node.call("GET", `/${to}/_source/raw`)).text).toBe('{"d":1.0,"s":  "x"}');
    expect(await count(to)).toBe(DOCS + 1);
  });

  test("takes a query, a page size, a limit, an order and parts of the source", async () => {
    const source = { index: from, query: { term: { even: true } }, size: 2, sort: [{ n: "desc" }], _source: ["n"] };
    const { json } = await post("/_reindex", { source, dest: { index: to }, max_docs: 5 });
    expect(json).toMatchObject({ total: 5, created: 5, batches: 3 });
    expect(await count(to, { range: { n: { gte: 16 } } })).toBe(5);
    expect((await node.call("GET", `/${to}/_source/24`)).json).toEqual({ n: 24 });
  });

  test("by op_type create leaves what is there, and tells of conflicts or goes on", async () => {
    await node.call("PUT", `/${to}/_doc/3?refresh`, { kept: true });
    const dest = { index: to, op_type: "create" };
    const aborted = await post("/_reindex", { source: { index: from }, dest });
    expect([aborted.status, aborted.json.version_conflicts, aborted.json.failures.length]).toEqual([409, 1, 1]);
    expect(aborted.json.failures[0]).toMatchObject({
      index: to,
      id: "3",
      status: 409,
      cause: { type: "version_conflict_engine_exception" },
    });
    const went = await post("/_reindex", { source: { index: from }, dest, conflicts: "proceed" });
    expect([went.status, went.json.version_conflicts, went.json.failures]).toEqual([200, DOCS, []]);
    expect((await node.call("GET", `/${to}/_source/3`)).json).toEqual({ kept: true });
  });

  test("keeps versions, routes and pipelines as it is told", async () => {
    await node.call("PUT", `/${from}/_doc/1?refresh`, { n: 1, again: true });
    await node.call("PUT", "/_ingest/pipeline/copied", {
      processors: [{ set: { field: "copied", value: "{{_index}}" } }],
    });
    const dest = { index: to, version_type: "external", routing: "=r", pipeline: "copied" };
    await post("/_reindex", { source: { index: from, query: { ids: { values: ["1"] } } }, dest });
    expect((await node.call("GET", `/${to}/_doc/1?routing=r`)).json).toMatchObject({
      _version: 2,
      _routing: "r",
      _source: { copied: to },
    });
  });

  test("in slices copies each document once", async () => {
    const { json } = await post("/_reindex?slices=3", { source: { index: from, size: 4 }, dest: { index: to } });
    expect(json).toMatchObject({ total: DOCS, created: DOCS });
    expect(json.slices?.map(({ slice_id }) => slice_id)).toEqual([0, 1, 2]);
    expect(json.slices?.reduce((sum, { created }) => sum + created, 0)).toBe(DOCS);
    expect(await count(to)).toBe(DOCS);
  });

  test.each([
    [
      {},
      "Validation Failed: 1: use _all if you really want to copy from all existing indexes;2: index must be specified;",
    ],
    [
      { source: { index: "FROM" }, dest: { index: "FROM" } },
      "reindex cannot write into an index its reading from [FROM]",
    ],
    [
      { source: { index: "FROM" }, dest: { index: "t" }, script: { source: "x" } },
      "[script] in [reindex] is not supported by Pinakes",
    ],
    [
      { source: { index: "FROM", slice: { id: 0, max: 2 } }, dest: { index: "t" } },
      "[slice] in [source] is not supported by Pinakes",
    ],
    [
      { source: { index: "FROM" }, dest: { index: "t", routing: "x" } },
      "routing must be unset, [keep], [discard] or [=<some new value>]",
    ],
    [{ source: { index: "none" }, dest: { index: "t" } }, "no such index [none]"],
    [{ source: { index: "FROM" }, dest: { index: "t" }, max_docs: 0 }, "[max_docs] should be >= [slices]"],
    [
      { source: { index: "FROM" }, dest: { index: "t" }, max_docs: -1 },
      "[max_docs] parameter cannot be negative, found [-1]",
    ],
  ])("%j is refused", async (body, reason) => {
    const { status, json } = await post("/_reindex", JSON.parse(JSON.stringify(body).replaceAll("FROM", from)));
    expect(status).toBeGreaterThanOrEqual(400);
    expect(json.error.reason).toContain(reason.replaceAll("FROM", from));
  });
});

describe("a reindex that runs on", () => {
  test("waits at its pace, tells how far it is, is hurried, and ends", async () => {
    const slow = `/_reindex?wait_for_completion=false&requests_per_second=0.001`;
    const { json } = await post(slow, { source: { index: from, size: 10 }, dest: { index: to } });
    const task = json.task;
    const status = async () =>
      (await node.call("GET", `/_tasks/${task}`)).json as never as {
        completed: boolean;
        task: { status: Counts; description: string };
      };
    await expect.poll(async () => (await status()).task.status.throttled_until_millis).toBeGreaterThan(0);
    const seen = await status();
    expect(seen).toMatchObject({
      completed: false,
      task: {
        action: "indices:data/write/reindex",
        description: `reindex from [${from}] to [${to}]`,
        status: { total: DOCS, created: 10, batches: 1, requests_per_second: 0.001 },
      },
    });
    const hurried = await node.call("POST", `/_reindex/${task}/_rethrottle?requests_per_second=-1`);
    expect(hurried.status).toBe(200);
    expect(Object.keys(hurried.json)).toEqual(["nodes"]);
    const done = (await node.call("GET", `/_tasks/${task}?wait_for_completion=true`)).json;
    expect(done).toMatchObject({ completed: true, response: { total: DOCS, created: DOCS, requests_per_second: -1 } });
    const late = await node.call("POST", `/_reindex/${task}/_rethrottle?requests_per_second=1`);
    expect(late.json).toMatchObject({ node_failures: [{ caused_by: { type: "resource_not_found_exception" } }] });
  });

  test("is cancelled while it waits, with its slices", async () => {
    const slow = `/_reindex?wait_for_completion=false&requests_per_second=0.001&slices=2`;
    const { json } = await post(slow, { source: { index: from, size: 5 }, dest: { index: to } });
    const children = async () =>
      Object.keys((await node.call("GET", `/_tasks?parent_task_id=${json.task}&group_by=none`)).json.tasks ?? [])
        .length;
    await expect.poll(children).toBe(2);
    await node.call("POST", `/_tasks/${json.task}/_cancel`);
    const done = (await node.call("GET", `/_tasks/${json.task}?wait_for_completion=true`)).json as never as {
      response: Counts & { canceled: string };
    };
    expect(done.response).toMatchObject({ canceled: "by user request", total: DOCS });
    expect(done.response.created).toBeLessThan(DOCS);
    await expect.poll(children).toBe(0);
  });
});

describe("requests by query", () => {
  test("update through a pipeline, in an order, up to a limit", async () => {
    await node.call("PUT", "/_ingest/pipeline/marks", { processors: [{ set: { field: "marked", value: true } }] });
    const { json } = await post(
      `/${from}/_update_by_query?pipeline=marks&refresh&scroll_size=2&sort=n:desc&max_docs=3`,
    );
    expect(json).toMatchObject({ total: 3, updated: 3, batches: 2 });
    expect(await count(from, { bool: { filter: [{ term: { marked: true } }, { range: { n: { gte: 22 } } }] } })).toBe(
      3,
    );
  });

  test("touch what ?q= asks for, whatever the body says, and nothing else", async () => {
    const updated = await post(`/${from}/_update_by_query?refresh&q=even:true`);
    expect(updated.json).toMatchObject({ total: 13, updated: 13 });
    const body = { query: { match_all: {} } };
    expect((await post(`/${from}/_update_by_query?q=n:99`, body)).json).toMatchObject({ total: 0, updated: 0 });
    const both = `/${from}/_delete_by_query?refresh&q=n:4+even:true&default_operator=and`;
    expect((await post(both)).json).toMatchObject({ total: 1, deleted: 1 });
    expect((await post(`/${from}/_delete_by_query?refresh&q=5&df=n`)).json).toMatchObject({ deleted: 1 });
    expect((await post(`/${from}/_delete_by_query?q=n:abc`)).status).toBe(400);
    expect((await post(`/${from}/_delete_by_query?q=n:abc&lenient=true`)).json).toMatchObject({ deleted: 0 });
    expect(await count(from)).toBe(DOCS - 2);
    expect((await post(`/${from}/_delete_by_query`)).json.error.reason).toContain("query is missing");
  });

  test("delete in slices", async () => {
    const { json } = await post(`/${from}/_delete_by_query?slices=4&scroll_size=3`, {
      query: { term: { even: true } },
    });
    expect(json).toMatchObject({ total: 13, deleted: 13 });
    expect(json.slices).toHaveLength(4);
    expect(await count(from)).toBe(12);
  });

  test.each([
    ["slices=0", '[slices] must be a positive integer or the string "auto", but was [0]'],
    ["slices=x", '[slices] must be a positive integer or the string "auto", but was [x]'],
    ["requests_per_second=0", "[requests_per_second] must be a float greater than 0. Use -1 to disable throttling."],
    ["max_docs=1&slices=2", "[max_docs] should be >= [slices]"],
    ["max_docs=-1", "[max_docs] parameter cannot be negative, found [-1]"],
    ["scroll_size=0", "[size] cannot be [0] in a scroll context"],
    ["scroll_size=10001", "Batch size is too large, size must be less than or equal to: [10000] but was [10001]"],
  ])("with %s are refused", async (parameters, reason) => {
    const { status, json } = await post(`/${from}/_update_by_query?${parameters}`);
    expect([status, json.error.reason]).toEqual([400, expect.stringContaining(reason)]);
  });
});

describe("reindexing from another node", () => {
  let other: TestNode;
  beforeAll(async () => {
    other = await testNode();
    const body = Array.from(
      { length: 7 },
      (_, n) => `{"index":{"_id":"${n}","routing":"r"}}\n{"n":${n},"d":1.0}\n`,
    ).join("");
    await other.call("POST", "/far/_bulk?refresh", body);
  });
  afterAll(() => other.close());

  const remote = (more: object = {}) => ({ host: `http://${other.address}`, ...more });

  test("is refused unless the node is allowed to read from it", async () => {
    const { status, json } = await post("/_reindex", {
      source: { remote: remote(), index: "far" },
      dest: { index: to },
    });
    expect([status, json.error.reason]).toEqual([
      400,
      `[${other.address}] not whitelisted in reindex.remote.whitelist`,
    ]);
  });

  test("reads by scroll what it is allowed to, text and routing as they are there", async () => {
    const reader = await testNode({ reindexHosts: ["127.0.0.1:*"] });
    const source = {
      remote: remote({ username: "u", password: "p" }),
      index: "far",
      size: 3,
      query: { range: { n: { gte: 1 } } },
    };
    const answer = await reader.call("POST", "/_reindex?refresh", { source, dest: { index: "near" } });
    expect(answer.json).toMatchObject({ total: 6, created: 6, batches: 2, failures: [] });
    expect((await reader.call("GET", "/near/_doc/3?routing=r")).text).toContain('"_source":{"n":3,"d":1.0}');
    const open = (await other.call("GET", "/_nodes/stats/indices/search")).json as never as {
      nodes: Record<string, { indices: { search: { open_contexts: number } } }>;
    };
    expect(Object.values(open.nodes)[0].indices.search.open_contexts).toBe(0);
    const bad = { source: { remote: remote(), index: "absent" }, dest: { index: "near" } };
    const missing = await reader.call("POST", "/_reindex", bad);
    expect([missing.status, missing.json.error]).toMatchObject([404, { type: "status_exception" }]);
    await reader.close();
  });

  test.each([
    [{ host: "ftp://x:1" }, "[host] must be of the form [scheme]://[host]:[port](/[pathPrefix])? but was [ftp://x:1]"],
    [{ host: "http://x" }, "[host] must be of the form"],
    [{ host: "http://x:1", headers: { host: "y" } }, "header [host] is not supported by Pinakes"],
    [{}, "[host] must be specified to reindex from a remote cluster"],
  ])("%j is no remote host", async (bad, reason) => {
    const { json } = await post("/_reindex", { source: { remote: bad, index: "far" }, dest: { index: to } });
    expect(json.error.reason).toContain(reason);
  });
});
