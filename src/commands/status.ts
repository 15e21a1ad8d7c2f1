import { Client } from "../../client/index.js";
import { type CatalogDocument, INDEX } from "../../code/index.js";
import { type Invocation, text } from "../command.js";
import { findNode } from "../node/find-node.js";

type Folder = Extract<CatalogDocument, { entry: "folder" }>;

/** `pinakes status`: the node, the folders, and what was left out. */
export async function runStatus(call: Invocation): Promise<number> {
  const url = findNode({ url: text(call, "url"), data: text(call, "data") });
  const client = new Client({ url });
  try {
    const health = await client.json<{ cluster_name: string; status: string }>("GET", "/_cluster/health");
    process.stdout.write(`${url}: ${health.cluster_name}, ${health.status}\n`);
    const folders = await foldersOf(client);
    if (folders.length === 0) process.stdout.write("no folder is indexed; begin with: pinakes up FOLDER\n");
    for (const folder of folders) process.stdout.write(`${folderLines(folder).join("\n")}\n`);
  } finally {
    client.close();
  }
  return 0;
}

async function foldersOf(client: Client): Promise<Folder[]> {
  const body = { size: 1000, query: { term: { entry: "folder" } }, sort: [{ repo: "asc" }, { root: "asc" }] };
  const path = `/${INDEX.catalog}/_search?ignore_unavailable=true`;
  const answer = await client.json<{ hits: { hits: { _source: Folder }[] } }>("POST", path, body);
  return answer.hits.hits.map((hit) => hit._source);
}

function folderLines(folder: Folder): string[] {
  const skipped = Object.entries(folder.skipped).sort((a, b) => b[1] - a[1]);
  return [
    `\n${folder.repo}  ${folder.root}`,
    `  ${folder.files} files, ${folder.declarations} declarations, ${folder.records} records; indexed ${folder.finished_at}`,
    ...skipped.map(([reason, count]) => `  left out: ${count} ${reason}`),
  ];
}
