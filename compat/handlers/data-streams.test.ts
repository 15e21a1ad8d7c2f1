/** Statuses, types and reasons are those that a node of OpenSearch 2.19 answers, and of Elasticsearch 8 where they differ. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { openEngine } from "../../engine/index.js";
import { testServer } from "../testing/http.js";
import { type TestNode, testNode } from "../testing/node.js";

let node: TestNode;
const TEMPLATE = { index_patterns: ["logs-*"], priority: 200, data_stream: {}, _meta: { by: "me" } };
const OPENSEARCH = { "x-pinakes-identity": "os2" };

beforeAll(async () => {
  node = await testNode();
  const persistent = { "action.destructive_requires_name": false, "stack.templates.enabled": false };
  await node.call("PUT", "/_cluster/settings", { persistent });
});
afterAll(() => node.close());
beforeEach(async () => {
  await node.call("PUT", "/_index_template/logs", TEMPLATE);
});
afterEach(async () => {
  await node.call("DELETE", "/_data_stream/*?expand_wildcards=all");
  await node.call("DELETE", "/*?expand_wildcards=all");
  await node.call("DELETE", "/_index_template/*");
});

const ask = async (method: string, where: string, body?: unknown, headers?: Record<string, string>) => {
  const { status, json } = await node.call(method, where, body, headers);
  return { status, json: json as Record<string, never> };
};
const refusal = (type: string, reason: string, status = 400) => ({
  status,
  json: { error: { type, reason: expect.stringContaining(reason) } },
});
const bulk = (name: string, ...lines: object[]) =>
  ask("POST", `/${name}/_bulk?refresh=true`, lines.map((line) => `${JSON.stringify(line)}\n`).join(""), {
    "content-type": "application/x-ndjson",
  });
const at = (second: number, more: object = {}) => ({ "@timestamp": `2026-01-01T00:00:0${second}Z`, ...more });
const backing = (name: string, generation: number) =>
  expect.stringMatching(new RegExp(`^\\.ds-${name}-\\d{4}\\.\\d\\d\\.\\d\\d-00000${generation}$`));

/** Names of the indices behind a stream, oldest first. */
async function indicesOf(name: string): Promise<string[]> {
  const { json } = await ask("GET", `/_data_stream/${name}`);
  const [stream] = json.data_streams as { indices: { index_name: string }[] }[];
  return stream.indices.map(({ index_name }) => index_name);
}

describe("a data stream", () => {
  test("is created, shown and deleted", async () => {
    expect(await ask("PUT", "/_data_stream/logs-a")).toEqual({ status: 200, json: { acknowledged: true } });
    expect((await ask("GET", "/_data_stream/logs-*")).json).toEqual({
      data_streams: [
        {
          name: "logs-a",
          timestamp_field: { name: "@timestamp" },
          indices: [
            {
              index_name: backing("logs-a", 1),
              index_uuid: expect.any(String),
              prefer_ilm: true,
              managed_by: "Unmanaged",
            },
          ],
          generation: 1,
          _meta: { by: "me" },
          status: "YELLOW",
          template: "logs",
          next_generation_managed_by: "Unmanaged",
          prefer_ilm: true,
          hidden: false,
          system: false,
          allow_custom_routing: false,
          replicated: false,
          rollover_on_write: false,
          settings: {},
        },
      ],
    });
    const [index] = await indicesOf("logs-a");
    expect((await ask("GET", "/logs-a")).json[index]).toMatchObject({
      data_stream: "logs-a",
      mappings: { _data_stream_timestamp: { enabled: true }, properties: { "@timestamp": { type: "date" } } },
      settings: { index: { hidden: "true" } },
    });
    expect((await ask("DELETE", "/_data_stream/logs-a")).status).toBe(200);
    expect(await ask("GET", "/_data_stream/logs-a")).toMatchObject(
      refusal("index_not_found_exception", "no such index [logs-a]", 404),
    );
    expect((await node.call("HEAD", `/${index}`)).status).toBe(404);
    expect((await ask("GET", "/_data_stream")).json).toEqual({ data_streams: [] });
  });

  test("of OpenSearch has indices without a date in their names", async () => {
    await ask("PUT", "/_data_stream/logs-a", undefined, OPENSEARCH);
    expect((await ask("GET", "/_data_stream", undefined, OPENSEARCH)).json).toEqual({
      data_streams: [
        {
          name: "logs-a",
          timestamp_field: { name: "@timestamp" },
          indices: [{ index_name: ".ds-logs-a-000001", index_uuid: expect.any(String) }],
          generation: 1,
          status: "YELLOW",
          template: "logs",
        },
      ],
    });
  });

  test("needs a template for data streams, and a name that is free", async () => {
    await ask("PUT", "/_index_template/plain", { index_patterns: ["plain*"] });
    const [none, plain, upper, dotted] = [
      await ask("PUT", "/_data_stream/none"),
      await ask("PUT", "/_data_stream/plain"),
      await ask("PUT", "/_data_stream/logs-A"),
      await ask("PUT", "/_data_stream/.ds-a"),
    ];
    expect(none).toMatchObject(
      refusal("illegal_argument_exception", "no matching index template found for data stream [none]"),
    );
    expect(plain).toMatchObject(
      refusal(
        "illegal_argument_exception",
        "matching index template [plain] for data stream [plain] has no data stream template",
      ),
    );
    expect(upper).toMatchObject(refusal("illegal_argument_exception", "data_stream [logs-A] must be lowercase"));
    expect(dotted.status).toBe(400);
    await ask("PUT", "/_data_stream/logs-a");
    expect(await ask("PUT", "/_data_stream/logs-a")).toMatchObject(
      refusal("resource_already_exists_exception", "data_stream [logs-a] already exists"),
    );
    expect(await ask("PUT", "/logs-b")).toMatchObject(
      refusal(
        "illegal_argument_exception",
        "cannot create index with name [logs-b], because it matches with template [logs] that creates data streams only, use create data stream api instead",
      ),
    );
    expect(await ask("PUT", "/_index_template/logs", { ...TEMPLATE, data_stream: undefined })).toMatchObject(
      refusal(
        "illegal_argument_exception",
        "would cause data streams [logs-a] to no longer match a data stream template",
      ),
    );
    expect(await ask("DELETE", "/_index_template/logs")).toMatchObject(
      refusal(
        "illegal_argument_exception",
        "unable to remove composable templates [logs] as they are in use by a data streams [logs-a]",
      ),
    );
  });

  test.each([
    [{ type: "keyword" }, "is of type [keyword], but [date,date_nanos] is expected"],
    [{ type: "date", index: false }, "is not indexed"],
    [{ type: "date", null_value: "2020-01-01" }, "has disallowed [null_value] attribute specified"],
  ])("cannot have the timestamp %j", async (field, reason) => {
    const template = { mappings: { properties: { "@timestamp": field } } };
    await ask("PUT", "/_index_template/logs", { ...TEMPLATE, template });
    expect(await ask("PUT", "/_data_stream/logs-a")).toMatchObject(refusal("illegal_argument_exception", reason));
    expect((await ask("GET", "/_data_stream")).json).toEqual({ data_streams: [] });
  });
});

describe("writing to a data stream", () => {
  test("makes it, and adds documents to its newest index only", async () => {
    const { json } = await bulk("logs-a", { create: {} }, at(1), { index: {} }, at(2), { create: { _id: "3" } }, at(3));
    const items = json.items as Record<string, { _index: string; status: number; error?: object }>[];
    expect(json.errors).toBe(true);
    expect(items.map((item) => Object.values(item)[0].status)).toEqual([201, 400, 201]);
    expect(items[1].index.error).toEqual({
      type: "illegal_argument_exception",
      reason: "only write ops with an op_type of create are allowed in data streams",
    });
    expect(items[0].create._index).toEqual(backing("logs-a", 1));
    expect((await ask("GET", "/logs-a/_count")).json).toMatchObject({ count: 2 });
    expect((await ask("POST", "/logs-a/_doc", at(4))).json).toMatchObject({ _index: backing("logs-a", 1) });
    for (const [method, where] of [
      ["PUT", "/logs-a/_doc/1"],
      ["POST", "/logs-a/_update/3"],
      ["DELETE", "/logs-a/_doc/3"],
    ]) {
      const body = method === "DELETE" ? undefined : where.includes("_update") ? { doc: {} } : at(5);
      expect(await ask(method, where, body)).toMatchObject(
        refusal("illegal_argument_exception", "only write ops with an op_type of create are allowed in data streams"),
      );
    }
  });

  test("needs a timestamp, and one only", async () => {
    await ask("PUT", "/_data_stream/logs-a");
    for (const document of [{}, { "@timestamp": null }, { "@timestamp": [] }]) {
      expect(await ask("POST", "/logs-a/_doc", document)).toMatchObject({
        status: 400,
        json: {
          error: {
            type: "document_parsing_exception",
            caused_by: {
              type: "illegal_argument_exception",
              reason: "data stream timestamp field [@timestamp] is missing",
            },
          },
        },
      });
    }
    const two = { "@timestamp": ["2026-01-01T00:00:00Z", "2026-01-01T00:00:01Z"] };
    expect(await ask("POST", "/logs-a/_doc", two)).toMatchObject({
      json: {
        error: { caused_by: { reason: "data stream timestamp field [@timestamp] encountered multiple values" } },
      },
    });
    expect((await ask("POST", "/logs-a/_doc", { "@timestamp": ["2026-01-01T00:00:00Z"] })).status).toBe(201);
  });

  test("goes by the stream's name; indices behind it take changes of what they have", async () => {
    await bulk("logs-a", { create: { _id: "1" } }, at(1));
    const [index] = await indicesOf("logs-a");
    const rest = "targeting backing indices is disallowed, target corresponding data stream [logs-a] instead";
    expect(await ask("PUT", `/${index}/_create/2`, at(2))).toMatchObject(refusal("illegal_argument_exception", rest));
    expect(await ask("PUT", `/${index}/_doc/1`, at(2))).toMatchObject(refusal("illegal_argument_exception", rest));
    expect((await ask("PUT", `/${index}/_doc/1?if_seq_no=0&if_primary_term=1`, at(2))).status).toBe(200);
    expect((await ask("DELETE", `/${index}/_doc/1`)).status).toBe(200);
    expect(await ask("POST", "/logs-a/_doc?routing=r", at(3))).toMatchObject(
      refusal("illegal_argument_exception", "specifies a custom routing"),
    );
  });

  test("can be asked for", async () => {
    expect((await ask("POST", "/logs-a/_doc?require_data_stream=true", at(1))).status).toBe(201);
    expect(await ask("POST", "/plain/_doc?require_data_stream=true", at(1))).toMatchObject(
      refusal(
        "resource_not_found_exception",
        "[require_data_stream] request flag is [true] and [plain] is not a data stream",
        404,
      ),
    );
    const { json } = await bulk("plain", { create: { require_data_stream: true } }, at(1), { create: {} }, at(1));
    expect((json.items as { create: { status: number } }[]).map(({ create }) => create.status)).toEqual([404, 201]);
  });
});

describe("the name of a data stream", () => {
  test("stands for its indices in searches, patterns and exclusions", async () => {
    await bulk("logs-a", { create: {} }, at(1));
    await bulk("logs-b", { create: {} }, at(2));
    await ask("POST", "/logs-a/_rollover");
    await bulk("logs-a", { create: {} }, at(3));
    const count = async (names: string) => (await ask("GET", `/${names}/_count`)).json.count;
    expect(await Promise.all(["logs-a", "logs-*", "logs-*,-logs-b", "*"].map(count))).toEqual([2, 3, 2, 3]);
    expect((await ask("GET", "/logs-a/_search?sort=@timestamp:desc")).json).toMatchObject({
      hits: { hits: [{ _index: backing("logs-a", 2) }, { _index: backing("logs-a", 1) }] },
    });
    expect(await ask("DELETE", "/logs-a")).toMatchObject(
      refusal("index_not_found_exception", "no such index [logs-a]", 404),
    );
    const { json } = await ask("POST", "/logs-a/_delete_by_query?refresh=true", { query: { match_all: {} } });
    expect(json).toMatchObject({ deleted: 2 });
  });

  test("may have aliases, to search and to write by", async () => {
    const add = { index: "logs-*", alias: "all", filter: { term: { level: "x" } } };
    await bulk("logs-a", { create: {} }, at(1, { level: "x" }), { create: {} }, at(2, { level: "y" }));
    await ask("POST", "/_aliases", { actions: [{ add }] });
    expect((await ask("GET", "/_alias/all")).json).toEqual({
      "logs-a": { aliases: { all: { filter: { term: { level: "x" } } } } },
    });
    await ask("POST", "/logs-a/_rollover");
    expect((await ask("POST", "/all/_doc?refresh=true", at(3, { level: "x" }))).json).toMatchObject({
      _index: backing("logs-a", 2),
    });
    expect((await ask("GET", "/all/_count")).json).toMatchObject({ count: 2 });
    const [index] = await indicesOf("logs-a");
    expect(await ask("PUT", `/${index}/_alias/all`)).toMatchObject(
      refusal("illegal_argument_exception", "match a backing index belonging to data stream [logs-a]"),
    );
    await ask("DELETE", "/_data_stream/logs-a");
    expect((await ask("GET", "/_alias/all")).status).toBe(404);
  });

  test("is resolved with indices and aliases", async () => {
    await ask("PUT", "/_data_stream/logs-a");
    await ask("PUT", "/plain", { aliases: { "plain-alias": {} } });
    const [index] = await indicesOf("logs-a");
    expect((await ask("GET", "/_resolve/index/*")).json).toEqual({
      indices: [{ name: "plain", aliases: ["plain-alias"], attributes: ["open"] }],
      aliases: [{ name: "plain-alias", indices: ["plain"] }],
      data_streams: [{ name: "logs-a", backing_indices: [index], timestamp_field: "@timestamp" }],
    });
    expect((await ask("GET", "/_resolve/index/.ds-*?expand_wildcards=all")).json).toMatchObject({
      indices: [{ name: index, attributes: ["hidden", "open"], data_stream: "logs-a" }],
      data_streams: [],
    });
    expect((await ask("GET", "/_resolve/index/plain-alias,logs-a")).json).toMatchObject({
      indices: [],
      aliases: [{ name: "plain-alias" }],
      data_streams: [{ name: "logs-a" }],
    });
    expect((await ask("GET", "/_resolve/index/nope")).status).toBe(404);
  });
});

test("the state of the cluster has templates and data streams", async () => {
  await ask("PUT", "/_data_stream/logs-a");
  expect((await ask("GET", "/_cluster/state/metadata")).json.metadata).toMatchObject({
    templates: {},
    index_template: { index_template: { logs: { index_patterns: ["logs-*"] } } },
    data_stream: { data_stream: { "logs-a": { name: "logs-a", generation: 1 } } },
  });
});

test("statistics say what is there and how new it is", async () => {
  await bulk("logs-a", { create: {} }, at(1), { create: {} }, at(3));
  await ask("POST", "/logs-a/_rollover");
  await ask("PUT", "/_data_stream/logs-b");
  const { json } = await ask("GET", "/_data_stream/_stats");
  expect(json).toMatchObject({
    _shards: { total: 6, successful: 3, failed: 0 },
    data_stream_count: 2,
    backing_indices: 3,
    total_store_size_bytes: expect.any(Number),
    data_streams: [
      { data_stream: "logs-a", backing_indices: 2, maximum_timestamp: Date.parse("2026-01-01T00:00:03Z") },
      { data_stream: "logs-b", backing_indices: 1, maximum_timestamp: 0 },
    ],
  });
});

test("indices come and go behind a data stream, but the one that is written to", async () => {
  await bulk("logs-a", { create: {} }, at(1));
  await ask("POST", "/logs-a/_rollover");
  const [first, second] = await indicesOf("logs-a");
  expect(await ask("DELETE", `/${second}`)).toMatchObject(
    refusal(
      "illegal_argument_exception",
      `index [${second}] is the write index for data stream [logs-a] and cannot be deleted`,
    ),
  );
  await ask("PUT", "/older", { mappings: { properties: { "@timestamp": { type: "date" } } } });
  await ask("PUT", "/older/_doc/1?refresh=true", at(0));
  const action = (kind: string, index: string) => ({ [kind]: { data_stream: "logs-a", index } });
  const actions = [action("add_backing_index", "older"), action("remove_backing_index", first)];
  expect((await ask("POST", "/_data_stream/_modify", { actions })).status).toBe(200);
  expect(await indicesOf("logs-a")).toEqual(["older", second]);
  expect((await ask("GET", "/logs-a/_count")).json).toMatchObject({ count: 1 });
  expect((await ask("PUT", `/${first}/_doc/2`, at(2))).status).toBe(201);
  expect(
    await ask("POST", "/_data_stream/_modify", { actions: [action("remove_backing_index", second)] }),
  ).toMatchObject(refusal("illegal_argument_exception", "because it is the write index"));
  expect((await ask("DELETE", "/older")).status).toBe(200);
  expect(await indicesOf("logs-a")).toEqual([second]);
});

test("an alias of indices becomes a data stream", async () => {
  const index = { mappings: { properties: { "@timestamp": { type: "date" } } } };
  await ask("PUT", "/one", { ...index, aliases: { "logs-old": {} } });
  await ask("PUT", "/two", { ...index, aliases: { "logs-old": { is_write_index: true } } });
  await ask("PUT", "/one/_doc/1?refresh=true", at(1));
  expect((await ask("POST", "/_data_stream/_migrate/logs-old")).json).toEqual({ acknowledged: true });
  expect(await indicesOf("logs-old")).toEqual(["one", "two"]);
  expect((await ask("POST", "/logs-old/_doc?refresh=true", at(2))).json).toMatchObject({ _index: "two" });
  expect((await ask("GET", "/logs-old/_count")).json).toMatchObject({ count: 2 });
  expect((await ask("POST", "/logs-old/_rollover")).json).toMatchObject({ new_index: backing("logs-old", 3) });
  expect(await ask("POST", "/_data_stream/_migrate/nope")).toMatchObject(
    refusal("illegal_argument_exception", "alias [nope] does not exist"),
  );
});

test("templates and data streams are there again when the node is", async () => {
  const folder = mkdtempSync(path.join(tmpdir(), "pinakes-streams-"));
  try {
    const shown: unknown[] = [];
    for (const isFirst of [true, false]) {
      const engine = await openEngine(folder, { arenaBytes: 64 * 1024 * 1024 });
      const server = await testServer(engine);
      if (isFirst) {
        await server.call("PUT", "/_component_template/c", { template: { settings: { number_of_replicas: 0 } } });
        await server.call("PUT", "/_index_template/logs", { ...TEMPLATE, composed_of: ["c"] });
        await server.call("PUT", "/_template/old", { index_patterns: ["x*"] });
        await server.call("POST", "/logs-a/_doc?refresh=true", at(1));
        await server.call("POST", "/logs-a/_rollover");
      }
      const paths = ["_component_template", "_index_template", "_template", "_data_stream", "logs-a/_count"];
      shown.push(await Promise.all(paths.map(async (where) => (await server.call("GET", `/${where}`)).json)));
      await server.close();
      await engine.close();
    }
    expect(shown[1]).toEqual(shown[0]);
    expect(JSON.stringify(shown[1])).toContain('"generation":2');
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

test("a snapshot takes templates along, and data streams with their indices", async () => {
  await ask("PUT", "/_snapshot/r", { type: "fs", settings: { location: "streams" } });
  await bulk("logs-a", { create: {} }, at(1));
  await ask("POST", "/logs-a/_rollover");
  await bulk("logs-a", { create: {} }, at(2));
  await ask("PUT", "/logs-a/_alias/al");
  const made = await ask("PUT", "/_snapshot/r/s?wait_for_completion=true", {});
  expect(made.json.snapshot).toMatchObject({ data_streams: ["logs-a"], indices: await indicesOf("logs-a") });
  const before = await indicesOf("logs-a");
  await ask("DELETE", "/_data_stream/logs-a");
  await ask("DELETE", "/_index_template/logs");
  await ask("PUT", "/_index_template/stray", { index_patterns: ["s*"] });
  const restore = (body: object) => ask("POST", "/_snapshot/r/s/_restore?wait_for_completion=true", body);
  expect((await restore({ indices: "logs-a", include_global_state: true })).status).toBe(200);
  expect(await indicesOf("logs-a")).toEqual(before);
  expect((await ask("GET", "/_index_template")).json).toMatchObject({ index_templates: [{ name: "logs" }] });
  expect((await ask("GET", "/al/_count")).json).toMatchObject({ count: 2 });
  expect(await restore({ indices: "logs-a" })).toMatchObject({ status: 500 });
  expect(
    (
      await restore({
        indices: "logs-a",
        rename_pattern: "logs-(.)",
        rename_replacement: "logs-$1-2",
        include_aliases: false,
      })
    ).status,
  ).toBe(200);
  expect(await indicesOf("logs-a-2")).toEqual(before.map((name) => name.replace("logs-a", "logs-a-2")));
  expect((await ask("GET", "/logs-a-2/_count")).json).toMatchObject({ count: 2 });
});
