import { existsSync } from "node:fs";
import path from "node:path";
import type { Client } from "../../client/index.js";
import { INDEX } from "../../code/index.js";
import { deleteWhere } from "../catalog/delete-where.js";
import { FolderLock } from "../catalog/folder-lock.js";
import { CODE_INDICES, ensureCodeIndices, refreshIndices } from "../catalog/indices.js";
import { readFolders } from "../catalog/manifest.js";
import { leaveName, namesOf, sharers, takeName } from "../catalog/repo-names.js";
import { AutoindexError } from "../errors.js";
import { removeCommits } from "../git/remove-commits.js";
import { identityFor, type KnownFolder, repoCandidates, resolveRoot } from "./identity.js";

/** A folder that is held, with the name that its documents go by. */
export interface OpenFolder {
  lock: FolderLock;
  root: string;
  repo: string;
  /** Whether its documents are all known to the manifest. */
  state: "finished" | "unfinished";
}

/** What is wanted of a folder. */
export interface FolderRequest {
  client: Client;
  folder: string;
  repo?: string;
  patienceMs?: number;
  onWait?: (who: string) => void;
  /** What the folder is held for, when not for one run. */
  does?: "watch";
}

/** Takes a folder for a run: its lock first, then its name, so that nothing is ever written under another's name. */
export async function openFolder(request: FolderRequest): Promise<OpenFolder> {
  const { client, repo: asked, patienceMs = Number.POSITIVE_INFINITY, onWait, does } = request;
  const root = await rootOf(client, request.folder);
  await ensureCodeIndices(client);
  await refreshIndices(client, [INDEX.catalog]);
  const [first] = repoCandidates(root, {}, asked);
  const lock = await FolderLock.acquire({
    ...{ client, root, repo: first!, patienceMs },
    ...(onWait && { onWait }),
    ...(does && { does }),
  });
  try {
    const repo = await nameFor(client, repoCandidates(root, formerName(lock.found), asked), root);
    if (repo !== lock.found.repo) await lock.write({ repo });
    await refreshIndices(client, CODE_INDICES);
    // Entries of earlier versions have no state and were there only when finished.
    return { lock, root, repo, state: lock.found.state ?? "finished" };
  } catch (error) {
    await lock.abandon();
    throw error;
  }
}

/** A folder that was never held before is in the catalog by its lock alone, under a name that was not taken yet. */
function formerName({ repo, remote }: FolderLock["found"]): KnownFolder {
  return { repo, ...(remote === undefined ? {} : { remote }) };
}

async function nameFor(client: Client, candidates: readonly string[], root: string): Promise<string> {
  const identity = identityFor(root);
  for (const name of candidates) if (await takeName(client, root, name, identity)) return name;
  throw new AutoindexError("name_taken", `another indexed folder is named ${candidates[0]} already`);
}

/**
 * Gives back the names that a folder had before its present one. All its files are known by the new name now, so what
 * a run that was cut off may have left under an old one goes.
 */
export async function releaseOldNames(
  client: Client,
  lock: FolderLock,
  place: { root: string; repo: string },
): Promise<void> {
  const old = (await namesOf(client, place.root)).filter((name) => name !== place.repo);
  if (old.length === 0) return;
  await refreshIndices(client, CODE_INDICES);
  for (const name of old) {
    // Where others share it, what was this folder's went file by file.
    const isShared = (await sharers(client, place.root, name)).length > 0;
    const guard = () => lock.check();
    for (const index of isShared ? [] : [INDEX.files, INDEX.declarations, INDEX.references]) {
      await deleteWhere(client, index, { filter: [{ term: { repo: name } }] }, guard);
    }
    if (!isShared) await removeCommits(client, name, guard);
    await leaveName(client, place.root, name);
  }
}

async function rootOf(client: Client, folder: string): Promise<string> {
  try {
    return resolveRoot(folder);
  } catch (error) {
    if (await isIndexed(client, path.resolve(folder))) {
      const hint = `it is still in the index; to take it out: pinakes remove ${folder}`;
      throw new AutoindexError("not_a_folder", `${folder} is ${existsSync(folder) ? "no folder" : "gone"}; ${hint}`);
    }
    throw error;
  }
}

async function isIndexed(client: Client, root: string): Promise<boolean> {
  const reply = await client.request("HEAD", `/${INDEX.catalog}`);
  return reply.status === 200 && (await readFolders(client, root)).length > 0;
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
