/** `query_string` and `simple_query_string`: their options. */
import type { Query } from "../../../engine/index.js";
import { type BodyOf, oneOf, readShape } from "../../body/shape.js";
import { illegalArgument, notSupported, parsingError } from "../../errors.js";
import { common, querySkeleton, type ReadClause, required } from "../clause.js";
import { buildQuery } from "./build.js";
import type { AskedField, WordOptions } from "./fields.js";
import { parseQueryString } from "./parse.js";
import { parseSimple, SIMPLE_FLAGS, type SimpleFlag } from "./simple.js";

const SHARED = {
  query: "string",
  fields: "strings",
  default_operator: "string",
  analyzer: "string",
  lenient: "boolean",
  analyze_wildcard: "boolean",
  auto_generate_synonyms_phrase_query: "boolean",
  quote_field_suffix: "string",
  minimum_should_match: "string",
  fuzzy_max_expansions: "integer",
  fuzzy_prefix_length: "integer",
  fuzzy_transpositions: "boolean",
} as const;

const QUERY_STRING = querySkeleton(
  "query_string",
  {
    ...SHARED,
    default_field: "string",
    quote_analyzer: "string",
    allow_leading_wildcard: "boolean",
    phrase_slop: "integer",
    tie_breaker: "number",
    type: "string",
    time_zone: "string",
    escape: "boolean",
  },
  ["fuzziness", "fuzzy_rewrite", "rewrite", "enable_position_increments", "max_determinized_states"],
);
const SIMPLE = querySkeleton("simple_query_string", { ...SHARED, flags: "any" }, ["fuzzy_rewrite"]);

/** Everything that can hold the text, and nothing that cannot fails. */
const EVERYWHERE: readonly AskedField[] = [{ field: "*", boost: 1 }];

export const readQueryString: ReadClause = (body) => {
  const options = readShape(body, QUERY_STRING);
  const text = required(options.query, "query_string", "query");
  const query = options.escape === true ? escaped(text) : text;
  const words = wordOptions(options);
  // A phrase of one word is none, and the analyser that is named may cut a text elsewhere than at spaces.
  const wholeText = words.type === "phrase" || words.analyzer !== undefined;
  const tree = parseQueryString(query, { operator: words.operator, wholeText });
  const found = buildQuery(tree, { ...words, leadingWildcard: options.allow_leading_wildcard ?? true });
  return named(found, common(options));
};

function wordOptions(options: BodyOf<typeof QUERY_STRING>): WordOptions {
  const type = options.type ?? "best_fields";
  if (["cross_fields", "phrase_prefix", "bool_prefix"].includes(type))
    throw notSupported(`[query_string] of type [${type}]`);
  if (options.default_field !== undefined && options.fields !== undefined)
    throw parsingError("[query_string] query cannot have both [fields] and [default_field]", "fields");
  const named = options.fields ?? (options.default_field === undefined ? undefined : [options.default_field]);
  return {
    ...sharedOptions(options, named),
    quoteAnalyzer: options.quote_analyzer,
    phraseSlop: options.phrase_slop ?? 0,
    tieBreaker: options.tie_breaker ?? 0,
    type: oneOf(type, ["best_fields", "most_fields", "phrase"] as const, "[query_string] type"),
    timeZone: options.time_zone,
  };
}

type Shared = Pick<BodyOf<typeof QUERY_STRING>, Exclude<keyof typeof SHARED, "query">>;

function sharedOptions(options: Shared, named: readonly string[] | undefined) {
  const fields = named === undefined || named.length === 0 ? EVERYWHERE : named.map(askedField);
  return {
    fields,
    operator: oneOf((options.default_operator ?? "or").toLowerCase(), ["or", "and"] as const, "[default_operator]"),
    analyzer: options.analyzer,
    quoteFieldSuffix: options.quote_field_suffix,
    lenient: options.lenient ?? fields.some(({ field }) => field === "*"),
    minimumShouldMatch: options.minimum_should_match,
  };
}

/** `title^3` */
function askedField(text: string): AskedField {
  const at = text.lastIndexOf("^");
  if (at === -1) return { field: text, boost: 1 };
  const boost = Number(text.slice(at + 1));
  if (at + 1 === text.length || !(boost >= 0)) throw illegalArgument(`the boost of field [${text}] is not a number`);
  return { field: text.slice(0, at), boost };
}

function escaped(text: string): string {
  return text.replace(/[\\+\-!():^[\]"{}~*?|&/]/g, (char) => `\\${char}`);
}

/** The query with the boost and the name of the clause around it. */
function named(query: Query, { boost, name }: { boost: number; name?: string }): Query {
  return { ...query, boost: query.boost * boost, ...(name === undefined ? {} : { name }) };
}

export const readSimpleQueryString: ReadClause = (body) => {
  const options = readShape(body, SIMPLE);
  const text = required(options.query, "simple_query_string", "query");
  const words: WordOptions = {
    ...sharedOptions(options, options.fields),
    quoteAnalyzer: undefined,
    phraseSlop: 0,
    tieBreaker: 0,
    type: "best_fields",
    timeZone: undefined,
  };
  return named(parseSimple(text, { ...words, flags: readFlags(options.flags) }), common(options));
};

const ALL: ReadonlySet<SimpleFlag> = new Set(SIMPLE_FLAGS);

/** `OR|AND`, `ALL`, `NONE`; a number is Elasticsearch's own notation of all flags when it is -1. */
function readFlags(given: unknown): ReadonlySet<SimpleFlag> {
  if (given === undefined || given === -1) return ALL;
  if (typeof given !== "string") throw notSupported(`[flags] with value [${String(given)}] in [simple_query_string]`);
  const names = given.split("|").map((name) => name.trim().toUpperCase());
  if (names.includes("ALL") || given.trim() === "") return ALL;
  const flags = names.filter((name) => name !== "NONE");
  return new Set(flags.map((name) => oneOf(name, SIMPLE_FLAGS, "[flags]")));
}
