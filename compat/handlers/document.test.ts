import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type TestNode, testNode } from "../testing/node.js";

let node: TestNode;
beforeAll(async () => {
  node = await testNode();
});
afterAll(() => node.close());

describe("writing one document", () => {
  test("creates, updates, deletes, each with its status and version", async () => {
    const created = await node.call("PUT", "/w/_doc/1", { a: 1 });
    expect([created.status, created.headers.location]).toEqual([201, "/w/_doc/1"]);
    expect(created.json).toEqual({
      _index: "w",
      _id: "1",
      _version: 1,
      result: "created",
      _shards: { total: 2, successful: 1, failed: 0 },
      _seq_no: 0,
      _primary_term: 1,
    });
    expect((await node.call("PUT", "/w/_doc/1", { a: 2 })).json).toMatchObject({
      _version: 2,
      result: "updated",
      _seq_no: 1,
    });
    expect((await node.call("DELETE", "/w/_doc/1")).json).toMatchObject({ _version: 3, result: "deleted" });
    const gone = await node.call("DELETE", "/w/_doc/1");
    expect([gone.status, gone.json.result]).toEqual([404, "not_found"]);
  });

  test("of any name says where it is", async () => {
    const { headers } = await node.call(
      "PUT",
      `/${encodeURIComponent("größe-中")}/_doc/${encodeURIComponent("ü/1")}`,
      {},
    );
    expect(headers.location).toBe(`/${encodeURIComponent("größe-中")}/_doc/${encodeURIComponent("ü/1")}`);
  });

  test("without an id makes one", async () => {
    const made = await node.call("POST", "/w/_doc", { a: 1 });
    expect(made.status).toBe(201);
    expect((await node.call("GET", `/w/_doc/${encodeURIComponent(String(made.json._id))}`)).status).toBe(200);
  });

  test("of an id that is there is a conflict for _create and op_type=create", async () => {
    await node.call("PUT", "/w/_doc/c", { a: 1 });
    for (const path of ["/w/_create/c", "/w/_doc/c?op_type=create"]) {
      const answer = await node.call("PUT", path, { a: 2 });
      expect(answer.status).toBe(409);
      expect(answer.json.error).toMatchObject({
        type: "version_conflict_engine_exception",
        reason: "[c]: version conflict, document already exists (current version [1])",
        shard: "0",
        index: "w",
      });
    }
  });

  test("happens only at the state it names", async () => {
    const { _seq_no: seqNo } = (await node.call("PUT", "/w/_doc/s", { a: 1 })).json;
    expect((await node.call("PUT", `/w/_doc/s?if_seq_no=${seqNo}&if_primary_term=1`, { a: 2 })).status).toBe(200);
    const conflict = await node.call("PUT", `/w/_doc/s?if_seq_no=${seqNo}&if_primary_term=1`, { a: 3 });
    expect([conflict.status, conflict.json.error]).toMatchObject([
      409,
      { reason: expect.stringContaining(`required seqNo [${seqNo}], primary term [1]. current document has seqNo [`) },
    ]);
  });

  test("is refused when no version is left, and says so", async () => {
    const last = Number.MAX_SAFE_INTEGER;
    const path = "/versions/_doc/last";
    expect((await node.call("PUT", `${path}?version=${last}&version_type=external`, {})).status).toBe(201);
    const refused = await node.call("PUT", path, {});
    expect([refused.status, refused.json.error]).toMatchObject([
      400,
      { type: "illegal_argument_exception", reason: expect.stringContaining(`has version [${last}], the last one`) },
    ]);
    expect((await node.call("DELETE", path)).status).toBe(400);
    expect((await node.call("GET", path)).json).toMatchObject({ _version: last, found: true });
    expect((await node.call("DELETE", `${path}?version=${last}&version_type=external_gte`)).status).toBe(200);
  });

  test("takes external versions, and no internal ones", async () => {
    expect((await node.call("PUT", "/w/_doc/e?version=5&version_type=external", { a: 1 })).json._version).toBe(5);
    expect((await node.call("PUT", "/w/_doc/e?version=5&version_type=external", { a: 1 })).json.error).toMatchObject({
      reason: "[e]: version conflict, current version [5] is higher or equal to the one provided [5]",
    });
    expect((await node.call("PUT", "/w/_doc/e?version=5", { a: 1 })).json.error).toMatchObject({
      type: "action_request_validation_exception",
    });
  });

  test("that is no JSON object is refused, and nothing is written", async () => {
    for (const body of ["{", "[1]", '"x"']) expect((await node.call("PUT", "/w/_doc/bad", body)).status).toBe(400);
    expect((await node.call("GET", "/w/_doc/bad")).status).toBe(404);
    expect((await node.call("PUT", "/w/_doc/bad", "")).json.error).toMatchObject({
      type: "parse_exception",
      reason: "request body is required",
    });
  });

  test("needs an alias where require_alias says so", async () => {
    expect((await node.call("PUT", "/noalias/_doc/1?require_alias=true", { a: 1 })).json.error).toMatchObject({
      reason: "no such index [noalias] and [require_alias] request flag is [true] and [noalias] is not an alias",
    });
  });
});

describe("updating", () => {
  test("merges a partial document and can give the result back", async () => {
    await node.call("PUT", "/u/_doc/1", { a: { x: 1, y: 2 }, n: 1 });
    const answer = await node.call("POST", "/u/_update/1?_source=a.x", { doc: { a: { x: 5 } } });
    expect(answer.json).toMatchObject({ result: "updated", get: { found: true, _source: { a: { x: 5 } } } });
    expect((await node.call("GET", "/u/_source/1")).json).toEqual({ a: { x: 5, y: 2 }, n: 1 });
  });

  test("that changes nothing is a noop", async () => {
    await node.call("PUT", "/v/_doc/2", { a: 1 });
    expect((await node.call("POST", "/v/_update/2", { doc: { a: 1 } })).json).toMatchObject({
      result: "noop",
      _version: 1,
      _shards: { total: 0, successful: 0, failed: 0 },
    });
    expect((await node.call("POST", "/v/_update/2", { doc: { a: 1 }, detect_noop: false })).json).toMatchObject({
      result: "updated",
      _version: 2,
    });
  });

  test("of a document that is not there needs an upsert", async () => {
    const missing = await node.call("POST", "/v/_update/9", { doc: { a: 1 } });
    expect([missing.status, missing.json.error]).toMatchObject([
      404,
      { type: "document_missing_exception", reason: "[9]: document missing", index: "v" },
    ]);
    expect((await node.call("POST", "/v/_update/9", { doc: { a: 1 }, upsert: { b: 1 } })).status).toBe(201);
    expect((await node.call("GET", "/v/_source/9")).json).toEqual({ b: 1 });
    expect((await node.call("POST", "/v/_update/10?doc_as_upsert=true", { doc: { a: 1 } })).json.result).toBe(
      "created",
    );
  });

  test("by script is refused by name", async () => {
    expect((await node.call("POST", "/v/_update/1", { script: "x" })).json.error).toMatchObject({
      reason: "[script] in [UpdateRequest] is not supported by Pinakes",
    });
  });

  test("keeps every digit of large numbers", async () => {
    await node.call("PUT", "/v/_doc/big", '{"n":9007199254740993,"f":1.0}');
    await node.call("POST", "/v/_update/big", '{"doc":{"m":9007199254740995}}');
    expect((await node.call("GET", "/v/_source/big")).text).toBe('{"n":9007199254740993,"f":1.0,"m":9007199254740995}');
  });
});

describe("reading one document", () => {
  beforeAll(async () => {
    await node.call("PUT", "/r/_doc/1?routing=here", '{ "a" : 1.0, "b": {"c": [1, 2]} }');
  });

  test("gives the bytes as they were written", async () => {
    expect((await node.call("GET", "/r/_source/1")).text).toBe('{ "a" : 1.0, "b": {"c": [1, 2]} }');
    expect((await node.call("GET", "/r/_doc/1")).text).toContain(
      '"_routing":"here","found":true,"_source":{ "a" : 1.0, "b": {"c": [1, 2]} }}',
    );
  });

  test("shows the parts of _source that are wanted", async () => {
    expect((await node.call("GET", "/r/_doc/1?_source=false")).json).not.toHaveProperty("_source");
    expect((await node.call("GET", "/r/_doc/1?_source_excludes=b")).json._source).toEqual({ a: 1 });
    expect((await node.call("GET", "/r/_source/1?_source_includes=b.*")).text).toBe('{"b":{"c":[1,2]}}');
  });

  test("HEAD says whether it is there", async () => {
    expect((await node.call("HEAD", "/r/_doc/1")).status).toBe(200);
    expect((await node.call("HEAD", "/r/_doc/2")).status).toBe(404);
    expect((await node.call("HEAD", "/r/_source/2")).status).toBe(404);
  });

  test("that is not there is found false, and an error for _source", async () => {
    expect((await node.call("GET", "/r/_doc/2")).json).toEqual({ _index: "r", _id: "2", found: false });
    expect((await node.call("GET", "/r/_source/2")).json.error).toMatchObject({
      type: "resource_not_found_exception",
      reason: "Document not found [r]/[2]",
    });
    expect((await node.call("GET", "/nope/_doc/2")).status).toBe(404);
  });

  test("several at once, each with its own outcome", async () => {
    const answer = await node.call("POST", "/_mget", {
      docs: [
        { _index: "r", _id: "1", _source: ["a"] },
        { _index: "r", _id: "2" },
        { _index: "nope", _id: "1" },
      ],
    });
    expect(answer.json.docs).toMatchObject([
      { found: true, _source: { a: 1 } },
      { found: false },
      { error: { type: "index_not_found_exception" } },
    ]);
    expect((await node.call("POST", "/r/_mget", { ids: ["1"] })).json.docs).toMatchObject([{ _id: "1", found: true }]);
    expect((await node.call("POST", "/_mget", {})).status).toBe(400);
  });
});
