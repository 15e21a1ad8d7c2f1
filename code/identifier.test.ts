import { expect, test } from "vitest";
import { identifiersOf, partsOf } from "./identifier.js";

test.each([
  ["readTimeoutHandler", ["read", "timeout", "handler"]],
  ["HTTPServer2", ["http", "server", "2"]],
  ["snake_case_NAME", ["snake", "case", "name"]],
  ["utf8Bytes", ["utf", "8", "bytes"]],
  ["X", ["x"]],
  ["größeÄndern", ["größe", "ändern"]],
  ["設定読込Name", ["設定", "定読", "読込", "name"]],
  ["$_", []],
])("%s has the parts %j", (identifier, parts) => {
  expect(partsOf(identifier)).toEqual(parts);
});

test("identifiers of a line", () => {
  expect(identifiersOf("std::vector<int> a_b = $x->y;")).toEqual(["std", "vector", "int", "a_b", "$x", "y"]);
});
