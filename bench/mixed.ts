/**
 * Question: what does a reader notice of a writer? One client asks, closed loop, kind by kind: with nobody else there,
 * while another process writes at a steady rate, and while one writes as fast as it is answered. Reader, writer and node
 * are processes of their own. With `--peer URL` the same is asked of another server, in the same run.
 *
 * At the end the node says what its slowest requests under the flood waited for.
 */
import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";
import { Client } from "../client/index.js";
import { ingestLogs } from "./ingest.js";
import { logQueries } from "./log-queries.js";
import { startNode } from "./node-process.js";
import { percentile, printTable, rounded } from "./statistics.js";

export interface MixedOptions {
  documents: number;
  requests: number;
  /** Documents a second that the steady writer writes. */
  rate: number;
  /** Another server to ask the same. */
  peer: string | undefined;
}

/** Who is asked, and what of. */
interface Target {
  readonly name: string;
  readonly url: string;
}

type Load = "idle" | "steady" | "flood";

/** Percentiles by kind. */
type Measured = Map<string, { p50: number; p99: number }>;

const WARM = 30;
const INDEX = "logs";

export async function benchMixed(options: MixedOptions): Promise<void> {
  const node = await startNode();
  try {
    await ingestLogs(node, options.documents);
    const own = await measureLoads({ name: "pinakes", url: node.url }, options);
    await printSlowest(node.url);
    if (options.peer === undefined) return;
    await loadPeer(options.peer, options.documents);
    const peer = await measureLoads({ name: "peer", url: options.peer }, options);
    printRatios(own, peer);
  } finally {
    await node.stop();
  }
}

async function measureLoads(target: Target, options: MixedOptions): Promise<Record<Load, Measured>> {
  const idle = await measure(target, options);
  const steady = await whileWriting(target, options.rate, () => measure(target, options));
  await fetch(`${target.url}/_pinakes/slow_requests?reset=true`);
  const flood = await whileWriting(target, 0, () => measure(target, options));
  const rows = [...idle.keys()].map((kind) => {
    const cells = Object.entries({ idle, steady, flood }).flatMap(([load, measured]) => {
      const { p50, p99 } = measured.get(kind) ?? { p50: Number.NaN, p99: Number.NaN };
      return [
        [`${load} p50`, p50],
        [`${load} p99`, p99],
      ] as const;
    });
    return { kind, ...Object.fromEntries(cells) };
  });
  printTable(`${target.name}: ms idle, with ${options.rate} documents/s, and with a flood`, rows);
  return { idle, steady, flood };
}

async function measure(target: Target, options: MixedOptions): Promise<Measured> {
  const client = new Client({ url: target.url, connections: 1, timeoutMs: 600_000 });
  const measured: Measured = new Map();
  try {
    for (const [kind, make] of Object.entries(logQueries(options.documents))) {
      const times: number[] = [];
      for (let i = -WARM; i < options.requests; i++) {
        const began = performance.now();
        const reply = await client.request("POST", `/${INDEX}/_search?request_cache=false`, make());
        if (reply.status !== 200) throw new Error(`${kind}: ${reply.text.slice(0, 300)}`);
        if (i >= 0) times.push(performance.now() - began);
      }
      measured.set(kind, { p50: percentile(times, 0.5), p99: percentile(times, 0.99) });
    }
  } finally {
    client.close();
  }
  return measured;
}

/** Runs something while a process of its own writes; `rate` 0: as fast as it is answered. */
async function whileWriting<T>(target: Target, rate: number, work: () => Promise<T>): Promise<T> {
  const program = fileURLToPath(new URL("./log-writer.js", import.meta.url));
  const writer = spawn(process.execPath, [program, target.url, INDEX, String(rate)], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  let told = "";
  writer.stdout.on("data", (chunk: Buffer) => {
    told += chunk.toString();
  });
  const began = new Promise<void>((resolve, reject) => {
    writer.stdout.once("data", () => resolve());
    writer.once("exit", () => reject(new Error("the writer ended before it wrote anything")));
  });
  const ended = new Promise<void>((resolve) => {
    writer.once("exit", () => resolve());
  });
  await began;
  try {
    return await work();
  } finally {
    writer.kill("SIGTERM");
    await ended;
    process.stdout.write(`  ${target.name}, writer ${rate === 0 ? "as fast as it can" : `at ${rate}/s`}: `);
    process.stdout.write(`${told.trim().split("\n").at(-1)}\n`);
  }
}

interface SlowRequest {
  took: number;
  heldBy: { what: string; ms: number }[];
  waitedForCore?: number;
  path: string;
  method: string;
}

async function printSlowest(url: string): Promise<void> {
  const reply = await fetch(`${url}/_pinakes/slow_requests`);
  const { requests } = (await reply.json()) as { requests: SlowRequest[] };
  const searches = requests.filter(({ path }) => path.endsWith("/_search")).slice(0, 10);
  process.stdout.write("\nthe slowest searches under the flood, in the node, and what held its thread meanwhile\n");
  for (const { took, heldBy, waitedForCore } of searches) {
    const held = heldBy.map(({ what, ms }) => `${what} ${rounded(ms)}`).join(", ");
    const rest = took - heldBy.reduce((sum, { ms }) => sum + ms, 0);
    process.stdout.write(`  ${rounded(took)} ms: ${held || "nothing"}; neither ${rounded(Math.max(0, rest))}`);
    process.stdout.write(
      waitedForCore === undefined ? "\n" : ` (waited for a core since the last: ${rounded(waitedForCore)})\n`,
    );
  }
}

async function loadPeer(url: string, documents: number): Promise<void> {
  await fetch(`${url}/${INDEX}`, { method: "DELETE" });
  await ingestLogs({ url }, documents);
}

function printRatios(own: Record<Load, Measured>, peer: Record<Load, Measured>): void {
  const loads: Load[] = ["idle", "steady", "flood"];
  const rows = [...own.idle.keys()].map((kind) => {
    const cells = loads.flatMap((load) => {
      const [ours, theirs] = [own[load].get(kind), peer[load].get(kind)];
      return [
        [`${load} p50`, (ours?.p50 ?? Number.NaN) / (theirs?.p50 ?? Number.NaN)],
        [`${load} p99`, (ours?.p99 ?? Number.NaN) / (theirs?.p99 ?? Number.NaN)],
      ] as const;
    });
    return { kind, ...Object.fromEntries(cells) };
  });
  printTable("pinakes / peer (below 1: faster)", rows);
}
