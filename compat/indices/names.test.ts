import { beforeEach, expect, test } from "vitest";
import type { EngineFace } from "../../engine/index.js";
import { fakeEngine } from "../testing/fake-engine.js";
import { AliasChanges } from "./aliases.js";
import { createIndex } from "./create.js";
import { checkIndexName, indicesOf, STRICT, searchTargets, writeTarget } from "./names.js";

let engine: EngineFace;

beforeEach(async () => {
  engine = fakeEngine();
  for (const name of ["logs-1", "logs-2", "other"]) await createIndex(engine, { name });
  await createIndex(engine, { name: ".dot", settings: { hidden: "true" } });
  const changes = new AliasChanges(engine);
  changes.add("errors", "logs-1", { filter: { term: { level: "error" } } });
  changes.add("both", "logs-1", {});
  changes.add("both", "logs-2", { is_write_index: true });
  await changes.apply();
});

test.each([
  ["logs-1", ["logs-1"]],
  ["logs-*", ["logs-1", "logs-2"]],
  ["_all", ["logs-1", "logs-2", "other"]],
  ["*,-logs-*", ["other"]],
  ["logs-*,-logs-1,other", ["logs-2", "other"]],
  [".d*", [".dot"]],
  ["both", ["logs-1", "logs-2"]],
  ["nothing*", []],
])("%s names %j", (expression, names) => {
  expect(indicesOf(engine, expression, STRICT).map((index) => index.name)).toEqual(names);
});

test("a missing name is an error, or nothing where that is wanted", () => {
  expect(() => indicesOf(engine, "nope,logs-1", STRICT)).toThrow("no such index [nope]");
  expect(indicesOf(engine, "nope,logs-1", { ...STRICT, ignoreUnavailable: true }).map((index) => index.name)).toEqual([
    "logs-1",
  ]);
  expect(() => indicesOf(engine, "nope*", { ...STRICT, allowNoIndices: false })).toThrow("no such index [nope*]");
});

test("a filtered alias narrows its index, but not when the index is named too", () => {
  const filter = { kind: "term", field: "level", value: "error", caseInsensitive: false, boost: 1 };
  expect(searchTargets(engine, "errors", STRICT)).toEqual([{ index: "logs-1", filter }]);
  expect(searchTargets(engine, "errors,logs-1", STRICT)).toEqual([{ index: "logs-1" }]);
  expect(searchTargets(engine, "errors,both", STRICT)).toEqual([{ index: "logs-1" }, { index: "logs-2" }]);
});

test("a write through an alias goes to its write index or its only one", () => {
  expect(writeTarget(engine, "both")?.name).toBe("logs-2");
  expect(writeTarget(engine, "errors")?.name).toBe("logs-1");
  expect(writeTarget(engine, "new")).toBeUndefined();
});

test.each([
  ["Upper", "must be lowercase"],
  ["_x", "must not start with '_', '-', or '+'"],
  ["a b", "must not contain the following characters"],
  ["..", "must not be '.' or '..'"],
  ["a".repeat(256), "index name is too long, (256 > 255)"],
])("the index name %s is refused", (name, reason) => {
  expect(() => checkIndexName(name)).toThrow(`Invalid index name [${name}], ${reason}`);
});
