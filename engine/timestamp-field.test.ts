import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { checkDefinition } from "./check-definition.js";
import type { Index } from "./engine-types.js";
import type { Mapping } from "./mapping/mapping.js";
import { definitionOf, type EngineFixture, engineFixture, good, indexOf } from "./testing/engine-fixture.js";

const MAPPING: Mapping = {
  timestampField: "t",
  properties: { t: { type: "date" }, copied: { type: "date", copyTo: ["t"] } },
};

let fixture: EngineFixture;
let index: Index;

beforeEach(async () => {
  fixture = await engineFixture();
  index = await fixture.engine.createIndex("a", definitionOf(MAPPING));
});
afterEach(() => fixture.remove());

describe("an index with a timestamp field", () => {
  it("takes documents with one value of it, new fields beside it or not", async () => {
    good(await index.write([indexOf("1", { t: 1 }), indexOf("2", { n: "x", t: [2], m: { o: 1 } })]));
    expect(index.get("2")).toBeDefined();
  });

  it.each([
    [{}, "is missing"],
    [{ t: null }, "is missing"],
    [{ n: 1 }, "is missing"],
    [{ t: [1, 2] }, "encountered multiple values"],
    [{ t: 1, copied: 2 }, "encountered multiple values"],
  ])("refuses %j", async (document, reason) => {
    const [outcome] = await index.write([indexOf("1", document)]);
    expect(outcome).toMatchObject({
      ok: false,
      error: { code: "document_malformed", message: `failed to parse: data stream timestamp field [t] ${reason}` },
    });
    expect(index.get("1")).toBeUndefined();
  });

  it("counts again for each document of a batch", async () => {
    const outcomes = await index.write([indexOf("1", { t: 1 }), indexOf("2", {}), indexOf("3", { t: 3 })]);
    expect(outcomes.map(({ ok }) => ok)).toEqual([true, false, true]);
  });
});

describe("records of whoever uses the engine", () => {
  it("change together with an index", async () => {
    const { engine } = fixture;
    await engine.metadata.put({ old: 1 });
    await engine.createIndex("b", definitionOf(MAPPING), { made: { by: "b" }, old: undefined });
    expect([engine.metadata.get("made"), engine.metadata.get("old")]).toEqual([{ by: "b" }, undefined]);
    await engine.deleteIndex("b", { made: undefined, gone: true });
    expect([engine.metadata.get("made"), engine.metadata.get("gone")]).toEqual([undefined, true]);
  });

  it("stay as they are where the index cannot be made", async () => {
    const bad = definitionOf({ properties: { a: { type: "text", analyzer: "nope" } } });
    await expect(fixture.engine.createIndex("b", bad, { made: true })).rejects.toThrow("nope");
    await expect(fixture.engine.createIndex("a", definitionOf(MAPPING), { made: true })).rejects.toThrow("exists");
    expect(fixture.engine.metadata.get("made")).toBeUndefined();
    expect(() => checkDefinition(bad)).toThrow("nope");
  });
});
