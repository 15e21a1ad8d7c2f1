import type { Client } from "../../client/index.js";
import { INDEX } from "../../code/index.js";
import { BulkRequest } from "../catalog/bulk-request.js";
import { deleteWhere } from "../catalog/delete-where.js";
import type { FolderLock } from "../catalog/folder-lock.js";
import { readFolders } from "../catalog/manifest.js";
import { findDocumentPaths, findOldDocuments } from "../catalog/old-ids.js";
import { catalogId, keyOf } from "../documents/ids.js";
import { BulkLines } from "../documents/lines.js";
import { AutoindexError } from "../errors.js";
import { type Claims, claimed, readClaims, readRepositories } from "./claims.js";
import { leaveCommits } from "./index-commits.js";

/** A folder that is being removed. */
interface Removal {
  client: Client;
  lock: FolderLock;
  guard: () => void;
}

/** Whether branches of another object database lie under a name. */
export async function hasOtherStores(client: Client, repo: string, store: string): Promise<boolean> {
  return (await readRepositories(client, repo)).some(({ root }) => root !== store);
}

/**
 * Takes the branches of an object database out of the catalog when the folder is the last of its work trees. Their
 * documents go with those that nobody claims any more.
 */
export async function removeBranches({ client, lock, guard }: Removal, store: string): Promise<number> {
  if (store === "") return 0;
  const { root } = lock.found;
  if ((await readFolders(client)).some((folder) => folder.root !== root && folder.store === store)) return 0;
  await deleteWhere(
    client,
    INDEX.catalog,
    { filter: [{ term: { root: store } }, { term: { entry: "versions" } }] },
    guard,
  );
  guard();
  await client.request("DELETE", `/${INDEX.catalog}/_doc/${encodeURIComponent(catalogId("repository", store, ""))}`);
  await client.json("POST", `/${INDEX.catalog}/_refresh`);
  return 0;
}

/** Paths looked at together. */
const PATHS = 500;

/** Removes what nobody but the folder claims under a name that others share; answers how many documents that were. */
export async function removeShared({ client, lock, guard }: Removal, repo: string): Promise<number> {
  const { root, store = "" } = lock.found;
  const isLast = !(await readFolders(client)).some((folder) => folder.root !== root && folder.store === store);
  if (store !== "" && isLast) await leaveCommits({ client, repo, store, guard });
  const claims = await readClaims({ client, repo, root, store: "" });
  const paths = [...(await findDocumentPaths(client, repo))].sort();
  let documents = 0;
  for (let at = 0; at < paths.length; at += PATHS) {
    guard();
    documents += await removeUnclaimed(client, claims, { repo, paths: paths.slice(at, at + PATHS) });
  }
  return documents;
}

async function removeUnclaimed(client: Client, claims: Claims, at: { repo: string; paths: string[] }): Promise<number> {
  const { repo, paths } = at;
  const kept = new Map(paths.flatMap((path) => [...claims.keys(repo, path)]));
  const lines = new BulkLines();
  let documents = 0;
  for (const { index, id } of await findOldDocuments(client, repo, paths)) {
    const claim = kept.get(keyOf(id));
    if (claim) lines.update(index, id, claimed(claim));
    else {
      documents++;
      lines.delete(index, id);
    }
  }
  const request = new BulkRequest<never>();
  request.add(undefined, lines.take());
  const [first] = await request.send(client, "");
  if (first) throw new AutoindexError("bulk_failed", `the node refused a removal: ${first.failure.reason}`);
  return documents;
}
