import type { Clause } from "./query-clauses.js";

/** A `_search` answer, as far as it is read here; undefined when the index is not there. */
export interface ValuesAnswer {
  hits: { total: { value: number } | number };
  aggregations?: Record<string, { buckets?: readonly { key: string }[] }>;
}

/** Sends a `_search`. */
export type ValuesSearch = (index: string, body: Clause) => Promise<ValuesAnswer | undefined>;
