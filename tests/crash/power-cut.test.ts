/**
 * Contract: acknowledged means kept, also when the power fails: only what was synced is surely on the disk afterwards.
 * Random operations, flushes and merges go on when the cut comes; each seed cuts at another moment.
 */
import { afterEach, describe, expect, it } from "vitest";
import type { Index, WriteOperation } from "../../engine/index.js";
import { type Chance, chanceOf } from "../../engine/store/testing/chance.js";
import { randomPowerCut } from "../../engine/store/testing/memory-disk.js";
import { definitionOf } from "../../engine/testing/engine-fixture.js";
import { MemoryEngine } from "../../engine/testing/model/memory-engine.js";

const SEEDS = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, Date.now() % 100_000];
const IDS = 60;
/** Cuts of one life after the other. */
const CUTS = 3;

let host: MemoryEngine;
afterEach(() => host.remove());

/** For each id the values it may have after the cut: the last acknowledged one, and those asked for since; null: none. */
type Possible = Map<string, Set<number | null>>;

async function writeBatch(index: Index, chance: Chance, possible: Possible): Promise<void> {
  const batch = new Map<string, number | null>();
  for (let i = 1 + chance(6); i > 0; i--) batch.set(`d${chance(IDS)}`, chance(5) === 0 ? null : chance(1_000_000));
  const operations = [...batch].map(([id, n]): WriteOperation => {
    return n === null
      ? { kind: "delete", id }
      : { kind: "index", id, source: Buffer.from(`{"n":${n},"new${n % 7}":1}`) };
  });
  for (const [id, n] of batch) possible.get(id)?.add(n);
  await index.write(operations);
  for (const [id, n] of batch) possible.set(id, new Set([n]));
}

async function runUntilCut(index: Index, chance: Chance, possible: Possible): Promise<void> {
  const steps = 20 + chance(100);
  const tasks: Promise<unknown>[] = [];
  for (let step = 0; step < steps; step++) {
    const kind = chance(12);
    if (kind === 0) tasks.push(index.flush().catch(() => {}));
    else if (kind === 1) await index.refresh();
    else if (kind === 2) tasks.push(index.forceMerge({ maxSegments: 1, onlyDeletes: false }).catch(() => {}));
    else await writeBatch(index, chance, possible);
  }
  // One batch is on its way when the power fails.
  tasks.push(writeBatch(index, chance, possible).catch(() => {}));
  for (let turns = chance(6); turns > 0; turns--) await new Promise((resolve) => setImmediate(resolve));
  await host.kill(randomPowerCut(chance));
  await Promise.all(tasks);
}

/** What is there is one of the values that may be there; it is known from now on. */
function settle(index: Index, possible: Possible): void {
  for (const [id, values] of possible) {
    const found = index.get(id);
    const n = found ? (JSON.parse(Buffer.from(found.source).toString()) as { n: number }).n : null;
    expect([...values], id).toContain(n);
    possible.set(id, new Set([n]));
  }
}

describe("a power cut while writing", () => {
  it.each(SEEDS)("loses nothing that was acknowledged, nor do those after it (seed %i)", async (seed) => {
    const chance = chanceOf(seed);
    host = new MemoryEngine();
    const possible: Possible = new Map(Array.from({ length: IDS }, (_, i) => [`d${i}`, new Set([null])]));
    const definition = definitionOf({ properties: { n: { type: "long" } } });
    let index = await (await host.open()).createIndex("x", definition);
    for (let cut = 0; cut < CUTS; cut++) {
      await runUntilCut(index, chance, possible);
      // Throws if the index were refused as damaged: a power cut damages nothing.
      index = (await host.open()).index("x") as Index;
      settle(index, possible);
    }
    await index.refresh();
    await index.forceMerge({ maxSegments: 1, onlyDeletes: false });
    settle(index, possible);
  });
});
