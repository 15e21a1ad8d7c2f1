/**
 * Question: how near is the graph to the exact scan, and how much faster? 50,000 vectors of 128 dimensions in 200
 * Gaussian clusters (seeded); queries are drawn from the same clusters. Recall@10 is against the exact scan of the
 * same node, asked through the same HTTP.
 */
import { Client } from "../client/index.js";
import { startNode } from "./node-process.js";
import { gaussian, randomNumbers } from "./random.js";
import { percentile, printTable } from "./statistics.js";

const VECTORS = 50_000;
const DIMS = 128;
const CLUSTERS = 200;
const SPREAD = 0.15;
const QUERIES = 200;
const BATCH = 1000;
const K = 10;
const CANDIDATES = 100;
const GRAPH_PATIENCE_MS = 600_000;

const VECTOR = { type: "dense_vector", dims: DIMS, similarity: "cosine" };
/** A flat index is never searched by a graph: the same vectors, scanned. */
const FLAT = { index_options: { type: "flat" } };

interface Answer {
  ids: string[];
  ms: number;
  path: string;
}

export async function benchKnn(): Promise<void> {
  const node = await startNode();
  const client = new Client({ url: node.url, connections: 1, timeoutMs: 600_000 });
  try {
    const draw = vectorSource(7);
    await client.json("PUT", "/vectors", { mappings: { properties: { v: VECTOR, exact: { ...VECTOR, ...FLAT } } } });
    for (let made = 0; made < VECTORS; made += BATCH) await sendBatch(client, draw);
    await client.json("POST", "/vectors/_forcemerge?max_num_segments=1");
    await client.json("POST", "/vectors/_refresh");
    const graphSeconds = await untilGraph(client, draw());
    const rows = await measure(client, Array.from({ length: QUERIES }, draw));
    printTable(`knn, ${VECTORS} x ${DIMS}, k ${K}, graph after ${graphSeconds.toFixed(1)} s`, rows);
  } finally {
    client.close();
    await node.stop();
  }
}

/** Points around seeded cluster centres. */
function vectorSource(seed: number): () => number[] {
  const random = randomNumbers(seed);
  const normal = gaussian(random);
  const centres = Array.from({ length: CLUSTERS }, () => Array.from({ length: DIMS }, normal));
  return () => centres[Math.floor(random() * CLUSTERS)]!.map((value) => value + SPREAD * normal());
}

async function sendBatch(client: Client, draw: () => number[]): Promise<void> {
  const lines: string[] = [];
  for (let i = 0; i < BATCH; i++) {
    const v = draw().map((value) => Number(value.toFixed(5)));
    lines.push('{"index":{}}', JSON.stringify({ v, exact: v }));
  }
  const reply = await client.request("POST", "/vectors/_bulk", `${lines.join("\n")}\n`, "application/x-ndjson");
  if (!reply.text.includes('"errors":false')) throw new Error(reply.text.slice(0, 500));
}

/** The graph is built behind the writes; resolves to the seconds it took until searches use it. */
async function untilGraph(client: Client, probe: number[]): Promise<number> {
  const start = performance.now();
  for (;;) {
    const { path } = await approximate(client, probe);
    const seconds = (performance.now() - start) / 1000;
    if (path.includes("hnsw") || seconds * 1000 > GRAPH_PATIENCE_MS) return seconds;
    await new Promise((resolve) => setTimeout(resolve, 500));
  }
}

async function ask(client: Client, field: "v" | "exact", vector: number[]): Promise<Answer> {
  const knn = { field, query_vector: vector, k: K, num_candidates: CANDIDATES };
  const start = performance.now();
  const reply = await client.request("POST", "/vectors/_search", { size: K, _source: false, profile: true, knn });
  const ms = performance.now() - start;
  if (reply.status !== 200) throw new Error(reply.text.slice(0, 500));
  const answer = JSON.parse(reply.text) as { hits: { hits: { _id: string }[] }; profile: unknown };
  return { ids: answer.hits.hits.map((hit) => hit._id), ms, path: JSON.stringify(answer.profile) };
}

const approximate = (client: Client, vector: number[]) => ask(client, "v", vector);

async function measure(client: Client, queries: number[][]): Promise<Record<string, string | number>[]> {
  const exact: Answer[] = [];
  const near: Answer[] = [];
  for (const query of queries) {
    near.push(await approximate(client, query));
    exact.push(await exactScan(client, query));
  }
  const found = near.reduce((sum, answer, i) => sum + answer.ids.filter((id) => exact[i]!.ids.includes(id)).length, 0);
  const row = (name: string, answers: Answer[], recall: number) => ({
    path: name,
    "recall@10": recall,
    "p50 ms": percentile(
      answers.map((answer) => answer.ms),
      0.5,
    ),
    "p99 ms": percentile(
      answers.map((answer) => answer.ms),
      0.99,
    ),
  });
  return [
    row("exact scan", exact, 1),
    row(near[0]!.path.includes("hnsw") ? "graph" : "no graph", near, found / (K * queries.length)),
  ];
}

async function exactScan(client: Client, vector: number[]): Promise<Answer> {
  const answer = await ask(client, "exact", vector);
  if (answer.path.includes("hnsw")) throw new Error(`the exact scan was not exact: ${answer.path}`);
  return answer;
}
