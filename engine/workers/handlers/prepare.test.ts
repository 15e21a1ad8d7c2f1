import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createFieldTable } from "../../mapping/field-table.js";
import { DEFAULT_LIMITS } from "../../mapping/index.js";
import { loadSources, type SourceRun } from "../../shard/source-run.js";
import { sharedAnalysis, sharedFields } from "../../shared-values.js";
import type { Storage } from "../../store/storage.js";
import { testStorage } from "../../store/testing.js";
import { NO_ANALYSIS } from "../../testing/engine-fixture.js";
import { WorkerPool } from "../pool.js";

let storage: Storage;
let pool: WorkerPool;
let sources: SourceRun;

beforeEach(() => {
  storage = testStorage();
  pool = new WorkerPool({ storage, workers: 1, start: "lazy" });
  sources = loadSources(
    storage.arena,
    Array.from({ length: 1000 }, (_, i) => Buffer.from(JSON.stringify({ n: i, text: `word${i} and more` }))),
  );
});
afterEach(() => pool.close());

describe("documents that a worker prepared", () => {
  it("outlive it: what a dead thread had allocated is freed, and they are not", async () => {
    const fields = sharedFields("u", createFieldTable({ properties: { n: { type: "long" }, text: { type: "text" } } }));
    const analysis = sharedAnalysis("u", NO_ANALYSIS);
    const { addresses, lengths } = sources;
    const ids = Array.from(addresses, (_, i) => `d${i}`);
    const names = { fields: fields.key, analysis: analysis.key };
    const job = { ...names, limits: DEFAULT_LIMITS, sources: { addresses, lengths }, ids };
    const { batch, errors } = await pool.run("prepare", job, { shared: [fields, analysis] });
    expect(errors).toEqual([]);
    const end = Math.max(...batch.ends);
    const before = storage.arena.u8.slice(batch.address, end);
    await pool.close();
    // Whatever was free by mistake is given away again, and overwritten.
    for (let i = 0; i < 100; i++) {
      const address = storage.arena.alloc(64 * 1024);
      storage.arena.u8.fill(0xaa, address, address + 64 * 1024);
    }
    expect(storage.arena.sizeOf(batch.address)).toBeGreaterThanOrEqual(end - batch.address);
    expect(Buffer.compare(storage.arena.u8.subarray(batch.address, end), before)).toBe(0);
  });
});
