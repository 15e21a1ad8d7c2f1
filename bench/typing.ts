/**
 * Question: how long does a page of hits take while a name is typed letter by letter, on 100,000 declarations or more?
 * Names are drawn from the index with a fixed seed; each of their beginnings, from one letter on, is one search for ten
 * hits over HTTP. A beginning of two letters or more must find the name's kind: every hit's name has the typed letters.
 * The second figure is the command line's: `pinakes search def:NAME`, process start included.
 */
import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { autoindex } from "../autoindex/index.js";
import { Client } from "../client/index.js";
import { INDEX, toTypingSearch } from "../code/index.js";
import { startNode } from "./node-process.js";
import { randomNumbers } from "./random.js";
import { percentile, printTable } from "./statistics.js";

export interface TypingBenchOptions {
  folders: readonly string[];
  /** A node that has them already. */
  url?: string;
  /** Names to type. */
  names: number;
}

interface Found {
  hits: { hits: { _source: { name: string } }[] };
}

const PAGE = 10;
const LETTERS = 12;
const WARM_UP = 50;
const COMMANDS = 15;
const PROGRAM = fileURLToPath(new URL("../../bin/pinakes.js", import.meta.url));

export async function benchTyping({ folders, url, names }: TypingBenchOptions): Promise<void> {
  const node = url === undefined ? await startNode() : undefined;
  const client = new Client({ url: url ?? node!.url, connections: 1, timeoutMs: 600_000 });
  try {
    if (node) for (const folder of folders) await autoindex({ client, folder });
    const { count } = await client.json<{ count: number }>("POST", `/${INDEX.declarations}/_count`, {});
    const typed = await drawNames(client, names);
    for (const name of typed.slice(0, WARM_UP)) await search(client, name);
    const byLength = new Map<number, number[]>();
    for (const name of typed) {
      for (let letters = 1; letters <= Math.min(name.length, LETTERS); letters++) {
        const beginning = name.slice(0, letters);
        const start = performance.now();
        const found = await search(client, beginning);
        byLength.set(letters, [...(byLength.get(letters) ?? []), performance.now() - start]);
        checkFound(beginning, found);
      }
    }
    const row = (label: string, times: readonly number[]) => ({
      letters: label,
      searches: times.length,
      "p50 ms": percentile(times, 0.5),
      "p99 ms": percentile(times, 0.99),
    });
    const rows = [...byLength].map(([letters, times]) => row(String(letters), times));
    printTable(`a page of ${PAGE} hits as names are typed, ${count} declarations`, [
      ...rows,
      row("all", [...byLength.values()].flat()),
    ]);
    printTable("the command line, process start included", [row("search def:NAME", commandTimes(client.url, typed))]);
  } finally {
    client.close();
    await node?.stop();
  }
}

/** Names of declarations, drawn by chance from those that look like names. */
async function drawNames(client: Client, count: number): Promise<string[]> {
  const aggs = { names: { terms: { field: "name", size: 20_000, order: { _key: "asc" } } } };
  const query = { bool: { must_not: [{ terms: { kind: ["window", "section", "test"] } }] } };
  const answer = await client.json<{ aggregations: { names: { buckets: { key: string }[] } } }>(
    "POST",
    `/${INDEX.declarations}/_search`,
    { size: 0, query, aggs },
  );
  const all = answer.aggregations.names.buckets.map(({ key }) => key).filter((name) => /^[A-Za-z_]\w{3,}$/.test(name));
  if (all.length === 0) throw new Error("the index holds no names");
  const random = randomNumbers(7);
  return Array.from({ length: count }, () => all[Math.floor(random() * all.length)]!);
}

function search(client: Client, typed: string): Promise<Found> {
  return client.json<Found>("POST", `/${INDEX.declarations}/_search`, toTypingSearch(typed, { size: PAGE }));
}

/** A fast wrong answer is none. */
function checkFound(beginning: string, { hits }: Found): void {
  const letters = beginning.toLowerCase().replaceAll("_", "");
  const wrong = hits.hits.find(({ _source }) => !_source.name.toLowerCase().replaceAll("_", "").includes(letters));
  if (hits.hits.length === 0 || wrong) throw new Error(`"${beginning}" found ${wrong?._source.name ?? "nothing"}`);
}

function commandTimes(url: string, names: readonly string[]): number[] {
  return names.slice(0, COMMANDS).map((name) => {
    const start = performance.now();
    const { status, stderr } = spawnSync(process.execPath, [PROGRAM, "search", `def:${name}`, "--url", url], {
      encoding: "utf8",
    });
    if (status !== 0) throw new Error(`pinakes search def:${name} ended with ${status}: ${stderr}`);
    return performance.now() - start;
  });
}
