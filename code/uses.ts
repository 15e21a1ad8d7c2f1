/** A name, how many declarations use it (`doc_count`), and the files that most of them are in. */
export interface NameUses {
  key: string;
  doc_count: number;
  files?: { buckets: { key: string; doc_count: number }[] };
  /** By repository, where several were asked for. */
  repos?: { buckets: Omit<NameUses, "repos">[] };
}

/** Files counted for each name: with some hundreds of names, below the buckets that a request may make. */
const MOST_FILES = 100;
/** Repositories counted for each name. */
const MOST_REPOS = 20;

/**
 * The aggregation of the references index that counts, by name, the declarations that use it, the most used first: `buckets`
 * of NameUses. A document there is what one declaration uses. `by file`: with the files that have them, those of each
 * repository apart where there are several.
 */
export function usesByName(size: number, by: "name" | "file" = "name", repos = 1): Record<string, unknown> {
  const counted = Math.max(1, Math.min(repos, MOST_REPOS));
  const files = { terms: { field: "path", size: Math.floor(MOST_FILES / counted), order: MOST_FIRST } };
  const byRepo = { terms: { field: "repo", size: counted, order: MOST_FIRST }, aggs: { files } };
  return {
    terms: { field: "name", size, order: MOST_FIRST },
    ...(by === "file" && { aggs: repos <= 1 ? { files } : { repos: byRepo } }),
  };
}

const MOST_FIRST = [{ _count: "desc" }, { _key: "asc" }];
