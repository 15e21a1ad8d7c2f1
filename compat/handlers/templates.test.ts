/** Statuses, types and reasons are those that a node of OpenSearch 2.19 answers, and of Elasticsearch 8 where they differ. */
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { type TestNode, testNode } from "../testing/node.js";

let node: TestNode;
beforeAll(async () => {
  node = await testNode();
  const persistent = { "action.destructive_requires_name": false, "stack.templates.enabled": false };
  await node.call("PUT", "/_cluster/settings", { persistent });
});
afterAll(() => node.close());
afterEach(async () => {
  await node.call("DELETE", "/_data_stream/*");
  await node.call("DELETE", "/*");
  for (const kind of ["_template", "_index_template", "_component_template"]) await node.call("DELETE", `/${kind}/*`);
});

const ask = async (method: string, path: string, body?: unknown, headers?: Record<string, string>) => {
  const { status, json } = await node.call(method, path, body, headers);
  return { status, json: json as Record<string, unknown> };
};
const put = async (path: string, body: object) => {
  const answer = await ask("PUT", path, body);
  expect(answer).toEqual({ status: 200, json: { acknowledged: true } });
};
const refusal = (type: string, reason: string, status = 400) => ({
  status,
  json: { error: { type, reason: expect.stringContaining(reason) } },
});
const OPENSEARCH = { "x-pinakes-identity": "os2" };

describe("a component template", () => {
  test("is put, shown, found and deleted", async () => {
    const template = {
      template: {
        settings: { number_of_shards: 2, index: { refresh_interval: "5s" } },
        mappings: { properties: { a: { type: "keyword" } } },
        aliases: { al: { routing: "r" } },
      },
      version: 2,
      _meta: { big: 12345678901234567n, text: "ä" },
    };
    const text = JSON.stringify(template, (_, value) => (typeof value === "bigint" ? "BIG" : value));
    const answer = await ask("PUT", "/_component_template/c", text.replace('"BIG"', "12345678901234567"));
    expect(answer.status).toBe(200);
    expect((await ask("GET", "/_component_template/c*")).json).toEqual({
      component_templates: [
        {
          name: "c",
          component_template: {
            template: {
              settings: { index: { number_of_shards: "2", refresh_interval: "5s" } },
              mappings: { properties: { a: { type: "keyword" } } },
              aliases: { al: { index_routing: "r", search_routing: "r" } },
            },
            version: 2,
            _meta: { big: 12345678901234568, text: "ä" },
          },
        },
      ],
    });
    expect((await node.call("GET", "/_component_template/c")).text).toContain("12345678901234567");
    const flat = await ask("GET", "/_component_template/c?flat_settings=true");
    expect(JSON.stringify(flat.json)).toContain('"index.number_of_shards":"2"');
    expect((await node.call("HEAD", "/_component_template/c")).status).toBe(200);
    expect((await ask("DELETE", "/_component_template/c")).status).toBe(200);
    expect((await node.call("HEAD", "/_component_template/c")).status).toBe(404);
    expect(await ask("GET", "/_component_template/c")).toMatchObject(
      refusal("resource_not_found_exception", "component template matching [c] not found", 404),
    );
    expect((await ask("GET", "/_component_template")).json).toEqual({ component_templates: [] });
  });

  test.each([
    [{ template: { settings: { nonsense: 1 } } }, "illegal_argument_exception", "unknown setting [index.nonsense]"],
    [{ template: { mappings: { properties: { a: { type: "nonsense" } } } } }, "mapper_parsing_exception", "No handler"],
    [{ template: { lifecycle: {} } }, "illegal_argument_exception", "[lifecycle] in [template] is not supported"],
    [{}, "illegal_argument_exception", "Required [template]"],
    [{ template: {}, nonsense: 1 }, "x_content_parse_exception", "[component_template] unknown field [nonsense]"],
  ])("%j is refused", async (body, type, reason) => {
    expect(await ask("PUT", "/_component_template/c", body)).toMatchObject(refusal(type, reason));
  });

  test("stays as long as an index template is made of it, and must go on fitting it", async () => {
    await put("/_component_template/c", { template: { mappings: { properties: { a: { type: "keyword" } } } } });
    await put("/_index_template/t", { index_patterns: "t-*", composed_of: ["c"] });
    expect(await ask("DELETE", "/_component_template/c")).toMatchObject(
      refusal(
        "illegal_argument_exception",
        "component templates [c] cannot be removed as they are still in use by index templates [t]",
      ),
    );
    await put("/_index_template/t", {
      index_patterns: "t-*",
      composed_of: ["c"],
      template: { mappings: { properties: { "o.b": { type: "long" } } } },
    });
    const changed = { template: { mappings: { properties: { o: { type: "keyword" } } } } };
    expect(await ask("PUT", "/_component_template/c", changed)).toMatchObject(
      refusal(
        "illegal_argument_exception",
        "updating component template [c] results in invalid composable template [t] after templates are merged",
      ),
    );
    expect(await ask("PUT", "/_component_template/c?create=true", { template: {} })).toMatchObject(
      refusal("illegal_argument_exception", "component template [c] already exists"),
    );
  });
});

describe("an index template", () => {
  test("is put, shown, found and deleted", async () => {
    await put("/_index_template/t", {
      index_patterns: ["a-*", "b-*"],
      priority: 7,
      version: 3,
      _meta: { by: "me" },
      template: { settings: { "index.number_of_replicas": 0 } },
      allow_auto_create: true,
    });
    expect((await ask("GET", "/_index_template/t")).json).toEqual({
      index_templates: [
        {
          name: "t",
          index_template: {
            index_patterns: ["a-*", "b-*"],
            template: { settings: { index: { number_of_replicas: "0" } } },
            composed_of: [],
            priority: 7,
            version: 3,
            _meta: { by: "me" },
            allow_auto_create: true,
          },
        },
      ],
    });
    expect((await node.call("HEAD", "/_index_template/t")).status).toBe(200);
    expect(await ask("PUT", "/_index_template/t?create=true", { index_patterns: "a" })).toMatchObject(
      refusal("illegal_argument_exception", "index template [t] already exists"),
    );
    expect((await ask("DELETE", "/_index_template/t")).status).toBe(200);
    expect(await ask("GET", "/_index_template/t")).toMatchObject(
      refusal("resource_not_found_exception", "index template matching [t] not found", 404),
    );
    expect((await ask("DELETE", "/_index_template/t")).status).toBe(404);
    expect((await ask("GET", "/_index_template/t*")).json).toEqual({ index_templates: [] });
  });

  test.each([
    [{}, "illegal_argument_exception", "Required [index_patterns]"],
    [{ index_patterns: "a", composed_of: ["x", "y"] }, "invalid_index_template_exception", "[x, y]"],
    [{ index_patterns: "a b" }, "invalid_index_template_exception", "index_patterns [a b] must not contain a space"],
    [
      { index_patterns: "a", template: { nonsense: {} } },
      "x_content_parse_exception",
      "[template] unknown field [nonsense]",
    ],
    [
      { index_patterns: "*", template: { settings: { hidden: true } } },
      "action_request_validation_exception",
      "index.hidden",
    ],
    [
      { index_patterns: "a", template: { mappings: { properties: { f: { type: "text", analyzer: "nope" } } } } },
      "mapper_parsing_exception",
      "analyzer [nope] has not been configured in mappings",
    ],
  ])("%j is refused", async (body, type, reason) => {
    expect(await ask("PUT", "/_index_template/t", body)).toMatchObject(refusal(type, reason));
  });

  test("of the same priority as another for the same names is refused", async () => {
    await put("/_index_template/one", { index_patterns: ["logs-*"], priority: 5 });
    expect(await ask("PUT", "/_index_template/two", { index_patterns: ["*-app"], priority: 5 })).toMatchObject(
      refusal(
        "illegal_argument_exception",
        "index template [two] has index patterns [*-app] matching patterns from existing templates [one] with patterns (one => [logs-*]) that have the same priority [5], multiple index templates may not match during index creation, please use a different priority",
      ),
    );
    await put("/_index_template/two", { index_patterns: ["*-app"], priority: 6 });
  });

  test("may name component templates that are not there yet, if it says so", async () => {
    const body = { index_patterns: "t-*", composed_of: ["later"], ignore_missing_component_templates: ["later"] };
    await put("/_index_template/t", body);
    await ask("PUT", "/t-1");
    await ask("PUT", "/_component_template/later", { template: { settings: { number_of_shards: 3 } } });
    await ask("PUT", "/t-2");
    const { json } = await ask("GET", "/t-*/_settings?flat_settings=true");
    expect(json).toMatchObject({
      "t-1": { settings: { "index.number_of_shards": "1" } },
      "t-2": { settings: { "index.number_of_shards": "3" } },
    });
  });

  test("shapes an index: components in order, then itself, then what is asked for", async () => {
    await put("/_component_template/low", {
      template: {
        settings: { number_of_replicas: 1, refresh_interval: "9s" },
        mappings: { properties: { f: { type: "text" }, "o.a": { type: "long" } } },
        aliases: { shared: { is_write_index: false }, "{index}-alias": {} },
      },
    });
    await put("/_component_template/high", {
      template: {
        settings: { "index.number_of_replicas": 0 },
        mappings: { properties: { f: { type: "keyword" } } },
        aliases: { shared: { filter: { match_all: {} } } },
      },
    });
    await put("/_index_template/t", {
      index_patterns: ["t-*"],
      priority: 1,
      composed_of: ["low", "high"],
      template: {
        settings: {
          number_of_shards: 2,
          analysis: { analyzer: { mine: { type: "custom", tokenizer: "standard", filter: ["lowercase"] } } },
        },
        mappings: { dynamic: "strict", properties: { g: { type: "text", analyzer: "mine" } } },
      },
    });
    await put("/_index_template/weaker", { index_patterns: ["*"], template: { settings: { number_of_shards: 9 } } });
    const asked = {
      settings: { refresh_interval: null },
      mappings: { properties: { "o.b": { type: "long" }, g: { type: "long" } } },
      aliases: { own: {} },
    };
    expect((await ask("PUT", "/t-1", asked)).status).toBe(200);
    const { json } = await ask("GET", "/t-1");
    expect(json["t-1"]).toMatchObject({
      aliases: { own: {}, shared: { filter: { match_all: {} } }, "t-1-alias": {} },
      mappings: {
        dynamic: "strict",
        properties: {
          f: { type: "keyword" },
          g: { type: "long" },
          o: { properties: { a: { type: "long" }, b: { type: "long" } } },
        },
      },
      settings: { index: { number_of_shards: "2", number_of_replicas: "0", analysis: { analyzer: { mine: {} } } } },
    });
    const { settings } = json["t-1"] as { settings: { index: Record<string, unknown> } };
    expect(settings.index.refresh_interval).toBeUndefined();
  });

  test("shapes an index that a write makes, and says whether it may", async () => {
    await put("/_index_template/t", { index_patterns: ["t-*"], template: { aliases: { all: {} } } });
    await put("/_index_template/no", { index_patterns: ["no-*"], allow_auto_create: false });
    await put("/_index_template/yes", { index_patterns: ["yes-*"], allow_auto_create: true });
    expect((await ask("POST", "/t-1/_doc?refresh=true", { a: 1 })).status).toBe(201);
    expect((await ask("GET", "/all/_count")).json).toMatchObject({ count: 1 });
    expect(await ask("POST", "/no-1/_doc", { a: 1 })).toMatchObject(
      refusal("index_not_found_exception", "composable template [[no-*]] forbids index auto creation", 404),
    );
    await node.call("PUT", "/_cluster/settings", { persistent: { "action.auto_create_index": "+t-*" } });
    const answers = [
      await ask("POST", "/t-2/_doc", {}),
      await ask("POST", "/x/_doc", {}),
      await ask("POST", "/yes-1/_doc", {}),
    ];
    await node.call("PUT", "/_cluster/settings", { persistent: { "action.auto_create_index": null } });
    expect(answers.map(({ status }) => status)).toEqual([201, 404, 201]);
  });
});

describe("a legacy template", () => {
  test("is put, shown, found and deleted", async () => {
    const body = { index_patterns: "a-*", version: 4, settings: { number_of_replicas: 0 }, mappings: { _doc: {} } };
    await put("/_template/t?order=3", body);
    expect((await ask("GET", "/_template/t")).json).toEqual({
      t: {
        order: 3,
        version: 4,
        index_patterns: ["a-*"],
        settings: { index: { number_of_replicas: "0" } },
        mappings: {},
        aliases: {},
      },
    });
    expect((await node.call("HEAD", "/_template/t")).status).toBe(200);
    expect(await ask("PUT", "/_template/t?create=true", body)).toMatchObject(
      refusal("illegal_argument_exception", "index_template [t] already exists"),
    );
    expect((await ask("DELETE", "/_template/t")).status).toBe(200);
    expect(await ask("GET", "/_template/t")).toEqual({ status: 404, json: {} });
    expect(await ask("DELETE", "/_template/t")).toMatchObject(
      refusal("index_template_missing_exception", "index_template [t] missing", 404),
    );
  });

  test("applies with all others that match, the highest order strongest", async () => {
    const field = (parameters: object) => ({ mappings: { properties: { f: { type: "keyword", ...parameters } } } });
    await put("/_template/high", { index_patterns: ["t-*"], order: 2, ...field({ doc_values: false }) });
    await put("/_template/low", {
      index_patterns: ["*"],
      order: 1,
      settings: { number_of_shards: 4 },
      ...field({ ignore_above: 5 }),
    });
    await ask("PUT", "/t-1");
    await ask("PUT", "/other", { settings: { hidden: true } });
    expect((await ask("GET", "/t-1,other")).json).toMatchObject({
      "t-1": {
        mappings: { properties: { f: { type: "keyword", ignore_above: 5, doc_values: false } } },
        settings: { index: { number_of_shards: "4" } },
      },
      other: { mappings: {}, settings: { index: { number_of_shards: "1" } } },
    });
  });

  test("gives way to an index template, which says so", async () => {
    await put("/_template/old", { index_patterns: ["t*"], settings: { number_of_shards: 4 } });
    const answer = await node.call("PUT", "/_index_template/new", { index_patterns: ["t-*"] });
    expect(answer.headers.warning).toContain(
      '"index template [new] has index patterns [t-*] matching patterns from existing older templates [old] with patterns (old => [t*]); this template [new] will take precedence during new index creation"',
    );
    await ask("PUT", "/t-1");
    expect((await ask("GET", "/t-1/_settings?flat_settings=true")).json).toMatchObject({
      "t-1": { settings: { "index.number_of_shards": "1" } },
    });
    expect(await ask("PUT", "/_template/late", { index_patterns: ["t-1*"] })).toMatchObject(
      refusal("illegal_argument_exception", "use composable templates (/_index_template) instead"),
    );
    const again = await node.call("PUT", "/_template/old", { index_patterns: ["t*"], order: 1 });
    expect([again.status, String(again.headers.warning)]).toEqual([
      200,
      expect.stringContaining("may be ignored in favor of a composable template at index creation time"),
    ]);
  });
});

describe("a simulation", () => {
  test("shows what an index would get, and which templates it does not", async () => {
    await put("/_component_template/c", { template: { mappings: { properties: { c: { type: "keyword" } } } } });
    await put("/_template/old", { index_patterns: ["t*"] });
    await ask("PUT", "/_index_template/weak", { index_patterns: ["te*"], priority: 1 });
    const given = {
      index_patterns: ["te*"],
      priority: 2,
      composed_of: ["c"],
      template: { settings: { number_of_shards: 2 }, aliases: { "{index}-a": {} } },
    };
    const expected = {
      template: {
        settings: { index: { number_of_shards: "2" } },
        mappings: { properties: { c: { type: "keyword" } } },
        aliases: { "test-a": {} },
      },
      overlapping: [
        { name: "old", index_patterns: ["t*"] },
        { name: "weak", index_patterns: ["te*"] },
      ],
    };
    expect((await ask("POST", "/_index_template/_simulate_index/test", given)).json).toEqual(expected);
    expect((await ask("POST", "/_index_template/_simulate", given)).json).toMatchObject({
      template: { settings: expected.template.settings, mappings: expected.template.mappings },
      overlapping: expected.overlapping,
    });
    expect((await ask("GET", "/_index_template")).json).toMatchObject({ index_templates: [{ name: "weak" }] });
    expect((await ask("POST", "/_index_template/_simulate_index/other")).json).toEqual({});
    expect(await ask("POST", "/_index_template/_simulate/nope")).toMatchObject(
      refusal("illegal_argument_exception", "unable to simulate template [nope] that does not exist"),
    );
  });
});

test("_cat/templates and _cat/component_templates list all of them", async () => {
  await put("/_component_template/c", { template: { settings: { number_of_shards: 1 } }, version: 5 });
  await put("/_template/old", { index_patterns: ["o*", "p*"], order: 2 });
  await put("/_index_template/new", { index_patterns: ["n*"], composed_of: ["c"], priority: 4, version: 3 });
  expect((await ask("GET", "/_cat/templates?format=json")).json).toEqual([
    { name: "old", index_patterns: "[o*, p*]", order: "2", version: null, composed_of: "" },
    { name: "new", index_patterns: "[n*]", order: "4", version: "3", composed_of: "[c]" },
  ]);
  expect((await ask("GET", "/_cat/templates/none*?format=json")).json).toEqual([]);
  expect((await ask("GET", "/_cat/component_templates?format=json")).json).toEqual([
    {
      name: "c",
      version: "5",
      alias_count: "0",
      mapping_count: "0",
      settings_count: "1",
      metadata_count: "0",
      included_in: "[new]",
    },
  ]);
});

test("OpenSearch's templates of data streams may name their timestamp, Elasticsearch's may not", async () => {
  const body = { index_patterns: "s-*", data_stream: { timestamp_field: { name: "when" } } };
  expect((await ask("PUT", "/_index_template/s", body)).status).toBe(400);
  expect((await ask("PUT", "/_index_template/s", body, OPENSEARCH)).status).toBe(200);
  expect((await ask("GET", "/_index_template/s", undefined, OPENSEARCH)).json).toMatchObject({
    index_templates: [{ index_template: { data_stream: { timestamp_field: { name: "when" } } } }],
  });
});

describe("templates that are built in", () => {
  const enabled = (value: boolean | null) =>
    node.call("PUT", "/_cluster/settings", { persistent: { "stack.templates.enabled": value } });
  const log = { "@timestamp": "2026-01-01T00:00:00Z", message: "hello", host: { name: "h" } };

  test("make data streams of what shippers write to", async () => {
    await enabled(null);
    await put("/_component_template/logs@custom", { template: { settings: { number_of_replicas: 0 } } });
    const { json } = await ask("POST", "/logs-app-default/_doc", log);
    const [stream] = (await ask("GET", "/_data_stream")).json.data_streams as unknown as Record<string, unknown>[];
    const index = (await ask("GET", `/${json._index}`)).json[String(json._index)];
    await ask("DELETE", "/_data_stream/*");
    await enabled(false);
    expect(stream).toMatchObject({ name: "logs-app-default", template: "logs", status: "GREEN" });
    expect(index).toMatchObject({
      mappings: { properties: { message: { type: "text" }, host: { properties: { name: { type: "keyword" } } } } },
    });
  });

  test("give way to those that are put under their names, and are not there for OpenSearch's clients", async () => {
    await enabled(null);
    const names = async (headers?: Record<string, string>) => {
      const { json } = await ask("GET", "/_index_template", undefined, headers);
      return (json.index_templates as { name: string }[]).map(({ name }) => name);
    };
    const before = [await names(), await names(OPENSEARCH)];
    const own = await ask("PUT", "/_index_template/logs", { index_patterns: ["logs-mine-*"], priority: 100 });
    const shown = (await ask("GET", "/_index_template/logs")).json;
    const after = await names();
    await enabled(false);
    expect(before).toEqual([["logs", "metrics", "synthetics"], []]);
    expect([own.status, after]).toEqual([200, ["logs", "metrics", "synthetics"]]);
    expect(shown).toMatchObject({ index_templates: [{ index_template: { index_patterns: ["logs-mine-*"] } }] });
  });
});
