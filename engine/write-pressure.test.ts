import { afterAll, beforeAll, expect, it } from "vitest";
import { definitionOf, type EngineFixture, engineFixture, good, indexOf } from "./testing/engine-fixture.js";

const MIB = 2 ** 20;
const ARENA_BYTES = 32 * MIB;
const INDICES = 12;
/** So many that an index's own buffer stays below its share of the arena, a sixteenth, and those of all come above theirs, a quarter. */
const DOCUMENTS = 500;

let fixture: EngineFixture;
beforeAll(async () => {
  // No write buffer becomes a segment for its own size here: only all of them together are too large.
  fixture = await engineFixture({ arenaBytes: ARENA_BYTES, memtableBytes: ARENA_BYTES });
});
afterAll(() => fixture.remove());

it("the largest write buffers of all indices become segments when they hold too much of the arena together", async () => {
  const { engine } = fixture;
  for (let i = 0; i < INDICES; i++) {
    const index = await engine.createIndex(
      `i${i}`,
      definitionOf({ properties: { t: { type: "text" }, kept: { type: "object", enabled: false, properties: {} } } }),
    );
    const documents = Array.from({ length: DOCUMENTS }, (_, n) =>
      indexOf(String(n), { t: `${"some words of a text that is not short ".repeat(12)} ${i} ${n}` }),
    );
    good(await index.write(documents));
  }
  const { budget } = engine.resources;
  // They are sealed in the background.
  const sealed = () => engine.resources.drains().find(({ name }) => name === "write buffers")?.times;
  await expect.poll(sealed, { timeout: 60_000 }).toBeGreaterThan(0);
  await expect.poll(() => engine.memory().memtableBytes, { timeout: 60_000 }).toBeLessThan(2 * budget.indexingBuffer);
  for (let i = 0; i < INDICES; i++) {
    const index = engine.index(`i${i}`);
    // Sealed or not, nothing is shown before a refresh, and all of it after.
    expect(index?.stats().docs.count).toBe(0);
    await index?.refresh();
    expect(await engine.count([{ index: `i${i}` }], { kind: "match_all", boost: 1 })).toBe(DOCUMENTS);
  }
});

it("writes in flight are bounded over all indices, and whoever retries is let in", async () => {
  const { engine } = fixture;
  const batch = () => Array.from({ length: 90 }, (_, n) => indexOf(`large${n}`, { kept: { x: "x".repeat(100_000) } }));
  const writes = [0, 1, 2].map((i) => engine.index(`i${i}`)!.write(batch()));
  const results = await Promise.allSettled(writes);
  expect(results.map(({ status }) => status)).toEqual(["fulfilled", "rejected", "rejected"]);
  expect(results[1]).toMatchObject({ reason: { code: "overloaded" } });
  good(await engine.index("i1")!.write(batch()));
  expect(engine.resources.indexing.stats("primary")).toMatchObject({ currentBytes: 0, rejections: 2 });
});
