/** What aggregations cost, by their kinds and the number of documents. */
import type { Aggregation } from "../../aggs/aggregation.js";
import { COST } from "./constants.js";
import type { Probe } from "./probe.js";
import { find } from "./queries.js";

/** Documents per term below which counting by the dictionary is slower than by the column (aggs/whole-leaf.ts). */
const DOCS_PER_TERM = 8;

/**
 * Aggregating `docs` documents of a reader; `whole`: all that there are and none deleted, so that summaries may answer
 * what has nothing below it.
 */
export function aggregating(
  probe: Probe,
  aggregations: Record<string, Aggregation>,
  docs: number,
  whole: boolean,
): number {
  let total = 0;
  for (const one of Object.values(aggregations)) {
    const leafless = Object.keys(one.aggs).length === 0;
    const field = "field" in one ? probe.field(one.field) : undefined;
    if (field?.column) probe.needs(field, "column");
    if (whole && leafless && isSummarised(probe, one)) total += docs * COST.summarised;
    else {
      const within = one.kind === "global" ? probe.docs : docs;
      const below = COST.below * aggregating(probe, one.aggs, within, false);
      total += within * each(one) + filters(probe, one) + (one.kind === "global" ? below / COST.below : below);
    }
  }
  return total;
}

function each({ kind }: Aggregation): number {
  const costs: Record<string, number> = COST.aggregated;
  return costs[kind] ?? COST.aggregated.other;
}

function filters(probe: Probe, aggregation: Aggregation): number {
  if (aggregation.kind === "filter") return find(probe, aggregation.filter).marking;
  if (aggregation.kind !== "filters") return 0;
  return aggregation.filters.reduce((total, { filter }) => total + find(probe, filter).marking, 0);
}

function isSummarised(probe: Probe, aggregation: Aggregation): boolean {
  if (aggregation.kind === "date_histogram" || aggregation.kind === "histogram") return true;
  if (aggregation.kind !== "terms") return false;
  const field = probe.field(aggregation.field);
  return field?.inverted === true && probe.terms(field, null, null) * DOCS_PER_TERM < probe.docs;
}
