import { type Client, WireError } from "../client/index.js";

/** A `_search` answer, as far as these tools read it. */
export interface SearchAnswer<T> {
  hits: { total: { value: number; relation?: string } | number; hits: { _id: string; _source: T }[] };
  aggregations?: Record<string, { buckets?: { key: string; doc_count: number; uses?: { value: number } }[] }>;
}

/** Searches an index; undefined when the index is not there, which for these tools is an answer and no error. */
export async function searchIndex<T>(
  client: Client,
  index: string,
  body: unknown,
): Promise<SearchAnswer<T> | undefined> {
  try {
    return await client.json<SearchAnswer<T>>("POST", `/${index}/_search`, body);
  } catch (error) {
    if (error instanceof WireError && error.status === 404) return undefined;
    throw error;
  }
}

/** Sources of the hits; none when the index is not there. */
export async function sources<T>(client: Client, index: string, body: unknown): Promise<T[]> {
  const answer = await searchIndex<T>(client, index, body);
  return (answer?.hits.hits ?? []).map((hit) => hit._source);
}

/** Number of hits in all, 0 when there is no index. */
export function totalOf(answer: SearchAnswer<unknown> | undefined): number {
  const total = answer?.hits.total ?? 0;
  return typeof total === "number" ? total : total.value;
}

/** A query for documents that equal all of these. */
export function equals(fields: Readonly<Record<string, string | undefined>>): Record<string, unknown> {
  const filter = Object.entries(fields).flatMap(([field, value]) =>
    value === undefined ? [] : [{ term: { [field]: value } }],
  );
  return { bool: { filter } };
}
