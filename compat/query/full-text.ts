/** Queries whose text is analysed: match, match_phrase, match_phrase_prefix, multi_match. */
import type { Match, MatchBoolPrefix, MatchPhrase, MultiMatch } from "../../engine/index.js";
import { oneOf, readShape } from "../body/shape.js";
import { illegalArgument, notSupported, parsingError } from "../errors.js";
import { common, querySkeleton, type ReadClause, readField, required } from "./clause.js";

const FUZZY = ["fuzziness", "fuzzy_rewrite", "fuzzy_transpositions", "prefix_length", "max_expansions"];
const TEXT = { query: "scalar", analyzer: "string", zero_terms_query: "string" } as const;
const MATCH = querySkeleton(
  "match",
  {
    ...TEXT,
    operator: "string",
    minimum_should_match: "string",
    lenient: "boolean",
    auto_generate_synonyms_phrase_query: "boolean",
  },
  FUZZY,
);
const PHRASE = querySkeleton("match_phrase", { ...TEXT, slop: "integer" });
const PHRASE_PREFIX = querySkeleton("match_phrase_prefix", { ...TEXT, slop: "integer", max_expansions: "integer" });
const BOOL_PREFIX = querySkeleton(
  "match_bool_prefix",
  { query: "scalar", analyzer: "string", operator: "string", minimum_should_match: "string" },
  FUZZY,
);
const MULTI = querySkeleton(
  "multi_match",
  {
    ...TEXT,
    fields: "strings",
    type: "string",
    operator: "string",
    minimum_should_match: "string",
    tie_breaker: "number",
    slop: "integer",
    lenient: "boolean",
    auto_generate_synonyms_phrase_query: "boolean",
  },
  FUZZY,
);

const DEFAULT_PHRASE_EXPANSIONS = 50;

export const readMatch: ReadClause = (body) => {
  const { field, options } = readField(body, MATCH, "query");
  const match: Match = {
    kind: "match",
    field,
    query: required(options.query, "match", "query"),
    operator: operatorOf(options.operator),
    zeroTerms: zeroTermsOf(options.zero_terms_query),
    lenient: options.lenient ?? false,
    ...common(options),
  };
  if (options.minimum_should_match !== undefined) match.minimumShouldMatch = options.minimum_should_match;
  if (options.analyzer !== undefined) match.analyzer = options.analyzer;
  return match;
};

export const readMatchPhrase: ReadClause = (body) => {
  const { field, options } = readField(body, PHRASE, "query");
  const phrase: MatchPhrase = {
    kind: "match_phrase",
    field,
    query: required(options.query, "match_phrase", "query"),
    slop: slopOf(options.slop),
    zeroTerms: zeroTermsOf(options.zero_terms_query),
    lastTermExpansions: 0,
    ...common(options),
  };
  if (options.analyzer !== undefined) phrase.analyzer = options.analyzer;
  return phrase;
};

export const readMatchPhrasePrefix: ReadClause = (body) => {
  const { field, options } = readField(body, PHRASE_PREFIX, "query");
  const expansions = options.max_expansions ?? DEFAULT_PHRASE_EXPANSIONS;
  if (expansions < 1) throw illegalArgument("[max_expansions] must be positive");
  const phrase: MatchPhrase = {
    kind: "match_phrase",
    field,
    query: required(options.query, "match_phrase_prefix", "query"),
    slop: slopOf(options.slop),
    zeroTerms: zeroTermsOf(options.zero_terms_query),
    lastTermExpansions: expansions,
    ...common(options),
  };
  if (options.analyzer !== undefined) phrase.analyzer = options.analyzer;
  return phrase;
};

export const readMatchBoolPrefix: ReadClause = (body) => {
  const { field, options } = readField(body, BOOL_PREFIX, "query");
  const match: MatchBoolPrefix = {
    kind: "match_bool_prefix",
    field,
    query: required(options.query, "match_bool_prefix", "query"),
    operator: operatorOf(options.operator),
    ...common(options),
  };
  if (options.minimum_should_match !== undefined) match.minimumShouldMatch = options.minimum_should_match;
  if (options.analyzer !== undefined) match.analyzer = options.analyzer;
  return match;
};

const MULTI_TYPES = ["best_fields", "most_fields", "phrase", "bool_prefix"] as const;
const MULTI_NOT_BUILT: ReadonlySet<string> = new Set(["cross_fields", "phrase_prefix"]);

export const readMultiMatch: ReadClause = (body) => {
  const options = readShape(body, MULTI);
  const wanted = options.type ?? "best_fields";
  if (MULTI_NOT_BUILT.has(wanted)) throw notSupported(`[multi_match] of type [${wanted}]`);
  const type = oneOf(wanted, MULTI_TYPES, "[multi_match] type");
  checkBoolPrefix(type, options.slop);
  // Without fields all are searched, and those that cannot hold the text do not fail the query.
  const everywhere = options.fields === undefined || options.fields.length === 0;
  const multi: MultiMatch = {
    kind: "multi_match",
    fields: everywhere ? [{ field: "*", boost: 1 }] : boostedFields(options.fields ?? []),
    query: required(options.query, "multi_match", "query"),
    type,
    operator: operatorOf(options.operator),
    tieBreaker: options.tie_breaker ?? (type === "most_fields" ? 1 : 0),
    slop: slopOf(options.slop),
    zeroTerms: zeroTermsOf(options.zero_terms_query),
    lenient: options.lenient ?? everywhere,
    ...common(options),
  };
  if (options.minimum_should_match !== undefined) multi.minimumShouldMatch = options.minimum_should_match;
  if (options.analyzer !== undefined) multi.analyzer = options.analyzer;
  return multi;
};

/** Elasticsearch's words for options that a last word's prefix has no use for. */
function checkBoolPrefix(type: string, slop: number | undefined): void {
  if (type !== "bool_prefix" || slop === undefined) return;
  throw parsingError("[slop] not allowed for type [bool_prefix]", "slop");
}

/** Each field once: of two boosts for a field, the last counts, as in Elasticsearch, which keeps them in a map. */
function boostedFields(texts: readonly string[]): { field: string; boost: number }[] {
  const boosts = new Map(texts.map(boostedField).map(({ field, boost }) => [field, boost]));
  return [...boosts].map(([field, boost]) => ({ field, boost }));
}

/** `title^3` */
function boostedField(text: string): { field: string; boost: number } {
  const at = text.lastIndexOf("^");
  if (at === -1) return { field: text, boost: 1 };
  const boost = Number(text.slice(at + 1));
  if (at + 1 === text.length || !(boost >= 0))
    throw illegalArgument(`[multi_match] the boost of field [${text}] is not a number`);
  return { field: text.slice(0, at), boost };
}

function operatorOf(given: string | undefined): "or" | "and" {
  return oneOf((given ?? "or").toLowerCase(), ["or", "and"] as const, "[operator]");
}

function zeroTermsOf(given: string | undefined): "none" | "all" {
  return oneOf((given ?? "none").toLowerCase(), ["none", "all"] as const, "[zero_terms_query]");
}

function slopOf(given: number | undefined): number {
  if (given !== undefined && given < 0) throw illegalArgument("No negative slop allowed.");
  return given ?? 0;
}
