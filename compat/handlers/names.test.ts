/** Date math and hidden indices through the endpoints. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { type TestNode, testNode } from "../testing/node.js";

let node: TestNode;
beforeAll(async () => {
  node = await testNode({ identity: "os2" });
});
afterAll(() => node.close());

test("an index named by date math is made, written to, searched and deleted by its name of the day", async () => {
  const expression = encodeURIComponent("<logs-{now/y{yyyy}}>");
  const name = `logs-${new Date(node.engine.clock.now()).getUTCFullYear()}`;
  expect((await node.call("PUT", `/${expression}`)).json.index).toBe(name);
  expect((await node.call("POST", `/${expression}/_doc/1?refresh=true`, { a: 1 })).json._index).toBe(name);
  expect((await node.call("GET", `/${expression}/_count`)).json.count).toBe(1);
  expect((await node.call("GET", `/${expression}/_doc/1`)).json._index).toBe(name);
  const lines = `{"index":{"_index":"<logs-{now/y{yyyy}}>"}}\n{"a":2}\n`;
  expect((await node.call("POST", "/_bulk?refresh=true", lines)).json).toMatchObject({
    errors: false,
    items: [{ index: { _index: name } }],
  });
  expect((await node.call("DELETE", `/${expression}`)).status).toBe(200);
  expect((await node.call("HEAD", `/${name}`)).status).toBe(404);
});

test("date math that can't be read is refused by name", async () => {
  expect((await node.call("GET", `/${encodeURIComponent("<a-{now/d>")}/_search`)).json.error).toMatchObject({
    type: "parse_exception",
    reason: expect.stringContaining("invalid dynamic name expression [<a-{now/d>]"),
  });
});

test("hidden indices are matched by name, by patterns that begin with a dot, and where wildcards say so", async () => {
  await node.call("PUT", "/.secret", { settings: { hidden: true } });
  await node.call("PUT", "/plain");
  const names = async (path: string) =>
    (await node.call("GET", path)).text
      .split("\n")
      .map((line) => line.trim())
      .filter((line) => line !== "");
  expect(await names("/_cat/indices?h=index&s=index")).toEqual(["plain"]);
  expect(await names("/_cat/indices/.s*?h=index")).toEqual([".secret"]);
  expect(await names("/_cat/indices?h=index&expand_wildcards=open,hidden&s=index")).toEqual([".secret", "plain"]);
  expect(await names("/_cat/indices?h=index&expand_wildcards=hidden")).toEqual([]);
});
