/**
 * Folders of which the indices hold fewer documents than the catalog says: an index was deleted, documents were removed by
 * hand or given up by `pinakes repair`. What is asked of them then has no answer, or half of one, which must be said.
 */
import type { Client } from "../client/index.js";
import { INDEX } from "../code/index.js";
import type { FileEntry, Folder } from "./catalog.js";
import { equals, searchIndex } from "./node.js";

/** A folder, and its documents of files, declarations and references together. */
export interface Lacking {
  root: string;
  repo: string;
  /** How many there are, and how many there were when the folder was indexed. */
  there: number;
  wanted: number;
}

/** In the order in which a catalog entry counts its documents. */
const COUNTED = [INDEX.files, INDEX.declarations, INDEX.references] as const;
const MOST_REPOS = 10_000;
const PAGE = 5000;

/**
 * The folders that lack documents, of those that no run is at. Costs three small requests where nothing is missing; what
 * looks as if is counted file by file. Documents that other branches or work trees have under the same name count too: a
 * loss may hide behind them, but what is told of is one.
 */
export async function lackingFolders(client: Client, folders: readonly Folder[]): Promise<Lacking[]> {
  const finished = folders.filter(({ state, finished_at: at }) => state !== "unfinished" && at !== null);
  if (finished.length === 0) return [];
  const seen = await documentCounts(client);
  const suspects = finished.filter((folder) => mayLack(folder, seen.get(folder.repo) ?? [0, 0, 0]));
  if (suspects.length === 0) return [];
  // What was just written is visible in one index before it is in another.
  await client.request("POST", `/${[...COUNTED, INDEX.catalog].join(",")}/_refresh?ignore_unavailable=true`);
  const counts = await documentCounts(client);
  const found: Lacking[] = [];
  for (const { root, repo } of suspects) {
    const wanted = await wantedCounts(client, root);
    const there = counts.get(repo) ?? [0, 0, 0];
    const held = wanted.map((count, at) => Math.min(count, there[at]));
    if (sum(held) < sum(wanted)) found.push({ root, repo, there: sum(held), wanted: sum(wanted) });
  }
  return found;
}

/** What is said of a folder that lacks documents. */
export function lackingNote({ root, repo, there, wanted }: Lacking): string {
  return `the index lacks documents of ${repo} (${there} of ${wanted} are there): \`pinakes up ${root}\` brings them back`;
}

/** The notes of all folders, or of those of one repository. */
export async function lackingNotes(
  { client, folders }: { client: Client; folders: readonly Folder[] | undefined },
  repo?: string,
): Promise<string[]> {
  const asked = (folders ?? []).filter((folder) => repo === undefined || folder.repo === repo);
  return (await lackingFolders(client, asked)).map(lackingNote);
}

/** By what the folder's own entry says, which is near to the truth and at hand. */
function mayLack({ files, declarations }: Folder, there: readonly number[]): boolean {
  const [fileCount = 0, declarationCount = 0, referenceCount = 0] = there;
  return fileCount < files || declarationCount < declarations || (referenceCount === 0 && declarations > 0);
}

/** Documents by repository. */
async function documentCounts(client: Client): Promise<Map<string, number[]>> {
  const counts = new Map<string, number[]>();
  const body = { query: { match_all: {} }, size: 0, aggs: { repos: { terms: { field: "repo", size: MOST_REPOS } } } };
  for (const [at, index] of COUNTED.entries()) {
    const answer = await searchIndex(client, index, body);
    for (const { key, doc_count: count } of answer?.aggregations?.repos?.buckets ?? []) {
      const known = counts.get(key) ?? [0, 0, 0];
      known[at] = count;
      counts.set(key, known);
    }
  }
  return counts;
}

type Counted = { hits: { hits: { _source: Pick<FileEntry, "documents">; sort?: unknown[] }[] } };

/** Documents that the files of a folder had when they were indexed, those that nobody counted left out. */
async function wantedCounts(client: Client, root: string): Promise<number[]> {
  const counts = [0, 0, 0];
  const query = equals({ entry: "file", root });
  const sorted = {
    query,
    size: PAGE,
    track_total_hits: false,
    sort: [{ path: { order: "asc" } }],
    _source: ["documents"],
  };
  for (let after: unknown[] | undefined; ; ) {
    const body = { ...sorted, ...(after && { search_after: after }) };
    const { hits } = (await client.json<Counted>("POST", `/${INDEX.catalog}/_search`, body)).hits;
    for (const { _source } of hits) {
      counts.forEach((count, at) => {
        counts[at] = count + (_source.documents?.[at] ?? 0);
      });
    }
    after = hits.at(-1)?.sort;
    if (hits.length < PAGE || after === undefined) return counts;
  }
}

function sum(counts: readonly number[]): number {
  return counts.reduce((total, count) => total + count, 0);
}
