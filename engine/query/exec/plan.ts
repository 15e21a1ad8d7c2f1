/**
 * A query made ready for one index: fields resolved, text analysed, terms looked up in every leaf, weights computed.
 * Plain data again, so that it can be rewritten, keyed for the filter cache, run and explained.
 */
import type { Field } from "../../mapping/field-table.js";
import type { GramQuery, LinePattern } from "../../regex/index.js";
import type { TermState } from "../../segment/types.js";
import type { GeoArea } from "../query.js";
import type { RegexpCase } from "../regexp/parse.js";
import type { TermWeight } from "./bm25.js";
import type { Glob } from "./glob.js";

/** A term and its place in every leaf of the reader, null where a leaf lacks it. */
export interface PlannedTerm {
  readonly bytes: Uint8Array;
  readonly states: readonly (TermState | null)[];
}

/** Which documents, without a score. */
export type Filter =
  | { kind: "all" }
  /** Documents with any of the field's terms that `terms` picks. */
  | { kind: "terms"; field: Field; terms: TermSelection }
  | { kind: "long_range"; field: Field; low: bigint; high: bigint }
  | { kind: "double_range"; field: Field; low: number; high: number }
  | { kind: "long_set"; field: Field; values: readonly bigint[] }
  | { kind: "double_set"; field: Field; values: readonly number[] }
  | { kind: "presence"; field: Field }
  /** Documents with a point in the area. */
  | { kind: "geo"; field: Field; area: GeoArea }
  | { kind: "ids"; values: readonly string[] }
  /** Documents written with a routing value. */
  | { kind: "routed" }
  | { kind: "virtual_shard"; shards: number; spread?: number; wanted: readonly number[] }
  | LinesFilter
  | ValuesFilter
  | { kind: "plan"; plan: Plan };

/** Documents with a line that a pattern matches. */
export interface LinesFilter {
  readonly kind: "lines";
  /** The field whose text is read, and the one that was asked for: a text field may be read through its multi-field. */
  readonly field: Field;
  readonly asked: string;
  /** Where the values are in `_source`, for fields without an index of their text. */
  readonly sourcePath: string;
  readonly pattern: LinePattern;
}

/** Documents with a whole value that a test accepts, of a field whose text is kept: those that have the grams are read. */
export interface ValuesFilter {
  readonly kind: "values";
  readonly field: Field;
  readonly grams: GramQuery;
  readonly test: ValueTest;
}

/** Any of some patterns, or a regular expression in Lucene's syntax. */
export type ValueTest =
  | { kind: "globs"; globs: readonly Glob[] }
  | { kind: "regexp"; pattern: string; letters: RegexpCase };

/** Terms of a dictionary: given ones (sorted, distinct), a range of bytes (`high` exclusive, null: open), or a pattern. */
export type TermSelection =
  | { kind: "exact"; terms: readonly Uint8Array[] }
  | { kind: "range"; low: Uint8Array | null; high: Uint8Array | null }
  | { kind: "pattern"; glob: Glob }
  /** Of fields whose values are ranges (mapping/range-fields.ts): those that stand so to the one from `low` to `high`. */
  | { kind: "ranges"; low: Uint8Array; high: Uint8Array; relation: "intersects" | "contains" | "within" }
  /** In Lucene's syntax. */
  | { kind: "regexp"; pattern: string; letters: RegexpCase };

interface Named {
  /** Reported for documents that match. */
  readonly name?: string;
}

/** Nothing matches. */
export interface NonePlan extends Named {
  readonly kind: "none";
  /** Why, for `explain`. */
  readonly reason: string;
}

/** The filter's documents, all with the same score. `text` is how Lucene prints it. */
export interface ConstantPlan extends Named {
  readonly kind: "constant";
  readonly filter: Filter;
  readonly score: number;
  readonly text: string;
}

/** BM25 of one term; of several terms as if they were one (synonyms) when there are more: frequencies add up. */
export interface TermPlan extends Named {
  readonly kind: "term";
  readonly field: Field;
  readonly terms: readonly PlannedTerm[];
  readonly weight: TermWeight;
}

/** BM25 of a phrase. At each offset any of the terms may stand. */
export interface PhrasePlan extends Named {
  readonly kind: "phrase";
  readonly field: Field;
  readonly positions: readonly { offset: number; terms: readonly PlannedTerm[] }[];
  readonly slop: number;
  readonly weight: TermWeight;
}

/** `minimum` of the optional clauses must match (0: none, when something is required). */
export interface BoolPlan extends Named {
  readonly kind: "bool";
  readonly must: readonly Plan[];
  readonly filter: readonly Plan[];
  readonly should: readonly Plan[];
  readonly mustNot: readonly Plan[];
  readonly minimum: number;
  /** It has a boost of its own: Lucene then keeps it apart instead of joining it with the query around it. */
  readonly boosted?: boolean;
}

/** The best of the scores, plus a share of the others. */
export interface DisMaxPlan extends Named {
  readonly kind: "dis_max";
  readonly plans: readonly Plan[];
  readonly tieBreaker: number;
}

/** Given documents with given scores, per leaf; ascending. What a kNN search found. */
export interface DocumentsPlan extends Named {
  readonly kind: "documents";
  readonly leaves: readonly { docs: Uint32Array; scores: Float32Array }[];
}

/** Any plan. */
export type Plan = NonePlan | ConstantPlan | TermPlan | PhrasePlan | BoolPlan | DisMaxPlan | DocumentsPlan;

/** A plan that matches nothing. */
export function nonePlan(reason: string): NonePlan {
  return { kind: "none", reason };
}

/** A plan that gives the filter's documents one score. */
export function constantPlan(filter: Filter, score: number, text: string): ConstantPlan {
  return { kind: "constant", filter, score: Math.fround(score), text };
}

/** How a term is shown to people: as text. */
export function termText(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("utf8");
}
