/**
 * Question: how many documents a second does a node take through HTTP `_bulk` until they are durable, and how many files
 * a second does autoindex take? The client runs in this process, the node in its own, so on two cores each has one.
 */
import { autoindex } from "../autoindex/index.js";
import { Client } from "../client/index.js";
import { LOG_INDEX, logBatches } from "./corpus/logs.js";
import { type BenchNode, cpuSeconds, folderBytes, residentMegabytes, startNode } from "./node-process.js";
import { percentile, printTable } from "./statistics.js";

const BATCH = 5000;
const CONNECTIONS = 2;

export interface IngestOptions {
  documents: number;
  /** Folders of source code to index. */
  folders: string[];
}

export async function benchIngest(options: IngestOptions): Promise<void> {
  const node = await startNode();
  try {
    printTable("logs through _bulk", [await ingestLogs(node, options.documents)]);
    const rows: Record<string, string | number>[] = [];
    for (const folder of options.folders) rows.push(await ingestFolder(node, folder));
    printTable("folders through autoindex", rows);
  } finally {
    await node.stop();
  }
}

/** Sends the corpus in a closed loop; checks that every document arrived before it reports. */
export async function ingestLogs(node: BenchNode, documents: number): Promise<Record<string, number>> {
  const bodies = logBatches(documents, BATCH, 42);
  const client = new Client({ url: node.url, connections: CONNECTIONS, timeoutMs: 600_000 });
  await client.json("PUT", "/logs", LOG_INDEX);
  const before = cpuSeconds(node.pid);
  const start = performance.now();
  const latencies: number[] = [];
  let next = 0;
  const lane = async () => {
    for (let body = bodies[next++]; body; body = bodies[next++]) {
      const sent = performance.now();
      const reply = await client.request("POST", "/logs/_bulk", body, "application/x-ndjson");
      if (reply.status !== 200 || !reply.text.includes('"errors":false')) throw new Error(reply.text.slice(0, 500));
      latencies.push(performance.now() - sent);
    }
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, lane));
  const seconds = (performance.now() - start) / 1000;
  const cpu = cpuSeconds(node.pid) - before;
  await client.json("POST", "/logs/_refresh");
  const { count } = await client.json<{ count: number }>("GET", "/logs/_count");
  if (count !== documents) throw new Error(`${documents} documents were acknowledged, ${count} are there`);
  await client.json("POST", "/logs/_flush");
  client.close();
  const bytes = bodies.reduce((sum, body) => sum + body.length, 0);
  return {
    documents,
    "docs/s": documents / seconds,
    "MB/s": bytes / 1e6 / seconds,
    "docs per CPU s": documents / cpu,
    "batch p50 ms": percentile(latencies, 0.5),
    "batch p99 ms": percentile(latencies, 0.99),
    "resident MB": residentMegabytes(node.pid),
    "disk bytes/doc": folderBytes(node.dataFolder) / documents,
  };
}

async function ingestFolder(node: BenchNode, folder: string): Promise<Record<string, string | number>> {
  const client = new Client({ url: node.url, connections: 2, timeoutMs: 600_000 });
  const run = async () => {
    const start = performance.now();
    const summary = await autoindex({ client, folder });
    return { summary, seconds: (performance.now() - start) / 1000 };
  };
  const first = await run();
  const second = await run();
  client.close();
  if (second.summary.indexed !== 0)
    throw new Error(`an unchanged folder was read again: ${second.summary.indexed} files`);
  return {
    folder,
    files: first.summary.indexed,
    "files/s": first.summary.indexed / first.seconds,
    "MB/s": first.summary.bytes / 1e6 / first.seconds,
    declarations: first.summary.declarations,
    "seconds, second run": second.seconds,
  };
}
