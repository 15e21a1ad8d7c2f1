/**
 * Question: how many 1 KB records a second does the log keep durably, and how long does each of so many concurrent
 * writers wait? Every writer appends its next record when the last one is acknowledged. The log is pruned as a flush
 * would at 96 MB, so files are made, followed and used again. Numbers depend on the disk and on who else uses it:
 * the bare write and sync beside them says how fast it is now.
 */
import { mkdtempSync, readdirSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { nodeFiles } from "../engine/store/files.js";
import { Log, LogOp } from "../engine/wal/index.js";
import { percentile, printTable } from "./statistics.js";

const RECORD_BYTES = 1024;
const PRUNE_AT = 96 << 20;
const FILE_BYTES = 32 << 20;
const ROUND_MS = 3000;
const ROUNDS = 3;

export async function benchLog(): Promise<void> {
  const rows: Record<string, string | number>[] = [];
  for (const writers of [1, 8, 64, 256]) {
    for (let round = 1; round <= ROUNDS; round++) rows.push({ writers, round, ...(await measure(writers)) });
  }
  printTable(`durable appends of ${RECORD_BYTES} bytes, ${ROUND_MS / 1000} s a round; latencies in ms`, rows);
}

async function measure(writers: number): Promise<Record<string, number>> {
  const folder = mkdtempSync(path.join(tmpdir(), "pinakes-bench-log-"));
  try {
    const bare = await bareSyncs(path.join(folder, "bare"));
    const log = openLog(path.join(folder, "log"));
    const waits: number[] = [];
    const payload = Buffer.alloc(RECORD_BYTES, 120);
    let next = 0;
    const end = performance.now() + ROUND_MS;
    const writer = async (): Promise<void> => {
      while (performance.now() < end) {
        const began = performance.now();
        const sequence = next++;
        const metadata = { id: `id${sequence}`, version: 1, primaryTerm: 1, mappingVersion: 1, routing: undefined };
        await log.append((buffer) => {
          buffer.appendOperation(LogOp.index, sequence, metadata, payload);
          return { records: 1, lastSequence: sequence };
        });
        waits.push(performance.now() - began);
        if (log.sizeBytes > PRUNE_AT) void log.prune(sequence - writers);
      }
    };
    const began = performance.now();
    await Promise.all(Array.from({ length: writers }, writer));
    const seconds = (performance.now() - began) / 1000;
    const onDisk = sizeOf(path.join(folder, "log"));
    await log.close();
    return {
      "records/s": waits.length / seconds,
      p50: percentile(waits, 0.5),
      p99: percentile(waits, 0.99),
      max: Math.max(...waits.slice(0, 100_000)),
      "bare sync p50": bare,
      "MB on disk": onDisk / 1e6,
    };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function openLog(folder: string): Log {
  const warn = (message: string) => process.stderr.write(`${message}\n`);
  const options = { files: nodeFiles, folder, warn, syncIntervalMs: 5000, maxFileBytes: FILE_BYTES };
  return Log.open({ ...options, durability: "request" }, () => {});
}

/** Median of a page's rewrite and fdatasync, in ms: what the disk takes for the least there is. */
async function bareSyncs(file: string): Promise<number> {
  const handle = nodeFiles.open(file, "create");
  const page = Buffer.alloc(4096);
  const times: number[] = [];
  for (let i = 0; i < 100; i++) {
    const began = performance.now();
    handle.writeAt(page, 0);
    await handle.syncAsync();
    times.push(performance.now() - began);
  }
  handle.close();
  return percentile(times, 0.5);
}

function sizeOf(folder: string): number {
  return readdirSync(folder).reduce((sum, name) => sum + statSync(path.join(folder, name)).blocks * 512, 0);
}
