/**
 * Question: what does a reader notice of a writer? One client asks, closed loop, kind by kind: with nobody else there,
 * while another process writes at a steady rate, and while one writes as fast as it is answered. Reader, writer and node
 * are processes of their own. With `--peer URL` the same is asked of another server, in the same run.
 *
 * A tail is made of a few requests, and of whatever else the machine does meanwhile: so there are rounds, each on a new
 * index with the three loads one after the other, servers taking turns; the tables have the median of the rounds.
 * At the end the node says what its slowest requests under the flood of the last round waited for.
 */
import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";
import { Client } from "../client/index.js";
import { ingestLogs } from "./ingest.js";
import { logQueries } from "./log-queries.js";
import { startNode } from "./node-process.js";
import { median, percentile, printTable, rounded } from "./statistics.js";

export interface MixedOptions {
  documents: number;
  /** Of each kind, in each load of each round. */
  requests: number;
  rounds: number;
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

const LOADS = ["idle", "steady", "flood"] as const;
type Load = (typeof LOADS)[number];

/** Percentiles, milliseconds. */
interface Times {
  readonly p50: number;
  readonly p99: number;
}

/** By kind of query. */
type Kinds = Map<string, Times>;
type Measured = Record<Load, Kinds>;

const WARM = 30;
const INDEX = "logs";

export async function benchMixed(options: MixedOptions): Promise<void> {
  const node = await startNode();
  const own: Target = { name: "pinakes", url: node.url };
  const targets = options.peer === undefined ? [own] : [own, { name: "peer", url: options.peer }];
  const rounds = new Map(targets.map((target) => [target, [] as Measured[]]));
  try {
    for (let round = 1; round <= options.rounds; round++) {
      process.stdout.write(`round ${round} of ${options.rounds}\n`);
      for (const [target, measured] of rounds) measured.push(await measureLoads(target, options));
    }
    const medians = [...rounds].map(([target, measured]) => [target, medianOf(measured)] as const);
    for (const [target, measured] of medians) printLoads(target, measured, options);
    const [ours, theirs] = medians.map(([, measured]) => measured);
    if (theirs !== undefined) printRatios(ours, theirs);
    await printSlowest(node.url);
  } finally {
    await node.stop();
  }
}

/** One round: a new index, at rest, and the three loads one after the other. */
async function measureLoads(target: Target, options: MixedOptions): Promise<Measured> {
  await fetch(`${target.url}/${INDEX}`, { method: "DELETE" });
  await ingestLogs({ url: target.url }, options.documents);
  await untilAtRest(target);
  const idle = await measure(target, options);
  const steady = await whileWriting(target, options.rate, () => measure(target, options));
  await fetch(`${target.url}/_pinakes/slow_requests?reset=true`);
  const flood = await whileWriting(target, 0, () => measure(target, options));
  return { idle, steady, flood };
}

/** Resolves when no merge of what was loaded runs any more. */
async function untilAtRest({ url }: Target): Promise<void> {
  for (;;) {
    const reply = await fetch(`${url}/${INDEX}/_stats/merge`);
    const { _all: all } = (await reply.json()) as { _all: { total: { merges: { current: number } } } };
    if (all.total.merges.current === 0) return;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

function medianOf(rounds: readonly Measured[]): Measured {
  const loads = LOADS.map((load) => {
    const kinds = [...rounds[0][load].keys()].map((kind) => {
      const times = rounds.map((round) => round[load].get(kind) ?? { p50: Number.NaN, p99: Number.NaN });
      const p50 = median(times.map((time) => time.p50));
      return [kind, { p50, p99: median(times.map((time) => time.p99)) }] as const;
    });
    return [load, new Map(kinds)] as const;
  });
  return Object.fromEntries(loads) as Measured;
}

function printLoads(target: Target, measured: Measured, options: MixedOptions): void {
  const rows = tableOf(measured, (load, kind) => measured[load].get(kind));
  const title = `${target.name}: ms idle, with ${options.rate} documents/s, and with a flood`;
  printTable(`${title}; medians of ${options.rounds} rounds of ${options.requests}`, rows);
}

/** A row a kind, two columns a load. */
function tableOf(
  measured: Measured,
  cell: (load: Load, kind: string) => Times | undefined,
): Record<string, string | number>[] {
  return [...measured.idle.keys()].map((kind) => {
    const cells = LOADS.flatMap((load) => {
      const { p50, p99 } = cell(load, kind) ?? { p50: Number.NaN, p99: Number.NaN };
      return [
        [`${load} p50`, p50],
        [`${load} p99`, p99],
      ] as const;
    });
    return { kind, ...Object.fromEntries(cells) };
  });
}

async function measure(target: Target, options: MixedOptions): Promise<Kinds> {
  const client = new Client({ url: target.url, connections: 1, timeoutMs: 600_000 });
  const measured: Kinds = new Map();
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

function printRatios(own: Measured, peer: Measured): void {
  const ratio = (load: Load, kind: string) => {
    const [ours, theirs] = [own[load].get(kind), peer[load].get(kind)];
    return ours && theirs ? { p50: ours.p50 / theirs.p50, p99: ours.p99 / theirs.p99 } : undefined;
  };
  printTable("pinakes / peer (below 1: faster)", tableOf(own, ratio));
}
