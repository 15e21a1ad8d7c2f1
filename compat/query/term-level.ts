/** Queries on exact terms: term, terms, prefix, wildcard, exists, ids. */
import type { Scalar } from "../../engine/index.js";
import { readShape, readValue } from "../body/shape.js";
import { ApiError, notSupported, parsingError } from "../errors.js";
import { isObject, type Json } from "../json/value.js";
import { ordinaryField } from "../metadata-fields.js";
import { common, querySkeleton, type ReadClause, readField, required } from "./clause.js";

const TERM = querySkeleton("term", { value: "scalar", case_insensitive: "boolean" });
const PREFIX = querySkeleton("prefix", { value: "string", case_insensitive: "boolean", rewrite: "string" });
const WILDCARD = querySkeleton("wildcard", {
  value: "string",
  wildcard: "string",
  case_insensitive: "boolean",
  rewrite: "string",
});
const REGEXP = querySkeleton(
  "regexp",
  { value: "string", flags: "string", case_insensitive: "boolean", rewrite: "string" },
  ["max_determinized_states", "flags_value"],
);
const EXISTS = querySkeleton("exists", { field: "string" });
const IDS = querySkeleton("ids", { values: "strings" });

export const readTerm: ReadClause = (body) => {
  const { field, options } = readField(body, TERM, "value");
  const value = required(options.value, "term", "value");
  if (field === "_id") return { kind: "ids", values: [String(value)], ...common(options) };
  return { kind: "term", field, value, caseInsensitive: options.case_insensitive ?? false, ...common(options) };
};

/** The field stands beside `boost` and `_name` here. */
export const readTerms: ReadClause = (body) => {
  if (!isObject(body)) throw parsingError("[terms] query malformed, no start_object after query name");
  const { boost, _name, ...fields } = body;
  const entries = Object.entries(fields);
  if (entries.length === 0)
    throw parsingError(
      "[terms] query requires a field name, followed by array of terms or a document lookup specification",
    );
  if (entries.length > 1) throw parsingError(`[terms] query does not support multiple fields`, entries[1][0]);
  const [field, given] = entries[0];
  const options = readShape(
    boost === undefined && _name === undefined ? {} : pick({ boost, _name }),
    querySkeleton("terms", {}),
  );
  const values = readTermValues(field, given);
  if (field === "_id") return { kind: "ids", values: values.map(String), ...common(options) };
  if (field !== "_index") ordinaryField(field, "terms");
  return { kind: "terms", field, values, ...common(options) };
};

function pick(given: Record<string, Json | undefined>): Record<string, Json> {
  return Object.fromEntries(Object.entries(given).filter((entry): entry is [string, Json] => entry[1] !== undefined));
}

function readTermValues(field: string, given: Json): Scalar[] {
  if (isObject(given)) throw notSupported(`terms lookup (an object in [terms] query on [${field}])`);
  if (!Array.isArray(given))
    throw parsingError(`[terms] query does not support a single value for [${field}]: use an array`, field);
  return given.map((value) => {
    if (value === null) throw parsingError(`No value specified for terms query`, field);
    return readValue(value, "scalar", "[terms]", field) as Scalar;
  });
}

export const readPrefix: ReadClause = (body) => {
  const { field, options } = readField(body, PREFIX, "value");
  checkRewrite(options.rewrite);
  const value = required(options.value, "prefix", "value");
  return { kind: "prefix", field, value, caseInsensitive: options.case_insensitive ?? false, ...common(options) };
};

export const readWildcard: ReadClause = (body) => {
  const { field, options } = readField(body, WILDCARD, "value");
  checkRewrite(options.rewrite);
  const value = required(options.value ?? options.wildcard, "wildcard", "value");
  return { kind: "wildcard", field, value, caseInsensitive: options.case_insensitive ?? false, ...common(options) };
};

/** Lucene's optional operators are all there: `flags` may say nothing else. */
export const readRegexp: ReadClause = (body) => {
  const { field, options } = readField(body, REGEXP, "value");
  checkRewrite(options.rewrite);
  const flags = (options.flags ?? "ALL").toUpperCase();
  if (flags !== "ALL") throw notSupported(`[flags] with value [${options.flags}] in [regexp]`);
  const value = required(options.value, "regexp", "value");
  return { kind: "regexp", field, value, caseInsensitive: options.case_insensitive ?? false, ...common(options) };
};

/** All matches score alike here, which is what these two do. */
function checkRewrite(rewrite: string | undefined): void {
  if (rewrite === undefined || rewrite === "constant_score" || rewrite === "constant_score_blended") return;
  throw notSupported(`[rewrite] with value [${rewrite}]`);
}

/** Elasticsearch's own fields that every document has. */
const ALWAYS_THERE: ReadonlySet<string> = new Set(["_id", "_index", "_seq_no", "_version"]);

export const readExists: ReadClause = (body) => {
  const options = readShape(body, EXISTS);
  const field = required(options.field, "exists", "field");
  if (field === "_source") throw new ApiError(400, "query_shard_exception", "The _source field is not searchable");
  if (ALWAYS_THERE.has(field)) return { kind: "match_all", ...common(options) };
  return { kind: "exists", field: ordinaryField(field, "exists"), ...common(options) };
};

export const readIds: ReadClause = (body) => {
  const options = readShape(body, IDS);
  return { kind: "ids", values: options.values ?? [], ...common(options) };
};
