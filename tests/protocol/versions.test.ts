import { afterAll, beforeAll, expect, test } from "vitest";
import { type TestNode, testNode } from "../../compat/testing/node.js";

let node: TestNode;
beforeAll(async () => {
  node = await testNode();
});
afterAll(() => node.close());

const typed = (version: number, kind = "json") => `application/vnd.elasticsearch+${kind}; compatible-with=${version}`;

test("compatible-with=7 answers `_type` wherever a document is named (elasticsearch#84173)", async () => {
  const headers = { accept: typed(7), "content-type": typed(7) };
  const call = async (method: string, path: string, body?: unknown) => {
    const answer = await node.call(method, path, body, body === undefined ? { accept: typed(7) } : headers);
    expect(answer.headers["content-type"]).toBe("application/vnd.elasticsearch+json;compatible-with=7");
    return answer.json as never as Record<string, never>;
  };
  const place = { _index: "i", _type: "_doc", _id: "1" };
  expect(await call("PUT", "/i/_doc/1?refresh=true", { a: 1 })).toMatchObject(place);
  expect(await call("GET", "/i/_doc/1")).toMatchObject(place);
  expect(await call("GET", "/i/_doc/nope")).toMatchObject({ ...place, _id: "nope" });
  expect(await call("POST", "/i/_update/1", { doc: { a: 2 } })).toMatchObject(place);
  expect((await call("POST", "/i/_search", {})).hits).toMatchObject({ hits: [place] });
  expect(
    await call("POST", "/_mget", {
      docs: [
        { _index: "i", _id: "1" },
        { _index: "j", _id: "1" },
      ],
    }),
  ).toMatchObject({
    docs: [place, { ...place, _index: "j" }],
  });
  expect(await call("POST", "/i/_explain/1", { query: { match_all: {} } })).toMatchObject(place);
  const bulk = await node.call("POST", "/_bulk", '{"delete":{"_index":"i","_id":"1"}}\n', {
    accept: typed(7),
    "content-type": typed(7, "x-ndjson"),
  });
  expect(bulk.json).toMatchObject({ items: [{ delete: place }] });
});

test.each([8, 9])("compatible-with=%i answers without `_type`, labelled with the version", async (version) => {
  await node.call("PUT", "/v/_doc/1", {});
  const answer = await node.call("GET", "/v/_doc/1", undefined, { accept: typed(version) });
  expect(answer.headers["content-type"]).toBe(`application/vnd.elasticsearch+json;compatible-with=${version}`);
  expect(answer.json).not.toHaveProperty("_type");
  const info = await node.call("GET", "/", undefined, { accept: typed(version) });
  expect(info.json).toMatchObject({ version: { number: expect.stringMatching(new RegExp(`^${version}\\.`)) } });
});

test("a version that is not answered, or two that disagree, are a 400", async () => {
  const old = await node.call("GET", "/", undefined, { accept: typed(6) });
  expect([old.status, old.json.error]).toMatchObject([400, { type: "media_type_header_exception" }]);
  const mixed = await node.call("POST", "/v/_search", "{}", { accept: typed(8), "content-type": "application/json" });
  expect([mixed.status, mixed.json.error]).toMatchObject([
    400,
    { type: "status_exception", reason: expect.stringMatching(/^A compatible version is required on both/) },
  ]);
});
