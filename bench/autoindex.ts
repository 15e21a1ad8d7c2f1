/**
 * Question: how fast is a folder searchable, and what does it cost? Each folder is indexed into a node of its own by this
 * process and its extractors; then once more, unchanged. Memory is that of all of them together, sampled.
 */
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { autoindex } from "../autoindex/index.js";
import { Client } from "../client/index.js";
import { INDEX } from "../code/index.js";
import { cpuSeconds, cpuSecondsWithChildren, residentMegabytes, startNode } from "./node-process.js";
import { printTable } from "./statistics.js";

export interface AutoindexBenchOptions {
  /** Folders to index. */
  folders: readonly string[];
  /** Files of a made folder that is indexed too; 0: none. */
  madeFiles: number;
}

const SAMPLE_MS = 100;
const FILES_PER_FOLDER = 100;

export async function benchAutoindex({ folders, madeFiles }: AutoindexBenchOptions): Promise<void> {
  const rows: Record<string, string | number>[] = [];
  for (const folder of folders) rows.push(await indexFolder(folder));
  if (madeFiles > 0) rows.push(await withMadeFolder(madeFiles, indexFolder));
  printTable("folders through autoindex", rows);
}

async function indexFolder(folder: string): Promise<Record<string, string | number>> {
  const node = await startNode();
  const client = new Client({ url: node.url, connections: 2, timeoutMs: 600_000 });
  let peak = 0;
  const sampler = setInterval(() => {
    const processes = [node.pid, process.pid, ...childrenOf(process.pid)];
    peak = Math.max(
      peak,
      processes.reduce((sum, pid) => sum + (residentMegabytes(pid) || 0), 0),
    );
  }, SAMPLE_MS);
  try {
    const before = { node: cpuSeconds(node.pid), indexer: cpuSecondsWithChildren(process.pid) };
    const first = await autoindex({ client, folder });
    const nodeCpu = cpuSeconds(node.pid) - before.node;
    await noMoreChildren();
    const indexerCpu = cpuSecondsWithChildren(process.pid) - before.indexer;
    const again = await autoindex({ client, folder });
    if (again.indexed !== 0) throw new Error(`an unchanged folder was read again: ${again.indexed} files`);
    // A binary is found by its name and type, and declares nothing.
    const query = { bool: { must_not: [{ term: { language: "binary" } }] } };
    const count = await client.json<{ count: number }>("POST", `/${INDEX.declarations}/_count`, { query });
    if (count.count !== first.declarations) throw new Error(`${first.declarations} declarations, ${count.count} there`);
    return {
      folder: path.basename(folder),
      files: first.indexed,
      MB: first.bytes / 1e6,
      "files/s": first.indexed / first.seconds,
      "MB/s": first.bytes / 1e6 / first.seconds,
      declarations: first.declarations,
      "declarations/s": first.declarations / first.seconds,
      references: first.references,
      seconds: first.seconds,
      "node CPU s": nodeCpu,
      "indexer CPU s": indexerCpu,
      "CPU s/MB": (nodeCpu + indexerCpu) / (first.bytes / 1e6),
      "peak MB, all processes": peak,
      "unchanged, s": again.seconds,
    };
  } finally {
    clearInterval(sampler);
    client.close();
    await node.stop();
  }
}

/** Resolves when the processes that this one started for the run have ended: what they used counts only then. */
async function noMoreChildren(): Promise<void> {
  const isExtractor = (pid: number) => readFileSync(`/proc/${pid}/cmdline`, "utf8").includes("autoindex");
  for (;;) {
    try {
      if (!childrenOf(process.pid).some(isExtractor)) return;
    } catch {
      // one has ended meanwhile
    }
    await new Promise((resolve) => setTimeout(resolve, SAMPLE_MS));
  }
}

/** Processes that another one has started, from /proc. */
function childrenOf(pid: number): number[] {
  try {
    // All that its main thread has started, where the kernel lists them; looking at every process costs milliseconds.
    const listed = readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8");
    return listed.split(" ").filter(Boolean).map(Number);
  } catch {
    return childrenByParent(pid);
  }
}

function childrenByParent(pid: number): number[] {
  try {
    return readdirSync("/proc")
      .filter((name) => /^\d+$/.test(name))
      .filter((name) => parentOf(name) === pid)
      .map(Number);
  } catch {
    return [];
  }
}

function parentOf(pid: string): number {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    return Number(stat.slice(stat.lastIndexOf(")") + 2).split(" ")[1]);
  } catch {
    return -1; // it has ended meanwhile
  }
}

/** A folder of so many small files of a few lines, removed afterwards. */
async function withMadeFolder<T>(files: number, work: (folder: string) => Promise<T>): Promise<T> {
  const folder = mkdtempSync(path.join(tmpdir(), "pinakes-made-"));
  try {
    for (let i = 0; i < files; i++) {
      const inside = path.join(folder, `part${Math.floor(i / FILES_PER_FOLDER)}`);
      if (i % FILES_PER_FOLDER === 0) mkdirSync(inside);
      writeFileSync(path.join(inside, `file${i}.py`), `def made_${i}(n):\n    return n + ${i}\n`);
    }
    return await work(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
