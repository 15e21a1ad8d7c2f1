import { expect, test } from "vitest";
import type { Json } from "../json/value.js";
import { readSourceOption } from "./source-option.js";

/** The texts are OpenSearch 2.19's. */
test.each<[given: Json, reason: string]>([
  [{ includes: 5 }, "Unknown key for a VALUE_NUMBER in [includes]."],
  [{ includes: 1.5 }, "Unknown key for a VALUE_NUMBER in [includes]."],
  [{ includes: null }, "Unknown key for a VALUE_NULL in [includes]."],
  [{ includes: true }, "Unknown key for a VALUE_BOOLEAN in [includes]."],
  [{ includes: {} }, "Unknown key for a START_OBJECT in [includes]."],
  [{ includes: ["a", 5] }, "Unknown key for a VALUE_NUMBER in [includes]."],
  [{ includes: [null] }, "Unknown key for a VALUE_NULL in [includes]."],
  [{ includes: [["a"]] }, "Unknown key for a START_ARRAY in [includes]."],
  [{ includes: "a", excludes: 5 }, "Unknown key for a VALUE_NUMBER in [excludes]."],
  [{ exclude: [true] }, "Unknown key for a VALUE_BOOLEAN in [exclude]."],
])("_source %j is refused: %s", (given, reason) => {
  expect(() => readSourceOption(given)).toThrow(reason);
});

test.each<[given: Json, includes: string[], excludes: string[]]>([
  [{ includes: "a" }, ["a"], []],
  [{ include: ["a", "b"], exclude: "c" }, ["a", "b"], ["c"]],
  [["a"], ["a"], []],
  ["a", ["a"], []],
])("_source %j names paths", (given, includes, excludes) => {
  expect(readSourceOption(given)).toHaveProperty("shown", { includes, excludes });
});
