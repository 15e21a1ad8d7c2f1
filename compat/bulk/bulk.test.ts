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
      "a pipeline",
      '{"index":{"_index":"a","pipeline":"p"}}\n{}\n',
      "[pipeline] in action/metadata line [1] is not supported by Pinakes",
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

test("wait_for answers when the documents can be found", async () => {
  await node.call("PUT", "/slow", { settings: { refresh_interval: "50ms" } });
  await bulk(['{"index":{}}', '{"n":1}'], "/slow/_bulk?refresh=wait_for");
  expect((await node.call("GET", "/slow/_count")).json.count).toBe(1);
});
