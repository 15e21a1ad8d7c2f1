import { type Client, WireError } from "../../client/index.js";
import { type CatalogDocument, INDEX } from "../../code/index.js";
import { catalogId } from "../documents/ids.js";
import { type FolderEntry, readEntry, readFolders } from "./manifest.js";

type NameEntry = Extract<CatalogDocument, { entry: "name" }>;

/**
 * Takes a name for a folder before anything is written under it, for good: documents are told apart by it, so two
 * folders must never share one, not while both are read for the first time nor after one was cut off. False when
 * another folder has it. Work trees and clones of one repository, known by their `identity`, do share a name.
 */
export async function takeName(client: Client, root: string, repo: string, identity = ""): Promise<boolean> {
  const taken = await readEntry<NameEntry>(client, nameId(repo));
  if (taken) return mayUse(taken, root, identity);
  if (await isUsedElsewhere(client, root, repo)) return false;
  const entry: NameEntry = { entry: "name", root, repo, identity };
  try {
    await client.json("PUT", `/${INDEX.catalog}/_create/${encodeURIComponent(nameId(repo))}`, entry);
    return true;
  } catch (error) {
    if (!(error instanceof WireError && error.status === 409)) throw error;
    const winner = await readEntry<NameEntry>(client, nameId(repo));
    return winner !== undefined && mayUse(winner, root, identity);
  }
}

function mayUse(taken: NameEntry, root: string, identity: string): boolean {
  return taken.root === root || (identity !== "" && taken.identity === identity);
}

/** The folder that a name was taken for first, nothing when it is free. */
export async function nameOwner(client: Client, repo: string): Promise<string | undefined> {
  return (await readEntry<NameEntry>(client, nameId(repo)))?.root;
}

/** Other folders whose documents lie under a name too. */
export async function sharers(client: Client, root: string, repo: string): Promise<FolderEntry[]> {
  return (await readFolders(client)).filter((folder) => folder.repo === repo && folder.root !== root);
}

/** Gives a name back, or leaves it to another folder that shares it. Nothing of this folder may lie under it any more. */
export async function leaveName(client: Client, root: string, repo: string): Promise<void> {
  const entry = await readEntry<NameEntry>(client, nameId(repo));
  const [next] = await sharers(client, root, repo);
  if (!next) return releaseName(client, repo);
  if (entry?.root !== root) return;
  await client.json("PUT", `/${INDEX.catalog}/_doc/${encodeURIComponent(nameId(repo))}`, { ...entry, root: next.root });
}

/** Catalogs of earlier versions say which names are taken by their entries alone. */
async function isUsedElsewhere(client: Client, root: string, repo: string): Promise<boolean> {
  if ((await readFolders(client)).some((folder) => folder.repo === repo && folder.root !== root)) return true;
  const query = { bool: { filter: [{ term: { repo } }, { term: { entry: "file" } }], must_not: [{ term: { root } }] } };
  const answer = await client.json<{ hits: { hits: unknown[] } }>("POST", `/${INDEX.catalog}/_search`, {
    size: 1,
    _source: false,
    query,
  });
  return answer.hits.hits.length > 0;
}

/** The names that a folder has taken. */
export async function namesOf(client: Client, root: string): Promise<string[]> {
  const answer = await client.json<{ hits: { hits: { _source: NameEntry }[] } }>("POST", `/${INDEX.catalog}/_search`, {
    size: 1000,
    query: { bool: { filter: [{ term: { root } }, { term: { entry: "name" } }] } },
  });
  return answer.hits.hits.map((hit) => hit._source.repo);
}

/** Gives a name back; nothing may lie under it any more. */
async function releaseName(client: Client, repo: string): Promise<void> {
  const path = `/${INDEX.catalog}/_doc/${encodeURIComponent(nameId(repo))}`;
  const reply = await client.request("DELETE", path);
  if (reply.status >= 400 && reply.status !== 404) {
    throw new WireError(reply.status, "exception", `DELETE ${path}`, reply.text);
  }
}

function nameId(repo: string): string {
  return catalogId("name", repo, "");
}
