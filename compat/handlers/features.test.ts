import { afterAll, beforeAll, expect, test } from "vitest";
import { type TestNode, testNode } from "../testing/node.js";
import { ABSENT } from "./absent.js";

let node: TestNode;
beforeAll(async () => {
  node = await testNode();
});
afterAll(() => node.close());

test("the licence is free, active and never ends: what Logstash and Kibana want before they begin", async () => {
  const { license } = (await node.call("GET", "/_license")).json as Record<string, Record<string, unknown>>;
  expect(license).toMatchObject({ status: "active", type: "basic", max_nodes: 1000 });
  expect(license).not.toHaveProperty("expiry_date");
  const { json } = await node.call("GET", "/_xpack?accept_enterprise=true");
  expect(json).toMatchObject({ license: { type: "basic", mode: "basic", status: "active", uid: license.uid } });
  expect(json).toMatchObject({ features: { security: { enabled: false }, data_streams: { available: true } } });
  expect(Object.keys((await node.call("GET", "/_xpack?categories=license")).json)).toEqual(["license", "tagline"]);
});

test("OpenSearch has no licences: its clients are told so", async () => {
  expect((await node.call("GET", "/_license", undefined, { "x-pinakes-identity": "os2" })).status).toBe(405);
});

test("monitoring data are said to be ignored, as they are", async () => {
  const sent = await node.call("POST", "/_monitoring/bulk?system_id=x&system_api_version=7&interval=10s", "{}\n{}\n");
  expect(sent.json).toEqual({ took: 0, ignored: true, errors: false });
});

test.each(
  ABSENT.flatMap(({ name, routes, empty }) => routes.split(" ; ").map((route) => [name, route, empty] as const)),
)("%s (%s) is empty, and a name in it is not there", async (_name, route, empty) => {
  const [methods, path] = route.split(" ");
  const method = methods.split(",")[0];
  const all = await node.call(method, path.replace("{id}", "*"));
  expect([all.status, all.json]).toEqual([200, empty]);
  if (!path.includes("{id}")) return;
  const one = await node.call(method, path.replace("{id}", "mine"));
  expect([one.status, one.text]).toEqual([404, expect.stringContaining("resource_not_found_exception")]);
});
