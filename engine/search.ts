import type { Aggregation, AggregationResult } from "./aggs/aggregation.js";
import type { CancelSignal } from "./canceller.js";
import type { Ledger } from "./memory/index.js";
import type { FieldLines } from "./packed-lines.js";
import type { Knn, Query } from "./query/query.js";
import type { ShownPaths } from "./source/shown-paths.js";

/** One sort key; the comparator ends with index name, then `_seq_no`, so that every order is total. */
export interface SortKey {
  /** Field name, `_score`, `_doc` (index order) or `_shard_doc`. */
  field: string;
  order: "asc" | "desc";
  /** Where documents without a value go, or the value they count as. */
  missing: "_last" | "_first" | string | number;
  /** Which of several values counts; min for ascending and max for descending order unless said. */
  mode?: "min" | "max" | "sum" | "avg" | "median";
  /** Type to assume in indices that lack the field; without it such an index throws. */
  unmappedType?: string;
  /** Prints dates in this format instead of epoch milliseconds. */
  format?: string;
}

/** null: no value. Longs beyond 2^53 are bigint. */
export type SortValue = string | number | bigint | boolean | null;

export interface HighlightField {
  field: string;
  preTag: string;
  postTag: string;
  fragmentSize: number;
  /** 0: the whole value as one fragment. */
  numberOfFragments: number;
  noMatchSize: number;
  requireFieldMatch: boolean;
  order: "none" | "score";
  encoder: "default" | "html";
  /** Another query than the search's. */
  highlightQuery?: Query;
}

/** Documents [from, to) of a reader, as its leaves count them one after the other. */
export interface DocRange {
  readonly from: number;
  readonly to: number;
}

/** Which lines of hits are wanted: those that `matching_lines` queries match. */
export interface MatchingLinesOptions {
  /** Lines per hit and field. */
  size: number;
  /** Lines before and after each that are shown as well. */
  before: number;
  after: number;
  /** Longer lines are cut, at the end of a character. */
  maxLineBytes: number;
  /** Whether lines and documents are counted over everything that matches. */
  totals: boolean;
}

export interface SearchRequest {
  query: Query;
  knn: Knn[];
  /** Narrows hits after aggregations. */
  postFilter?: Query;
  from: number;
  size: number;
  /** Empty: by `_score` descending. */
  sort: SortKey[];
  /** Sort values of the last hit seen, one per sort key (plus one for the implicit `_shard_doc` of a pinned search). */
  searchAfter?: SortValue[];
  /** Count exactly up to this many, then "gte"; Infinity: exact; 0: not at all. */
  trackTotal: number;
  trackScores: boolean;
  minScore?: number;
  terminateAfter: number;
  aggs: Record<string, Aggregation>;
  /** Raw `_source` bytes wanted. */
  source: boolean;
  /** What of them is shown, where that is not all: something shorter may stand for the rest, which has to be left out then. */
  sourceShown?: ShownPaths;
  explain: boolean;
  highlight: HighlightField[];
  /** Column values wanted, by field or pattern. */
  docValueFields: { field: string; format?: string }[];
  profile: boolean;
  /** Lines of hits wanted. */
  matchingLines?: MatchingLinesOptions;
  /** What the scores of an index are multiplied by, by its name; 1 unless said. */
  indexBoosts?: Readonly<Record<string, number>>;
  /** Groups that the search is counted in, beside its indices. */
  groups?: readonly string[];
  /** Checked between slices of work. */
  signal?: CancelSignal;
  /** Takes what the search holds, its result included; whoever opened it closes it. Absent: only while the search runs. */
  memory?: Ledger;
}

/** `description` and `details` as Lucene's explain gives them; leaves multiply and add up to the value. */
export interface Explanation {
  value: number;
  description: string;
  details: Explanation[];
}

export interface Hit {
  index: string;
  id: string;
  /** null when not scored (sorted by something else). */
  score: number | null;
  sort?: SortValue[];
  /** Raw bytes of the document as it was written. */
  source?: Uint8Array;
  /** `source` holds what `sourceShown` names and nothing besides: there is nothing left to be filtered. */
  sourceIsCut?: true;
  routing?: string;
  /** Fields of which a value was left out of the index (`ignoreMalformed`, `ignoreAbove`), by full path, sorted. */
  ignored?: string[];
  seqNo: number;
  primaryTerm: number;
  version: number;
  explanation?: Explanation;
  highlight?: Record<string, string[]>;
  fields?: Record<string, SortValue[]>;
  matchedQueries?: string[];
  /** By field, as the query names it. */
  matchingLines?: Record<string, FieldLines>;
}

export interface SearchResult {
  /** Absent when `trackTotal` is 0. */
  total?: { value: number; relation: "eq" | "gte" };
  maxScore: number | null;
  hits: Hit[];
  aggregations: Record<string, AggregationResult>;
  terminatedEarly: boolean;
  /** Over all documents that match, when `matchingLines.totals` asked for it. */
  matchingLines?: { lines: number; documents: number };
  /** How each part was executed (`knn`: exact or hnsw, and why), when asked. */
  profile?: Record<string, unknown>;
}
