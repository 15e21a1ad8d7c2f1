import { Client, WireError } from "../../client/index.js";
import {
  type CodeHit,
  type CodeHits,
  type CodeQuery,
  INDEX,
  parseHits,
  parseLocator,
  parseQuery,
  printable,
  toSearch,
  wantedTexts,
} from "../../code/index.js";
import {
  explainNoHits,
  type HitLine,
  type Located,
  locate,
  matchingHitLines,
  nameLine,
  stateNote,
  Workspace,
} from "../../mcp/index.js";
import { type Invocation, text, UsageError, wholeNumber } from "../command.js";
import { findNode } from "../node/find-node.js";
import { reindexing } from "../reindexing.js";
import { shownPath } from "../shown-path.js";

const DEFAULT_LIMIT = 10;
const LINES_PER_HIT = 3;
/** In UTF-8 bytes. */
const LONGEST_LINE = 300;
/** Most that is said when nothing is found. */
const EXPLANATION_TOKENS = 1000;

/** What a search command works with. */
interface Asked {
  text: string;
  query: CodeQuery;
  limit: number;
}

/** `pinakes search QUERY`: matching lines as grep prints them, best declaration first. Exit status 1 when nothing is found. */
export async function runSearch(call: Invocation): Promise<number> {
  const limit = wholeNumber(call, "limit", { min: 1, max: 1000 }) ?? DEFAULT_LIMIT;
  const words = call.args.join(" ");
  const asked = { text: words, query: parsed(words), limit };
  const client = new Client({ url: findNode({ url: text(call, "url"), data: text(call, "data") }) });
  try {
    return (await searchAndPrint(client, asked)) > 0 ? 0 : 1;
  } finally {
    client.close();
  }
}

function parsed(words: string): CodeQuery {
  try {
    return parseQuery(words);
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error));
  }
}

/** How many hits are there still. */
async function searchAndPrint(client: Client, { text, query, limit }: Asked): Promise<number> {
  const workspace = await Workspace.open({ client, reindexFile: reindexing(client) });
  const { hits, total, totalIs } = await findDeclarations(client, query, limit);
  const say = (line: string) => process.stderr.write(`${line}\n`);
  const there = await printHits(workspace, hits, query);
  if (hits.length === 0) {
    const nothing = { text, query, total: 0, totalIs: "exact", words: "all" } as const;
    say((await explainNoHits(workspace, [nothing], EXPLANATION_TOKENS)).trimEnd());
  }
  for (const warning of workspace.warnings) say(printable(warning));
  const count = totalIs === "exact" ? total : `at least ${total}`;
  if (total > hits.length) say(`${hits.length} of ${count} declarations shown; --limit shows more`);
  return there;
}

async function findDeclarations(client: Client, query: CodeQuery, limit: number): Promise<CodeHits> {
  const body = toSearch(query, { from: 0, size: limit, words: "all" });
  try {
    return parseHits(await client.json("POST", `/${INDEX.declarations}/_search`, body));
  } catch (error) {
    // Before the first folder there is no index: that is nothing found, and is explained as such.
    if (error instanceof WireError && error.status === 404) return { total: 0, totalIs: "exact", hits: [] };
    throw error;
  }
}

/** Prints each line once, with the best hit that has it; what is gone is told beside the output. */
async function printHits(workspace: Workspace, hits: CodeHit[], query: CodeQuery): Promise<number> {
  const wanted = wantedTexts(query);
  const printed = new Set<string>();
  let there = 0;
  for (const hit of hits) {
    const locator = { ...parseLocator(hit.locator), blob: hit.blob, span: hit.span };
    const located = await locate(workspace, { locator, repo: hit.repo, known: hit });
    if (located.state === "gone") {
      process.stderr.write(`${await pathOf(workspace, hit)}:${hit.startLine}: (${stateNote(located)})\n`);
      continue;
    }
    there++;
    const fresh = linesOf(hit, located, wanted).filter(({ key }) => !printed.has(key));
    for (const { key } of fresh) printed.add(key);
    const path = await pathOf(workspace, located.place);
    const note = stateNote(located);
    fresh.forEach((line, at) => {
      const ending = note === "" || at < fresh.length - 1 ? "" : `  (${note})`;
      process.stdout.write(`${path}:${line.line}: ${printable(line.text, "\t")}${ending}\n`);
    });
  }
  return there;
}

async function pathOf(workspace: Workspace, { repo, path }: { repo: string; path: string }): Promise<string> {
  return shownPath({ repo, path, onDisk: await workspace.placeOnDisk(repo, path) }, process.cwd());
}

/** A hit's lines as they are now; where no word stands on one, the line with its name. */
function linesOf(hit: CodeHit, { place }: Exclude<Located, { state: "gone" }>, wanted: string[]): HitLine[] {
  const request = { place, wanted, name: hit.name, count: LINES_PER_HIT, maxBytes: LONGEST_LINE };
  const matching = matchingHitLines(request);
  return matching.length > 0 ? matching : [nameLine(request)];
}
