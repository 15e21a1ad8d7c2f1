import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openEngine } from "../../engine/index.js";
import { testServer } from "../testing/http.js";
import { type TestNode, testNode } from "../testing/node.js";

interface Shown {
  error: { type: string; reason: string; property_name?: string; processor_type?: string };
}

let node: TestNode;
beforeAll(async () => {
  node = await testNode();
});
afterAll(() => node.close());

async function put(id: string, processors: unknown[], more: object = {}): Promise<void> {
  const answer = await node.call("PUT", `/_ingest/pipeline/${id}`, { processors, ...more });
  expect(answer.json).toEqual({ acknowledged: true });
}

async function source(index: string, id: string): Promise<unknown> {
  return (await node.call("GET", `/${index}/_source/${id}`)).json;
}

describe("pipelines are kept", () => {
  test("as they were given, and go by name and pattern", async () => {
    const body = { description: "d", version: 3, processors: [{ set: { field: "a", value: 1 } }], _meta: { x: [1] } };
    expect((await node.call("PUT", "/_ingest/pipeline/keep-1", body)).json).toEqual({ acknowledged: true });
    await put("keep-2", []);
    expect((await node.call("GET", "/_ingest/pipeline/keep-1")).json).toEqual({ "keep-1": body });
    expect(Object.keys((await node.call("GET", "/_ingest/pipeline/keep-*")).json)).toEqual(["keep-1", "keep-2"]);
    expect((await node.call("GET", "/_ingest/pipeline/keep-1?summary")).json).toEqual({ "keep-1": {} });
    const missing = await node.call("GET", "/_ingest/pipeline/none");
    expect([missing.status, missing.json]).toEqual([404, {}]);
    expect((await node.call("DELETE", "/_ingest/pipeline/keep-*")).json).toEqual({ acknowledged: true });
    const gone = await node.call("DELETE", "/_ingest/pipeline/keep-1");
    expect([gone.status, gone.json.error]).toMatchObject([
      404,
      { type: "resource_not_found_exception", reason: "pipeline [keep-1] is missing" },
    ]);
  });

  test("only when they can be compiled, and the refusal says where", async () => {
    const answer = await node.call("PUT", "/_ingest/pipeline/bad", { processors: [{ set: { tag: "t", value: 1 } }] });
    expect([answer.status, (answer.json as never as Shown).error]).toMatchObject([
      400,
      {
        type: "parse_exception",
        reason: "[field] required property is missing",
        property_name: "field",
        processor_type: "set",
        processor_tag: "t",
      },
    ]);
    const unknown = await node.call("PUT", "/_ingest/pipeline/bad", { processors: [], invalid: {} });
    expect((unknown.json as never as Shown).error.reason).toBe(
      "pipeline [bad] doesn't support one or more provided configuration parameters [invalid]",
    );
    expect((await node.call("GET", "/_ingest/pipeline/bad")).status).toBe(404);
  });

  test("under the version that is there, if the request names one", async () => {
    await put("versioned", [], { version: 1 });
    expect((await node.call("PUT", "/_ingest/pipeline/versioned?if_version=1", { processors: [] })).status).toBe(200);
    expect((await node.call("GET", "/_ingest/pipeline/versioned")).json).toEqual({
      versioned: { processors: [], version: 2 },
    });
    const stale = await node.call("PUT", "/_ingest/pipeline/versioned?if_version=1", { processors: [] });
    expect((stale.json as never as Shown).error.reason).toBe(
      "version conflict, required version [1] for pipeline [versioned] but current version is [2]",
    );
  });

  test("over a restart of the node", async () => {
    const folder = mkdtempSync(path.join(tmpdir(), "pinakes-ingest-"));
    for (const [method, id, status] of [
      ["PUT", "kept", 200],
      ["GET", "kept", 200],
      ["GET", "other", 404],
    ] as const) {
      const engine = await openEngine(folder, { arenaBytes: 64 * 1024 * 1024 });
      const server = await testServer(engine);
      const body = method === "PUT" ? { processors: [] } : undefined;
      expect((await server.call(method, `/_ingest/pipeline/${id}`, body)).status).toBe(status);
      await server.close();
      await engine.close();
    }
    rmSync(folder, { recursive: true });
  });
});

describe("documents go through a pipeline", () => {
  test("that the request names", async () => {
    await put("named", [{ set: { field: "seen", value: "{{_index}}/{{_id}}" } }]);
    expect((await node.call("PUT", "/named/_doc/1?pipeline=named", { n: 1.0, big: 7 })).status).toBe(201);
    expect(await source("named", "1")).toEqual({ n: 1, big: 7, seen: "named/1" });
    expect((await node.call("PUT", "/named/_create/2?pipeline=named", { a: 1 })).status).toBe(201);
    const missing = await node.call("PUT", "/named/_doc/3?pipeline=nope", { a: 1 });
    expect([missing.status, (missing.json as never as Shown).error]).toMatchObject([
      400,
      { type: "illegal_argument_exception", reason: "pipeline with id [nope] does not exist" },
    ]);
  });

  test("that keeps whole doubles doubles, so that a new field gets the type of what was sent", async () => {
    await node.call("PUT", "/doubles/_doc/1?pipeline=named", '{"d":1.0}');
    const mapping = (await node.call("GET", "/doubles/_mapping")).json as never as Record<
      string,
      { mappings: { properties: { d: { type: string } } } }
    >;
    expect(mapping.doubles.mappings.properties.d.type).toBe("float");
  });

  test("that is the index's default, but for _none, and through its final one always", async () => {
    await put("default", [{ set: { field: "by", value: "default" } }]);
    await put("final", [{ append: { field: "by", value: "final" } }]);
    const settings = { "index.default_pipeline": "default", "index.final_pipeline": "final" };
    expect((await node.call("PUT", "/defaults", { settings })).status).toBe(200);
    await node.call("PUT", "/defaults/_doc/1", {});
    await node.call("PUT", "/defaults/_doc/2?pipeline=_none", {});
    await node.call("PUT", "/defaults/_doc/3?pipeline=named", {});
    expect(await source("defaults", "1")).toEqual({ by: ["default", "final"] });
    expect(await source("defaults", "2")).toEqual({ by: ["final"] });
    expect(await source("defaults", "3")).toEqual({ seen: "defaults/3", by: ["final"] });
    await node.call("PUT", "/defaults/_settings", { "index.final_pipeline": null });
    await node.call("PUT", "/defaults/_doc/4", {});
    expect(await source("defaults", "4")).toEqual({ by: "default" });
  });

  test("that templates give an index which is not there yet, and data streams", async () => {
    await put("templated", [{ set: { field: "by", value: "template" } }, { drop: { if: "ctx.drop == true" } }]);
    const template = { settings: { "index.default_pipeline": "templated" } };
    await node.call("PUT", "/_index_template/ingested", { index_patterns: ["ingested-*"], priority: 500, template });
    await node.call("PUT", "/_index_template/streamed", {
      index_patterns: ["streamed-*"],
      priority: 500,
      data_stream: {},
      template,
    });
    await node.call("PUT", "/ingested-0/_doc/1", { drop: true });
    expect((await node.call("HEAD", "/ingested-0")).status).toBe(404);
    await node.call("PUT", "/ingested-1/_doc/1", {});
    expect(await source("ingested-1", "1")).toEqual({ by: "template" });
    await node.call("PUT", "/streamed-1/_create/1?refresh", { "@timestamp": "2024-01-01" });
    await node.call("PUT", "/streamed-1/_create/2?refresh", { "@timestamp": "2024-01-02" });
    const hits = (await node.call("POST", "/streamed-1/_count", { query: { match: { by: "template" } } })).json;
    expect(hits.count).toBe(2);
    const copied = await node.call("POST", "/_reindex", {
      source: { index: "streamed-1" },
      dest: { index: "streamed-2", op_type: "create" },
    });
    expect(copied.json).toMatchObject({ created: 2, failures: [] });
    const refused = await node.call("POST", "/_reindex", {
      source: { index: "streamed-1" },
      dest: { index: "streamed-3" },
    });
    expect(refused.status).toBe(400);
    const updated = await node.call("POST", "/streamed-1/_update_by_query?pipeline=_none&refresh");
    expect(updated.json).toMatchObject({ updated: 2, failures: [] });
  });

  test("that sends them to another index, whose final pipeline counts", async () => {
    await put("elsewhere", [
      { set: { field: "_index", value: "reached" } },
      { set: { field: "_routing", value: "r" } },
    ]);
    await node.call("PUT", "/reached", { settings: { "index.final_pipeline": "final" } });
    const answer = await node.call("PUT", "/first/_doc/1?pipeline=elsewhere", {});
    expect(answer.json).toMatchObject({ _index: "reached", result: "created" });
    expect((await node.call("GET", "/reached/_doc/1?routing=r")).json).toMatchObject({
      _routing: "r",
      _source: { by: ["final"] },
    });
    expect((await node.call("HEAD", "/first")).status).toBe(404);
    await put("moves", [{ set: { field: "_index", value: "third" } }]);
    await node.call("PUT", "/settled", { settings: { "index.final_pipeline": "moves" } });
    const moved = await node.call("PUT", "/settled/_doc/1", {});
    expect((moved.json as never as Shown).error.reason).toBe(
      "final pipeline [moves] can't change the target index (from [settled] to [third]) for document [1]",
    );
  });

  test("that reroutes them, through the pipelines of where they go", async () => {
    await put("routes", [
      { set: { field: "order", value: ["first"] } },
      { reroute: { dataset: ["{{service}}", "generic"], namespace: "prod" } },
      { set: { field: "order", value: "never" } },
    ]);
    await put("arrives", [{ append: { field: "order", value: "second" } }]);
    await node.call("PUT", "/apps-my_app-prod", { settings: { "index.default_pipeline": "arrives" } });
    const answer = await node.call("PUT", "/apps-x-default/_doc/1?pipeline=routes", { service: "My-App" });
    expect(answer.json).toMatchObject({ _index: "apps-my_app-prod" });
    expect(await source("apps-my_app-prod", "1")).toEqual({
      service: "My-App",
      order: ["first", "second"],
      data_stream: { type: "apps", dataset: "my_app", namespace: "prod" },
    });
    await put("back", [{ reroute: { destination: "apps-x-default" } }]);
    await node.call("PUT", "/apps-generic-prod", { settings: { "index.default_pipeline": "back" } });
    const circle = await node.call("PUT", "/apps-x-default/_doc/1?pipeline=routes", {});
    expect((circle.json as never as Shown).error.reason).toContain("index cycle detected");
  });

  test("that names their index by their date", async () => {
    const options = { field: "d", index_name_prefix: "month-", date_rounding: "M", index_name_format: "yyyy-MM" };
    await put("monthly", [{ date_index_name: options }]);
    const answer = await node.call("PUT", "/m/_doc/1?pipeline=monthly", { d: "2016-04-25T12:02:01.789Z" });
    expect(answer.json).toMatchObject({ _index: "month-2016-04" });
  });

  test("that drops them", async () => {
    await put("drops", [{ drop: { if: "ctx.drop == true" } }]);
    const dropped = await node.call("PUT", "/drops/_doc/1?pipeline=drops", { drop: true });
    expect([dropped.status, dropped.json]).toEqual([
      200,
      { _index: "drops", _id: "1", _version: -3, result: "noop", _shards: { total: 0, successful: 0, failed: 0 } },
    ]);
    const unnamed = await node.call("POST", "/drops/_doc?pipeline=drops", { drop: true });
    expect(unnamed.json).toMatchObject({ _id: "auto-generated", _version: -4, result: "noop" });
    expect((await node.call("HEAD", "/drops")).status).toBe(404);
    expect((await node.call("PUT", "/drops/_doc/2?pipeline=drops", { drop: false })).status).toBe(201);
  });

  test("that fails, and the failure is the answer", async () => {
    await put("fails", [{ fail: { message: "no {{a}}" } }]);
    const answer = await node.call("PUT", "/fails/_doc/1?pipeline=fails", { a: "x" });
    expect([answer.status, (answer.json as never as Shown).error]).toMatchObject([
      500,
      { type: "fail_processor_exception", reason: "no x" },
    ]);
    const noObject = await node.call("PUT", "/fails/_doc/1?pipeline=fails", "[1]");
    expect(noObject.status).toBe(400);
  });

  test("when an update makes them", async () => {
    const upserted = { doc: { a: 1 }, upsert: { b: 1 } };
    await node.call("POST", "/defaults/_update/u1", upserted);
    await node.call("POST", "/defaults/_update/u2", { doc: { a: 1 }, doc_as_upsert: true });
    expect(await source("defaults", "u1")).toEqual({ b: 1, by: "default" });
    expect(await source("defaults", "u2")).toEqual({ a: 1, by: "default" });
  });
});

describe("a bulk", () => {
  const lines = (...objects: object[]) => `${objects.map((object) => JSON.stringify(object)).join("\n")}\n`;

  test("takes pipelines by request, item and index", async () => {
    await put("p1", [{ set: { field: "p", value: 1 } }]);
    await put("p2", [{ set: { field: "p", value: 2 } }]);
    const body = lines(
      { index: { _id: "1" } },
      {},
      { index: { _id: "2", pipeline: "p2" } },
      {},
      { create: { _id: "3", pipeline: "_none" } },
      {},
      { index: { _id: "4", _index: "bulked-2" } },
      {},
      { delete: { _id: "9" } },
    );
    const answer = await node.call("POST", "/bulked/_bulk?pipeline=p1&list_executed_pipelines", body);
    expect(answer.json).toMatchObject({ errors: false });
    expect(answer.json).toHaveProperty("ingest_took");
    const items = answer.json.items as never as { index: { executed_pipelines: string[] } }[];
    expect([items[0].index.executed_pipelines, items[1].index.executed_pipelines]).toEqual([["p1"], ["p2"]]);
    expect(await source("bulked", "1")).toEqual({ p: 1 });
    expect(await source("bulked", "2")).toEqual({ p: 2 });
    expect(await source("bulked", "3")).toEqual({});
    expect(await source("bulked-2", "4")).toEqual({ p: 1 });
  });

  test("goes on without the items that fail or are dropped", async () => {
    await put("picky", [
      { drop: { if: "ctx.n == 1" } },
      { fail: { if: "ctx.n == 2", message: "two" } },
      { set: { if: "ctx.n == 3", field: "_index", value: "picked" } },
    ]);
    const body = lines(
      ...[1, 2, 3, 4].flatMap((n) => [{ index: { _index: "picky", _id: String(n) } }, { n }]),
      { index: { _index: "picked", _id: "3" } },
      { n: 5 },
    );
    const answer = await node.call("POST", "/_bulk?pipeline=picky", body);
    expect(answer.json).toMatchObject({
      errors: true,
      items: [
        { index: { _index: "picky", _id: "1", _version: -3, result: "noop", status: 200 } },
        {
          index: { _index: "picky", _id: "2", status: 500, error: { type: "fail_processor_exception", reason: "two" } },
        },
        { index: { _index: "picked", _id: "3", result: "created", status: 201 } },
        { index: { _index: "picky", _id: "4", result: "created" } },
        { index: { _index: "picked", _id: "3", result: "updated", _version: 2 } },
      ],
    });
    expect(await source("picked", "3")).toEqual({ n: 5 });
  });
});

describe("failures within a pipeline", () => {
  test("are taken care of by the processor, by the pipeline, or ignored", async () => {
    const bad = { rename: { field: "none", target_field: "x", tag: "here" } };
    const told = (field: string) => ({
      set: {
        field,
        value:
          "{{_ingest.on_failure_processor_type}}:{{_ingest.on_failure_processor_tag}}:{{_ingest.on_failure_message}}",
      },
    });
    await put(
      "guarded",
      [
        { rename: { ...bad.rename, on_failure: [told("step")] } },
        { rename: { ...bad.rename, ignore_failure: true } },
        bad,
        { set: { field: "not", value: "reached" } },
      ],
      { on_failure: [told("pipeline"), { set: { field: "_index", value: "failed" } }] },
    );
    const answer = await node.call("PUT", "/guarded/_doc/1?pipeline=guarded", {});
    expect(answer.json).toMatchObject({ _index: "failed" });
    const message = "rename:here:field [none] doesn't exist";
    expect(await source("failed", "1")).toEqual({ step: message, pipeline: message });
  });

  test("of pipelines that call each other in a circle are told", async () => {
    await put("circle-a", [{ pipeline: { name: "circle-b" } }]);
    await put("circle-b", [{ pipeline: { name: "circle-a" } }]);
    const answer = await node.call("PUT", "/circle/_doc/1?pipeline=circle-a", {});
    expect((answer.json as never as Shown).error.reason).toBe("Cycle detected for pipeline: circle-a");
  });
});

describe("simulating", () => {
  const pipeline = {
    processors: [{ set: { field: "a", value: 2, tag: "t" } }, { fail: { if: "ctx.b == 1", message: "m" } }],
  };

  test("shows each document, or why it failed", async () => {
    const docs = [{ _index: "i", _id: "1", _source: { x: 1.5 } }, { _source: { b: 1 } }];
    const answer = (await node.call("POST", "/_ingest/pipeline/_simulate", { pipeline, docs })).json;
    expect(answer).toMatchObject({
      docs: [
        { doc: { _index: "i", _id: "1", _version: "-3", _source: { x: 1.5, a: 2 } } },
        { error: { root_cause: [{ type: "fail_processor_exception", reason: "m" }], reason: "m" } },
      ],
    });
  });

  test("verbosely shows each processor", async () => {
    const docs = [{ _source: { b: 0 } }, { _source: { b: 1 } }];
    const answer = (await node.call("POST", "/_ingest/pipeline/_simulate?verbose", { pipeline, docs })).json;
    expect(answer).toMatchObject({
      docs: [
        {
          processor_results: [
            { processor_type: "set", status: "success", tag: "t", doc: { _source: { a: 2, b: 0 } } },
            { processor_type: "fail", status: "skipped", if: { condition: "ctx.b == 1", result: false } },
          ],
        },
        {
          processor_results: [
            { status: "success" },
            { processor_type: "fail", status: "error", error: { reason: "m" } },
          ],
        },
      ],
    });
  });

  test("takes a pipeline that is kept, and documents", async () => {
    await put("shown", [{ drop: {} }]);
    const docs = [{ _source: {} }];
    expect((await node.call("POST", "/_ingest/pipeline/shown/_simulate", { docs })).json).toEqual({ docs: [null] });
    const none = await node.call("POST", "/_ingest/pipeline/shown/_simulate", { docs: [] });
    expect((none.json as never as Shown).error.reason).toBe("must specify at least one document in [docs]");
    const missing = await node.call("POST", "/_ingest/pipeline/shown/_simulate", {});
    expect((missing.json as never as Shown).error.reason).toBe("[docs] required property is missing");
  });
});

test("grok's patterns are listed, and what pipelines did is counted", async () => {
  const { patterns } = (await node.call("GET", "/_ingest/processor/grok?s=true")).json as never as {
    patterns: Record<string, string>;
  };
  expect(Object.keys(patterns)).toEqual(Object.keys(patterns).sort());
  expect(patterns.USERNAME).toBe("[a-zA-Z0-9._-]+");
  await put("counted", [
    { set: { field: "a", value: 1, tag: "t" } },
    { fail: { if: "ctx.bad == true", message: "m" } },
  ]);
  await node.call("PUT", "/counted/_doc/1?pipeline=counted", {});
  await node.call("PUT", "/counted/_doc/2?pipeline=counted", { bad: true });
  const stats = (await node.call("GET", "/_nodes/stats/ingest")).json as never as {
    nodes: Record<string, { ingest: { total: { count: number }; pipelines: Record<string, unknown> } }>;
  };
  const [{ ingest }] = Object.values(stats.nodes);
  expect(ingest.total.count).toBeGreaterThanOrEqual(2);
  expect(ingest.pipelines.counted).toMatchObject({
    count: 2,
    failed: 1,
    current: 0,
    processors: [
      { "set:t": { type: "set", stats: { count: 2, failed: 0 } } },
      { fail: { type: "fail", stats: { count: 1, failed: 1 } } },
    ],
  });
});

test("tiny documents of one bulk that pipelines make large fail alone once they are too large together; so by query", async () => {
  const small = await testNode({ maxContentBytes: 100_000 });
  const processors = [{ gsub: { field: "t", pattern: "a", replacement: "b".repeat(2_000) } }];
  await small.call("PUT", "/_ingest/pipeline/grow", { processors });
  const lines = (text: string) => [0, 1, 2, 3].map((n) => `{"index":{"_id":"${n}"}}\n{"t":"${text}"}\n`).join("");
  const text = "a".repeat(20);
  const bulk = await small.call("POST", "/grown/_bulk?refresh&pipeline=grow", lines(text));
  const items = (bulk.json as never as { items: { index: { status: number } }[] }).items;
  expect(items.map(({ index }) => index.status)).toEqual([201, 201, 400, 400]);
  await small.call("POST", "/plain/_bulk?refresh", lines(text));
  const updated = await small.call("POST", "/plain/_update_by_query?pipeline=grow");
  expect(updated.json).toMatchObject({ updated: 2, failures: [{ status: 400 }, { status: 400 }] });
  const one = await small.call("PUT", "/grown/_doc/9?pipeline=grow", { t: "a".repeat(60) });
  expect([one.status, (one.json as never as Shown).error.reason]).toEqual([
    400,
    "the pipelines of this document would make it larger than [100000] bytes",
  ]);
  await small.close();
});

test("a simulation shows no more than twice a body, document after document or processor after processor", async () => {
  const small = await testNode({ maxContentBytes: 100_000 });
  const grow = { gsub: { field: "t", pattern: "a", replacement: "b".repeat(80_000) } };
  const docs = [0, 1, 2].map(() => ({ _source: { t: "a" } }));
  const reason = "the documents of this simulation are too large to be shown";
  const refused = { error: expect.objectContaining({ type: "illegal_argument_exception", reason }) };
  const ask = async (path: string, processors: object[], given: object[]) =>
    (await small.call("POST", path, { pipeline: { processors }, docs: given })).json.docs as never as object[];
  const many = await ask("/_ingest/pipeline/_simulate", [grow], docs);
  expect(many.map((one) => Object.keys(one)[0])).toEqual(["doc", "doc", "error"]);
  expect(many[2]).toEqual(refused);
  const steps = [grow, ...Array(3).fill({ set: { field: "x", value: 1 } })];
  expect(await ask("/_ingest/pipeline/_simulate?verbose", steps, [docs[0]])).toEqual([refused]);
  await small.close();
});
