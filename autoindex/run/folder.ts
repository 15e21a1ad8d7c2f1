import type { Client } from "../../client/index.js";
import { INDEX } from "../../code/index.js";
import type { FolderEntry } from "../catalog/manifest.js";
import { catalogId } from "../documents/ids.js";

/**
 * A folder's own catalog entry says that its last run came to its end: it is removed before the first change and
 * written after the last. A folder with documents and without it was cut off, and the next run looks for leftovers.
 */
export async function writeFolderEntry(client: Client, entry: FolderEntry): Promise<void> {
  await client.json("PUT", documentPath(entry.root), entry);
}

/** Removes the entry; one that is not there is fine. */
export async function dropFolderEntry(client: Client, root: string): Promise<void> {
  const reply = await client.request("DELETE", documentPath(root));
  if (reply.status >= 400 && reply.status !== 404) throw new Error(`DELETE ${documentPath(root)}: ${reply.text}`);
}

function documentPath(root: string): string {
  return `/${INDEX.catalog}/_doc/${encodeURIComponent(catalogId("folder", root, ""))}`;
}

/** Whether any document of a repository is in the index. */
export async function hasDocuments(client: Client, repo: string): Promise<boolean> {
  const indices = `${INDEX.files},${INDEX.declarations},${INDEX.references}`;
  const answer = await client.json<{ hits: { hits: unknown[] } }>("POST", `/${indices}/_search`, {
    size: 1,
    _source: false,
    query: { bool: { filter: [{ term: { repo } }] } },
  });
  return answer.hits.hits.length > 0;
}
