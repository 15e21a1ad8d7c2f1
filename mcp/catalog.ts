import type { Client } from "../client/index.js";
import { type CatalogDocument, type FieldCorrelation, INDEX } from "../code/index.js";
import { equals, searchIndex, sources } from "./node.js";

/** A folder that was indexed. */
export type Folder = Extract<CatalogDocument, { entry: "folder" }>;
/** A file that was met, indexed or not. */
export type FileEntry = Extract<CatalogDocument, { entry: "file" }>;

/** A list of records of a file, with its fields. */
export type Dataset = Extract<CatalogDocument, { entry: "dataset" }>;

const MOST_FOLDERS = 1000;
const MOST_DATASETS = 5000;

/** The folders the index holds, by repository name; undefined when there is no catalog at all. */
export async function loadFolders(client: Client): Promise<Folder[] | undefined> {
  const body = { query: equals({ entry: "folder" }), size: MOST_FOLDERS, sort: [{ repo: "asc" }, { root: "asc" }] };
  const answer = await searchIndex<Folder>(client, INDEX.catalog, body);
  if (answer === undefined) return undefined;
  return Promise.all(
    answer.hits.hits.map(({ _id, _source }) => (isUnfinished(_source) ? now(client, _id, _source) : _source)),
  );
}

function isUnfinished({ state }: Folder): boolean {
  return state === "unfinished";
}

/**
 * An entry in real time. A watcher says that its folder is whole again once the change is visible, and nothing makes that
 * visible to searches until the next change: it would be told of as half indexed meanwhile.
 */
async function now(client: Client, id: string, seen: Folder): Promise<Folder> {
  const reply = await client.request("GET", `/${INDEX.catalog}/_doc/${encodeURIComponent(id)}`);
  return reply.status === 200 ? (JSON.parse(reply.text) as { _source: Folder })._source : seen;
}

/** The data sets of all folders or of one repository, by name; none when there is no catalog. */
export async function loadDatasets(client: Client, repo?: string): Promise<Dataset[]> {
  const body = {
    query: equals({ entry: "dataset", repo }),
    size: MOST_DATASETS,
    sort: [{ dataset: "asc" }],
    // Only the comparison of data sets needs them.
    _source: { excludes: ["schema.sketch"] },
  };
  // Entries of earlier versions say less; they are written anew by the next run.
  return (await sources<Dataset>(client, INDEX.catalog, body)).filter(({ schema }) => schema !== undefined);
}

/** Fields of different data sets that hold the same values, of data sets that are still there. */
export async function loadCorrelations(client: Client, datasets: readonly Dataset[]): Promise<FieldCorrelation[]> {
  const body = { query: equals({ entry: "correlations" }), size: MOST_FOLDERS };
  const entries = await sources<{ correlations: FieldCorrelation[] }>(client, INDEX.catalog, body);
  const names = new Set(datasets.map(({ dataset }) => dataset));
  const all = entries.flatMap(({ correlations }) => correlations);
  return all.filter(({ from, to }) => names.has(from.dataset) && names.has(to.dataset));
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
