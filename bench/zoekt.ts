/**
 * Question: is each of twelve queries answered sooner than by a warm zoekt web server that holds the same folder? Both are
 * asked over one connection that is kept, by the same code, in turns, for the first 50 files and for every line. How many
 * lines each finds stands beside the times: zoekt leaves out files with over-long lines or very many trigrams.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { cpus, loadavg, tmpdir } from "node:os";
import path from "node:path";
import { autoindex } from "../autoindex/index.js";
import { Client } from "../client/index.js";
import { startNode } from "./node-process.js";
import { median, percentile, printTable } from "./statistics.js";
import { startZoekt } from "./zoekt/peer.js";
import { type AskedBoth, QUERIES } from "./zoekt/queries.js";
import { type Extent, pinakesServer, type Server, zoektServer } from "./zoekt/servers.js";

export interface ZoektBenchOptions {
  readonly folders: readonly string[];
  /** A node that holds the folder already, and a zoekt web server that does. */
  readonly url: string | undefined;
  readonly peer: string | undefined;
  /** Rounds at most: what takes long is asked less often. */
  readonly rounds: number;
}

/** Compiled and cached is what has been asked so often, or for so long. */
const WARM_UP = 60;
const WARM_UP_MS = 1_500;
/** Milliseconds that one server may take for one query, and how often it is asked all the same. */
const MOST_MS = 2_000;
const LEAST_ROUNDS = 3;

export async function benchZoekt({ folders, url, peer, rounds }: ZoektBenchOptions): Promise<void> {
  const work = mkdtempSync(path.join(tmpdir(), "pinakes-zoekt-"));
  const ends: (() => Promise<void>)[] = [async () => rmSync(work, { recursive: true, force: true })];
  try {
    const zoekt = peer === undefined ? await startZoekt(folders[0], work) : undefined;
    if (zoekt !== undefined) {
      ends.push(zoekt.stop);
      console.log(`zoekt indexed in ${zoekt.indexSeconds.toFixed(1)} s`);
    }
    const node = url === undefined ? await indexed(folders[0]) : undefined;
    if (node !== undefined) ends.push(node.stop);
    const servers = [pinakesServer(url ?? node!.url), zoektServer(peer ?? zoekt!.url)];
    ends.push(async () => {
      for (const server of servers) server.close();
    });
    const load = loadavg().map((value) => value.toFixed(1));
    console.log(`load ${load.join(" ")}, ${cpus().length} cores`);
    await report("page", servers, rounds);
    await report("all", servers, rounds);
  } finally {
    for (const end of ends.reverse()) await end();
  }
}

async function indexed(folder: string) {
  const node = await startNode();
  const client = new Client({ url: node.url, timeoutMs: 600_000 });
  await autoindex({ client, folder, history: "none" });
  client.close();
  return node;
}

async function report(extent: Extent, servers: readonly Server[], rounds: number): Promise<void> {
  const rows = [];
  for (const query of QUERIES) rows.push(await row(query, extent, { servers, rounds }));
  const what = extent === "page" ? "the first 50 files with their lines" : "every line";
  printTable(`${what}: ms, medians of at most ${rounds} rounds`, rows);
  const behind = rows.filter(({ pinakes, zoekt }) => pinakes > zoekt).map(({ query }) => query);
  console.log(behind.length === 0 ? "ahead on all" : `behind on ${behind.join(", ")}`);
}

async function row(
  query: AskedBoth,
  extent: Extent,
  { servers, rounds }: { servers: readonly Server[]; rounds: number },
) {
  const made = servers.map((server) => server.make(query, extent));
  const lines: number[] = [];
  for (const [at, server] of servers.entries()) {
    const until = performance.now() + WARM_UP_MS;
    lines.push(server.lines((await server.ask(made[at])).body));
    for (let n = 0; n < WARM_UP && performance.now() < until; n++) await server.ask(made[at]);
  }
  const times: number[][] = servers.map(() => []);
  const spent = servers.map(() => 0);
  for (let round = 0; round < rounds; round++) {
    for (const [at, server] of servers.entries()) {
      if (spent[at] > MOST_MS && times[at].length >= LEAST_ROUNDS) continue;
      const { ms } = await server.ask(made[at]);
      times[at].push(ms);
      spent[at] += ms;
    }
  }
  const [pinakes, zoekt] = times.map(median);
  return {
    query: query.name,
    pinakes,
    zoekt,
    ratio: zoekt / pinakes,
    "pinakes p90": percentile(times[0], 0.9),
    "zoekt p90": percentile(times[1], 0.9),
    "pinakes lines": lines[0],
    "zoekt lines": lines[1],
  };
}
