import type { Client } from "../client/index.js";
import { type CatalogDocument, INDEX } from "../code/index.js";
import { equals, searchIndex, sources } from "./node.js";

/** A folder that was indexed. */
export type Folder = Extract<CatalogDocument, { entry: "folder" }>;
/** A file that was met, indexed or not. */
export type FileEntry = Extract<CatalogDocument, { entry: "file" }>;

const MOST_FOLDERS = 1000;

/** The folders the index holds, by repository name; undefined when there is no catalog at all. */
export async function loadFolders(client: Client): Promise<Folder[] | undefined> {
  const body = { query: equals({ entry: "folder" }), size: MOST_FOLDERS, sort: [{ repo: "asc" }, { root: "asc" }] };
  const answer = await searchIndex<Folder>(client, INDEX.catalog, body);
  return answer?.hits.hits.map((hit) => hit._source);
}

/** What the catalog says of a file; undefined when it never met it. */
export async function findFileEntry(
  client: Client,
  repo: string | undefined,
  path: string,
): Promise<FileEntry | undefined> {
  const body = { query: equals({ entry: "file", repo, path }), size: 1 };
  return (await sources<FileEntry>(client, INDEX.catalog, body))[0];
}

/** Files left out, by reason, over all folders. */
export function skippedFiles(folders: readonly Folder[]): { count: number; reasons: [string, number][] } {
  const reasons = new Map<string, number>();
  for (const folder of folders) {
    for (const [reason, count] of Object.entries(folder.skipped ?? {})) {
      reasons.set(reason, (reasons.get(reason) ?? 0) + count);
    }
  }
  const sorted = [...reasons].sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1));
  return { count: sorted.reduce((sum, [, count]) => sum + count, 0), reasons: sorted };
}
