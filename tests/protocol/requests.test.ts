import { afterAll, beforeAll, expect, test } from "vitest";
import { endpoint, json } from "../../compat/index.js";
import { type TestNode, testNode } from "../../compat/testing/node.js";

let node: TestNode;
let tasksWhile: unknown;
beforeAll(async () => {
  const look = endpoint("pinakes.look", "GET /_pinakes/look", {
    status: "full",
    missing: "",
    parameters: [],
    body: "none",
    privilege: "read",
    handler: async () => {
      tasksWhile = (await node.call("GET", "/_tasks?detailed")).json;
      return json({});
    },
  });
  node = await testNode({ nativeRows: look });
  await node.call("PUT", "/i/_doc/1?refresh=true", { a: 1 });
});
afterAll(() => node.close());

test("HEAD answers what GET would, without a body", async () => {
  for (const path of ["/", "/i", "/i/_doc/1", "/i/_source/1", "/nope"]) {
    const get = await node.call("GET", path);
    const head = await node.call("HEAD", path);
    expect([path, head.status, head.bytes.length]).toEqual([path, get.status, 0]);
    expect(head.headers["x-elastic-product"]).toBe("Elasticsearch");
  }
});

test("OPTIONS says which methods a path has", async () => {
  const answer = await node.call("OPTIONS", "/i/_doc/1");
  expect([answer.status, answer.text, answer.headers.allow]).toEqual([200, "", "DELETE,GET,HEAD,POST,PUT"]);
});

test("another method of a known path is a 405 that says which there are", async () => {
  const answer = await node.call("PATCH", "/_bulk");
  expect([answer.status, answer.headers.allow, answer.json]).toEqual([
    405,
    "POST,PUT",
    { error: "Incorrect HTTP method for uri [/_bulk] and method [PATCH], allowed: [POST, PUT]", status: 405 },
  ]);
});

test("X-Opaque-Id is echoed, on errors too, and stands with the task", async () => {
  const headers = { "x-opaque-id": "my-id" };
  expect((await node.call("GET", "/", undefined, headers)).headers["x-opaque-id"]).toBe("my-id");
  expect((await node.call("GET", "/nope", undefined, headers)).headers["x-opaque-id"]).toBe("my-id");
  const large = await node.call("POST", "/i/_search", Buffer.alloc(101 * 1024 * 1024), headers);
  expect([large.status, large.headers["x-opaque-id"]]).toEqual([413, "my-id"]);
  await node.call("GET", "/_pinakes/look", undefined, headers);
  expect(JSON.stringify(tasksWhile)).toContain('"headers":{"X-Opaque-Id":"my-id"}');
});

test("error_trace shows where an error came from, human adds readable twins", async () => {
  const traced = await node.call("GET", "/nope?error_trace=true");
  expect(traced.json.error).toMatchObject({ stack_trace: expect.stringContaining("no such index [nope]") });
  const stats = await node.call("GET", "/i/_stats?human=true&filter_path=_all.primaries.store");
  expect(stats.json).toMatchObject({ _all: { primaries: { store: { size: expect.stringMatching(/b$/) } } } });
});

test("flat_settings writes settings on one level", async () => {
  const flat = await node.call("GET", "/i/_settings?flat_settings=true");
  expect(flat.json).toMatchObject({ i: { settings: { "index.number_of_shards": "1" } } });
});

test("what will not be there for ever is warned of in a header", async () => {
  const body = { indices_boost: { i: 2 } };
  const searched = await node.call("POST", "/i/_search", body);
  expect(searched.headers.warning).toMatch(
    /^299 Elasticsearch-8\.\d+\.\d+-pinakes "Object format in indices_boost is deprecated, please use array format instead"$/,
  );
  const asOpenSearch = { "x-pinakes-identity": "os2" };
  const waited = await node.call("PUT", "/waited?master_timeout=1s", undefined, asOpenSearch);
  expect(waited.headers.warning).toMatch(
    /^299 OpenSearch-2\.\d+\.\d+-pinakes "Parameter \[master_timeout\] is deprecated/,
  );
  expect((await node.call("POST", "/i/_search", {})).headers).not.toHaveProperty("warning");
});
