import { shape } from "../body/shape.js";

/** Keys of a `_search` body. */
export const SEARCH_SHAPE = shape(
  "search",
  "section",
  {
    query: "object",
    from: "integer",
    size: "integer",
    sort: "any",
    _source: "any",
    aggs: "object",
    aggregations: "object",
    post_filter: "object",
    min_score: "number",
    track_total_hits: "any",
    track_scores: "boolean",
    search_after: "list",
    highlight: "object",
    knn: "any",
    explain: "boolean",
    version: "boolean",
    seq_no_primary_term: "boolean",
    profile: "boolean",
    terminate_after: "integer",
    timeout: "string",
    docvalue_fields: "list",
    stored_fields: "any",
    pit: "object",
    slice: "object",
    collapse: "object",
    fields: "list",
    indices_boost: "any",
    stats: "list",
    ext: "object",
    suggest: "object",
  },
  ["rank", "rescore", "retriever", "runtime_mappings", "script_fields", "search_pipeline", "derived"],
);

export const PIT_SHAPE = shape("pit", "object", { id: "string", keep_alive: "string" });
