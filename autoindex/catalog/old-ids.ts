import type { Client } from "../../client/index.js";
import { INDEX } from "../../code/index.js";

/** What may be asked for in one page; Elasticsearch's default window. */
const PAGE = 10_000;
/** Paths asked for together. */
const PATHS = 64;
/** Values of one clause. */
const TERMS = 1000;

/** A document to delete. */
export interface OldDocument {
  index: string;
  id: string;
}

interface IdAnswer {
  hits: { hits: { _index: string; _id: string; sort?: [number] }[] };
}

/**
 * Every document that the code indices hold for some paths of a repository, whatever state of the file it is of; those
 * of the files inside, where a path is an archive's.
 */
export async function findOldDocuments(client: Client, repo: string, paths: readonly string[]): Promise<OldDocument[]> {
  const all = [...paths, ...(await findMemberPaths(client, repo, paths))];
  const found: OldDocument[] = [];
  for (let at = 0; at < all.length; at += PATHS) {
    found.push(...(await findFor(client, repo, all.slice(at, at + PATHS))));
  }
  return found;
}

/** The paths of all files inside some archives that have a document. Pages by path: each is unique in the answer. */
async function findMemberPaths(client: Client, repo: string, containers: readonly string[]): Promise<Set<string>> {
  const members = new Set<string>();
  for (let at = 0; at < containers.length; at += TERMS) {
    const filter = [{ term: { repo } }, { terms: { container: containers.slice(at, at + TERMS) } }];
    for await (const { path } of documentPaths(client, INDICES, filter)) members.add(path);
  }
  return members;
}

const DOCUMENT_INDICES = [INDEX.files, INDEX.declarations, INDEX.references] as const;
const INDICES = DOCUMENT_INDICES.join(",");

/** Every path on disk that has a document of a repository; an archive's files count as the archive. */
export async function findDocumentPaths(client: Client, repo: string): Promise<Set<string>> {
  const paths = new Set<string>();
  for (const index of DOCUMENT_INDICES) {
    for await (const { path, container } of documentPaths(client, index, [{ term: { repo } }])) {
      paths.add(container ?? path);
    }
  }
  return paths;
}

interface DocumentPath {
  path: string;
  container?: string;
}

/**
 * The paths of documents that a filter finds, some of them several times. Pages by path: the next page begins after the
 * last path seen, however many documents it has.
 */
async function* documentPaths(client: Client, indices: string, filter: unknown[]): AsyncGenerator<DocumentPath> {
  for (let after: unknown[] | undefined, isLast = false; !isLast; ) {
    const answer = await client.json<{ hits: { hits: { _source: DocumentPath; sort: [string] }[] } }>(
      "POST",
      `/${indices}/_search`,
      {
        size: PAGE,
        _source: ["path", "container"],
        track_total_hits: false,
        query: { bool: { filter } },
        sort: [{ path: "asc" }],
        ...(after && { search_after: after }),
      },
    );
    const { hits } = answer.hits;
    for (const { _source } of hits) yield _source;
    after = hits.at(-1)?.sort;
    isLast = hits.length < PAGE;
  }
}

/** Asks for all together; when a page cannot hold them, for each half, and for a single file page by page. */
async function findFor(client: Client, repo: string, paths: readonly string[]): Promise<OldDocument[]> {
  const answer = await client.json<IdAnswer>("POST", `/${INDICES}/_search`, {
    size: PAGE,
    _source: false,
    track_total_hits: false,
    query: { bool: { filter: [{ term: { repo } }, { terms: { path: paths } }] } },
  });
  const { hits } = answer.hits;
  if (hits.length < PAGE) return hits.map((hit) => ({ index: hit._index, id: hit._id }));
  if (paths.length === 1) return findByPlace(client, repo, paths[0]!);
  const half = paths.length >> 1;
  return [...(await findFor(client, repo, paths.slice(0, half))), ...(await findFor(client, repo, paths.slice(half)))];
}

/**
 * Pages through one file by the byte its documents begin at. The next page begins at the last byte again, not after
 * it: several documents may begin there, and those seen twice count once.
 */
async function findByPlace(client: Client, repo: string, path: string): Promise<OldDocument[]> {
  const found = new Map<string, OldDocument>();
  for (const index of DOCUMENT_INDICES) {
    for (let from = 0, isLast = false; !isLast; ) {
      const range = index === INDEX.files ? [] : [{ range: { start_byte: { gte: from } } }];
      const answer = await client.json<IdAnswer>("POST", `/${index}/_search`, {
        size: PAGE,
        _source: false,
        track_total_hits: false,
        query: { bool: { filter: [{ term: { repo } }, { term: { path } }, ...range] } },
        ...(index !== INDEX.files && { sort: [{ start_byte: "asc" }] }),
      });
      const { hits } = answer.hits;
      for (const hit of hits) found.set(`${hit._index}/${hit._id}`, { index: hit._index, id: hit._id });
      const last = hits.at(-1)?.sort?.[0] ?? from;
      isLast = hits.length < PAGE || last === from;
      from = last;
    }
  }
  return [...found.values()];
}
