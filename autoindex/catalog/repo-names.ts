import { type Client, WireError } from "../../client/index.js";
import { type CatalogDocument, INDEX } from "../../code/index.js";
import { catalogId } from "../documents/ids.js";
import { readEntry, readFolders } from "./manifest.js";

type NameEntry = Extract<CatalogDocument, { entry: "name" }>;

/**
 * Takes a name for a folder before anything is written under it, for good: documents are told apart by it, so two
 * folders must never share one, not while both are read for the first time nor after one was cut off. False when
 * another folder has it.
 */
export async function takeName(client: Client, root: string, repo: string): Promise<boolean> {
  const taken = await readEntry<NameEntry>(client, nameId(repo));
  if (taken) return taken.root === root;
  if (await isUsedElsewhere(client, root, repo)) return false;
  const entry: NameEntry = { entry: "name", root, repo };
  try {
    await client.json("PUT", `/${INDEX.catalog}/_create/${encodeURIComponent(nameId(repo))}`, entry);
    return true;
  } catch (error) {
    if (!(error instanceof WireError && error.status === 409)) throw error;
    return (await readEntry<NameEntry>(client, nameId(repo)))?.root === root;
  }
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
export async function releaseName(client: Client, repo: string): Promise<void> {
  const path = `/${INDEX.catalog}/_doc/${encodeURIComponent(nameId(repo))}`;
  const reply = await client.request("DELETE", path);
  if (reply.status >= 400 && reply.status !== 404) {
    throw new WireError(reply.status, "exception", `DELETE ${path}`, reply.text);
  }
}

function nameId(repo: string): string {
  return catalogId("name", repo, "");
}
