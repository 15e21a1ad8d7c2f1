import { type BlamedLine, blameLines, type Introduction, introducedBy, type LineSpan } from "../../autoindex/index.js";
import { Client } from "../../client/index.js";
import { INDEX, printable } from "../../code/index.js";
import { Workspace } from "../../mcp/index.js";
import { type Invocation, text, UsageError } from "../command.js";
import { findNode } from "../node/find-node.js";

/** What was asked about, with what git says of it. */
interface Blame extends LineSpan {
  /** Name of the declaration that was asked for, absent for lines. */
  name?: string;
  introducedBy: Introduction | undefined;
  lines: BlamedLine[];
}

/** `pinakes blame FILE:LINE`, `FILE:FIRST-LAST`, or the name of a declaration: which commits it comes from. */
export async function runBlame(call: Invocation): Promise<number> {
  const blames: Blame[] = [];
  for (const given of call.args) {
    for (const span of spanOf(given) ?? (await declarationsOf(call, given))) {
      const lines = await blameLines(span);
      blames.push({ ...span, introducedBy: await introducedBy(span), lines });
    }
  }
  if (call.options.json === true) process.stdout.write(`${JSON.stringify(blames, undefined, 2)}\n`);
  else for (const blame of blames) process.stdout.write(`${printed(blame).join("\n")}\n`);
  return blames.length > 0 ? 0 : 1;
}

/** `src/a.ts:12`, `src/a.ts:12-20`; nothing when it has no such ending. */
function spanOf(given: string): LineSpan[] | undefined {
  const found = /^(.+):(\d+)(?:-(\d+))?$/s.exec(given);
  if (!found) return undefined;
  const first = Number(found[2]);
  const last = Number(found[3] ?? first);
  if (first < 1 || last < first) throw new UsageError(`${given}: lines begin at 1 and end where they begin or later`);
  return [{ file: found[1]!, first, last }];
}

/** Declarations of one name that are looked at. */
const MOST_DECLARATIONS = 5;

interface Declared {
  repo: string;
  path: string;
  blob: string;
  start_line: number;
  end_line: number;
  qualified_name: string;
}

/** Where a name is declared, by the index. */
async function declarationsOf(call: Invocation, name: string): Promise<(LineSpan & { name: string })[]> {
  const client = new Client({ url: findNode({ url: text(call, "url"), data: text(call, "data") }) });
  try {
    const workspace = await Workspace.open({ client });
    const should = [{ term: { name } }, { term: { qualified_name: name } }];
    const must_not = [{ terms: { kind: ["section", "window"] } }, { term: { in_tree: false } }];
    const answer = await client.json<{ hits: { hits: { _source: Declared }[] } }>(
      "POST",
      `/${INDEX.declarations}/_search`,
      {
        size: MOST_DECLARATIONS,
        query: { bool: { should, minimum_should_match: 1, must_not } },
        sort: [{ path: "asc" }, { start_line: "asc" }],
        _source: ["repo", "path", "blob", "start_line", "end_line", "qualified_name"],
      },
    );
    const found: (LineSpan & { name: string })[] = [];
    for (const { _source } of answer.hits.hits) {
      const file = await workspace.placeOnDisk(_source.repo, _source.path, _source.blob);
      const { start_line: first, end_line: last, qualified_name } = _source;
      if (file !== undefined) found.push({ file, first, last, name: qualified_name });
    }
    if (found.length > 0) return found;
    throw new UsageError(`${name} is no FILE:LINE, and no declaration of that name is in the index with its file here`);
  } finally {
    client.close();
  }
}

function printed({ file, first, last, name, introducedBy: introduced, lines }: Blame): string[] {
  const place = `${file}:${first}${last === first ? "" : `-${last}`}${name === undefined ? "" : ` ${name}`}`;
  const by = introduced ? `introduced by ${summary(introduced)}` : "not committed yet";
  if (first === last) return [printable(`${place}: ${by}`)];
  return [printable(`${place}: ${by}`), ...lines.map((line) => printable(`  ${lineText(line)}`, "\t"))];
}

function summary({ sha, date, author, subject }: Introduction): string {
  return `${sha.slice(0, 12)} ${date.slice(0, 10)} ${author}: ${subject}`;
}

function lineText({ sha, date, author, line, text: code }: BlamedLine): string {
  const who = author === "" ? "not committed" : `${sha.slice(0, 12)} ${date.slice(0, 10)} ${author}`;
  return `${line}: ${code}  (${who})`;
}
