/** Contract: acknowledged means kept. A process that writes is killed again and again; whatever it had acknowledged is there. */
import { spawn } from "node:child_process";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Index, openEngine } from "../../engine/index.js";

const KILLS = 20;
const CONCURRENT = 4;
const here = path.dirname(fileURLToPath(import.meta.url));
/** Built from writer-process.ts beside this file. */
const PROGRAM = path.join(here, "../../dist/tests/crash/writer-process.js");

let folder: string;
beforeAll(() => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), "pinakes-crash-"));
});
afterAll(() => fs.rmSync(folder, { recursive: true, force: true }));

/** Lets the program run until it has acknowledged so many batches, then kills it; returns the batches it acknowledged. */
function runAndKill(firstBatch: number, batches: number): Promise<number[]> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [PROGRAM, folder, String(firstBatch)], { stdio: ["ignore", "pipe", "pipe"] });
    let out = "";
    let errors = "";
    child.stderr.on("data", (data: Buffer) => {
      errors += data.toString();
    });
    child.stdout.on("data", (data: Buffer) => {
      out += data.toString();
      if (out.split("\n").length > batches) child.kill("SIGKILL");
    });
    child.on("close", (_code, signal) => {
      const whole = out.slice(0, out.lastIndexOf("\n") + 1);
      if (signal === "SIGKILL") resolve(whole.split("\n").filter(Boolean).map(Number));
      else reject(new Error(`the writer ended by itself: ${errors}`));
    });
  });
}

/** What must be there of an acknowledged batch; `later` is whether the batch after it in its lane was acknowledged too. */
function checkBatch(index: Index, batch: number, followed: boolean): void {
  for (let i = 0; i < 10; i++) {
    const found = index.get(`${batch}-${i}`);
    const source = found && (JSON.parse(Buffer.from(found.source).toString()) as { n: number });
    if (i === 0 && followed) expect(found, `deleted ${batch}-0`).toBeUndefined();
    // Whether the batch after it was kept is open while it was not acknowledged.
    else if (i === 0 && !found) continue;
    else if (i === 1 && followed) expect(source?.n, `updated ${batch}-1`).toBe(-batch);
    else expect(Math.abs(source?.n ?? Number.NaN), `${batch}-${i}`).toBe(batch);
  }
}

describe("kill -9 while writing", () => {
  it(`loses no acknowledged document in ${KILLS} kills`, async () => {
    const acknowledged = new Set<number>();
    let next = 1;
    for (let kill = 0; kill < KILLS; kill++) {
      const batches = await runAndKill(next, 5 + ((kill * 37) % 90));
      const first = next;
      for (const batch of batches) acknowledged.add(batch);
      next = Math.max(...batches) + 10 * CONCURRENT;
      const engine = await openEngine(folder, { arenaBytes: 64 * 2 ** 20 });
      const index = engine.index("x") as Index;
      const all = kill === KILLS - 1;
      for (const batch of acknowledged) {
        if (all || batch >= first) checkBatch(index, batch, acknowledged.has(batch + CONCURRENT));
      }
      await engine.close();
    }
    expect(acknowledged.size).toBeGreaterThan(KILLS * 5);
  }, 240_000);
});
