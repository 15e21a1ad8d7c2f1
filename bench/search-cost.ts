/**
 * Question: how near is the estimate of a search's cost (engine/query/cost/constants.ts) to what it takes? Each request is run on the
 * calling thread, warm; the least of some runs is what it costs. Used to set the constants of that table.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { openEngine } from "../engine/engine.js";
import type { EngineFace, SearchRequest } from "../engine/index.js";
import { searchCost } from "../engine/query/cost/cost.js";
import type { Pin } from "../engine/reader-pin.js";
import { type LogDocument, logSource } from "./corpus/logs.js";
import { costRequests } from "./search-cost-requests.js";
import { printTable } from "./statistics.js";

const BATCH = 5000;
const RUNS = 7;

const DEFINITION = {
  mapping: {
    properties: {
      "@timestamp": { type: "date" },
      host: { type: "keyword" },
      clientip: { type: "ip" },
      method: { type: "keyword" },
      status: { type: "integer" },
      bytes: { type: "long" },
      took: { type: "integer" },
      request: { type: "text" },
      agent: { type: "keyword" },
      message: { type: "text" },
    },
  },
  analysis: { analyzer: {}, tokenizer: {}, filter: {}, charFilter: {}, normalizer: {} },
  refreshIntervalMs: -1,
  durability: "async",
  totalFieldsLimit: 1000,
  maxResultWindow: 10_000,
  settings: {},
} as const;

/** Copies of the corpus: filters are kept when they are asked for the second time, so each copy gives one measurement. */
const COPIES = ["logs-1", "logs-2", "logs-3"];

export async function benchSearchCost(options: { documents: number }): Promise<void> {
  const folder = mkdtempSync(path.join(tmpdir(), "pinakes-cost-"));
  const engine = await openEngine(folder, { arenaBytes: 2 ** 31, workers: 0 });
  try {
    const warm = await ingest(engine, "warm", 50_000);
    for (let i = 0; i < 10; i++) await runAll(engine, "warm", warm);
    let sample = warm;
    for (const name of COPIES) sample = await ingest(engine, name, options.documents);
    const segments = engine.index(COPIES[0])?.stats().segments.length;
    printTable(`searches over ${options.documents} documents in ${segments} segments`, await measure(engine, sample));
    for (const name of COPIES) await engine.index(name)?.forceMerge({ maxSegments: 1, onlyDeletes: false });
    printTable("the same in one segment", await measure(engine, sample));
  } finally {
    await engine.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

async function ingest(engine: EngineFace, name: string, documents: number): Promise<LogDocument[]> {
  const index = await engine.createIndex(name, DEFINITION);
  const next = logSource(42);
  const sample: LogDocument[] = [];
  for (let made = 0; made < documents; made += BATCH) {
    const batch = Array.from({ length: BATCH }, next);
    if (sample.length < 20_000) sample.push(...batch);
    await index.write(batch.map((document) => ({ kind: "index", source: Buffer.from(JSON.stringify(document)) })));
  }
  await index.refresh();
  await index.flush();
  return sample;
}

async function runAll(engine: EngineFace, index: string, sample: readonly LogDocument[]): Promise<number[]> {
  const times: number[] = [];
  for (const asked of Object.values(costRequests(sample))) {
    const began = performance.now();
    await engine.search([{ index }], asked);
    times.push(1000 * (performance.now() - began));
  }
  return times;
}

async function measure(engine: EngineFace, sample: readonly LogDocument[]): Promise<Record<string, string | number>[]> {
  const runs: number[][][] = [];
  for (const index of COPIES) {
    const own: number[][] = [];
    for (let run = 0; run < RUNS; run++) own.push(await runAll(engine, index, sample));
    runs.push(own);
  }
  const least = (of: (own: number[][]) => number) => Math.min(...runs.map(of));
  return Object.entries(costRequests(sample)).map(([name, asked], i) => {
    // The second run finds everything in memory and no filter kept.
    const second = least((own) => own[1][i]);
    const estimated = estimate(engine, asked);
    return {
      request: name,
      "first us": Math.round(least((own) => own[0][i])),
      "second us": Math.round(second),
      "least us": Math.round(least((own) => Math.min(...own.map((run) => run[i])))),
      ...{ "estimate us": Math.round(estimated.us), ratio: estimated.us / second, "estimating us": estimated.took },
    };
  });
}

function estimate(engine: EngineFace, request: SearchRequest): { us: number; took: number } {
  const pin = engine.pin([{ index: COPIES[0] }]) as Pin;
  let took = Number.POSITIVE_INFINITY;
  let us = 0;
  for (let i = 0; i < 100; i++) {
    const began = performance.now();
    us = searchCost(pin.readers, request);
    took = Math.min(took, 1000 * (performance.now() - began));
  }
  pin.release();
  return { us, took };
}
