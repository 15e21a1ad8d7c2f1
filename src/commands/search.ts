import { Client } from "../../client/index.js";
import {
  type CodeHit,
  type CodeQuery,
  INDEX,
  matchingLines,
  parseHits,
  parseLocator,
  parseQuery,
  toSearch,
  wantedTexts,
} from "../../code/index.js";
import { type Located, locate, type Place, stateNote, Workspace } from "../../mcp/index.js";
import { type Invocation, text, UsageError, wholeNumber } from "../command.js";
import { findNode } from "../node/find-node.js";
import { reindexing } from "../reindexing.js";

const DEFAULT_LIMIT = 10;
const LINES_PER_HIT = 3;
const LONGEST_LINE = 300;

/** `pinakes search QUERY`: matching lines as grep prints them, best declaration first. Exit status 1 when nothing is found. */
export async function runSearch(call: Invocation): Promise<number> {
  const limit = wholeNumber(call, "limit", { min: 1, max: 1000 }) ?? DEFAULT_LIMIT;
  const query = parsed(call.args.join(" "));
  const client = new Client({ url: findNode({ url: text(call, "url"), data: text(call, "data") }) });
  try {
    const body = toSearch(query, { from: 0, size: limit, words: "all" });
    const { hits, total } = parseHits(await client.json("POST", `/${INDEX.declarations}/_search`, body));
    await printHits(client, hits, query);
    if (total > hits.length)
      process.stderr.write(`${hits.length} of ${total} declarations shown; --limit shows more\n`);
    return hits.length > 0 ? 0 : 1;
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

async function printHits(client: Client, hits: CodeHit[], query: CodeQuery): Promise<void> {
  const workspace = await Workspace.open({
    client,
    reindexFile: reindexing(client),
  });
  const wanted = wantedTexts(query);
  for (const hit of hits) {
    const known = { code: hit.code, signature: hit.signature };
    const located = await locate(workspace, { locator: parseLocator(hit.locator), repo: hit.repo, known });
    process.stdout.write(`${hitLines(hit, located, wanted).join("\n")}\n`);
  }
  for (const warning of workspace.warnings) process.stderr.write(`${warning}\n`);
}

/** A hit's lines as they are now; a place that is gone is said to be gone instead. */
function hitLines(hit: CodeHit, located: Located, wanted: string[]): string[] {
  const note = stateNote(located);
  if (located.state === "gone") return [`${hit.path}:${hit.startLine}: (${note})`];
  const { place } = located;
  const shown = linesOf(place, wanted).map(({ line, text }) => `${place.path}:${line}: ${cut(text)}`);
  return note === "" ? shown : [...shown.slice(0, -1), `${shown.at(-1)}  (${note})`];
}

function linesOf(place: Place, wanted: string[]): { line: number; text: string }[] {
  const code = place.lines.join("\n");
  const lines = matchingLines({ code, startLine: place.startLine, wanted, count: LINES_PER_HIT });
  return lines.length > 0 ? lines : [{ line: place.startLine, text: place.lines[0] ?? "" }];
}

function cut(line: string): string {
  if (line.length <= LONGEST_LINE) return line;
  return `${line.slice(0, LONGEST_LINE)} [${line.length - LONGEST_LINE} more characters]`;
}
