/**
 * The victim of kill.test.ts: writes to an index as fast as it can and says on standard output which batches were
 * acknowledged, one number a line, until it is killed. Batch b holds the documents `b-0` to `b-9` with n = b, deletes
 * the first document of the batch before, and updates the second of it to n = -b.
 */
import fs from "node:fs";
import { type EngineFace, type Index, openEngine, type WriteOperation } from "../../engine/index.js";

const DOCS = 10;
const CONCURRENT = 4;

const [folder, firstBatch] = process.argv.slice(2);

function batchOf(batch: number): WriteOperation[] {
  const operations: WriteOperation[] = [];
  for (let i = 0; i < DOCS; i++) {
    operations.push({
      kind: "index",
      id: `${batch}-${i}`,
      source: Buffer.from(`{"n":${batch},"text":"some words ${i}"}`),
    });
  }
  return operations;
}

/** What a lane does to its own batch before: no other lane touches it. */
function aftermathOf(batch: number): WriteOperation[] {
  const update = { kind: "update", id: `${batch}-1`, doc: { n: -batch }, docAsUpsert: false } as const;
  return [
    { kind: "delete", id: `${batch}-0` },
    { ...update, detectNoop: true, retryOnConflict: 0 },
  ];
}

async function lane(index: Index, start: number): Promise<void> {
  for (let batch = start; ; batch += CONCURRENT) {
    const operations = batch >= start + CONCURRENT ? aftermathOf(batch - CONCURRENT) : [];
    const outcomes = await index.write([...operations, ...batchOf(batch)]);
    const failed = outcomes.find((outcome) => !outcome.ok);
    if (failed && !failed.ok) throw failed.error;
    fs.writeSync(1, `${batch}\n`);
    if (batch % 17 === 0) await index.refresh();
    if (batch % 41 === 0) await index.flush();
  }
}

const definition = {
  mapping: { properties: { n: { type: "long" }, text: { type: "text" } } },
  analysis: { analyzer: {}, tokenizer: {}, filter: {}, charFilter: {}, normalizer: {} },
  refreshIntervalMs: 5,
  durability: "request",
  totalFieldsLimit: 1000,
  maxResultWindow: 10_000,
  settings: {},
} as const;

const engine: EngineFace = await openEngine(folder, { arenaBytes: 64 * 2 ** 20, memtableBytes: 400_000 });
const index = engine.index("x") ?? (await engine.createIndex("x", definition));
await Promise.all(Array.from({ length: CONCURRENT }, (_, i) => lane(index, Number(firstBatch) + i)));
