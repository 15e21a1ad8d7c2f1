/**
 * Contract: acknowledged means kept, also when the power fails: only what was synced is on the disk afterwards. Random
 * operations, flushes and merges go on when the cut comes; each seed cuts at another moment.
 */
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { type Index, openEngine, type WriteOperation } from "../../engine/index.js";
import { LosingFiles } from "./losing-files.js";

const SEEDS = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, Date.now() % 100_000];
const IDS = 60;

const DEFINITION = {
  mapping: { properties: { n: { type: "long" } } },
  analysis: { analyzer: {}, tokenizer: {}, filter: {}, charFilter: {}, normalizer: {} },
  refreshIntervalMs: -1,
  durability: "request",
  totalFieldsLimit: 1000,
  maxResultWindow: 10_000,
  settings: {},
} as const;

/** Whole numbers below a bound (xorshift32). */
function randomNumbers(seed: number): (below: number) => number {
  let state = seed | 0 || 1;
  return (below) => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) % below;
  };
}

/** For each id the values it may have after the cut: the last acknowledged one, and those asked for since; null: none. */
type Possible = Map<string, Set<number | null>>;

async function writeBatch(index: Index, random: (below: number) => number, possible: Possible): Promise<void> {
  const batch = new Map<string, number | null>();
  for (let i = 1 + random(6); i > 0; i--) batch.set(`d${random(IDS)}`, random(5) === 0 ? null : random(1_000_000));
  const operations = [...batch].map(([id, n]): WriteOperation => {
    return n === null
      ? { kind: "delete", id }
      : { kind: "index", id, source: Buffer.from(`{"n":${n},"new${n % 7}":1}`) };
  });
  for (const [id, n] of batch) possible.get(id)?.add(n);
  await index.write(operations);
  for (const [id, n] of batch) possible.set(id, new Set([n]));
}

async function runUntilCut(folder: string, seed: number): Promise<Possible> {
  const random = randomNumbers(seed);
  const losing = new LosingFiles();
  const engine = await openEngine(folder, { arenaBytes: 64 * 2 ** 20, ...{ files: losing.files } });
  const index = await engine.createIndex("x", DEFINITION);
  const possible: Possible = new Map(Array.from({ length: IDS }, (_, i) => [`d${i}`, new Set([null])]));
  const steps = 20 + random(150);
  const tasks: Promise<unknown>[] = [];
  for (let step = 0; step < steps; step++) {
    const kind = random(12);
    if (kind === 0) tasks.push(index.flush().catch(() => {}));
    else if (kind === 1) await index.refresh();
    else if (kind === 2) tasks.push(index.forceMerge({ maxSegments: 1, onlyDeletes: false }).catch(() => {}));
    else await writeBatch(index, random, possible);
  }
  // One batch is on its way when the power fails.
  tasks.push(writeBatch(index, random, possible).catch(() => {}));
  for (let turns = random(6); turns > 0; turns--) await new Promise((resolve) => setImmediate(resolve));
  losing.cutPower();
  await Promise.all(tasks);
  await engine.close().catch(() => {});
  fs.rmSync(path.join(folder, "node.lock"), { force: true });
  return possible;
}

describe("a power cut while writing", () => {
  it.each(SEEDS)("loses nothing that was acknowledged (seed %i)", async (seed) => {
    const folder = fs.mkdtempSync(path.join(os.tmpdir(), "pinakes-power-"));
    const possible = await runUntilCut(folder, seed);
    const engine = await openEngine(folder, { arenaBytes: 64 * 2 ** 20 });
    const index = engine.index("x") as Index;
    for (const [id, values] of possible) {
      const found = index.get(id);
      const n = found ? (JSON.parse(Buffer.from(found.source).toString()) as { n: number }).n : null;
      expect([...values], id).toContain(n);
    }
    await index.refresh();
    await index.forceMerge({ maxSegments: 1, onlyDeletes: false });
    await engine.close();
    fs.rmSync(folder, { recursive: true, force: true });
  });
});
