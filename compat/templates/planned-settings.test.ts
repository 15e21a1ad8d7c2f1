import { expect, test } from "vitest";
import { IDENTITIES } from "../identities.js";
import { fakeEngine } from "../testing/fake-engine.js";
import { COMPONENTS, INDICES, keepTemplates, LEGACY } from "./kept.js";
import { plannedSettings } from "./planned-settings.js";
import type { ComponentTemplate, IndexTemplate, LegacyTemplate } from "./template.js";

test("settings of a name that is no index yet are those of its templates", async () => {
  const engine = fakeEngine();
  const settings = { "index.a": "legacy", "index.b": "b", "index.list": ["x"] };
  const legacy: LegacyTemplate = { patterns: ["old-*"], order: 0, settings };
  const component: ComponentTemplate = { template: { settings: { "index.a": "component" } } };
  await keepTemplates(engine, LEGACY, new Map([["l", legacy]]));
  await keepTemplates(engine, COMPONENTS, new Map([["c", component]]));
  const template: IndexTemplate = {
    patterns: ["new-*"],
    composedOf: ["c"],
    template: { settings: { "index.c": "own" } },
  };
  await keepTemplates(engine, INDICES, new Map([["t", template]]));
  const planned = (name: string) => plannedSettings({ node: { engine }, identity: IDENTITIES.es8 }, name);
  expect([planned("old-1"), planned("new-1"), planned("other")]).toEqual([
    { a: "legacy", b: "b" },
    { a: "component", c: "own" },
    {},
  ]);
});
