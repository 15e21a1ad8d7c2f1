import type { Client } from "../../client/index.js";
import { type CatalogDocument, INDEX, type StoredVersion } from "../../code/index.js";
import { type FileEntry, fileEntries, readFolders } from "../catalog/manifest.js";
import { fileKey } from "../documents/ids.js";

/** What the catalog says of branches that are indexed out of an object database. */
export type RepositoryEntry = Extract<CatalogDocument, { entry: "repository" }>;
/** What it says of one path of them. */
export type VersionsEntry = Extract<CatalogDocument, { entry: "versions" }>;

/** What is known of documents that somebody else has made already. */
export type KnownDocuments = Pick<
  StoredVersion,
  "version" | "language" | "status" | "declarations" | "detail" | "documents"
>;

/** Who else has a blob at a path: a document lives as long as one claim on it does, and names the branches of all. */
export interface Claim {
  branches: readonly string[];
  /** Whether a folder on disk is among them. */
  inTree: boolean;
  /** Absent when its documents may not be there yet. */
  documents?: KnownDocuments;
  /** How many documents there are; absent when that is not known, or when they may not be there yet. */
  counts?: readonly number[];
}

/** Fields of a document that follow from the claims on it. */
export interface Claimed {
  branches: string[];
  in_tree: boolean;
}

/**
 * The claims of all others on the documents of a repository: of its other folders, of branches in object databases. Made
 * once for a run, while nobody else can change them.
 */
export class Claims {
  readonly #paths = new Map<string, Map<string, Claim>>();

  /** Joins a claim to those that are there. */
  add(path: string, blob: string, claim: Claim): void {
    const blobs = this.#paths.get(path) ?? new Map<string, Claim>();
    this.#paths.set(path, blobs);
    const known = blobs.get(blob);
    blobs.set(blob, known ? join(known, claim) : claim);
  }

  /** The claims on a path by blob. */
  at(path: string): ReadonlyMap<string, Claim> {
    return this.#paths.get(path) ?? NOTHING;
  }

  /** What is there by some paths is not to be relied on: whoever wants it reads it anew. */
  distrust(paths: ReadonlySet<string>): void {
    for (const path of paths) {
      const blobs = this.#paths.get(path);
      if (!blobs) continue;
      const without = ({ branches, inTree }: Claim): Claim => ({ branches, inTree });
      this.#paths.set(path, new Map([...blobs].map(([blob, claim]) => [blob, without(claim)])));
    }
  }

  /** All claims: path, blob and who has it. */
  *all(): Generator<[path: string, blob: string, claim: Claim]> {
    for (const [path, blobs] of this.#paths) for (const [blob, claim] of blobs) yield [path, blob, claim];
  }

  /** The same claims, to add others to. */
  copy(): Claims {
    const copy = new Claims();
    for (const [path, blobs] of this.#paths) copy.#paths.set(path, new Map(blobs));
    return copy;
  }

  /** Claims on a path by the key of their documents. */
  keys(repo: string, path: string): Map<string, Claim> {
    return new Map([...this.at(path)].map(([blob, claim]) => [fileKey(repo, path, blob), claim]));
  }
}

const NOTHING: ReadonlyMap<string, Claim> = new Map();

/** Two claims as one. */
export function join(a: Claim, b: Claim): Claim {
  const branches = [...new Set([...a.branches, ...b.branches])].sort();
  const documents = a.documents ?? b.documents;
  const counts = a.counts ?? b.counts;
  return { branches, inTree: a.inTree || b.inTree, ...(documents && { documents }), ...(counts && { counts }) };
}

/** What documents are to say when these branches have them beside the others. */
export function claimed(claim: Claim | undefined, own?: Claim): Claimed {
  const all = claim && own ? join(claim, own) : (claim ?? own);
  return { branches: [...(all?.branches ?? [])].sort(), in_tree: all?.inTree ?? false };
}

/** Whose claims are not wanted: those of the one who asks. */
export interface Asking {
  client: Client;
  repo: string;
  root: string;
  /** A store whose claims are known better than the catalog does. */
  store: string;
  /** Claims on these paths alone. */
  paths?: readonly string[];
}

/** Reads the claims of others out of the catalog. */
export async function readClaims(asking: Asking): Promise<Claims> {
  const claims = new Claims();
  const { client, repo, root, store, paths } = asking;
  const only = paths ? { filter: [{ terms: { path: paths } }] } : {};
  for (const folder of await readFolders(client)) {
    if (folder.repo !== repo || folder.root === root) continue;
    for await (const entry of fileEntries(client, folder.root, only)) addFileClaim(claims, entry);
  }
  for (const repository of await readRepositories(client, repo)) {
    if (repository.root === store) continue;
    for await (const { path, versions } of versionsEntries(client, repository.root, only)) {
      for (const version of versions) addVersion(claims, path, version, repository.tree_branch);
    }
  }
  return claims;
}

/** Adds what a folder says of one of its files. */
export function addFileClaim(claims: Claims, entry: FileEntry): void {
  if (entry.status !== "indexed" || entry.blob === "") return;
  const { version, language, status, declarations, detail, datasets, documents: counts } = entry;
  // What became a data set was outlined for it; its text is read anew where it is no data set.
  const known: KnownDocuments = { version, language, status, declarations, detail, ...counted(counts) };
  claims.add(entry.path, entry.blob, {
    branches: entry.branch === "" ? [] : [entry.branch],
    inTree: true,
    ...(datasets.length === 0 && { documents: known }),
    ...(counts && { counts }),
  });
}

/** Adds what the branches of an object database say. */
export function addVersion(claims: Claims, path: string, stored: StoredVersion, treeBranch: string): void {
  const { blob, branches, version, language, status, declarations, detail, documents: counts } = stored;
  if (status !== "indexed") return;
  const inTree = treeBranch !== "" && branches.includes(treeBranch);
  const documents: KnownDocuments = { version, language, status, declarations, detail, ...counted(counts) };
  claims.add(path, blob, { branches, inTree, documents, ...(counts && { counts }) });
}

function counted(documents: number[] | undefined): Pick<KnownDocuments, "documents"> {
  return documents ? { documents } : {};
}

interface Answer<T> {
  hits: { hits: { _source: T; sort?: unknown[] }[] };
}

/** The object databases whose branches are indexed under a name, or all. */
export async function readRepositories(client: Client, repo?: string): Promise<RepositoryEntry[]> {
  const filter = [{ term: { entry: "repository" } }, ...(repo === undefined ? [] : [{ term: { repo } }])];
  const body = { size: 1000, query: { bool: { filter } } };
  const answer = await client.json<Answer<RepositoryEntry>>("POST", `/${INDEX.catalog}/_search`, body);
  return answer.hits.hits.map((hit) => hit._source);
}

const PAGE = 5000;

/** What the branches of a store hold, path by path. */
export async function* versionsEntries(
  client: Client,
  store: string,
  only: { filter?: unknown[] } = {},
): AsyncGenerator<VersionsEntry> {
  const filter = [{ term: { root: store } }, { term: { entry: "versions" } }, ...(only.filter ?? [])];
  for (let after: unknown[] | undefined; ; ) {
    const answer = await client.json<Answer<VersionsEntry>>("POST", `/${INDEX.catalog}/_search`, {
      size: PAGE,
      track_total_hits: false,
      query: { bool: { filter } },
      sort: [{ path: "asc" }],
      ...(after && { search_after: after }),
    });
    const { hits } = answer.hits;
    for (const hit of hits) yield hit._source;
    if (hits.length < PAGE) return;
    after = hits.at(-1)!.sort;
  }
}
