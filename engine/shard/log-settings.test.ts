/** What the settings of an index's log do. */
import fs from "node:fs";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Index, IndexDefinition } from "../engine-types.js";
import { definitionOf, type EngineFixture, engineFixture, good, indexOf } from "../testing/engine-fixture.js";
import { flushThreshold, logSettings } from "./log-settings.js";

let fixture: EngineFixture;
beforeEach(async () => {
  fixture = await engineFixture();
});
afterEach(() => fixture.remove());

const MAPPING = { properties: { t: { type: "keyword", index: false, docValues: false } } } as const;

function create(more: Partial<IndexDefinition> = {}): Promise<Index> {
  return fixture.engine.createIndex("x", definitionOf(MAPPING, more));
}

async function write(index: Index, from: number, count: number): Promise<void> {
  for (let i = from; i < from + count; i++) good(await index.write([indexOf(`d${i}`, { t: "x".repeat(1000) })]));
}

/** Resolves when what was scheduled is done. */
async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await new Promise(setImmediate);
}

describe("flush_threshold_size", () => {
  it("makes segments and prunes the log when the log has grown past it, and only then", async () => {
    const index = await create({ flushThresholdBytes: 200_000 });
    await write(index, 0, 150);
    expect(index.stats().counters.flushes).toBe(0);
    await write(index, 150, 100);
    await until(() => index.stats().counters.flushes === 1);
    await write(index, 250, 1);
    expect(index.stats().log.uncommittedBytes).toBeLessThan(200_000);
    await write(index, 251, 400);
    await until(() => index.stats().counters.flushes >= 2);
    await index.flush();
    const log = path.join(fixture.folder, "indices", index.definition.uuid, "log");
    const left = fs.readdirSync(log).reduce((sum, name) => sum + fs.statSync(path.join(log, name)).size, 0);
    expect(left).toBeLessThanOrEqual(64 * 1024);
  });

  it("changes while the index is open", async () => {
    const index = await create();
    await write(index, 0, 150);
    await index.updateSettings({ flushThresholdBytes: 100_000 });
    await write(index, 150, 1);
    await until(() => index.stats().counters.flushes === 1);
    expect(index.definition.flushThresholdBytes).toBe(100_000);
  });

  it("is 96 MB unless it is set, and makes the log's files a third of it at most", () => {
    expect(flushThreshold({ durability: "request" })).toBe(96 << 20);
    const file = (flushThresholdBytes?: number) =>
      logSettings({ durability: "request", flushThresholdBytes }).maxFileBytes;
    expect([file(), file(3 << 20), file(56), file(10 * 2 ** 30)]).toEqual([32 << 20, 1 << 20, 64 << 10, 32 << 20]);
  });
});

describe("statistics of the log", () => {
  it("know after a restart what segments have, though the log was not pruned", async () => {
    const index = await create();
    await write(index, 0, 5);
    const log = path.join(fixture.folder, "indices", index.definition.uuid, "log");
    const [name] = fs.readdirSync(log);
    const unpruned = fs.readFileSync(path.join(log, name));
    await fixture.engine.close();
    expect(fs.readdirSync(log)).toEqual([]);
    // As if the machine had stopped between the commit and the pruning.
    fs.writeFileSync(path.join(log, name), unpruned);
    const again = (await fixture.reopen()).index("x") as Index;
    expect(again.stats().log).toMatchObject({ operations: 5, uncommittedOperations: 0, uncommittedBytes: 0 });
    expect(again.stats().docs.count).toBe(5);
  });
});
