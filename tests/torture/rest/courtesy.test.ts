import { expect, test } from "vitest";
import { CONTROL_INDEX, tame } from "./courtesy.js";
import type { WireRequest } from "./wire-request.js";

function tamed(given: Partial<WireRequest> & { path: string }): WireRequest {
  const request = { method: "POST", headers: {}, body: undefined, ...given };
  tame(request);
  return request;
}

test.each([
  ["/_cluster/health", "/_cluster/health?timeout=300ms"],
  ["/_cluster/health?timeout=3h", "/_cluster/health?timeout=300ms"],
  ["/i/_doc/1?wait_for_active_shards=all", "/i/_doc/1?wait_for_active_shards=all&timeout=300ms"],
  ["/i/_delete_by_query?requests_per_second=0.1", "/i/_delete_by_query"],
  ["/i/_delete_by_query?requests_per_second=-1", "/i/_delete_by_query?requests_per_second=-1"],
  ["/*?expand_wildcards=all&pretty", "/*?expand_wildcards=open,closed&pretty"],
  [`/${CONTROL_INDEX}/_doc/1`, "/"],
  ["/i/_search?timeout=x", "/i/_search?timeout=x"],
])("POST %s becomes %s", (given, expected) => {
  expect(tamed({ path: given }).path).toBe(expected);
});

test("reads may see what is hidden, and bodies do not ask for copies that one node never has", () => {
  expect(tamed({ method: "GET", path: "/*?expand_wildcards=all" }).path).toBe("/*?expand_wildcards=all");
  const body = Buffer.from('{"settings":{"index.write.wait_for_active_shards":"all"}}');
  expect(tamed({ path: "/i", body }).body?.toString()).toBe('{"settings":{"index.write.wait_for_active_shards":1}}');
});
