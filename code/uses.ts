/** A name, how often it is used, and the files that use it most. */
export interface NameUses {
  key: string;
  uses: { value: number };
  files?: { buckets: { key: string; doc_count: number }[] };
}

/** Files counted for each name: with some hundreds of names, below the buckets that a request may make. */
const MOST_FILES = 100;

/**
 * The aggregation of the references index that counts uses by name, the most used first: `buckets` of NameUses. A document
 * there is an edge with all its places. `by file`: with the files that have them.
 */
export function usesByName(size: number, by: "name" | "file" = "name"): Record<string, unknown> {
  const files = { terms: { field: "path", size: MOST_FILES, order: [{ _count: "desc" }, { _key: "asc" }] } };
  return {
    terms: { field: "name", size, order: { uses: "desc" } },
    aggs: { uses: { value_count: { field: "start_byte" } }, ...(by === "file" && { files }) },
  };
}
