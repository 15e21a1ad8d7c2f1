/** Statuses, types and reasons are those that a node of OpenSearch 2.19 answers, and of Elasticsearch 8 where they differ. */
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { type TestNode, testNode } from "../testing/node.js";

let node: TestNode;
beforeAll(async () => {
  node = await testNode();
  await node.call("PUT", "/_cluster/settings", { persistent: { "action.destructive_requires_name": false } });
});
afterAll(() => node.close());
afterEach(async () => {
  await node.call("DELETE", "/*");
  await node.call("DELETE", "/_index_template/*");
});

const ask = async (method: string, where: string, body?: unknown, headers?: Record<string, string>) => {
  const { status, json } = await node.call(method, where, body, headers);
  return { status, json: json as Record<string, unknown> };
};
const OPENSEARCH = { "x-pinakes-identity": "os2" };

test("an alias of one index moves on to the next one", async () => {
  await ask("PUT", "/logs-000009", { aliases: { now: { filter: { match_all: {} } } } });
  expect(await ask("POST", "/now/_rollover", { settings: { number_of_shards: 2 } })).toEqual({
    status: 200,
    json: {
      acknowledged: true,
      shards_acknowledged: true,
      old_index: "logs-000009",
      new_index: "logs-000010",
      rolled_over: true,
      dry_run: false,
      conditions: {},
    },
  });
  expect((await ask("GET", "/_alias")).json).toEqual({
    "logs-000009": { aliases: {} },
    "logs-000010": { aliases: { now: { filter: { match_all: {} } } } },
  });
  expect((await ask("GET", "/logs-000010/_settings?flat_settings=true")).json).toMatchObject({
    "logs-000010": { settings: { "index.number_of_shards": "2" } },
  });
});

test("an alias with a write index keeps its older ones", async () => {
  await ask("PUT", "/logs-1", { aliases: { logs: { is_write_index: true } } });
  await ask("PUT", "/_index_template/t", { index_patterns: ["new"], template: { aliases: { more: {} } } });
  await ask("POST", "/logs/_rollover/new", { aliases: { own: {} } });
  expect((await ask("GET", "/_alias")).json).toEqual({
    "logs-1": { aliases: { logs: { is_write_index: false } } },
    new: { aliases: { logs: { is_write_index: true }, more: {}, own: {} } },
  });
  expect((await ask("POST", "/logs/_doc", {})).json).toMatchObject({ _index: "new" });
});

test.each([
  [{ max_docs: 1 }, { "[max_docs: 1]": true }, true],
  [{ max_docs: 3 }, { "[max_docs: 3]": false }, false],
  [{ max_docs: 3, max_age: "0ms" }, { "[max_docs: 3]": false, "[max_age: 0ms]": true }, true],
  [{ max_age: "7d", max_size: "1b" }, { "[max_age: 7d]": false, "[max_size: 1b]": true }, true],
  [{ max_primary_shard_size: "50gb" }, { "[max_primary_shard_size: 50gb]": false }, false],
  [{ max_docs: 1, min_docs: 3 }, { "[max_docs: 1]": true, "[min_docs: 3]": false }, false],
  [
    { max_primary_shard_docs: 1, min_age: "0ms" },
    { "[max_primary_shard_docs: 1]": true, "[min_age: 0ms]": true },
    true,
  ],
])("the conditions %j", async (conditions, met, rolls) => {
  await ask("PUT", "/logs-1", { aliases: { logs: {} } });
  await ask("PUT", "/logs-1/_doc/1?refresh=true", { a: 1 });
  const dry = await ask("POST", "/logs/_rollover?dry_run=true", { conditions });
  expect(dry.json).toMatchObject({ conditions: met, rolled_over: false, dry_run: true, acknowledged: false });
  const { json } = await ask("POST", "/logs/_rollover", { conditions });
  expect(json).toMatchObject({ conditions: met, rolled_over: rolls, acknowledged: rolls, new_index: "logs-000002" });
  expect((await node.call("HEAD", "/logs-000002")).status).toBe(rolls ? 200 : 404);
});

test.each([
  ["/nope/_rollover", {}, 404, "rollover target [nope] does not exist"],
  ["/logs-1/_rollover", {}, 400, "rollover target is a [concrete index] but one of [alias,data_stream] was expected"],
  ["/both/_rollover", {}, 400, "rollover target [both] does not point to a write index"],
  ["/unnumbered/_rollover", {}, 400, "index name [plain] does not match pattern '^.*-\\d+$'"],
  ["/logs/_rollover/plain", {}, 400, "already exists"],
  ["/logs/_rollover/a,b", {}, 400, "Invalid index name [a,b]"],
  ["/logs/_rollover?lazy=true", {}, 400, "parameter [lazy] with value [true] is not supported by Pinakes"],
  ["/logs/_rollover", { conditions: { nonsense: 1 } }, 400, "[conditions] unknown field [nonsense]"],
  ["/logs/_rollover", { conditions: { min_docs: 1 } }, 400, "at least one max_* rollover condition must be set"],
  ["/logs/_rollover", { conditions: { max_age: "7" } }, 400, "failed to parse setting [max_age] with value [7]"],
])("%s with %j is refused", async (where, body, status, reason) => {
  await ask("PUT", "/logs-1", { aliases: { logs: {}, both: {} } });
  await ask("PUT", "/plain", { aliases: { unnumbered: {}, both: {} } });
  expect(await ask("POST", where, body)).toMatchObject({
    status,
    json: { error: { reason: expect.stringContaining(reason) } },
  });
});

test("a template that gives the new index the same alias would leave it with two", async () => {
  await ask("PUT", "/logs-1", { aliases: { logs: {} } });
  await ask("PUT", "/_index_template/t", { index_patterns: ["logs-*"], template: { aliases: { logs: {} } } });
  expect(await ask("POST", "/logs/_rollover")).toMatchObject({
    status: 400,
    json: { error: { reason: expect.stringContaining("found duplicated alias [[logs]]") } },
  });
});

test("OpenSearch knows three conditions", async () => {
  await ask("PUT", "/logs-1", { aliases: { logs: {} } });
  const answers = [
    await ask("POST", "/logs/_rollover", { conditions: { min_docs: 1, max_docs: 1 } }, OPENSEARCH),
    await ask("POST", "/logs/_rollover", { conditions: { max_docs: 1 } }, OPENSEARCH),
  ];
  expect(answers.map(({ status }) => status)).toEqual([400, 200]);
});

test("two rollovers at once make two indices, one after the other", async () => {
  await ask("PUT", "/logs-1", { aliases: { logs: {} } });
  const both = await Promise.all([ask("POST", "/logs/_rollover"), ask("POST", "/logs/_rollover")]);
  expect(both.map(({ json }) => json.new_index)).toEqual(["logs-000002", "logs-000003"]);
  expect((await ask("GET", "/_alias/logs")).json).toEqual({ "logs-000003": { aliases: { logs: {} } } });
});
