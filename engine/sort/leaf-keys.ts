/**
 * What a leaf's documents have for a sort key. Besides the value itself each key has a *rank*: a number, cheap to get and
 * comparable within the leaf only (the number itself, or a term's ordinal), by which most documents are turned away.
 */
import type { Field } from "../mapping/field-table.js";
import { hasBit } from "../query/exec/bits.js";
import type { LeafContext } from "../query/exec/context.js";
import type { Column, LongColumn, TermDictionary } from "../segment/types.js";
import type { ResolvedKey } from "./keys.js";
import type { Comparable } from "./sort-value.js";

/** One sort key in one leaf. */
export interface LeafKey {
  /** Comparable value of a document. */
  value(doc: number): Comparable;
  /** Rank of a document: ascending like the values; documents without a value at the end they belong to. */
  rank(doc: number): number;
  /** Rank that a value has, or would have between those of the leaf. */
  rankOf(value: Comparable): number;
  /** Ranks in blocks of 128 documents, where the column keeps them: no document of a block lies outside. */
  readonly blocks: { min(block: number): number; max(block: number): number } | null;
}

type Mode = "min" | "max" | "sum" | "avg" | "median";

/** The key of a field or of document numbers; `_score` is the collector's own matter. */
export function leafKey(leaf: LeafContext, resolved: ResolvedKey): LeafKey {
  const { source, missing } = resolved;
  if (source.kind !== "field") return docKey(leaf, resolved.key.field === "_shard_doc");
  const column = source.field === undefined ? null : leaf.segment.column(source.field);
  if (column === null || source.field === undefined) return constantKey(missing, resolved);
  if (source.field.type === "boolean" && column.kind === "ordinals")
    return booleanKey(leaf, source.field, column, resolved);
  if (column.kind === "ordinals") return termKey(leaf, source.field, column, resolved);
  return numberKey(column, resolved, source.mode);
}

/** `_shard_doc` is unique among all indices: the reader's number above 32 bits of document. */
function docKey(leaf: LeafContext, unique: boolean): LeafKey {
  const base = leaf.leaf.base + (unique ? leaf.context.number * 2 ** 32 : 0);
  return { value: (doc) => base + doc, rank: (doc) => base + doc, rankOf: Number, blocks: null };
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
  return { value: () => missing, rank: () => rank, rankOf, blocks: null };
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
  return { value, rank, rankOf, blocks: null };
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

const TRUE_BYTE = 0x54;

/** Booleans are the numbers 0 and 1; "F" lies before "T", so the order of ordinals is theirs. */
function booleanKey(
  leaf: LeafContext,
  field: Field,
  column: Column & { kind: "ordinals" },
  resolved: ResolvedKey,
): LeafKey {
  const dictionary = leaf.segment.terms(field);
  const numbers = Array.from({ length: dictionary?.size ?? 0 }, (_, i) =>
    dictionary?.term(i)[0] === TRUE_BYTE ? 1 : 0,
  );
  const row = rowOf(column, resolved.source.kind === "field" && resolved.source.mode === "max");
  const has = presenceTest(column);
  const missing = Number(resolved.missing);
  const value = (doc: number) => (has(doc) ? numbers[column.ordinals[row(doc)]] : missing);
  return { value, rank: value, rankOf: Number, blocks: null };
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

function numberKey(column: Column & { kind: "long" | "double" }, resolved: ResolvedKey, mode: Mode): LeafKey {
  const exact = rowReader(column);
  const has = presenceTest(column);
  const { missing } = resolved;
  const absent = Number(missing);
  const combined = column.offsets !== null && mode !== "min" && mode !== "max";
  const row = rowOf(column, mode === "max");
  const value = (doc: number): Comparable => {
    if (!has(doc)) return missing;
    return combined ? combine(column, doc, mode) : exact(row(doc));
  };
  if (combined) return { value, rank: (doc) => Number(value(doc)), rankOf: Number, blocks: null };
  const quick = rankReader(column);
  const rank =
    column.presence.bits === null
      ? column.offsets === null
        ? quick
        : (doc: number) => quick(row(doc))
      : (doc: number) => (has(doc) ? quick(row(doc)) : absent);
  return { value, rank, rankOf: Number, blocks: numberBlocks(column, absent) };
}

/** Exact value of a row: a bigint where numbers cannot hold it. */
function rowReader(column: Column & { kind: "long" | "double" }): (row: number) => number | bigint {
  if (column.kind === "double") return (row) => column.values[row];
  const { raw, base, step, safe } = column;
  if (!safe) return (row) => base + BigInt(raw[row]) * step;
  return rankReader(column);
}

/** Value of a row as a number, rounded where it is beyond 2^53. */
export function rankReader(column: Column & { kind: "long" | "double" }): (row: number) => number {
  if (column.kind === "double") return (row) => column.values[row];
  const base = Number(column.base);
  const step = Number(column.step);
  if (column.raw instanceof BigUint64Array) {
    const words = new Uint32Array(column.raw.buffer, column.raw.byteOffset, column.raw.length * 2);
    return (row) => base + (words[2 * row + 1] * 4294967296 + words[2 * row]) * step;
  }
  const { raw } = column;
  return (row) => base + raw[row] * step;
}

function numberBlocks(column: Column & { kind: "long" | "double" }, absent: number): LeafKey["blocks"] {
  if (column.kind !== "long" || column.offsets !== null) return null;
  const { blockMin, blockMax, presence } = column as LongColumn;
  if (blockMin === null || blockMax === null) return null;
  const base = Number(column.base);
  const step = Number(column.step);
  if (presence.bits === null) return { min: (b) => base + blockMin[b] * step, max: (b) => base + blockMax[b] * step };
  return {
    min: (b) => Math.min(absent, base + blockMin[b] * step),
    max: (b) => Math.max(absent, base + blockMax[b] * step),
  };
}

/** Several values as one: their sum, mean or median (Elasticsearch `MultiValueMode`). */
function combine(column: Column & { kind: "long" | "double" }, doc: number, mode: Mode): Comparable {
  const offsets = column.offsets as Uint32Array;
  const read = rankReader(column);
  const from = offsets[doc];
  const to = offsets[doc + 1];
  const whole = column.kind === "long";
  if (mode === "median") {
    const middle = (from + to - 1) >> 1;
    if ((to - from) % 2 === 1) return read(middle);
    const mean = (read(middle) + read(middle + 1)) / 2;
    return whole ? Math.round(mean) : mean;
  }
  let sum = 0;
  for (let row = from; row < to; row++) sum += read(row);
  if (mode === "sum") return sum;
  return whole ? Math.round(sum / (to - from)) : sum / (to - from);
}
