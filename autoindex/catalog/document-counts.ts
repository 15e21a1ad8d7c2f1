import { type Client, WireError } from "../../client/index.js";
import { addCounts, COUNTED_INDICES, type DocumentCounts } from "../documents/counted-lines.js";

/** Buckets of one page. */
const PAGE = 10_000;

/** All documents of code that the indices hold of a repository; none of an index that is not there. */
export async function countDocuments(client: Client, repo: string): Promise<DocumentCounts> {
  const counts: DocumentCounts = [0, 0, 0];
  const body = { size: 0, track_total_hits: true, query: { bool: { filter: [{ term: { repo } }] } } };
  for (const [at, index] of COUNTED_INDICES.entries()) {
    const answer = await searchThere<{ hits: { total: { value: number } | number } }>(client, index, body);
    const total = answer?.hits.total ?? 0;
    counts[at] = typeof total === "number" ? total : total.value;
  }
  return counts;
}

/** What the indices hold, path by path. */
export interface CountsByPath {
  /** By path and blob: documents of the file itself. */
  own: Map<string, Map<string, DocumentCounts>>;
  /** By the path of an archive: documents of the files inside. */
  members: Map<string, DocumentCounts>;
}

/** Counts the documents of every path of a repository. */
export async function countByPath(client: Client, repo: string): Promise<CountsByPath> {
  const own: CountsByPath["own"] = new Map();
  const members: CountsByPath["members"] = new Map();
  const filter = [{ term: { repo } }];
  const isMember = { exists: { field: "container" } };
  for (const [at, index] of COUNTED_INDICES.entries()) {
    const add = (counts: DocumentCounts, count: number) =>
      addCounts(
        counts,
        counts.map((_, place) => (place === at ? count : 0)),
      );
    for await (const { key, count } of buckets(client, index, { filter, must_not: [isMember] }, ["path", "blob"])) {
      const blobs = known(own, key.path!, () => new Map<string, DocumentCounts>());
      add(known(blobs, key.blob!, nothing), count);
    }
    for await (const { key, count } of buckets(client, index, { filter: [...filter, isMember] }, ["container"])) {
      add(known(members, key.container!, nothing), count);
    }
  }
  return { own, members };
}

/** Documents of each data set's index by its name, as the node lists them. */
export async function countRecords(client: Client, pattern: string): Promise<Map<string, number>> {
  await client.json("POST", `/${pattern}/_refresh`);
  const path = `/_cat/indices/${pattern}?format=json&h=index,docs.count`;
  const rows = await client.json<{ index: string; "docs.count": string | null }[]>("GET", path);
  return new Map(rows.map((row) => [row.index, Number(row["docs.count"] ?? 0)]));
}

function nothing(): DocumentCounts {
  return [0, 0, 0];
}

function known<K, V>(map: Map<K, V>, key: K, make: () => V): V {
  const found = map.get(key) ?? make();
  map.set(key, found);
  return found;
}

interface Bucket {
  key: Record<string, string>;
  count: number;
}

/** The combinations of some fields' values with their counts, page by page. */
async function* buckets(
  client: Client,
  index: string,
  bool: object,
  fields: readonly string[],
): AsyncGenerator<Bucket> {
  type Answer = {
    aggregations: {
      combined: { buckets: { key: Record<string, string>; doc_count: number }[]; after_key?: Record<string, string> };
    };
  };
  const sources = fields.map((field) => ({ [field]: { terms: { field } } }));
  for (let after: Record<string, string> | undefined; ; ) {
    const composite = { size: PAGE, sources, ...(after && { after }) };
    const body = { size: 0, query: { bool }, aggs: { combined: { composite } } };
    const answer = await searchThere<Answer>(client, index, body);
    if (answer === undefined) return;
    const { combined } = answer.aggregations;
    for (const { key, doc_count: count } of combined.buckets) yield { key, count };
    after = combined.after_key;
    if (after === undefined || combined.buckets.length < PAGE) return;
  }
}

/** Nothing where the index is not there. */
async function searchThere<T>(client: Client, index: string, body: object): Promise<T | undefined> {
  try {
    return await client.json<T>("POST", `/${index}/_search`, body);
  } catch (error) {
    if (error instanceof WireError && error.status === 404) return undefined;
    throw error;
  }
}
