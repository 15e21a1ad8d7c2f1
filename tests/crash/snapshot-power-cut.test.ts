/**
 * Contract: a snapshot that was reported made survives a power cut, whatever was being made or removed when it came:
 * only what was synced is in the repository afterwards. Each seed cuts at another moment.
 */
import { afterEach, describe, expect, it } from "vitest";
import type { EngineFace, WriteOperation } from "../../engine/index.js";
import { chanceOf } from "../../engine/store/testing/chance.js";
import { randomPowerCut } from "../../engine/store/testing/memory-disk.js";
import { MemoryEngine } from "../../engine/testing/model/memory-engine.js";

const SEEDS = [1, 2, 3, 4, 5, 6, Date.now() % 100_000];
const SETTINGS = {
  refreshIntervalMs: -1,
  durability: "request",
  totalFieldsLimit: 1000,
  maxResultWindow: 10_000,
  settings: {},
} as const;
const DEFINITION = {
  mapping: { properties: { n: { type: "long" } } },
  analysis: { analyzer: {}, tokenizer: {}, filter: {}, charFilter: {}, normalizer: {} },
  ...SETTINGS,
} as const;
const REPOSITORY = {
  location: "r",
  readonly: false,
  compress: true,
  chunkBytes: null,
  snapshotBytesPerSecond: null,
  restoreBytesPerSecond: null,
  maxSnapshots: 500,
};

/** Documents by id of each snapshot that must be there. */
type Kept = Map<string, Map<string, number>>;

let host: MemoryEngine;
afterEach(() => host.remove());

async function snapshot(engine: EngineFace, name: string): Promise<void> {
  const request = { name, indices: [{ name: "x", attachment: null }], globalState: null, partial: false, note: null };
  await (await engine.snapshots.create("r", request)).done;
}

async function runUntilCut(seed: number): Promise<{ kept: Kept; maybe: Set<string> }> {
  const random = chanceOf(seed);
  const engine = await host.open();
  const index = await engine.createIndex("x", DEFINITION);
  await engine.snapshots.putRepository("r", REPOSITORY, {}, true);
  const documents = new Map<string, number>();
  const kept: Kept = new Map();
  for (let step = 5 + random(20); step > 0; step--) {
    const batch = Array.from({ length: 1 + random(20) }, (): WriteOperation => {
      const [id, n] = [`d${random(60)}`, random(1000)];
      documents.set(id, n);
      return { kind: "index", id, source: Buffer.from(`{"n":${n}}`) };
    });
    await index.write(batch);
    if (random(2) === 0) continue;
    await snapshot(engine, `s${step}`);
    kept.set(`s${step}`, new Map(documents));
    const oldest = [...kept.keys()][0];
    if (random(3) === 0) await engine.snapshots.remove("r", [oldest]).then(() => kept.delete(oldest));
  }
  // One is being made and one removed when the power fails.
  const doomed = [...kept.keys()].slice(0, 1);
  const tasks = [snapshot(engine, "last"), engine.snapshots.remove("r", doomed)].map((task) => task.catch(() => {}));
  for (let turns = random(30); turns > 0; turns--) await new Promise((resolve) => setImmediate(resolve));
  await host.kill(randomPowerCut(random));
  await Promise.all(tasks);
  return { kept, maybe: new Set(["last", ...doomed]) };
}

describe("a power cut while snapshots are made and removed", () => {
  it.each(SEEDS)("loses none that was reported made (seed %i)", async (seed) => {
    host = new MemoryEngine();
    const { kept, maybe } = await runUntilCut(seed);
    const engine = await host.open();
    const listed = (await engine.snapshots.list("r")).map(({ name }) => name);
    expect(listed).toEqual(expect.arrayContaining([...kept.keys()].filter((name) => !maybe.has(name))));
    expect(listed.filter((name) => !kept.has(name) && !maybe.has(name))).toEqual([]);
    expect((await engine.snapshots.inspectRepository("r")).anomalies).toEqual([]);
    for (const name of listed) {
      const indices = [{ source: "x", target: `r-${name}`, settings: SETTINGS }];
      const running = await engine.snapshots.restore("r", name, { indices, partial: false, records: () => ({}) });
      await running.done;
      for (const [id, n] of kept.get(name) ?? []) {
        const found = engine.index(`r-${name}`)?.get(id);
        expect(Buffer.from(found?.source ?? []).toString(), `${name}/${id}`).toBe(`{"n":${n}}`);
      }
    }
    await engine.snapshots.cleanUp("r");
  });
});
