import type { TermsAggregation } from "../../engine/index.js";
import { readShape } from "../body/shape.js";
import { contentError, illegalArgument, notSupported, parsingError } from "../errors.js";
import type { Json } from "../json/value.js";
import { aggregationShape, countOf, fieldOf, type ReadAggregation, readOrder } from "./clause.js";

const SHAPE = aggregationShape(
  "terms",
  {
    field: "string",
    size: "integer",
    // Every index is one shard and all terms are counted, so these change nothing.
    shard_size: "integer",
    execution_hint: "string",
    collect_mode: "string",
    show_term_doc_count_error: "boolean",
    min_doc_count: "integer",
    order: "any",
    missing: "scalar",
    include: "any",
    exclude: "any",
    format: "string",
    // The type of fields that no index has: those have no terms, of whichever type.
    value_type: "string",
  },
  ["script", "shard_min_doc_count"],
);

const DEFAULT_SIZE = 10;
const DEFAULT_ORDER = [{ by: "_count", direction: "desc" as const }];

export const readTermsAggregation: ReadAggregation = (body) => {
  const options = readShape(body, SHAPE);
  if (options.size === 0) throw illegalArgument("[size] must be greater than 0. Found [0] in [terms]");
  if (options.show_term_doc_count_error === true) throw notSupported("[show_term_doc_count_error]");
  checkHints(options);
  const terms: TermsAggregation = {
    kind: "terms",
    field: fieldOf(options, "terms"),
    size: countOf(options.size, DEFAULT_SIZE, "size"),
    minDocCount: countOf(options.min_doc_count, 1, "min_doc_count"),
    order: options.order === undefined ? DEFAULT_ORDER : readOrder(options.order),
  };
  if (options.missing !== undefined) terms.missing = options.missing;
  if (options.format !== undefined) terms.format = options.format;
  if (options.include !== undefined) terms.include = readFilter(options.include, "include");
  if (options.exclude !== undefined) terms.exclude = readFilter(options.exclude, "exclude");
  return terms;
};

const RARE = aggregationShape(
  "rare_terms",
  {
    field: "string",
    max_doc_count: "integer",
    // Terms are counted, not estimated: how precise an estimate would be changes nothing.
    precision: "number",
    missing: "scalar",
    include: "any",
    exclude: "any",
    format: "string",
    value_type: "string",
  },
  ["script"],
);

const MAX_RARE_COUNT = 100;

export const readRareTerms: ReadAggregation = (body) => {
  const options = readShape(body, RARE);
  const most = options.max_doc_count ?? 1;
  if (most <= 0) throw illegalArgument(`[max_doc_count] must be greater than 0. Found [${most}] in [rare_terms]`);
  if (most > MAX_RARE_COUNT)
    throw illegalArgument(`[max_doc_count] must be smaller than [${MAX_RARE_COUNT}] in [rare_terms]`);
  const { precision } = options;
  if (precision !== undefined && precision < 0.00001) throw illegalArgument("[precision] must be greater than 0.00001");
  const terms: TermsAggregation = {
    kind: "terms",
    field: fieldOf(options, "rare_terms"),
    size: Number.MAX_SAFE_INTEGER,
    minDocCount: 1,
    maxDocCount: most,
    order: [{ by: "_count", direction: "asc" }],
  };
  if (options.missing !== undefined) terms.missing = options.missing;
  if (options.format !== undefined) terms.format = options.format;
  if (options.include !== undefined) terms.include = readFilter(options.include, "include");
  if (options.exclude !== undefined) terms.exclude = readFilter(options.exclude, "exclude");
  return terms;
};

/** How to count is not for the request to say here; a word that Elasticsearch does not know is still refused. */
function checkHints(options: { execution_hint?: string; collect_mode?: string }): void {
  const { execution_hint: hint, collect_mode: mode } = options;
  if (hint !== undefined && hint !== "map" && hint !== "global_ordinals")
    throw illegalArgument(`Unknown \`execution_hint\`: [${hint}], expected any of [map, global_ordinals]`);
  if (mode !== undefined && mode !== "depth_first" && mode !== "breadth_first") {
    throw contentError("[terms] failed to parse field [collect_mode]", "collect_mode", {
      causedBy: { type: "parse_exception", reason: `no [collect_mode] found for value [${mode}]` },
    });
  }
}

function readFilter(given: Json, key: string): string[] | { pattern: string } {
  if (typeof given === "string") return { pattern: given };
  if (Array.isArray(given)) return given.map(String);
  if (typeof given === "object") throw notSupported(`[${key}] with partitions in [terms]`);
  throw parsingError(`[terms] failed to parse field [${key}]`, key);
}
