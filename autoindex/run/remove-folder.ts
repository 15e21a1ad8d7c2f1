import { realpathSync } from "node:fs";
import path from "node:path";
import { type Client, WireError } from "../../client/index.js";
import { INDEX } from "../../code/index.js";
import { deleteWhere } from "../catalog/delete-where.js";
import { FolderLock, readFolder } from "../catalog/folder-lock.js";
import { CODE_INDICES, deleteDataIndex, refreshIndices } from "../catalog/indices.js";
import { type FolderEntry, fileEntries, readDatasets, readFolders } from "../catalog/manifest.js";
import { leaveName, namesOf, sharers } from "../catalog/repo-names.js";
import { AutoindexError } from "../errors.js";
import { removeCommits } from "../git/remove-commits.js";
import { hasOtherStores, removeBranches, removeShared } from "../git/remove-shared.js";
import { RepositoryLock } from "../git/repository-lock.js";

/** What was taken out of the index. */
export interface RemovedFolder {
  root: string;
  repo: string;
  /** Documents of files, declarations and references. */
  documents: number;
  /** Data sets, whose indices are gone. */
  datasets: string[];
}

/**
 * Takes a folder out of the index: its documents, its data sets' indices, all that the catalog says of it. Nothing on
 * disk is touched, and the folder need not be there any more; `folder` may also be its name in the index. Throws
 * `not_indexed` when there is no such folder, `busy` when a run is at it for longer than `patienceMs`.
 */
export async function removeFolder(client: Client, folder: string, patienceMs = 10_000): Promise<RemovedFolder> {
  await refreshCatalog(client, folder);
  const { root, repo } = await findFolder(client, folder);
  const lock = await FolderLock.acquire({ client, root, repo, patienceMs });
  let names: RepositoryLock | undefined;
  try {
    names = await RepositoryLock.acquire({ client, root, repo: lock.found.repo, patienceMs });
    const held = { client, lock, guard: guardOf(lock, names) };
    await lock.write({ state: "unfinished" });
    await refreshIndices(client, CODE_INDICES);
    const removed = await removeAll(held);
    // The folder's own entry goes last: a removal that is cut off can be asked for again.
    await lock.remove();
    await names.release();
    await refreshIndices(client, CODE_INDICES);
    return removed;
  } catch (error) {
    await names?.release();
    await lock.abandon();
    throw error;
  }
}

interface Held {
  client: Client;
  lock: FolderLock;
  guard: () => void;
}

function guardOf(...locks: { check(): void }[]): () => void {
  return () => {
    for (const lock of locks) lock.check();
  };
}

async function removeAll(held: Held): Promise<RemovedFolder> {
  const { client, guard } = held;
  const { root, repo, store = "" } = held.lock.found;
  const datasets = new Set([...(await readDatasets(client, root)).values()].flat());
  for await (const entry of fileEntries(client, root)) for (const name of entry.datasets) datasets.add(name);
  for (const dataset of datasets) await deleteDataIndex(client, dataset);
  const names = new Set([repo, ...(await namesOf(client, root))]);
  let documents = await removeBranches(held, store);
  for (const name of names) {
    const isShared = (await sharers(client, root, name)).length > 0 || (await hasOtherStores(client, name, store));
    documents += isShared ? await removeShared(held, name) : await removeNamed(held, name);
  }
  const entries = {
    filter: [{ term: { root } }],
    must_not: [{ term: { entry: "folder" } }, { term: { entry: "name" } }],
  };
  await deleteWhere(client, INDEX.catalog, entries, guard);
  for (const name of names) await leaveName(client, root, name);
  return { root, repo, documents, datasets: [...datasets].sort() };
}

/** Everything under a name that nobody shares. */
async function removeNamed({ client, guard }: Held, repo: string): Promise<number> {
  let documents = 0;
  for (const index of [INDEX.files, INDEX.declarations, INDEX.references]) {
    documents += await deleteWhere(client, index, { filter: [{ term: { repo } }] }, guard);
  }
  return documents + (await removeCommits(client, repo, guard));
}

async function refreshCatalog(client: Client, folder: string): Promise<void> {
  try {
    await refreshIndices(client, [INDEX.catalog]);
  } catch (error) {
    if (error instanceof WireError && error.status === 404) throw notIndexed(folder, []);
    throw error;
  }
}

async function findFolder(client: Client, folder: string): Promise<FolderEntry> {
  for (const root of rootsFor(folder)) {
    const entry = await readFolder(client, root);
    if (entry) return entry;
  }
  const folders = await readFolders(client);
  const named = folders.filter(({ repo }) => repo === folder);
  if (named.length === 1) return named[0]!;
  throw notIndexed(folder, folders);
}

/** The paths that a folder may be indexed by: as it was given, and as the nearest folder that is there is really called. */
function rootsFor(folder: string): string[] {
  const given = path.resolve(folder);
  const missing: string[] = [];
  for (let at = given; ; at = path.dirname(at)) {
    try {
      return [...new Set([path.join(realpathSync(at), ...missing), given])];
    } catch {
      // Not there any more: its own name is kept and the folder above it asked.
      missing.unshift(path.basename(at));
    }
    if (at === path.dirname(at)) return [given];
  }
}

function notIndexed(folder: string, folders: readonly FolderEntry[]): AutoindexError {
  const known = folders.map(({ root }) => root).sort();
  const hint = known.length === 0 ? "no folder is" : `these are: ${known.join(", ")}`;
  return new AutoindexError("not_indexed", `${folder} is not an indexed folder; ${hint}`);
}
