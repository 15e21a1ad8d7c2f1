import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { type TestNode, testNode } from "../testing/node.js";

let node: TestNode;
beforeEach(async () => {
  node = await testNode();
  await node.call("PUT", "/i", { settings: { number_of_replicas: 0 } });
  await node.call("PUT", "/i/_doc/1?refresh=true", { a: 1 });
});
afterEach(() => node.close());

/** What each access is tried with. */
const TRIES: Readonly<Record<string, readonly [method: string, path: string, body?: unknown]>> = {
  search: ["GET", "/i/_search"],
  get: ["GET", "/i/_doc/1"],
  index: ["PUT", "/i/_doc/2", { a: 2 }],
  "delete a document": ["DELETE", "/i/_doc/2"],
  mapping: ["GET", "/i/_mapping"],
  "put mapping": ["PUT", "/i/_mapping", { properties: { b: { type: "long" } } }],
  settings: ["PUT", "/i/_settings", { number_of_replicas: 0 }],
  alias: ["PUT", "/i/_alias/other"],
  refresh: ["POST", "/i/_refresh"],
  "force-merge": ["POST", "/i/_forcemerge"],
  close: ["POST", "/i/_close"],
};

async function refused(): Promise<Record<string, number>> {
  const statuses: Record<string, number> = {};
  for (const [name, [method, path, body]] of Object.entries(TRIES)) {
    const { status } = await node.call(method, path, body);
    if (status === 403 || status === 429) statuses[name] = status;
  }
  return statuses;
}

const METADATA_WRITES = ["put mapping", "settings", "alias", "force-merge", "close"];
const WRITES = ["index", "delete a document"];
const all = (names: readonly string[], status: number) => Object.fromEntries(names.map((name) => [name, status]));

describe("a block", () => {
  // Levels of org.elasticsearch.cluster.metadata.IndexMetadata's blocks; OpenSearch 2.19.6 answers the same.
  test.each([
    ["read", all(["search", "get"], 403)],
    ["write", all(WRITES, 403)],
    ["metadata", all(["mapping", ...METADATA_WRITES], 403)],
    ["read_only", all([...WRITES, ...METADATA_WRITES], 403)],
  ])("%s forbids what it is for, and nothing else, until it is removed", async (block, expected) => {
    expect((await node.call("PUT", `/i/_block/${block}`)).json).toEqual({
      acknowledged: true,
      shards_acknowledged: true,
      indices: [{ name: "i", blocked: true }],
    });
    const found = await refused();
    await node.call("POST", "/i/_open");
    expect(found).toEqual(expected);
    expect((await node.call("DELETE", `/i/_block/${block}`)).json).toEqual({
      acknowledged: true,
      indices: [{ name: "i", unblocked: true }],
    });
    expect((await node.call("PUT", "/i/_doc/3", { a: 3 })).status).toBe(201);
  });

  test("read_only_allow_delete lets the index be deleted, and asks writers to come again", async () => {
    await node.call("PUT", "/i/_settings", { "index.blocks.read_only_allow_delete": true });
    expect((await node.call("PUT", "/i/_doc/2", { a: 2 })).json).toMatchObject({
      status: 429,
      error: {
        type: "cluster_block_exception",
        reason:
          "index [i] blocked by: [TOO_MANY_REQUESTS/12/disk usage exceeded flood-stage watermark, index has read-only-allow-delete block];",
      },
    });
    expect((await node.call("DELETE", "/i")).status).toBe(200);
  });

  test("read_only keeps the index from being deleted", async () => {
    await node.call("PUT", "/i/_settings", { blocks: { read_only: true } });
    expect((await node.call("DELETE", "/i")).json).toMatchObject({
      status: 403,
      error: { reason: "index [i] blocked by: [FORBIDDEN/5/index read-only (api)];" },
    });
    expect((await node.call("PUT", "/i/_settings", { blocks: { read_only: false } })).status).toBe(200);
    expect((await node.call("DELETE", "/i")).status).toBe(200);
  });

  test("stands in the settings, and names itself in the answer of bulk items", async () => {
    await node.call("PUT", "/i/_block/write");
    const settings = (await node.call("GET", "/i/_settings?flat_settings=true")).json;
    expect(settings).toMatchObject({ i: { settings: { "index.blocks.write": "true" } } });
    const { json } = await node.call("POST", "/i/_bulk", '{"index":{}}\n{"a":1}\n');
    expect(json).toMatchObject({
      items: [{ index: { status: 403, error: { reason: "index [i] blocked by: [FORBIDDEN/8/index write (api)];" } } }],
    });
  });

  test("that is none is refused", async () => {
    expect((await node.call("PUT", "/i/_block/nothing")).json.error).toMatchObject({
      reason: "No block found with name nothing",
    });
    expect((await node.call("PUT", "/i/_block/read_only_allow_delete")).status).toBe(400);
  });
});
