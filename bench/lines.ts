/**
 * Question: what does a field that is searched by lines (`wildcard`) cost beside the words of the same text, on disk and in
 * CPU, and how fast does it say which chunks may match and give their text? Files of source folders, one document each; the
 * engine runs in this process without threads, so that CPU seconds are those of the work. Every document is compared with
 * its file, and every search with a scan of the text, before anything is reported.
 */
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { PROPERTIES } from "../code/index.js";
import { type EngineFace, type Index, openEngine } from "../engine/index.js";
import type { Field } from "../engine/mapping/field-table.js";
import type { Mapping } from "../engine/mapping/mapping.js";
import { gramsOfBytes } from "../engine/regex/index.js";
import type { OpenSegment } from "../engine/segment/reader.js";
import type { IndexShard } from "../engine/shard/index.js";
import { folderSections, sumBy } from "./segment-bytes.js";
import { printTable } from "./statistics.js";

/** Larger files are not source. */
const MOST_BYTES = 1 << 20;
const BATCH_BYTES = 8 << 20;
const ROUNDS = 15;
const LITERALS = [
  "fib6_table_lookup",
  "spin_lock_irqsave",
  "return -EINVAL;",
  "unexpected end of",
  "deadlock",
  "HashMap",
  "BeanFactory",
  "no such text anywhere",
];

interface SourceFile {
  readonly path: string;
  readonly body: string;
}

/** `folders`: what to read. */
export async function benchLines(folders: readonly string[]): Promise<void> {
  const files = folders.flatMap(filesOf);
  const textBytes = files.reduce((sum, { body }) => sum + Buffer.byteLength(body), 0);
  console.log(`${files.length} files, ${(textBytes / 1e6).toFixed(1)} MB of text`);
  const words = PROPERTIES["pinakes-files"]?.body as { analyzer: string };
  const text = { type: "text", analyzer: words.analyzer } as const;
  const lines = { type: "wildcard" } as const;
  const rows = [];
  for (const [name, body] of [
    ["words", text],
    ["lines", lines],
    ["words and lines", { ...text, fields: { lines } }],
  ] as const) {
    rows.push(await benchMapping(name, body, files, textBytes));
  }
  printTable("the same files, by what is indexed of them", rows);
}

async function benchMapping(name: string, body: object, files: readonly SourceFile[], textBytes: number) {
  const folder = mkdtempSync(path.join(tmpdir(), "pinakes-lines-"));
  const engine = await openEngine(folder, { workers: 0 });
  try {
    const index = await createIndex(engine, { path: { type: "keyword" }, body } as Mapping["properties"]);
    const written = await cpuSeconds(() => write(index, files));
    check(index, files);
    const merge = await cpuSeconds(() => index.forceMerge({ maxSegments: 1, onlyDeletes: false }));
    check(index, files);
    report(name, index, path.join(folder, "indices", index.definition.uuid), textBytes);
    return {
      indexed: name,
      "write, CPU s": written,
      "merge to one, CPU s": merge,
      "write MB/CPU s": textBytes / 1e6 / written,
      "merge MB/CPU s": textBytes / 1e6 / merge,
    };
  } finally {
    await engine.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

function createIndex(engine: EngineFace, properties: Mapping["properties"]): Promise<Index> {
  return engine.createIndex("files", {
    mapping: { dynamic: "strict", properties },
    analysis: { analyzer: {}, tokenizer: {}, filter: {}, charFilter: {}, normalizer: {} },
    refreshIntervalMs: -1,
    durability: "async",
    totalFieldsLimit: 1000,
    maxResultWindow: 10_000,
    settings: {},
  });
}

function filesOf(folder: string): SourceFile[] {
  const found: SourceFile[] = [];
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    const file = path.join(entry.parentPath, entry.name);
    if (!entry.isFile() || file.includes("/.git/")) continue;
    const bytes = readFileSync(file);
    if (bytes.length > MOST_BYTES || bytes.includes(0)) continue;
    found.push({ path: file, body: bytes.toString("utf8") });
  }
  return found.sort((a, b) => (a.path < b.path ? -1 : 1));
}

async function write(index: Index, files: readonly SourceFile[]): Promise<void> {
  let batch: { kind: "index"; id: string; source: Buffer }[] = [];
  let bytes = 0;
  const send = async () => {
    for (const outcome of await index.write(batch)) if (!outcome.ok) throw outcome.error;
    batch = [];
    bytes = 0;
  };
  for (const file of files) {
    const source = Buffer.from(JSON.stringify(file));
    batch.push({ kind: "index", id: file.path, source });
    bytes += source.length;
    if (bytes >= BATCH_BYTES) await send();
  }
  await send();
  await index.flush();
  await index.refresh();
}

function check(index: Index, files: readonly SourceFile[]): void {
  for (const file of files.filter((_, i) => i % 97 === 0)) {
    const found = index.get(file.path);
    if (found === undefined || Buffer.from(found.source).toString() !== JSON.stringify(file)) {
      throw new Error(`${file.path} came back otherwise`);
    }
  }
}

/** Prints where the bytes are, and how long the index takes to say what may match. */
function report(name: string, index: Index, folder: string, textBytes: number): void {
  const handle = (index as IndexShard).acquireReader();
  try {
    const fields: string[] = [];
    for (const field of handle.reader.fields.values()) fields[field.ordinal] = field.path;
    const { sections } = folderSections(folder, fields);
    const rows = [...sumBy(sections, "kind")].filter(([, bytes]) => bytes > textBytes / 2000);
    printTable(
      `${name}, merged to one segment`,
      rows.map(([structure, bytes]) => ({ structure, MB: bytes / 1e6, "% of text": (100 * bytes) / textBytes })),
    );
    const lines = [...handle.reader.fields.values()].find(({ trigrams }) => trigrams);
    if (lines !== undefined) {
      printTable(
        "candidates of literals, the best round",
        LITERALS.map((literal) => candidates(handle.reader.leaves[0]!.segment as OpenSegment, lines, literal)),
      );
    }
  } finally {
    handle.release();
  }
}

function candidates(segment: OpenSegment, field: Field, literal: string) {
  const query = gramsOfBytes(Buffer.from(literal));
  const times: number[] = [];
  const readTimes: number[] = [];
  let chunks: Uint32Array = new Uint32Array(0);
  let [hits, bytes] = [0, 0];
  segment.beginUse();
  try {
    const trigrams = segment.trigrams(field)!;
    const all = Buffer.from(segment.storage.arena.memory.buffer);
    const wanted = Buffer.from(literal);
    const has = (chunk: number) => {
      const at = trigrams.loadChunks(chunk, chunk);
      return all.subarray(at, at + trigrams.chunkLength(chunk)).includes(wanted);
    };
    const scanned = Array.from({ length: trigrams.chunkCount }, (_, chunk) => chunk).filter(has);
    for (let round = 0; round < ROUNDS; round++) {
      const start = performance.now();
      chunks = trigrams.chunks(query);
      times.push(performance.now() - start);
      const read = performance.now();
      hits = chunks.filter(has).length;
      readTimes.push(performance.now() - read);
    }
    if (hits !== scanned.length) throw new Error(`${literal}: ${hits} chunks of ${scanned.length}`);
    bytes = chunks.reduce((sum, chunk) => sum + trigrams.chunkLength(chunk), 0);
  } finally {
    segment.endUse();
  }
  return {
    literal,
    chunks: chunks.length,
    "that have it": hits,
    "candidates ms": Math.min(...times),
    "read and find ms": Math.min(...readTimes),
    "MB/s": bytes / 1e3 / Math.min(...readTimes),
  };
}

async function cpuSeconds(action: () => Promise<void>): Promise<number> {
  const before = process.cpuUsage();
  await action();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1e6;
}
