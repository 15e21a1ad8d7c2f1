/** A name, how many declarations use it (`doc_count`), and the files that most of them are in. */
export interface NameUses {
  key: string;
  doc_count: number;
  files?: { buckets: { key: string; doc_count: number }[] };
}

/** Files counted for each name: with some hundreds of names, below the buckets that a request may make. */
const MOST_FILES = 100;

/**
 * The aggregation of the references index that counts, by name, the declarations that use it, the most used first: `buckets`
 * of NameUses. A document there is what one declaration uses. `by file`: with the files that have them.
 */
export function usesByName(size: number, by: "name" | "file" = "name"): Record<string, unknown> {
  const files = { terms: { field: "path", size: MOST_FILES, order: MOST_FIRST } };
  return {
    terms: { field: "name", size, order: MOST_FIRST },
    ...(by === "file" && { aggs: { files } }),
  };
}

const MOST_FIRST = [{ _count: "desc" }, { _key: "asc" }];
