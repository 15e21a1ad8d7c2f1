import { expect, test } from "vitest";
import { compoundOf, identifiersOf, partsOf } from "./identifier.js";

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

test.each([
  ["ok_after", "ok_after"],
  ["readTimeout()", "readTimeout"],
  ["sha256", "sha256"],
  ["timeout", undefined],
  ["__init__", undefined],
  ["Server.readTimeout", undefined],
  ["設定読込", undefined],
  ["&&", undefined],
])("%s is the compound %s", (text, compound) => {
  expect(compoundOf(text)).toBe(compound);
});
