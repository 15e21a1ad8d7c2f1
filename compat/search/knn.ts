/** The `knn` section of a search body: one object or several. */
import type { Knn, Query } from "../../engine/index.js";
import { readShape, shape } from "../body/shape.js";
import { illegalArgument, notSupported, parsingError } from "../errors.js";
import type { Json } from "../json/value.js";
import { readQuery } from "../query/index.js";

const SHAPE = shape(
  "knn",
  "object",
  {
    field: "string",
    query_vector: "any",
    k: "integer",
    num_candidates: "integer",
    filter: "any",
    boost: "number",
    similarity: "number",
  },
  ["query_vector_builder", "inner_hits", "rescore_vector", "visit_percentage", "_name"],
);

const MAX_CANDIDATES = 10_000;
const CANDIDATES_PER_RESULT = 1.5;

/** `size` is the default of `k`. Throws ApiError 400. */
export function readKnn(given: Json | undefined, size: number): Knn[] {
  if (given === undefined) return [];
  return (Array.isArray(given) ? given : [given]).map((one) => readOne(one, size));
}

function readOne(given: Json, size: number): Knn {
  const options = readShape(given, SHAPE);
  if (options.field === undefined) throw parsingError("[knn] requires [field]", "knn");
  const k = options.k ?? size;
  const numCandidates =
    options.num_candidates ?? Math.min(MAX_CANDIDATES, Math.max(k, Math.round(k * CANDIDATES_PER_RESULT)));
  if (k < 1) throw illegalArgument("[k] must be greater than 0");
  if (numCandidates < k) throw illegalArgument(`[num_candidates] cannot be less than [k]`);
  if (numCandidates > MAX_CANDIDATES) throw illegalArgument(`[num_candidates] cannot exceed [${MAX_CANDIDATES}]`);
  const knn: Knn = {
    field: options.field,
    vector: readVector(options.query_vector),
    k,
    numCandidates,
    boost: options.boost ?? 1,
  };
  if (options.filter !== undefined) knn.filter = readFilter(options.filter);
  if (options.similarity !== undefined) knn.similarity = options.similarity;
  return knn;
}

function readVector(given: Json | undefined): number[] {
  if (given === undefined) throw illegalArgument("either [query_vector] or [query_vector_builder] must be provided");
  if (typeof given === "string") throw notSupported("[query_vector] as a string");
  if (!Array.isArray(given) || given.length === 0)
    throw parsingError("[query_vector] must be an array of numbers", "query_vector");
  return given.map((value) => {
    if (typeof value !== "number" && typeof value !== "bigint")
      throw parsingError("[query_vector] must be an array of numbers", "query_vector");
    return Number(value);
  });
}

function readFilter(given: Json): Query {
  if (!Array.isArray(given)) return readQuery(given);
  return { kind: "bool", must: [], should: [], filter: given.map(readQuery), mustNot: [], boost: 1 };
}
