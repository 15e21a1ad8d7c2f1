/** Contract: one process has a data folder. Whoever comes second is told who has it, and touches nothing. */
import { type ChildProcess, spawn } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { openEngine } from "../../engine/index.js";
import { removeFolder, temporaryFolder } from "../support/node.js";

const here = path.dirname(fileURLToPath(import.meta.url));
/** Built from writer-process.ts beside this file. */
const PROGRAM = path.join(here, "../../dist/tests/crash/writer-process.js");
const COMPETITORS = 4;
const ROUNDS = 3;

let folder: string;
beforeEach(() => {
  folder = temporaryFolder("one");
});
afterEach(() => removeFolder(folder));

interface Competitor {
  readonly child: ChildProcess;
  /** Resolves when it has acknowledged a batch, or has ended: with what it said. */
  readonly result: Promise<{ wrote: boolean; errors: string }>;
}

/** A process that opens the folder and writes until it is killed. */
function compete(firstBatch: number): Competitor {
  const child = spawn(process.execPath, [PROGRAM, folder, String(firstBatch)], { stdio: ["ignore", "pipe", "pipe"] });
  let errors = "";
  child.stderr.on("data", (data: Buffer) => {
    errors += data.toString();
  });
  const result = new Promise<{ wrote: boolean; errors: string }>((resolve) => {
    child.stdout.once("data", () => resolve({ wrote: true, errors }));
    child.once("close", () => resolve({ wrote: false, errors }));
  });
  return { child, result };
}

async function kill(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = new Promise((resolve) => child.once("exit", resolve));
  child.kill("SIGKILL");
  await ended;
}

describe("several processes and one data folder", () => {
  it("one of them gets it, the others are told which; a killed one's lock is taken over once", {
    timeout: 120_000,
  }, async () => {
    for (let round = 0; round < ROUNDS; round++) {
      // From the second round on there is the lock of a process that was killed.
      expect(fs.existsSync(path.join(folder, "node.lock"))).toBe(round > 0);
      const all = Array.from({ length: COMPETITORS }, () => compete(1 + round * 1_000_000));
      const results = await Promise.all(all.map(({ result }) => result));
      const winners = all.filter((_, i) => results[i].wrote);
      expect(winners.length, results.map(({ errors }) => errors).join()).toBe(1);
      const [winner] = winners;
      for (const { wrote, errors } of results) {
        if (!wrote) expect(errors).toContain(`is in use by process ${winner.child.pid}`);
      }
      await kill(winner.child);
    }
    const engine = await openEngine(folder, { arenaBytes: 64 * 2 ** 20 });
    expect(engine.index("x")?.get("1-3")).toBeDefined();
    await engine.close();
  });

  it("the second one changes nothing of what the first one has", async () => {
    const engine = await openEngine(folder, { arenaBytes: 64 * 2 ** 20 });
    const before = filesUnder(folder);
    const { wrote, errors } = await compete(1).result;
    expect(wrote).toBe(false);
    expect(errors).toContain(`is in use by process ${process.pid}`);
    expect(filesUnder(folder)).toEqual(before);
    await engine.close();
  });
});

function filesUnder(root: string): string[] {
  const entries = fs.readdirSync(root, { recursive: true, withFileTypes: true });
  return entries.map((entry) => path.join(entry.parentPath, entry.name)).sort();
}
