/**
 * Question: what does a document cost on disk, structure by structure, after a flush and after a merge to one segment;
 * and what do writing, merging and fetching it cost? The engine runs in this process: CPU seconds are those of the
 * whole process, its threads included. Every document is read back and compared with what was sent before anything is
 * reported.
 */
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { autoindex } from "../autoindex/index.js";
import { Client } from "../client/index.js";
import { type EngineFace, type Index, openEngine, type WriteOperation } from "../engine/index.js";
import type { Mapping } from "../engine/mapping/mapping.js";
import type { IndexShard } from "../engine/shard/index.js";
import { isSet } from "../engine/store/bits.js";
import { LOG_INDEX, logSource } from "./corpus/logs.js";
import { startNode } from "./node-process.js";
import { randomNumbers } from "./random.js";
import { folderSections, type SectionBytes, sumBy } from "./segment-bytes.js";
import { percentile, printTable } from "./statistics.js";

const BATCH = 5000;
/** Share of all bytes that a structure of a field must have to be worth a line. */
const LEAST_SHARE = 0.002;
const FETCHES = 3000;

export interface DiskOptions {
  documents: number;
  /** A `_bulk` body in a file (action and document lines) instead of the seeded log corpus. */
  file: string | null;
  /** Folders of source code, indexed by autoindex. */
  folders: string[];
}

export async function benchDisk(options: DiskOptions): Promise<void> {
  await withFolder((folder) => benchLogs(folder, options));
  for (const source of options.folders) await withFolder((folder) => benchCode(folder, source));
}

async function withFolder(use: (folder: string) => Promise<void>): Promise<void> {
  const folder = mkdtempSync(path.join(tmpdir(), "pinakes-disk-"));
  try {
    await use(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function benchLogs(folder: string, options: DiskOptions): Promise<void> {
  const documents = options.file === null ? madeDocuments(options.documents) : fileDocuments(options);
  const written = await withEngine(folder, async (engine) => {
    const index = await engine.createIndex("logs", {
      mapping: LOG_INDEX.mappings as Mapping,
      analysis: { analyzer: {}, tokenizer: {}, filter: {}, charFilter: {}, normalizer: {} },
      refreshIntervalMs: 1000,
      durability: "request",
      totalFieldsLimit: 1000,
      maxResultWindow: 10_000,
      settings: {},
    });
    const cost = await measure(() => write(index, documents));
    await index.refresh();
    checkSources(index, documents);
    return cost;
  });
  // Opened anew, so that no merge is half done in what is looked at.
  await withEngine(folder, async (engine) => {
    const index = engine.index("logs")!;
    await report(engine, { title: "logs", index, documents: documents.length, written });
    checkSources(index, documents);
  });
}

async function withEngine<T>(folder: string, use: (engine: EngineFace) => Promise<T>): Promise<T> {
  const engine = await openEngine(folder);
  try {
    return await use(engine);
  } finally {
    await engine.close();
  }
}

function madeDocuments(count: number): Buffer[] {
  const next = logSource(42);
  return Array.from({ length: count }, () => Buffer.from(JSON.stringify(next())));
}

function fileDocuments({ file, documents }: DiskOptions): Buffer[] {
  const bytes = readFileSync(file!);
  const found: Buffer[] = [];
  for (let at = bytes.indexOf(10) + 1; at > 0 && at < bytes.length && found.length < documents; ) {
    const end = bytes.indexOf(10, at);
    found.push(bytes.subarray(at, end));
    at = bytes.indexOf(10, end + 1) + 1;
  }
  return found;
}

async function write(index: Index, documents: readonly Buffer[]): Promise<void> {
  for (let from = 0; from < documents.length; from += BATCH) {
    const batch = documents.slice(from, from + BATCH).map((source): WriteOperation => ({ kind: "index", source }));
    for (const outcome of await index.write(batch)) if (!outcome.ok) throw outcome.error;
  }
}

/** Every document comes back as it was sent, in its order. */
function checkSources(index: Index, documents: readonly Buffer[]): void {
  let next = 0;
  eachLiveDocument(index, (source) => {
    if (!documents[next]!.equals(source)) throw new Error(`document ${next} came back as ${Buffer.from(source)}`);
    next++;
  });
  if (next !== documents.length) throw new Error(`${documents.length} documents were written, ${next} are there`);
}

function eachLiveDocument(index: Index, visit: (source: Uint8Array) => void): void {
  const handle = (index as IndexShard).acquireReader();
  try {
    for (const { segment, live } of handle.reader.leaves) {
      segment.beginUse();
      for (let doc = 0; doc < segment.docCount; doc++) if (isSet(live, doc)) visit(segment.source(doc));
      segment.endUse();
    }
  } finally {
    handle.release();
  }
}

async function benchCode(folder: string, source: string): Promise<void> {
  const node = await startNode(folder);
  const client = new Client({ url: node.url, connections: 2, timeoutMs: 600_000 });
  await autoindex({ client, folder: source });
  client.close();
  await node.stop();
  await withEngine(folder, async (engine) => {
    for (const name of engine.indexNames()) {
      const index = engine.index(name)!;
      const { count } = index.stats().docs;
      if (count > 0) await report(engine, { title: `${name} of ${source}`, index, documents: count, written: null });
    }
  });
}

interface Measured {
  title: string;
  index: Index;
  documents: number;
  written: Cost | null;
}

/** Prints the tables of one index, before and after it is merged to one segment. */
async function report(engine: EngineFace, { title, index, documents, written }: Measured): Promise<void> {
  const folder = path.join(engine.dataFolder, "indices", index.definition.uuid);
  const fields = fieldPaths(index);
  const before = folderSections(folder, fields);
  const fetchBefore = fetchMicroseconds(index);
  const merged = await measure(() => index.forceMerge({ maxSegments: 1, onlyDeletes: false }));
  const after = folderSections(folder, fields);
  const fetchAfter = fetchMicroseconds(index);
  let rawBytes = 0;
  eachLiveDocument(index, (source) => {
    rawBytes += source.length;
  });
  const row = (name: string, bytes: number, segments: number, cost: Cost | null, fetch: readonly number[]) => ({
    when: name,
    segments,
    "bytes/doc": bytes / documents,
    "of source %": (100 * bytes) / rawBytes,
    "docs/CPU s": cost === null ? Number.NaN : documents / cost.cpu,
    "fetch p50 us": percentile(fetch, 0.5),
    "fetch p99 us": percentile(fetch, 0.99),
  });
  printTable(`${title}: ${documents} documents of ${(rawBytes / documents).toFixed(1)} bytes`, [
    row("written, flushed", before.total, before.segments, written, fetchBefore),
    row("merged to one", after.total, after.segments, merged, fetchAfter),
  ]);
  for (const by of ["kind", "field"] as const) {
    printTable(`bytes a document by ${by}`, sumRows(by, before.sections, after.sections, documents));
  }
  printTable("bytes a document by structure and field", sectionRows(before.sections, after.sections, documents));
}

function sumRows(by: "kind" | "field", before: SectionBytes[], after: SectionBytes[], documents: number) {
  const later = sumBy(after, by);
  return [...sumBy(before, by)].map(([name, bytes]) => ({
    [by]: name || "(document)",
    flushed: bytes / documents,
    merged: (later.get(name) ?? 0) / documents,
  }));
}

function sectionRows(before: SectionBytes[], after: SectionBytes[], documents: number) {
  const later = new Map(after.map(({ kind, field, bytes }) => [`${kind}/${field}`, bytes]));
  const least = LEAST_SHARE * before.reduce((sum, { bytes }) => sum + bytes, 0);
  return [...before]
    .sort((a, b) => b.bytes - a.bytes)
    .filter(({ bytes }) => bytes >= least)
    .map(({ kind, field, bytes }) => ({
      structure: kind,
      field: field || "(document)",
      flushed: bytes / documents,
      merged: (later.get(`${kind}/${field}`) ?? 0) / documents,
    }));
}

function fieldPaths(index: Index): string[] {
  const handle = (index as IndexShard).acquireReader();
  const paths: string[] = [];
  for (const { ordinal, path: name } of handle.reader.fields.values()) paths[ordinal] = name;
  handle.release();
  return paths;
}

/** Microseconds that the `_source` of documents here and there takes, each from another block. */
function fetchMicroseconds(index: Index): number[] {
  const random = randomNumbers(11);
  const handle = (index as IndexShard).acquireReader();
  const times: number[] = [];
  try {
    const { leaves } = handle.reader;
    for (let i = 0; i < FETCHES; i++) {
      const { segment } = leaves[Math.floor(random() * leaves.length)]!;
      const doc = Math.floor(random() * segment.docCount);
      segment.beginUse();
      const start = process.hrtime.bigint();
      segment.source(doc);
      times.push(Number(process.hrtime.bigint() - start) / 1000);
      segment.endUse();
    }
  } finally {
    handle.release();
  }
  return times.slice(FETCHES / 3);
}

interface Cost {
  /** Seconds, of the process. */
  cpu: number;
  wall: number;
}

async function measure(action: () => Promise<void>): Promise<Cost> {
  const cpu = process.cpuUsage();
  const start = performance.now();
  await action();
  const used = process.cpuUsage(cpu);
  return { cpu: (used.user + used.system) / 1e6, wall: (performance.now() - start) / 1000 };
}
