import { Client } from "../../client/index.js";
import { isFileHit, printable, type SearchHits, type SearchRequest } from "../../code/index.js";
import {
  ChangedHits,
  datasetHints,
  explainNoHits,
  FEW_HITS,
  hintLines,
  Page,
  runRequest,
  Workspace,
  warnOfUnknown,
} from "../../mcp/index.js";
import { type Invocation, text } from "../command.js";
import { findNode } from "../node/find-node.js";
import { printCommits } from "../print-commits.js";
import { reindexing } from "../reindexing.js";
import { scopeResolver } from "../scopes.js";
import { type Asked, readAsked, searchError } from "../search/asked.js";
import { type HitPrinter, hitPrinter, type Summary } from "../search/print-hits.js";
import { printRequest, requestFor } from "../search/request.js";
import { showHit } from "../search/shown-hit.js";

/** Most that is said when nothing is found. */
const EXPLANATION_TOKENS = 1000;

/** `pinakes search QUERY`: matching lines as grep prints them, best declaration first. Exit status 1 when nothing is found. */
export async function runSearch(call: Invocation): Promise<number> {
  const asked = readAsked(call);
  const client = new Client({ url: findNode({ url: text(call, "url"), data: text(call, "data") }) });
  try {
    const resolveScopes = scopeResolver(client);
    const workspace = await Workspace.open({ client, reindexFile: reindexing(client), resolveScopes });
    if (call.options.explain === true) return await explain(workspace, asked);
    return (await searchAndPrint(workspace, asked)) > 0 ? 0 : 1;
  } catch (error) {
    throw searchError(asked, error);
  } finally {
    client.close();
  }
}

/** Prints the request instead of sending it. */
async function explain(workspace: Workspace, asked: Asked): Promise<number> {
  process.stdout.write(printRequest(requestFor(asked, await workspace.scopes(asked.query))));
  for (const warning of workspace.warnings) say(warning);
  return 0;
}

/** How many hits are there still. */
async function searchAndPrint(workspace: Workspace, asked: Asked): Promise<number> {
  if (asked.of === "commits") return printCommits(workspace, asked);
  const printer = hitPrinter(asked);
  const found = await printPages(workspace, asked, printer);
  const { shown, seen, total, totalIs } = found;
  const one = { text: asked.text, query: asked.query, total, totalIs, words: "all" } as const;
  const datasets = total <= FEW_HITS ? await datasetHints(workspace, [one]) : [];
  await warnOfUnknown(workspace, [asked]);
  if (seen === 0) {
    const explanation = (await explainNoHits(workspace, [one], new Page(EXPLANATION_TOKENS))).trimEnd();
    process.stderr.write(`${explanation}\n`);
  } else for (const line of hintLines(datasets)) say(line);
  // The explanation has them already.
  for (const warning of seen === 0 ? [] : workspace.warnings) say(warning);
  process.stdout.write(printer.end({ hits: shown, total, totalIs, warnings: workspace.warnings, datasets }));
  const isFull = totalIs === "at least" && total === seen;
  const what = asked.of === "files" ? "files" : "declarations";
  if (isFull) say(`the first ${seen} ${what} shown; --limit shows more`);
  else if (total > seen)
    say(`${seen} of ${totalIs === "exact" ? "" : "at least "}${total} ${what} shown; --limit shows more`);
  return shown;
}

interface Printed extends Omit<Summary, "hits" | "warnings" | "datasets"> {
  /** Hits that are there still, and all that were given. */
  shown: number;
  seen: number;
}

/** One page, or all of them where no limit was set. */
async function printPages(workspace: Workspace, asked: Asked, printer: HitPrinter): Promise<Printed> {
  const scopes = await workspace.scopes(asked.query);
  const printed: Printed = { shown: 0, seen: 0, total: 0, totalIs: "exact" };
  for (let after: readonly unknown[] | undefined; ; ) {
    const request = requestFor(asked, scopes, after);
    const page = await runRequest(workspace.client, request, asked.query);
    printed.shown += await printPage(workspace, { asked, request, page }, printer);
    printed.seen += page.hits.length;
    const last = page.hits.at(-1);
    if (asked.limit !== undefined) return { ...printed, total: page.total, totalIs: page.totalIs };
    if (last?.sort === undefined || page.hits.length < Number(request.body.size))
      return { ...printed, total: printed.seen };
    after = last.sort;
  }
}

async function printPage(
  workspace: Workspace,
  { asked, request, page }: { asked: Asked; request: SearchRequest; page: SearchHits },
  printer: HitPrinter,
): Promise<number> {
  const search = { query: asked.query, request };
  const changed = new ChangedHits(workspace, page.hits);
  let shown = 0;
  for (const [at, hit] of page.hits.entries()) {
    if (at % AHEAD === 0) await readAhead(workspace, page.hits.slice(at, at + AHEAD));
    const now = await showHit(workspace, { asked, search, changed }, hit);
    if ("reason" in now) {
      const place = now.line === undefined ? now.path : `${now.path}:${now.line}`;
      process.stderr.write(`${place}: (${printable(now.reason)})\n`);
      continue;
    }
    shown++;
    process.stdout.write(printer.hit(now));
    const lines = now.lines.filter(({ isContext }) => !isContext).length;
    const showsLines = asked.show === "lines" || asked.show === "json";
    if (isFileHit(hit) && showsLines && lines < now.total)
      workspace.warnings.push(`${now.path}: ${lines} of ${now.total} matching lines shown`);
  }
  return shown;
}

/** Files that are looked at side by side: one after another, most of the time is waiting. Then they are let go. */
const AHEAD = 32;

async function readAhead(workspace: Workspace, hits: SearchHits["hits"]): Promise<void> {
  workspace.forgetFiles();
  const ofFolders = hits.filter(({ inTree }) => inTree !== false);
  await Promise.all(ofFolders.map(({ repo, path }) => workspace.files(repo, path)));
}

function say(line: string): void {
  process.stderr.write(`${printable(line)}\n`);
}
