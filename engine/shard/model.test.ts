/**
 * Indices beside plain Maps, under random operations: whatever happens to the engine, both say the same. The long run
 * is `npm run torture -- --model 100000`.
 */
import { afterEach, describe, expect, it } from "vitest";
import { newSeed } from "../store/testing/chance.js";
import { MemoryEngine } from "../testing/model/memory-engine.js";
import { randomRun } from "../testing/model/random-run.js";

const OPERATIONS = 10_000;
/** Small: the write buffer fills up and becomes segments of its own accord, too. */
const MEMTABLE_BYTES = 600_000;

let host: MemoryEngine | undefined;
afterEach(() => host?.remove());

describe("indices under random operations", () => {
  it(`say what Maps say through ${OPERATIONS} operations`, { timeout: 120_000 }, async () => {
    host = new MemoryEngine({ memtableBytes: MEMTABLE_BYTES });
    const done = await randomRun(host, { seed: newSeed(), operations: OPERATIONS });
    for (const kind of ["write", "refresh", "flush", "merge", "check", "look", "hold", "restart", "kill"]) {
      expect(done[kind], kind).toBeGreaterThan(0);
    }
    expect(host.warnings.filter((warning) => !/EIO|without a flush|is closed|was cancelled/.test(warning))).toEqual([]);
  });
});
