/**
 * What must never happen, tried for as long as wanted. Prints what it did; ends with 1 if anything acknowledged was lost
 * or any answer was wrong. See options.ts.
 */

import { chanceOf } from "../../engine/store/testing/chance.js";
import { MemoryEngine } from "../../engine/testing/model/memory-engine.js";
import { randomRun } from "../../engine/testing/model/random-run.js";
import { flipOne, remainsOfScript } from "../crash/bit-flips.js";
import { countOperations, FAULTS, tryPoint } from "../crash/every-point.js";
import { tortureAutoindex } from "./autoindex/torture.js";
import { tortureFreshness } from "./freshness/torture.js";
import { killNodes, type Result } from "./kill-nodes.js";
import { parseOptions, type TortureOptions } from "./options.js";
import { tortureRest } from "./rest/torture.js";

const SHOWN = 20;

async function runModel({ model, seed }: TortureOptions): Promise<Result> {
  const host = new MemoryEngine({ memtableBytes: 600_000 });
  try {
    const done = Object.entries(await randomRun(host, { seed, operations: model }));
    const line = `seed ${seed}: ${done.map(([kind, count]) => `${count} ${kind}`).join(", ")}; all as in the model`;
    return { line, failed: false, details: [] };
  } catch (error) {
    return { line: `seed ${seed}: the engine and its model differ`, failed: true, details: [String(error)] };
  } finally {
    await host.remove();
  }
}

async function runPoints({ points: every, seed }: TortureOptions): Promise<Result> {
  const operations = await countOperations();
  const details: string[] = [];
  let [tried, faults] = [0, 0];
  for (const kind of FAULTS) {
    for (let at = 1 + (seed % every); at <= operations; at += every) {
      const { findings, injected } = await tryPoint({ kind, at, seed });
      details.push(...findings);
      tried++;
      faults += Math.min(injected, 1);
    }
  }
  const line = `seed ${seed}: ${operations} operations on files, ${tried} points tried, ${faults} faults injected, findings = ${details.length}`;
  return { line, failed: details.length > 0, details };
}

async function runFlips({ flips, seed }: TortureOptions): Promise<Result> {
  const chance = chanceOf(seed);
  const verdicts = { "the same": 0, refused: 0, cut: 0 };
  const details: string[] = [];
  for (const end of ["killed", "closed"] as const) {
    const remains = await remainsOfScript(end);
    for (let i = 0; i < flips; i++) {
      try {
        verdicts[await flipOne(remains, chance)]++;
      } catch (error) {
        details.push(String(error));
      }
    }
  }
  const counts = Object.entries(verdicts).map(([verdict, count]) => `${count} ${verdict}`);
  const line = `seed ${seed}: ${2 * flips} bits flipped: ${counts.join(", ")}; wrong answers = ${details.length}`;
  return { line, failed: details.length > 0, details };
}

const TARGET_RUNS = { nodes: killNodes, freshness: tortureFreshness, autoindex: tortureAutoindex, rest: tortureRest };

async function torture(options: TortureOptions): Promise<number> {
  const runs = [];
  if (options.model > 0) runs.push(runModel);
  if (options.points > 0) runs.push(runPoints);
  if (options.flips > 0) runs.push(runFlips);
  if (runs.length === 0) runs.push(TARGET_RUNS[options.target]);
  let status = 0;
  for (const run of runs) {
    const { line, failed, details } = await run(options);
    for (const detail of details.slice(0, SHOWN)) process.stdout.write(`  ${detail}\n`);
    process.stdout.write(`${line}\n`);
    if (failed) status = 1;
  }
  return status;
}

process.exitCode = await torture(parseOptions(process.argv.slice(2)));
