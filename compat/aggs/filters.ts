/** Buckets by query: filter, filters, missing, global. */
import type { AggregationKind, Query } from "../../engine/index.js";
import { readShape } from "../body/shape.js";
import { illegalArgument, parsingError } from "../errors.js";
import { isObject, type Json } from "../json/value.js";
import { ANONYMOUS, aggregationShape, fieldOf, type ReadAggregation } from "./clause.js";

const FILTERS = aggregationShape("filters", {
  filters: "any",
  other_bucket: "boolean",
  other_bucket_key: "string",
  keyed: "boolean",
});
const MISSING = aggregationShape("missing", { field: "string" }, ["missing", "script"]);
const GLOBAL = aggregationShape("global", {});

export const readFilter: ReadAggregation = (body, readQuery) => ({ kind: "filter", filter: readQuery(body) });

export const readFilters: ReadAggregation = (body, readQuery) => {
  const options = readShape(body, FILTERS);
  if (isEmpty(options.filters)) throw illegalArgument("[filters] cannot be empty.");
  const given = options.filters as Json;
  const named = isObject(given);
  const filters: Extract<AggregationKind, { kind: "filters" }> = {
    kind: "filters",
    filters: named ? readNamed(given, readQuery) : readAnonymous(given, readQuery),
    keyed: named && options.keyed !== false,
  };
  // A key asks for the bucket, unless it is said outright.
  const { other_bucket_key: key } = options;
  if (options.other_bucket ?? key !== undefined) filters.otherKey = named ? (key ?? "_other_") : `${ANONYMOUS}other`;
  return filters;
};

function isEmpty(filters: Json | undefined): boolean {
  return (
    filters === undefined || (typeof filters === "object" && filters !== null && Object.keys(filters).length === 0)
  );
}

function readNamed(given: Json, readQuery: (json: Json) => Query): { key: string; filter: Query }[] {
  return Object.entries(given as Record<string, Json>).map(([key, filter]) => ({ key, filter: readQuery(filter) }));
}

function readAnonymous(given: Json, readQuery: (json: Json) => Query): { key: string; filter: Query }[] {
  if (!Array.isArray(given)) throw parsingError("[filters] must be an object or an array", "filters");
  return given.map((filter, at) => ({ key: `${ANONYMOUS}${at}`, filter: readQuery(filter) }));
}

export const readMissing: ReadAggregation = (body) => ({
  kind: "missing",
  field: fieldOf(readShape(body, MISSING), "missing"),
});

export const readGlobal: ReadAggregation = (body) => {
  readShape(body, GLOBAL);
  return { kind: "global" };
};
