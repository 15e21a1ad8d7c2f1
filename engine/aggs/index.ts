/**
 * Aggregations: plain data in (aggregation.ts), trees of aggregators over batches of documents (aggregator.ts), results out.
 * Values come from columns; nothing here knows how documents were found. Start reading at aggregator.ts, then terms.ts.
 */
export { Aggregations } from "./aggregate.js";
