/**
 * Question: how many documents a second does a node take through HTTP `_bulk` until they are durable? The client runs in
 * this process, the node in its own, so on two cores each has one.
 */
import { Client } from "../client/index.js";
import { CODE_INDEX, codeBatches } from "./corpus/code.js";
import { LOG_INDEX, logBatches } from "./corpus/logs.js";
import { type BenchNode, cpuSeconds, folderBytes, residentMegabytes, startNode } from "./node-process.js";
import { percentile, printTable } from "./statistics.js";

const BATCH = 5000;
const CODE_BATCH = 1000;
const CONNECTIONS = 2;

export interface IngestOptions {
  documents: number;
  /** Folders of source code; windows of the first one are documents. */
  folders: string[];
}

export async function benchIngest(options: IngestOptions): Promise<void> {
  const node = await startNode();
  try {
    printTable("logs through _bulk", [await ingestLogs(node, options.documents)]);
    const [sources] = options.folders;
    printTable(`windows of ${sources} through _bulk`, [await ingestCode(node, sources, options.documents / 5)]);
  } finally {
    await node.stop();
  }
}

/** A node whose process and files can be looked at, or a server of which only the address is known. */
export type MeasuredNode = Pick<BenchNode, "url"> & Partial<BenchNode>;

/** Sends the log corpus; see `ingest`. */
export function ingestLogs(node: MeasuredNode, documents: number): Promise<Record<string, number>> {
  return ingest(node, { index: "logs", definition: LOG_INDEX, bodies: logBatches(documents, BATCH, 42), documents });
}

/** Sends windows of the source files of a folder; see `ingest`. */
function ingestCode(node: MeasuredNode, folder: string, documents: number): Promise<Record<string, number>> {
  const bodies = codeBatches(folder, documents, CODE_BATCH);
  return ingest(node, { index: "code", definition: CODE_INDEX, bodies, documents });
}

interface Corpus {
  index: string;
  definition: object;
  bodies: readonly Buffer[];
  documents: number;
}

/** Sends a corpus in a closed loop; checks that every document arrived before it reports. */
async function ingest(
  node: MeasuredNode,
  { index, definition, bodies, documents }: Corpus,
): Promise<Record<string, number>> {
  const client = new Client({ url: node.url, connections: CONNECTIONS, timeoutMs: 600_000 });
  await client.json("PUT", `/${index}`, definition);
  const bytesBefore = node.dataFolder === undefined ? Number.NaN : folderBytes(node.dataFolder);
  const before = cpuSeconds(node.pid ?? 0);
  const start = performance.now();
  const latencies: number[] = [];
  let next = 0;
  const lane = async () => {
    for (let body = bodies[next++]; body; body = bodies[next++]) {
      const sent = performance.now();
      const reply = await client.request("POST", `/${index}/_bulk`, body, "application/x-ndjson");
      if (reply.status !== 200 || !reply.text.includes('"errors":false')) throw new Error(reply.text.slice(0, 500));
      latencies.push(performance.now() - sent);
    }
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, lane));
  const seconds = (performance.now() - start) / 1000;
  const cpu = cpuSeconds(node.pid ?? 0) - before;
  await client.json("POST", `/${index}/_refresh`);
  const { count } = await client.json<{ count: number }>("GET", `/${index}/_count`);
  if (count !== documents) throw new Error(`${documents} documents were acknowledged, ${count} are there`);
  await client.json("POST", `/${index}/_flush`);
  client.close();
  const bytes = bodies.reduce((sum, body) => sum + body.length, 0);
  return {
    documents,
    "bytes/doc": bytes / documents,
    "docs/s": documents / seconds,
    "MB/s": bytes / 1e6 / seconds,
    "docs per CPU s": documents / cpu,
    "batch p50 ms": percentile(latencies, 0.5),
    "batch p99 ms": percentile(latencies, 0.99),
    "resident MB": residentMegabytes(node.pid ?? 0),
    "disk bytes/doc":
      (node.dataFolder === undefined ? Number.NaN : folderBytes(node.dataFolder) - bytesBefore) / documents,
  };
}
