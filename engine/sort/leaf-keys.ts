/**
 * What a leaf's documents have for a sort key. Besides the value itself each key has a *rank*: a number, cheap to get and
 * comparable within the leaf only (the number itself, or a term's ordinal), by which most documents are turned away.
 */
import type { Field } from "../mapping/field-table.js";
import { hasBit } from "../query/exec/bits.js";
import type { LeafContext } from "../query/exec/context.js";
import { columnOf } from "../query/exec/uninverted.js";
import type { Column, LongColumn, SegmentReader, TermDictionary } from "../segment/types.js";
import { type CombiningMode, combine } from "./combine.js";
import { isSingle, type ResolvedKey, SHARD_DOC_SPAN } from "./keys.js";
import { fitsNumbers, longRow, numberRow, rawReader } from "./long-rows.js";
import type { Comparable } from "./sort-value.js";

/** Documents of a block. */
export const BLOCK_DOCS = 128;

/** One sort key in one leaf. */
export interface LeafKey {
  /** Comparable value of a document. */
  value(doc: number): Comparable;
  /** Rank of a document: ascending like the values; documents without a value at the end they belong to. */
  rank(doc: number): number;
  /** Rank that a value has, or would have between those of the leaf. */
  rankOf(value: Comparable): number;
  /** Whether equal ranks mean equal values; else only unequal ones tell. */
  readonly exact: boolean;
  /** Ranks in blocks of 128 documents, where the column keeps them: no document of a block lies outside. */
  readonly blocks: { min(block: number): number; max(block: number): number } | null;
  /** Whether ranks are the values themselves, to be compared between leaves. */
  readonly ranksAreValues: boolean;
}

type FieldSource = ResolvedKey["source"] & { kind: "field" };

/** The key of a field or of document numbers; `_score` is the collector's own matter. */
export function leafKey(leaf: LeafContext, resolved: ResolvedKey): LeafKey {
  const { source, missing } = resolved;
  if (source.kind !== "field") return docKey(leaf, resolved.key.field === "_shard_doc");
  const column = source.field === undefined ? null : columnOf(leaf, source.field);
  if (column === null || source.field === undefined) return constantKey(missing, resolved);
  if (column.kind === "ordinals") return termKey(leaf, source.field, column, resolved);
  return numberKey(column, resolved, source);
}

/**
 * Index order is that of sequence numbers, which merges keep: so they are the values, and stay the same over merges.
 * `_shard_doc` is unique among all indices: the reader's number above the sequence numbers.
 */
function docKey(leaf: LeafContext, unique: boolean): LeafKey {
  const { segment } = leaf;
  const base = unique ? leaf.context.number * SHARD_DOC_SPAN : 0;
  const rankOf = (value: Comparable) => {
    const wanted = Number(value) - base;
    const doc = lastUpTo(segment, wanted);
    return doc >= 0 && segment.seqNo(doc) === wanted ? doc : doc + 0.5;
  };
  return {
    value: (doc) => base + segment.seqNo(doc),
    rank: (doc) => doc,
    rankOf,
    exact: true,
    blocks: null,
    ranksAreValues: false,
  };
}

/** Last document whose sequence number is not greater, -1: none. Documents ascend by them. */
function lastUpTo(segment: SegmentReader, seqNo: number): number {
  let low = 0;
  let high = segment.docCount;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (segment.seqNo(middle) <= seqNo) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}

/** Rank of "no value". */
function missingRank(resolved: ResolvedKey): number {
  const first = resolved.order.missingFirst !== resolved.order.descending;
  return first ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY;
}

function constantKey(missing: Comparable, resolved: ResolvedKey): LeafKey {
  const absent = missingRank(resolved);
  // Values of other leaves cannot be ranked against terms that this leaf lacks: all rank alike, values decide.
  const isTerm = missing instanceof Uint8Array || missing === null;
  const rankOf = (value: Comparable) => (value === null ? absent : isTerm ? 0 : Number(value));
  const rank = missing === null ? absent : rankOf(missing);
  return { value: () => missing, rank: () => rank, rankOf, exact: !isTerm, blocks: null, ranksAreValues: false };
}

function termKey(
  leaf: LeafContext,
  field: Field,
  column: Column & { kind: "ordinals" },
  resolved: ResolvedKey,
): LeafKey {
  const dictionary = leaf.segment.terms(field);
  if (dictionary === null) return constantKey(resolved.missing, resolved);
  let asked: Comparable = null;
  let answer = 0;
  const rankOf = (value: Comparable) => {
    if (!(value instanceof Uint8Array)) return missingRank(resolved);
    if (value === asked) return answer;
    const ordinal = dictionary.find(value);
    asked = value;
    answer = ordinal >= 0 ? ordinal : dictionary.seek(value) - 0.5;
    return answer;
  };
  const absent = rankOf(resolved.missing);
  const largest = resolved.source.kind === "field" && resolved.source.mode === "max";
  const { ordinals, offsets } = column;
  const row = rowOf(column, largest);
  const has = presenceTest(column);
  const rank = (doc: number) => (has(doc) ? ordinals[offsets === null ? doc : row(doc)] : absent);
  const term = lastTerm(dictionary);
  const value = (doc: number) => (has(doc) ? term(ordinals[row(doc)]) : resolved.missing);
  return { value, rank, rankOf, exact: true, blocks: null, ranksAreValues: false };
}

/** Documents that enter the list one after the other mostly have the same term: the same object then stands for it. */
function lastTerm(dictionary: TermDictionary): (ordinal: number) => Uint8Array {
  let last = -1;
  let bytes: Uint8Array = new Uint8Array(0);
  return (ordinal) => {
    if (ordinal === last) return bytes;
    last = ordinal;
    bytes = dictionary.term(ordinal);
    return bytes;
  };
}

function presenceTest(column: Column): (doc: number) => boolean {
  const { bits } = column.presence;
  return bits === null ? () => true : (doc) => hasBit(bits, doc);
}

/** The row with a document's smallest or largest value. */
function rowOf(column: Column, largest: boolean): (doc: number) => number {
  const { offsets } = column;
  if (offsets === null) return (doc) => doc;
  return largest ? (doc) => offsets[doc + 1] - 1 : (doc) => offsets[doc];
}

function numberKey(column: Column & { kind: "long" | "double" }, resolved: ResolvedKey, source: FieldSource): LeafKey {
  const { mode } = source;
  const { missing } = resolved;
  if (column.offsets !== null && (mode === "sum" || mode === "avg" || mode === "median")) {
    return combinedKey(column, missing, source.field, mode);
  }
  const numbers = column.kind === "double" || fitsNumbers(column) ? valueRanks(column) : rawRanks(column);
  const row = rowOf(column, mode === "max");
  const has = presenceTest(column);
  const absent = numbers.rankOf(missing);
  const value = (doc: number): Comparable => (has(doc) ? numbers.value(row(doc)) : missing);
  const rank = (doc: number) => (has(doc) ? numbers.rank(row(doc)) : absent);
  const plain = column.presence.bits === null && column.offsets === null;
  return {
    value,
    rank: plain ? numbers.rank : rank,
    rankOf: numbers.rankOf,
    exact: numbers.exact,
    blocks: numberBlocks(column, absent, numbers.blockRank),
    ranksAreValues: numbers.ranksAreValues,
  };
}

/** Combined values are computed, not ranked: equal ranks may hide different longs. */
function combinedKey(
  column: Column & { kind: "long" | "double" },
  missing: Comparable,
  field: Field | undefined,
  mode: CombiningMode,
): LeafKey {
  const has = presenceTest(column);
  const single = field !== undefined && isSingle(field);
  const value = (doc: number): Comparable => {
    if (!has(doc)) return missing;
    const combined = combine(column, doc, mode);
    return single ? Math.fround(Number(combined)) : combined;
  };
  return { value, rank: (doc) => Number(value(doc)), rankOf: Number, exact: false, blocks: null, ranksAreValues: true };
}

/** How the rows of a column are compared. */
interface RowRanks {
  value(row: number): number | bigint;
  rank(row: number): number;
  rankOf(value: Comparable): number;
  readonly exact: boolean;
  /** Rank of a raw value of `blockMin` and `blockMax`. */
  blockRank(raw: number): number;
  readonly ranksAreValues: boolean;
}

/** Values that numbers hold exactly are their own ranks. */
function valueRanks(column: Column & { kind: "long" | "double" }): RowRanks {
  if (column.kind === "double") {
    const { values } = column;
    const read = (row: number) => values[row];
    return { value: read, rank: read, rankOf: Number, exact: true, blockRank: Number, ranksAreValues: true };
  }
  const read = numberRow(column);
  const [base, step] = [Number(column.base), Number(column.step)];
  const blockRank = (raw: number) => base + raw * step;
  return { value: read, rank: read, rankOf: Number, exact: true, blockRank, ranksAreValues: true };
}

/**
 * Longs beyond 2^53 are ranked by their raw values. A value between two raw ones ranks between them, or, where raw values
 * themselves are rounded, with the lower: ranks are then not exact.
 */
function rawRanks(column: LongColumn): RowRanks {
  const exact = !(column.raw instanceof BigUint64Array);
  const rankOf = (value: Comparable): number => {
    if (value === null || value instanceof Uint8Array || !Number.isFinite(Number(value))) return Number(value);
    const whole = typeof value === "bigint" ? value : BigInt(Math.floor(value));
    const above = whole - column.base;
    const raw = above >= 0n ? above / column.step : (above - column.step + 1n) / column.step;
    const onRow = raw * column.step === above && (typeof value === "bigint" || Number.isInteger(value));
    return Number(raw) + (exact && !onRow ? 0.5 : 0);
  };
  const value = (row: number) => longRow(column, row);
  return { value, rank: rawReader(column), rankOf, exact, blockRank: Number, ranksAreValues: false };
}

function numberBlocks(
  column: Column & { kind: "long" | "double" },
  absent: number,
  rankOf: (raw: number) => number,
): LeafKey["blocks"] {
  if (column.kind !== "long" || column.offsets !== null) return null;
  const { blockMin, blockMax, presence } = column;
  if (blockMin === null || blockMax === null) return null;
  if (presence.bits === null) return { min: (b) => rankOf(blockMin[b]), max: (b) => rankOf(blockMax[b]) };
  return {
    min: (b) => Math.min(absent, rankOf(blockMin[b])),
    max: (b) => Math.max(absent, rankOf(blockMax[b])),
  };
}
