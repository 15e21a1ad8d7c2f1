import { join } from "node:path";
import {
  describeHolder,
  folderState,
  isSkipReason,
  listSkipped,
  SKIP_REASONS,
  type SkipReason,
} from "../../autoindex/index.js";
import { Client } from "../../client/index.js";
import { type CatalogDocument, counted, INDEX, printable } from "../../code/index.js";
import { type Lacking, lackingFolders } from "../../mcp/index.js";
import { type Invocation, text, UsageError } from "../command.js";
import { programCommand, quoted } from "../invocation.js";
import { findNode } from "../node/find-node.js";

type Folder = Extract<CatalogDocument, { entry: "folder" }>;

/** `pinakes status`: the node, the folders, and what was left out; `--skipped` lists it. */
export async function runStatus(call: Invocation): Promise<number> {
  const reason = text(call, "reason");
  if (reason !== undefined && !isSkipReason(reason)) {
    throw new UsageError(`--reason is one of ${Object.keys(SKIP_REASONS).join(", ")}, not "${reason}"`);
  }
  const url = findNode({ url: text(call, "url"), data: text(call, "data") });
  const client = new Client({ url });
  try {
    const folders = await foldersOf(client);
    if (call.options.skipped === true || reason !== undefined) await printSkipped(client, folders, reason);
    else await printStatus(client, folders);
  } finally {
    client.close();
  }
  return 0;
}

async function printStatus(client: Client, folders: Folder[]): Promise<void> {
  const say = (line: string) => process.stdout.write(`${line}\n`);
  const { documents, bytes, indices } = await sizeOf(client);
  say(
    `${client.url}: ${counted(documents, "document")} in ${counted(indices, "index", "indices")}, ${sizeText(bytes)}`,
  );
  if (folders.length === 0) say("no folder is indexed; begin with: pinakes up FOLDER");
  const lacking = new Map((await lackingFolders(client, folders)).map((one) => [one.root, one]));
  for (const folder of folders) {
    const isShared = folders.some(({ repo, root }) => repo === folder.repo && root !== folder.root);
    const lines = [
      ...folderLines(folder),
      ...lackingLines(lacking.get(folder.root)),
      ...(await countLines(client, folder, isShared)),
    ];
    say(lines.join("\n"));
  }
  if (folders.some(({ skipped }) => Object.keys(skipped).length > 0))
    say("\npinakes status --skipped lists what was left out; pinakes why PATH tells about one path");
}

async function printSkipped(client: Client, folders: Folder[], reason: SkipReason | undefined): Promise<void> {
  for (const { root } of folders) {
    for (const skipped of await listSkipped(client, root, reason)) {
      const path = join(root, skipped.path);
      const detail = skipped.detail === "" ? "" : ` (${skipped.detail})`;
      process.stdout.write(`${printable(`${path}: ${skipped.reason}${detail}`)}\n`);
    }
  }
}

async function foldersOf(client: Client): Promise<Folder[]> {
  const body = { size: 1000, query: { term: { entry: "folder" } }, sort: [{ repo: "asc" }, { root: "asc" }] };
  const path = `/${INDEX.catalog}/_search?ignore_unavailable=true`;
  const answer = await client.json<{ hits: { hits: { _id: string }[] } }>("POST", path, body);
  const ids = answer.hits.hits.map((hit) => hit._id);
  if (ids.length === 0) return [];
  // What a search sees is up to half a minute old: a watcher that has ended since would still be told of.
  const now = await client.json<{ docs: { _source?: Folder }[] }>("POST", `/${INDEX.catalog}/_mget`, { ids });
  return now.docs.flatMap(({ _source }) => (_source === undefined ? [] : [_source]));
}

interface CatRow {
  "docs.count": string | null;
  "store.size": string | null;
}

async function sizeOf(client: Client): Promise<{ documents: number; bytes: number; indices: number }> {
  const rows = await client.json<CatRow[]>("GET", "/_cat/indices?format=json&bytes=b&h=docs.count,store.size");
  const sum = (column: keyof CatRow) => rows.reduce((total, row) => total + Number(row[column] ?? 0), 0);
  return { documents: sum("docs.count"), bytes: sum("store.size"), indices: rows.length };
}

const UNITS = ["B", "KB", "MB", "GB", "TB"];

/** `3.4 MB`, by thousands. */
export function sizeText(bytes: number): string {
  let value = bytes;
  let unit = 0;
  for (; value >= 999.5 && unit < UNITS.length - 1; unit++) value /= 1000;
  return `${unit === 0 || value >= 99.5 ? Math.round(value) : value.toFixed(1)} ${UNITS[unit]}`;
}

interface Counted {
  aggregations?: Record<string, { buckets: { key: string; doc_count: number }[] }>;
}

/** Files of a folder by class and by status, and its data sets by what read them. */
async function countLines(client: Client, { root, repo }: Folder, isShared: boolean): Promise<string[]> {
  const count = async (index: string, filter: unknown[], field: string) => {
    const aggs = { counts: { terms: { field, size: 100 } } };
    const body = { size: 0, query: { bool: { filter } }, aggs };
    const answer = await client.json<Counted>("POST", `/${index}/_search?ignore_unavailable=true`, body);
    const buckets = answer.aggregations?.counts?.buckets ?? [];
    return buckets.map(({ key, doc_count }) => `${key} ${doc_count}`).join(", ");
  };
  const entries = (entry: string) => [{ term: { root } }, { term: { entry } }];
  // Documents are of a repository: which of its folders have one is not in them.
  const classes = await count(INDEX.files, [{ term: { repo } }, { term: { in_tree: true } }], "class");
  const whose = isShared ? ` (all folders of ${repo})` : "";
  const statuses = await count(INDEX.catalog, entries("file"), "status");
  const datasets = await count(INDEX.catalog, entries("dataset"), "reader");
  return [
    ...(classes === "" ? [] : [`  by class${whose}: ${classes}`]),
    ...(statuses === "" ? [] : [`  by status: ${statuses}`]),
    ...(datasets === "" ? [] : [`  data sets by reader: ${datasets} (pinakes datasets lists them)`]),
  ].map((line) => printable(line));
}

function lackingLines(lacking: Lacking | undefined): string[] {
  if (lacking === undefined) return [];
  const { root, there, wanted } = lacking;
  const command = `${programCommand()} up ${quoted(root)}`;
  return [
    printable(`  documents are missing: ${there} of ${wanted} are in the index; bring them back with: ${command}`),
  ];
}

function whenIndexed(folder: Folder): string {
  const { holder, finished_at: finishedAt } = folder;
  const doing = holder?.does === "watch" ? "watched" : "being indexed";
  const state = folderState(folder);
  // A process that was killed could not take its name off the folder.
  if (holder && state === "running") return `${doing} by ${describeHolder(holder)}`;
  if (state === "cut_off") return "the last run was cut off: index the folder again";
  return `indexed ${finishedAt ?? "never"}`;
}

/** `  (main at 1a2b3c4d5e6f)`, as the last run saw it. */
function checkedOut({ branch = "", commit = "" }: Folder): string {
  if (branch === "" && commit === "") return "";
  return `  (${branch || "detached"}${commit === "" ? "" : ` at ${commit.slice(0, 12)}`})`;
}

function folderLines(folder: Folder): string[] {
  const skipped = Object.entries(folder.skipped).sort((a, b) => b[1] - a[1]);
  return [
    printable(`\n${folder.repo}  ${folder.root}${checkedOut(folder)}`, "\n"),
    `  ${counted(folder.files, "file")}, ${counted(folder.declarations, "declaration")}, ` +
      `${counted(folder.records, "record")}; ${whenIndexed(folder)}`,
    ...skipped.map(([reason, count]) => `  left out: ${count} ${reason}`),
  ];
}
