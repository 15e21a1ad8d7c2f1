import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Index } from "../engine-types.js";
import { definitionOf, type EngineFixture, engineFixture, good, indexOf } from "../testing/engine-fixture.js";

const ARENA_BYTES = 16 * 2 ** 20;

let fixture: EngineFixture;
let index: Index;

beforeEach(async () => {
  fixture = await engineFixture({ arenaBytes: ARENA_BYTES, memtableBytes: ARENA_BYTES });
  index = await fixture.engine.createIndex("a", definitionOf({ properties: { x: { type: "text" } } }));
});
afterEach(() => fixture.remove());

const words = (count: number) => Array.from({ length: count }, (_, i) => `w${i}`).join(" ");

describe("a document and the arena", () => {
  it("is refused for good where it could never fit, with its size and the limit, and harms nothing", async () => {
    const source = Buffer.from(JSON.stringify({ x: "ab ".repeat(700_000) }));
    const outcomes = await index.write([indexOf("small", { x: "a" }), { kind: "index", id: "large", source }]);
    expect(outcomes[1]).toMatchObject({
      ok: false,
      error: { code: "document_malformed", details: { size: source.length, limit: ARENA_BYTES / 2 } },
    });
    expect(index.get("small")?.id).toBe("small");
    expect(index.get("large")).toBeUndefined();
    good(await index.write([indexOf("next", { x: "b" })]));
  });

  it("finds room that the write buffer holds", async () => {
    const source = { x: words(40_000) };
    for (let i = 0; i < 12; i++) good(await index.write([indexOf(`${i}`, source)]));
    await index.refresh();
    expect(index.stats().docs.count).toBe(12);
  });
});
