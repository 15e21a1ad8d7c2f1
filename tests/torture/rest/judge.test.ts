import { expect, test } from "vitest";
import { faultOf, faultOfBytes } from "./judge.js";

const answer = (status: number, text: string, type = "application/json") => ({
  kind: "answer" as const,
  status,
  text,
  headers: { "content-type": type, "x-elastic-product": "Elasticsearch" },
});

test("errors of the request are no faults, failures of the node are", () => {
  expect(faultOf("GET", answer(400, '{"error":{"type":"parsing_exception"},"status":400}'))).toBeUndefined();
  expect(faultOf("GET", answer(500, '{"error":{"type":"exception"},"status":500}'))).toContain("status 500");
  expect(faultOf("PUT", answer(500, '{"error":{"type":"repository_exception"},"status":500}'))).toBeUndefined();
});

test("a failure inside an answer is one", () => {
  expect(faultOf("POST", answer(200, '{"items":[{"index":{"status":201}},{"index":{"status":400}}]}'))).toBeUndefined();
  expect(faultOf("POST", answer(200, '{"items":[{"index":{"status":500}}]}'))).toContain("a failed part");
  expect(faultOf("POST", answer(200, '{"responses":[{"status":500,"error":{}}]}'))).toContain("a failed part");
});

test("an answer must be whole: JSON where it says so, the product's header, nothing behind a HEAD", () => {
  expect(faultOf("GET", answer(200, '{"a":'))).toContain("no JSON");
  expect(faultOf("GET", answer(200, "a b c", "text/plain"))).toBeUndefined();
  expect(faultOf("HEAD", answer(200, "{}"))).toContain("with a body");
  expect(faultOf("GET", { ...answer(200, "{}"), headers: {} })).toContain("product");
});

test("a server may hang up on bytes, or say in HTTP what is wrong", () => {
  expect(faultOfBytes("")).toBeUndefined();
  expect(faultOfBytes("HTTP/1.1 400 Bad Request\r\n\r\n")).toBeUndefined();
  expect(faultOfBytes("HTTP/1.1 500 Internal Server Error\r\n\r\n")).toContain("status 500");
  expect(faultOfBytes("oops")).toContain("no HTTP");
});
