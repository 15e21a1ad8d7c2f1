/**
 * Question: how long does one client wait for an answer, by kind of query, over a log corpus and a code corpus? Closed
 * loop, one connection, parameters drawn from the corpus (seeded). The sum of totals is printed beside the times: it
 * must not change between runs, so a fast wrong answer shows.
 */
import { autoindex } from "../autoindex/index.js";
import { Client } from "../client/index.js";
import { parseQuery, toSearch } from "../code/index.js";
import { ingestLogs } from "./ingest.js";
import { logQueries } from "./log-queries.js";
import { startNode } from "./node-process.js";
import { randomNumbers } from "./random.js";
import { percentile, printTable } from "./statistics.js";

const WARM = 50;

export interface QueryOptions {
  documents: number;
  folders: string[];
  requests: number;
}

type Body = Record<string, unknown>;

export async function benchQuery(options: QueryOptions): Promise<void> {
  const node = await startNode();
  const client = new Client({ url: node.url, connections: 1, timeoutMs: 600_000 });
  try {
    await ingestLogs(node, options.documents);
    printTable(
      "log corpus",
      await measureAll(client, { index: "logs", kinds: logQueries(options.documents), requests: options.requests }),
    );
    for (const folder of options.folders) await autoindex({ client, folder });
    if (options.folders.length > 0) {
      const kinds = await codeQueries(client);
      printTable(
        "code corpus",
        await measureAll(client, { index: "pinakes-decls", kinds, requests: options.requests }),
      );
    }
  } finally {
    client.close();
    await node.stop();
  }
}

interface Run {
  index: string;
  kinds: Record<string, () => Body>;
  requests: number;
}

async function measureAll(client: Client, run: Run): Promise<Record<string, string | number>[]> {
  const rows: Record<string, string | number>[] = [];
  for (const [kind, make] of Object.entries(run.kinds)) {
    const ask = () => client.request("POST", `/${run.index}/_search`, make());
    for (let i = 0; i < WARM; i++) await ask();
    const times: number[] = [];
    let totals = 0;
    for (let i = 0; i < run.requests; i++) {
      const start = performance.now();
      const reply = await ask();
      times.push(performance.now() - start);
      if (reply.status !== 200) throw new Error(`${kind}: ${reply.text.slice(0, 300)}`);
      totals += (JSON.parse(reply.text) as { hits: { total: { value: number } } }).hits.total.value;
    }
    rows.push({
      kind,
      n: times.length,
      "p50 ms": percentile(times, 0.5),
      "p99 ms": percentile(times, 0.99),
      "sum of totals": String(totals),
    });
  }
  return rows;
}

/** Kinds of query over indexed code: names and words that are there. */
async function codeQueries(client: Client): Promise<Record<string, () => Body>> {
  const body = { size: 500, _source: ["name"], query: { terms: { kind: ["function", "method", "class"] } } };
  const reply = await client.json<{ hits: { hits: { _source: { name: string } }[] } }>(
    "POST",
    "/pinakes-decls/_search",
    body,
  );
  const names = reply.hits.hits.map((hit) => hit._source.name);
  if (names.length === 0) throw new Error("the folder holds no functions or classes to ask for");
  const random = randomNumbers(7);
  const name = () => names[Math.floor(random() * names.length)]!;
  const search = (text: string): Body => ({ ...toSearch(parseQuery(text), { from: 0, size: 10, words: "all" }) });
  return {
    "one name": () => search(name()),
    "definition by name": () => search(`def:"${name()}"`),
    "two words": () => search("test error"),
  };
}
