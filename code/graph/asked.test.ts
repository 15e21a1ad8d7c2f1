import { expect, test } from "vitest";
import { identifierAt, readAsked } from "./asked.js";

test("a place has a line and may have a column, a name has neither", () => {
  expect(readAsked("src/a.ts:12")).toEqual({ kind: "place", path: "src/a.ts", line: 12, column: undefined });
  expect(readAsked(" C:\\a b.ts:12:3 ")).toEqual({ kind: "place", path: "C:\\a b.ts", line: 12, column: 3 });
  expect(readAsked("Server.start")).toEqual({ kind: "name", name: "Server.start" });
  expect(readAsked("Store::read")).toEqual({ kind: "name", name: "Store::read" });
  expect(readAsked("a.ts:0")).toEqual({ kind: "name", name: "a.ts:0" });
  expect(readAsked("a.ts:1-2#a@0123456789ab~0123456789ab")).toMatchObject({ kind: "locator" });
});

test("a column means the identifier around it", () => {
  expect(identifierAt("  return größe(x);", 12)).toEqual({ name: "größe", column: 10 });
  expect(identifierAt("  return größe(x);", 15)).toEqual({ name: "größe", column: 10 });
  expect(identifierAt("a + b", 3)).toBeUndefined();
});
