import { expect, test } from "vitest";
import { IDENTITIES } from "../identities.js";
import { fakeEngine } from "../testing/fake-engine.js";
import { COMPONENTS, INDICES, keepTemplates, LEGACY } from "./kept.js";
import { plannedSettings } from "./planned-settings.js";

test("settings of a name that is no index yet are those of its templates", async () => {
  const engine = fakeEngine();
  const settings = { "index.a": "legacy", "index.b": "b", "index.list": ["x"] };
  await keepTemplates(engine, LEGACY, new Map([["l", { patterns: ["old-*"], order: 0, settings }]]));
  await keepTemplates(engine, COMPONENTS, new Map([["c", { template: { settings: { "index.a": "component" } } }]]));
  const template = { patterns: ["new-*"], composedOf: ["c"], template: { settings: { "index.c": "own" } } };
  await keepTemplates(engine, INDICES, new Map([["t", template]]));
  const planned = (name: string) => plannedSettings({ node: { engine }, identity: IDENTITIES.es8 }, name);
  expect([planned("old-1"), planned("new-1"), planned("other")]).toEqual([
    { a: "legacy", b: "b" },
    { a: "component", c: "own" },
    {},
  ]);
});
