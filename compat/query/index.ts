/**
 * The query DSL: Elasticsearch's JSON to the engine's typed queries. One row per kind; kinds that Elasticsearch has and
 * Pinakes has not are refused by name. Start reading at clause.ts.
 */
import type { Query } from "../../engine/index.js";
import { notSupported, parsingError } from "../errors.js";
import { isObject, type Json, tokenName } from "../json/value.js";
import { didYouMean } from "../near-names.js";
import { readBool } from "./bool.js";
import type { ReadClause } from "./clause.js";
import { readConstantScore, readDisMax } from "./compound.js";
import { readMatch, readMatchBoolPrefix, readMatchPhrase, readMatchPhrasePrefix, readMultiMatch } from "./full-text.js";
import { readGeoBoundingBox, readGeoDistance, readGeoShape } from "./geo.js";
import { readMatchAll, readMatchNone } from "./match-all.js";
import { readMatchingLines } from "./matching-lines.js";
import { readQueryString, readSimpleQueryString } from "./query-string/clause.js";
import { readRange } from "./range.js";
import { readExists, readIds, readPrefix, readRegexp, readTerm, readTerms, readWildcard } from "./term-level.js";

/** Sorted by kind. */
export const QUERY_KINDS: Readonly<Record<string, ReadClause>> = {
  bool: readBool,
  constant_score: readConstantScore,
  dis_max: readDisMax,
  exists: readExists,
  geo_bounding_box: readGeoBoundingBox,
  geo_distance: readGeoDistance,
  geo_shape: readGeoShape,
  ids: readIds,
  match: readMatch,
  match_all: readMatchAll,
  match_bool_prefix: readMatchBoolPrefix,
  match_none: readMatchNone,
  match_phrase: readMatchPhrase,
  match_phrase_prefix: readMatchPhrasePrefix,
  matching_lines: readMatchingLines,
  multi_match: readMultiMatch,
  prefix: readPrefix,
  query_string: readQueryString,
  range: readRange,
  regexp: readRegexp,
  simple_query_string: readSimpleQueryString,
  term: readTerm,
  terms: readTerms,
  wildcard: readWildcard,
};

/** Kinds of Elasticsearch's that are not built; sorted. */
export const REFUSED_KINDS: ReadonlySet<string> = new Set([
  "boosting",
  "combined_fields",
  "distance_feature",
  "function_score",
  "fuzzy",
  "geo_grid",
  "geo_polygon",
  "has_child",
  "has_parent",
  "intervals",
  "knn",
  "more_like_this",
  "nested",
  "parent_id",
  "percolate",
  "pinned",
  "rank_feature",
  "rule",
  "script",
  "script_score",
  "semantic",
  "shape",
  "span_containing",
  "span_field_masking",
  "span_first",
  "span_multi",
  "span_near",
  "span_not",
  "span_or",
  "span_term",
  "span_within",
  "sparse_vector",
  "terms_set",
  "text_expansion",
  "weighted_tokens",
  "wrapper",
]);

/** Reads one query, an object with exactly one kind. Throws ApiError 400 that names what is wrong. */
export function readQuery(json: Json): Query {
  if (!isObject(json))
    throw parsingError(`[_na] query malformed, must start with start_object but found ${tokenName(json)}`);
  const kinds = Object.keys(json);
  if (kinds.length === 0) throw parsingError("query malformed, empty clause found");
  if (kinds.length > 1)
    throw parsingError(`[${kinds[0]}] malformed query, expected [END_OBJECT] but found [FIELD_NAME]`, kinds[1]);
  const [kind] = kinds;
  const read = Object.hasOwn(QUERY_KINDS, kind) ? QUERY_KINDS[kind] : undefined;
  if (read === undefined) throw unknownKind(kind);
  return read(json[kind], readQuery);
}

function unknownKind(kind: string): Error {
  if (REFUSED_KINDS.has(kind)) return notSupported(`[${kind}] query`);
  const hint = didYouMean(kind, Object.keys(QUERY_KINDS));
  return parsingError(`unknown query [${kind}]${hint}`, kind, {
    type: "named_object_not_found_exception",
    reason: `unknown field [${kind}]`,
  });
}
