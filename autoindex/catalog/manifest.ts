import { type Client, WireError } from "../../client/index.js";
import { type CatalogDocument, INDEX } from "../../code/index.js";
import { catalogId } from "../documents/ids.js";

/** What the catalog says of one file. */
export type FileEntry = Extract<CatalogDocument, { entry: "file" }>;
/** What it says of one indexed folder. */
export type FolderEntry = Extract<CatalogDocument, { entry: "folder" }>;
/** What it says of one data set. */
export type DatasetEntry = Extract<CatalogDocument, { entry: "dataset" }>;

const PAGE = 5000;

/** How old a file's last change must be for its time to prove anything, see `RACY_DETAIL`. */
export const RACY_MS = 2000;

interface SearchAnswer<T> {
  hits: { hits: { _id: string; _source: T; sort?: unknown[] }[] };
}

/** All file entries of a folder by path. */
export async function readManifest(client: Client, root: string): Promise<Map<string, FileEntry>> {
  const manifest = new Map<string, FileEntry>();
  for await (const entry of fileEntries(client, root)) manifest.set(entry.path, entry);
  return manifest;
}

/** File entries of a folder in the order of their paths, `only` those that more clauses of a `bool` query fit. */
export async function* fileEntries(
  client: Client,
  root: string,
  only: { filter?: unknown[]; must_not?: unknown[] } = {},
): AsyncGenerator<FileEntry> {
  const filter = [{ term: { root } }, { term: { entry: "file" } }, ...(only.filter ?? [])];
  let after: unknown[] | undefined;
  for (;;) {
    const answer = await client.json<SearchAnswer<FileEntry>>("POST", `/${INDEX.catalog}/_search`, {
      size: PAGE,
      track_total_hits: false,
      query: { bool: { ...only, filter } },
      // A path is unique in a folder, so the page after it loses nothing.
      sort: [{ path: "asc" }],
      ...(after && { search_after: after }),
    });
    const { hits } = answer.hits;
    for (const hit of hits) yield withDatasets(hit._source);
    if (hits.length < PAGE) return;
    after = hits.at(-1)!.sort;
  }
}

/** The folder entries of the catalog: of one root, or of all. */
export async function readFolders(client: Client, root?: string): Promise<FolderEntry[]> {
  const filter: unknown[] = [{ term: { entry: "folder" } }];
  if (root !== undefined) filter.push({ term: { root } });
  const answer = await client.json<SearchAnswer<FolderEntry>>("POST", `/${INDEX.catalog}/_search`, {
    size: 1000,
    query: { bool: { filter } },
  });
  return answer.hits.hits.map((hit) => hit._source);
}

/** The entry of one file, nothing when there is none. */
export async function readFileEntry(client: Client, root: string, path: string): Promise<FileEntry | undefined> {
  const entry = await readEntry<FileEntry>(client, catalogId("file", root, path));
  return entry && withDatasets(entry);
}

/** An entry of an earlier version has one data set at most, under another name. */
function withDatasets(entry: FileEntry & { dataset?: string }): FileEntry {
  if (entry.datasets) return entry;
  const { dataset = "", ...rest } = entry;
  return { ...rest, datasets: dataset === "" ? [] : [dataset], reader: "", records_note: "" };
}

/** The data sets of a folder by path, those of a run that was cut off among them. */
export async function readDatasets(client: Client, root: string): Promise<Map<string, string[]>> {
  const byPath = new Map<string, string[]>();
  for (const { path, dataset } of await readDatasetEntries(client, root)) {
    byPath.set(path, [...(byPath.get(path) ?? []), dataset]);
  }
  return byPath;
}

/** What the catalog says of a folder's data sets: their files, names and counts of records. */
export async function readDatasetEntries(
  client: Client,
  root: string,
): Promise<Pick<DatasetEntry, "path" | "dataset" | "records">[]> {
  const answer = await client.json<SearchAnswer<DatasetEntry>>("POST", `/${INDEX.catalog}/_search`, {
    size: 10_000,
    _source: ["path", "dataset", "records"],
    query: { bool: { filter: [{ term: { root } }, { term: { entry: "dataset" } }] } },
  });
  return answer.hits.hits.map((hit) => hit._source);
}

/** One document of the catalog by its `_id`, nothing when there is none. */
export async function readEntry<T extends CatalogDocument>(client: Client, id: string): Promise<T | undefined> {
  const reply = await client.request("GET", `/${INDEX.catalog}/_doc/${encodeURIComponent(id)}`);
  if (reply.status === 404) return undefined;
  if (reply.status >= 400) throw new WireError(reply.status, "exception", `GET ${id} of the catalog`, reply.text);
  return (JSON.parse(reply.text) as { _source: T })._source;
}
