import type { IndexStats } from "../engine-types.js";

/** What an index counts; it only grows while the index is open. */
export type Counters = IndexStats["counters"];

/** All zero. */
export function newCounters(): Counters {
  return {
    indexed: 0,
    deleted: 0,
    indexFailed: 0,
    searches: 0,
    fetches: 0,
    gets: 0,
    refreshes: 0,
    flushes: 0,
    merges: 0,
    indexTimeMs: 0,
    searchTimeMs: 0,
    getTimeMs: 0,
    refreshTimeMs: 0,
    flushTimeMs: 0,
    mergeTimeMs: 0,
  };
}
