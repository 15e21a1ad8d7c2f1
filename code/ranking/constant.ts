import type { Clause } from "../query-clauses.js";

/** A clause that adds the same to the score of whatever fits. */
export function constant(filter: Clause, boost: number): Clause {
  return { constant_score: { filter, boost } };
}
