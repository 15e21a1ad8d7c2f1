import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type TestNode, testNode } from "../testing/node.js";
import { actionParser } from "./action.js";

let node: TestNode;
beforeAll(async () => {
  node = await testNode();
});
afterAll(() => node.close());

const bulk = (lines: string[], path = "/_bulk") =>
  node.call("POST", path, lines.map((line) => `${line}\n`).join(""), { "content-type": "application/x-ndjson" });

test("all four actions, in order, over several indices, each with its status", async () => {
  const answer = await bulk([
    '{"index":{"_index":"a","_id":"1"}}',
    '{"n":1}',
    '{"create":{"_index":"b","_id":"1"}}',
    '{"n":2}',
    '{"create":{"_index":"a","_id":"1"}}',
    '{"n":3}',
    '{"update":{"_index":"a","_id":"1","_source":true}}',
    '{"doc":{"m":4}}',
    '{"delete":{"_index":"b","_id":"1"}}',
    '{"delete":{"_index":"b","_id":"1"}}',
  ]);
  expect(answer.status).toBe(200);
  const { errors, items } = answer.json as unknown as {
    errors: boolean;
    items: Record<string, Record<string, unknown>>[];
  };
  expect(errors).toBe(true);
  expect(
    items.map((item) => Object.entries(item).map(([kind, body]) => [kind, body._index, body._id, body.status])[0]),
  ).toEqual([
    ["index", "a", "1", 201],
    ["create", "b", "1", 201],
    ["create", "a", "1", 409],
    ["update", "a", "1", 200],
    ["delete", "b", "1", 200],
    ["delete", "b", "1", 404],
  ]);
  expect(items[2].create.error).toMatchObject({ type: "version_conflict_engine_exception", index: "a", shard: "0" });
  expect(items[3].update.get).toMatchObject({ found: true, _source: { n: 1, m: 4 } });
});

test("took and errors come before the items", async () => {
  expect((await bulk(['{"index":{"_index":"a"}}', "{}"])).text).toMatch(
    /^\{"took":\d+,"errors":false,"items":\[\{"index":\{"_index":"a","_id":"[^"]+","_version":1,"result":"created"/,
  );
});

test("one bad document fails alone", async () => {
  const answer = await bulk(
    ['{"index":{}}', '{"n":1}', '{"index":{}}', '{"n":', '{"index":{}}', '{"n":3}'],
    "/partial/_bulk?refresh=true",
  );
  const { items } = answer.json as unknown as { items: { index: { status: number } }[] };
  expect(items.map((item) => item.index.status)).toEqual([201, 400, 201]);
  expect((await node.call("GET", "/partial/_count")).json.count).toBe(2);
});

test("an item may ask for an alias, for its source, for creation", async () => {
  const answer = await bulk([
    '{"index":{"_index":"flags","_id":"1","require_alias":true}}',
    "{}",
    '{"index":{"_index":"flags","_id":"1","op_type":"create"}}',
    '{"n":1}',
    '{"update":{"_index":"flags","_id":"1"}}',
    '{"doc":{"m":2},"_source":["m"]}',
    '{"index":{"_index":"flags","_id":""}}',
    "{}",
  ]);
  expect(answer.json.items).toMatchObject([
    { index: { status: 404, error: { type: "index_not_found_exception" } } },
    { create: { status: 201 } },
    { update: { status: 200, get: { _source: { m: 2 } } } },
    { index: { status: 400, error: { reason: "if _id is specified it must not be empty" } } },
  ]);
});

test("an index that cannot be made fails its items only", async () => {
  const answer = await bulk(['{"index":{"_index":"BAD"}}', "{}", '{"index":{"_index":"a"}}', "{}"]);
  expect(answer.json.items).toMatchObject([
    { index: { status: 400, error: { type: "invalid_index_name_exception" } } },
    { index: { status: 201 } },
  ]);
});

test("PUT, carriage returns, blank lines, the index of the path", async () => {
  const body = '{"index":{"_id":"1"}}\r\n{"n":1}\r\n\r\n{"delete":{"_id":"2"}}\r\n';
  const answer = await node.call("PUT", "/crlf/_bulk", body);
  expect(answer.json.items).toMatchObject([{ index: { status: 201 } }, { delete: { status: 404 } }]);
  expect((await node.call("GET", "/crlf/_source/1")).text).toBe('{"n":1}');
});

describe("the whole request is refused for", () => {
  test.each([
    ["no newline at the end", '{"index":{"_index":"a"}}\n{}', "The bulk request must be terminated by a newline [\\n]"],
    ["no requests", "\n", "Validation Failed: 1: no requests added;"],
    [
      "an unknown action",
      '{"upsert":{}}\n{}\n',
      "Malformed action/metadata line [1], expected field [create], [delete], [index] or [update] but found [upsert]",
    ],
    [
      "an unknown key",
      '{"index":{"_index":"a","foo":1}}\n{}\n',
      "Action/metadata line [1] contains an unknown parameter [foo]",
    ],
    [
      "an action that is no object",
      '{"index":"a"}\n{}\n',
      "Malformed action/metadata line [1], expected START_OBJECT but found [VALUE_STRING]",
    ],
    ["a delete without id", '{"delete":{"_index":"a"}}\n', "Validation Failed: 1: id is missing;"],
    ["no index", '{"index":{}}\n{}\n', "Validation Failed: 1: index is missing;"],
    [
      "dynamic templates",
      '{"index":{"_index":"a","dynamic_templates":{"f":"t"}}}\n{}\n',
      "[dynamic_templates] in action/metadata line [1] is not supported by Pinakes",
    ],
  ])("%s", async (_what, body, reason) => {
    const answer = await node.call("POST", "/_bulk", body);
    expect([answer.status, answer.json.error]).toMatchObject([400, { reason }]);
  });
});

test.each([
  '{"index":{"_index":"a","_id":"1"}}',
  '{ "create" : { "_id": "1" , "_index" : "a" } }',
  '{"update":{"_id":"ü","routing":"r","retry_on_conflict":3}}',
  '{"index":{"_type":"_doc","pipeline":null}}',
  '{"delete":{"_id":"a\\"b"}}',
])("the quick reader of action lines and the whole one agree on %s", (line) => {
  const action = actionParser()(Buffer.from(line), 1);
  const [[kind, meta]] = Object.entries(JSON.parse(line) as Record<string, Record<string, unknown>>);
  const given = Object.fromEntries(Object.entries(meta).filter(([, value]) => value !== null));
  expect(action).toEqual({ kind, meta: given });
});

test("a line that is like the one before is read as by itself", () => {
  const lines = [
    '{"index":{"_index":"a","_id":"1"}}',
    '{"index":{"_index":"a","_id":"22 2"}}',
    '{"index":{"_index":"a","_id":""}}',
    '{"index":{"_index":"a","_id":"a\\"b"}}',
    '{"index":{"_index":"a","_id":"ü"}}',
    '{"index":{"_index":"a","_id":"1","routing":"r"}}',
    '{"index":{"_index":"a","_id":"1"} }',
    '{"index":{"_index":"b","_id":"1"}}',
    '{"delete":{"_index":"b","_id":"1"}}',
    '{"index":{"_id":"a","_index":"a"}}',
    '{"index":{"_id":"a","_index":"c"}}',
    '{"index":{"routing":"r","_id":"x"}}',
    '{"index":{"_index":"b","_id":"2"}}',
  ].map((line) => Buffer.from(line));
  const parse = actionParser();
  expect(lines.map((line) => parse(line, 1))).toEqual(lines.map((line) => actionParser()(line, 1)));
});

test("wait_for answers when the documents can be found", async () => {
  await node.call("PUT", "/slow", { settings: { refresh_interval: "50ms" } });
  await bulk(['{"index":{}}', '{"n":1}'], "/slow/_bulk?refresh=wait_for");
  expect((await node.call("GET", "/slow/_count")).json.count).toBe(1);
});

describe("what fails the whole request", () => {
  test.each([
    ['{"index":{"_routing":"x"}}', '{"n":1}', "Action/metadata line [3] contains an unknown parameter [_routing]"],
    ['{"index":{"_version":1}}', '{"n":1}', "Action/metadata line [3] contains an unknown parameter [_version]"],
    ['{"index":{"version_type":"zzz"}}', '{"n":1}', "No version type match [zzz]"],
    ['{"index":{"_id":{}}}', '{"n":1}', "expected a simple value for field [_id] but found [START_OBJECT]"],
    ['{"update":{"_id":"1","version":3}}', '{"doc":{}}', "Update requests do not support versioning."],
    ['{"update":{"_id":"1"}}', '{"doc":{"a":1},"zzz":1}', "[1:16] [UpdateRequest] unknown field [zzz]"],
    ['{"update":{"_id":"1"}}', '{"doc":"x"}', "[1:8] [UpdateRequest] doc doesn't support values of type: VALUE_STRING"],
    ['{"update":{"_id":"1"}}', '{"doc":', "Unexpected end-of-input"],
    [
      '{"update":{"_id":"1","if_seq_no":0,"if_primary_term":1}}',
      '{"doc":{},"upsert":{}}',
      "1: upsert requests don't support `if_seq_no` and `if_primary_term`;",
    ],
    [
      '{"update":{"_id":"1","if_seq_no":0,"if_primary_term":1,"retry_on_conflict":1}}',
      '{"doc":{},"doc_as_upsert":true}',
      "1: compare and write operations can not be retried;2: compare and write operations can not be used with upsert;",
    ],
  ])("%s %s", async (action, source, reason) => {
    const answer = await bulk(['{"index":{"_id":"never"}}', "{}", action, source], "/whole/_bulk");
    expect(answer.status).toBe(400);
    expect(answer.json.error).toMatchObject({ reason: expect.stringContaining(reason) });
    expect((await node.call("HEAD", "/whole")).status).toBe(404);
  });
});

test("the conditions of an update may stand in its body", async () => {
  await node.call("PUT", "/cas/_doc/1", { n: 1 });
  const line = '{"doc":{"n":2},"if_seq_no":7,"if_primary_term":1}';
  const { items } = (await bulk(['{"update":{"_id":"1"}}', line], "/cas/_bulk")).json as never as {
    items: { update: { status: number } }[];
  };
  expect(items[0].update.status).toBe(409);
});

test("an update keeps the spelling of numbers, its own and those it does not touch", async () => {
  await node.call("PUT", "/spelled/_doc/1", '{"a":2.0,"b":{"c":1.50}}');
  await bulk(['{"update":{"_id":"1"}}', '{"doc":{"b":{"d":3.0},"e":1e3}}'], "/spelled/_bulk");
  expect((await node.call("GET", "/spelled/_source/1")).text).toBe('{"a":2.0,"b":{"c":1.50,"d":3.0},"e":1e3}');
  await bulk(['{"update":{"_id":"2"}}', '{"doc":{},"upsert":{"a":2.0}}'], "/spelled/_bulk");
  expect((await node.call("GET", "/spelled/_source/2")).text).toBe('{"a":2.0}');
});

test("byte order marks before the lines are skipped and not kept", async () => {
  const answer = await bulk(['\ufeff{"index":{"_id":"1"}}', '\ufeff{"n":1}'], "/marked/_bulk");
  expect(answer.json.errors).toBe(false);
  expect((await node.call("GET", "/marked/_source/1")).text).toBe('{"n":1}');
});
