/**
 * What can be asked, as plain data. Nothing here knows Elasticsearch's JSON: `compat` makes these from it.
 *
 * Every query has a boost, 1 unless said. Values are as the user wrote them; the field's type decides what they mean
 * (dates, addresses, numbers), and a value that the type cannot hold throws `InvalidValueError`.
 */
export type Scalar = string | number | bigint | boolean;

interface Common {
  boost: number;
  /** Reported in `Hit.matchedQueries` of the documents that match. */
  name?: string;
}

export interface MatchAll extends Common {
  kind: "match_all";
}

export interface MatchNone extends Common {
  kind: "match_none";
}

/** Exact term; on text fields the indexed term, not analysed. */
export interface Term extends Common {
  kind: "term";
  field: string;
  value: Scalar;
  caseInsensitive: boolean;
}

/** Any of the values; scores 1 * boost. */
export interface Terms extends Common {
  kind: "terms";
  field: string;
  values: Scalar[];
}

/** `"75%"`, `"-1"`, `"2<75%"`... as Elasticsearch spells it, resolved against the number of optional clauses. */
export type MinimumShouldMatch = string;

export interface Match extends Common {
  kind: "match";
  field: string;
  query: Scalar;
  operator: "or" | "and";
  minimumShouldMatch?: MinimumShouldMatch;
  /** Name of an analyzer; the field's search analyzer unless said. */
  analyzer?: string;
  zeroTerms: "none" | "all";
  lenient: boolean;
}

export interface MatchPhrase extends Common {
  kind: "match_phrase";
  field: string;
  query: Scalar;
  slop: number;
  analyzer?: string;
  zeroTerms: "none" | "all";
  /** The last word is a prefix (match_phrase_prefix), expanded to at most this many terms; 0: a plain phrase. */
  lastTermExpansions: number;
}

/** Disjunction of one match per field: `best_fields` takes the best score, `most_fields` adds them. */
export interface MultiMatch extends Common {
  kind: "multi_match";
  /** Field names or patterns with `*`, each with its own boost. */
  fields: { field: string; boost: number }[];
  query: Scalar;
  type: "best_fields" | "most_fields" | "phrase" | "bool_prefix";
  operator: "or" | "and";
  minimumShouldMatch?: MinimumShouldMatch;
  tieBreaker: number;
  analyzer?: string;
  slop: number;
  zeroTerms: "none" | "all";
  lenient: boolean;
}

export interface Bool extends Common {
  kind: "bool";
  must: Query[];
  should: Query[];
  filter: Query[];
  mustNot: Query[];
  minimumShouldMatch?: MinimumShouldMatch;
}

/** The same question to several fields; the best score counts, and a share of the others. */
export interface EachField extends Common {
  kind: "each_field";
  /** Field names or patterns with `*`, each with its own boost. */
  fields: { field: string; boost: number }[];
  /** Its `field` is replaced by each of them. */
  query: Prefix | Wildcard | Regexp | Range | Exists | Term;
  /** Fields that cannot be asked so match nothing. */
  lenient: boolean;
  tieBreaker: number;
}

/** Analysed words, any or all of them, the last of which may go on. */
export interface MatchBoolPrefix extends Common {
  kind: "match_bool_prefix";
  field: string;
  query: Scalar;
  operator: "or" | "and";
  minimumShouldMatch?: MinimumShouldMatch;
  analyzer?: string;
}

/** A part of the earth's surface; degrees, and metres of the radius. */
export type GeoArea =
  | { kind: "box"; top: number; left: number; bottom: number; right: number }
  | { kind: "circle"; lat: number; lon: number; radius: number }
  | { kind: "polygon"; outline: { lat: number; lon: number }[]; holes: { lat: number; lon: number }[][] };

/** Documents with a point in any of the areas (`within`), or with a value but none there (`disjoint`). */
export interface Geo extends Common {
  kind: "geo";
  field: string;
  areas: GeoArea[];
  relation: "within" | "disjoint";
  /** Whether an index without the field has no match instead of failing. */
  ignoreUnmapped: boolean;
}

/** Bounds as written: numbers, dates (with date math, read by the field's format unless `format` is given), addresses, strings. */
export interface Range extends Common {
  kind: "range";
  field: string;
  gte?: Scalar;
  gt?: Scalar;
  lte?: Scalar;
  lt?: Scalar;
  format?: string;
  timeZone?: string;
  /** Of fields whose values are ranges: how they stand to this one (default `intersects`). */
  relation?: "intersects" | "contains" | "within";
}

export interface Exists extends Common {
  kind: "exists";
  field: string;
}

export interface Ids extends Common {
  kind: "ids";
  values: string[];
}

export interface Prefix extends Common {
  kind: "prefix";
  field: string;
  value: string;
  caseInsensitive: boolean;
  /** Letters are brought into the form that a text's analyzer gives them. */
  analyzed?: boolean;
}

/** `*` any run, `?` any one character, `\` escapes. */
export interface Wildcard extends Common {
  kind: "wildcard";
  field: string;
  value: string;
  caseInsensitive: boolean;
  /** As for a prefix. */
  analyzed?: boolean;
}

/** Lucene's syntax, about the whole value or term. */
export interface Regexp extends Common {
  kind: "regexp";
  field: string;
  value: string;
  caseInsensitive: boolean;
}

/** Documents with a line that a pattern matches (engine/regex/); all score the boost. */
export interface MatchingLines extends Common {
  kind: "matching_lines";
  /** Of type wildcard, or text or keyword: then the values of all documents that may match are read. */
  field: string;
  pattern: string;
  /** "regex": RE2's syntax; "literal": the text as it stands. */
  syntax: "regex" | "literal";
  caseInsensitive: boolean;
  /** What stands beside a match must not be part of a word. */
  wholeWord: boolean;
  /** Whether a match may go over several lines. */
  multiline: boolean;
}

export interface ConstantScore extends Common {
  kind: "constant_score";
  filter: Query;
}

export interface DisMax extends Common {
  kind: "dis_max";
  queries: Query[];
  tieBreaker: number;
}

/**
 * Documents that lie in some of an index's virtual shards, counted from 0: where Elasticsearch would keep them were the index cut
 * into `shards`. By the document's routing value, else its id.
 */
export interface VirtualShard extends Common {
  kind: "virtual_shard";
  shards: number;
  /** Over how many parts routing values are spread before they are cut into shards: as of an index of so many, unless said. */
  spread?: number;
  wanted: number[];
}

export type Query =
  | MatchAll
  | MatchNone
  | Term
  | Terms
  | Match
  | MatchPhrase
  | MatchBoolPrefix
  | MultiMatch
  | EachField
  | Bool
  | Range
  | Exists
  | Ids
  | Prefix
  | Wildcard
  | Regexp
  | MatchingLines
  | ConstantScore
  | DisMax
  | Geo
  | VirtualShard;

/** Nearest neighbours of a vector, merged with the query's hits by adding scores (Elasticsearch's `knn` section). */
export interface Knn {
  field: string;
  vector: number[];
  k: number;
  numCandidates: number;
  filter?: Query;
  boost: number;
  /** Hits less similar than this (raw similarity, not score) are dropped. */
  similarity?: number;
}
