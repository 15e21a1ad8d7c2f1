import { COUNTER_NAMES, type IndexStats } from "../engine-types.js";

/** What an index counts; all but the names in -Now only grow while the index is open. */
export type Counters = IndexStats["counters"];

/** All zero. */
export function newCounters(): Counters {
  return Object.fromEntries(COUNTER_NAMES.map((name) => [name, 0])) as Counters;
}
