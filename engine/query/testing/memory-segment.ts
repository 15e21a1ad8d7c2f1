/**
 * A segment in plain JavaScript objects, built from documents: slow and obvious. Tests of queries and aggregations run on it as well
 * as on real segments, so that a fault of one shows against the other.
 */
import type { AnalyzerRegistry } from "../../analysis/index.js";
import type { Field } from "../../mapping/field-table.js";
import { numericValue, termBytes } from "../../mapping/values.js";
import type {
  Column,
  FieldStats,
  PostingsIterator,
  Presence,
  SegmentReader,
  TermDictionary,
  TermState,
  VectorColumn,
} from "../../segment/types.js";
import type { Arena } from "../../store/arena.js";
import { noBits, setBit } from "../exec/bits.js";
import { byte4ToInt } from "../exec/bm25.js";
import { textAnalysis } from "../exec/text-analysis.js";
import { sourceValues } from "../highlight/source-values.js";
import { type MemoryList, MemoryPostings } from "./memory-postings.js";

/** A document as a test writes it. */
export interface TestDocument {
  id: string;
  source: Record<string, unknown>;
}

const clock = { now: () => 0, random: () => 0 };
const POSITION_GAP = 100;

/** The smallest byte whose length is not less: Lucene's intToByte4 for lengths it stores exactly, rounded down above. */
function intToByte4(length: number): number {
  let byte = 0;
  while (byte < 255 && byte4ToInt(byte + 1) <= length) byte++;
  return byte;
}

interface FieldData {
  terms: Map<string, MemoryList>;
  lengths: number[];
  norms: number;
  present: boolean[];
  values: (bigint | number | string)[][];
  dictionary: TermDictionary;
  lists: MemoryList[];
}

/** Builds a segment of documents in the given order; `firstSeqNo` numbers them. */
export function memorySegment(
  arena: Arena,
  parts: { fields: ReadonlyMap<string, Field>; analyzers: AnalyzerRegistry },
  documents: readonly TestDocument[],
  firstSeqNo = 0,
): SegmentReader {
  const data = new Map<Field, FieldData>();
  for (const field of parts.fields.values()) data.set(field, buildField(arena, parts.analyzers, field, documents));
  const of = (field: Field) => data.get(field) as FieldData;
  return {
    name: `memory-${firstSeqNo}`,
    docCount: documents.length,
    sizeBytes: 0,
    beginUse: () => {},
    endUse: () => {},
    terms: (field) => (of(field).dictionary.size === 0 ? null : of(field).dictionary),
    postings: (field, state): PostingsIterator => new MemoryPostings(of(field).lists[state.headerOffset], arena),
    fieldStats: (field) => fieldStats(field, of(field)),
    norms: (field) => of(field).norms,
    fieldLength: (field, doc) => of(field).lengths[doc],
    column: (field) => buildColumn(arena, field, of(field)),
    vectors: (field) => buildVectors(field, documents),
    presence: (field) => presenceOf(of(field).present),
    id: (doc) => documents[doc].id,
    findId: (id) => documents.findLastIndex((document) => document.id === id),
    seqNo: (doc) => firstSeqNo + doc,
    version: () => 1,
    primaryTerm: () => 1,
    routing: () => undefined,
    source: (doc) => Buffer.from(JSON.stringify(documents[doc].source)),
  };
}

function buildField(
  arena: Arena,
  analyzers: AnalyzerRegistry,
  field: Field,
  documents: readonly TestDocument[],
): FieldData {
  const analysis = textAnalysis(analyzers);
  const terms = new Map<string, MemoryList>();
  const lengths = documents.map(() => 0);
  const norms = arena.alloc(documents.length + 16);
  const present = documents.map(() => false);
  const values: (bigint | number | string)[][] = documents.map(() => []);
  const postings: { term: Uint8Array; doc: number; position: number }[] = [];
  documents.forEach(({ source }, doc) => {
    const texts = sourceValues(source, field.path);
    const own = texts.length > 0 ? texts : sourceValues(source, field.path.replace(/\.[^.]*$/, ""));
    present[doc] = own.length > 0;
    let base = 0;
    for (const text of own) {
      if (field.type === "text") {
        const tokens = analysis.indexTokens(field, text);
        for (const { term, position } of tokens) postings.push({ term, doc, position: base + position });
        lengths[doc] += tokens.length;
        base += (tokens.at(-1)?.position ?? -1) + 1 + POSITION_GAP;
      } else if (field.column === "ordinals") {
        const term = termBytes(field, analysis.normalize(field, text));
        const latin = Buffer.from(term).toString("latin1");
        if (!values[doc].includes(latin)) {
          values[doc].push(latin);
          postings.push({ term, doc, position: -1 });
        }
      } else if (field.column !== null) {
        const value = numericValue(field, text, clock);
        if (value !== null) values[doc].push(value);
        const term = field.type === "boolean" ? termBytes(field, text) : null;
        const known = term !== null && postings.some((one) => one.doc === doc && one.term[0] === term[0]);
        if (term !== null && !known) postings.push({ term, doc, position: -1 });
      }
    }
    arena.u8[norms + doc] = intToByte4(lengths[doc]);
  });
  for (const { term, doc, position } of postings) {
    const key = Buffer.from(term).toString("latin1");
    const list = terms.get(key) ?? { docs: [], positions: [], norms: [] };
    terms.set(key, list);
    if (list.docs.at(-1) !== doc) {
      list.docs.push(doc);
      list.positions.push([]);
      list.norms.push(field.norms ? arena.u8[norms + doc] : 1);
    }
    if (position >= 0) (list.positions.at(-1) as number[]).push(position);
  }
  const sorted = [...terms.keys()].sort((a, b) => Buffer.compare(Buffer.from(a, "latin1"), Buffer.from(b, "latin1")));
  const lists = sorted.map((key) => terms.get(key) as MemoryList);
  return { terms, lengths, norms, present, values, dictionary: dictionaryOf(sorted, lists), lists };
}

function dictionaryOf(sorted: readonly string[], lists: readonly MemoryList[]): TermDictionary {
  const bytes = sorted.map((key) => Buffer.from(key, "latin1"));
  const seek = (term: Uint8Array) => {
    const at = bytes.findIndex((one) => Buffer.compare(one, term) >= 0);
    return at < 0 ? bytes.length : at;
  };
  return {
    size: bytes.length,
    seek,
    find: (term) => {
      const at = seek(term);
      return at < bytes.length && Buffer.compare(bytes[at], term) === 0 ? at : -1;
    },
    term: (ordinal) => Uint8Array.from(bytes[ordinal]),
    state: (ordinal): TermState => ({
      docFreq: lists[ordinal].docs.length,
      totalTermFreq: lists[ordinal].positions.reduce((sum, p) => sum + Math.max(1, p.length), 0),
      singletonDoc: lists[ordinal].docs[0],
      headerOffset: ordinal,
      dataOffset: 0,
      positionOffset: 0,
    }),
  };
}

function fieldStats(field: Field, data: FieldData): FieldStats {
  if (field.type === "text") {
    return {
      docCount: data.lengths.filter((length) => length > 0).length,
      sumTotalTermFreq: data.lengths.reduce((sum, length) => sum + length, 0),
    };
  }
  return {
    docCount: data.present.filter(Boolean).length,
    sumTotalTermFreq: data.values.reduce((sum, own) => sum + own.length, 0),
  };
}

function presenceOf(present: readonly boolean[]): Presence | null {
  const count = present.filter(Boolean).length;
  if (count === 0) return null;
  if (count === present.length) return { bits: null, count };
  const bits = noBits(present.length);
  present.forEach((has, doc) => {
    if (has) setBit(bits, doc);
  });
  return { bits, count };
}

const columns = new WeakMap<FieldData, Column | null>();

function buildColumn(arena: Arena, field: Field, data: FieldData): Column | null {
  const known = columns.get(data);
  if (known !== undefined) return known;
  const made = makeColumn(arena, field, data);
  columns.set(data, made);
  return made;
}

function makeColumn(arena: Arena, field: Field, data: FieldData): Column | null {
  const presence = presenceOf(data.values.map((own) => own.length > 0));
  if (field.column === null || presence === null) return null;
  const multi = data.values.some((own) => own.length > 1);
  const rows = data.values.flatMap((own) => (multi ? sortValues(own) : [own[0] ?? null]));
  const offsets = multi ? Uint32Array.from([0, ...prefixSums(data.values.map((own) => own.length))]) : null;
  const shape = { docCount: data.values.length, presence, offsets };
  const address = arena.alloc(rows.length * 8 + 16);
  if (field.column === "ordinals") {
    const ordinals = new Uint16Array(arena.memory.buffer, address, rows.length);
    rows.forEach((value, i) => {
      ordinals[i] = value === null ? 0 : data.dictionary.find(Buffer.from(String(value), "latin1"));
    });
    return { kind: "ordinals", ...shape, ordinals, ordinalsAddress: address };
  }
  if (field.column === "double") {
    const values = new Float64Array(arena.memory.buffer, address, rows.length);
    rows.forEach((value, i) => {
      values[i] = Number(value ?? 0);
    });
    const real = rows.filter((value) => value !== null).map(Number);
    return { kind: "double", ...shape, values, valuesAddress: address, min: Math.min(...real), max: Math.max(...real) };
  }
  return longColumn(arena, rows as (bigint | null)[], shape, address);
}

function extent(values: readonly bigint[]): [bigint, bigint] {
  let [min, max] = [values[0], values[0]];
  for (const value of values) {
    if (value < min) min = value;
    if (value > max) max = value;
  }
  return [min, max];
}

function longColumn(
  arena: Arena,
  rows: readonly (bigint | null)[],
  shape: Pick<Column, "docCount" | "presence" | "offsets">,
  address: number,
): Column {
  const real = rows.filter((value) => value !== null);
  const [min, max] = extent(real);
  const wide = max - min > 0xffffffffn;
  const raw = wide
    ? new BigUint64Array(arena.memory.buffer, address, rows.length)
    : new Uint32Array(arena.memory.buffer, address, rows.length);
  rows.forEach((value, i) => {
    const difference = (value ?? min) - min;
    if (raw instanceof BigUint64Array) raw[i] = difference;
    else raw[i] = Number(difference);
  });
  const blocks = wide ? 0 : Math.ceil(rows.length / 128);
  const extremes = (pick: (...values: number[]) => number) =>
    Uint32Array.from({ length: blocks }, (_, b) => pick(...(raw as Uint32Array).subarray(b * 128, (b + 1) * 128)));
  return {
    kind: "long",
    ...shape,
    raw,
    base: min,
    step: 1n,
    safe: Number.isSafeInteger(Number(min)) && Number.isSafeInteger(Number(max)),
    min,
    max,
    blockMin: wide ? null : extremes(Math.min),
    blockMax: wide ? null : extremes(Math.max),
    rawAddress: address,
  };
}

function sortValues(values: readonly (bigint | number | string)[]): (bigint | number | string)[] {
  return [...values].sort((a, b) => {
    if (typeof a === "string") return Buffer.compare(Buffer.from(a, "latin1"), Buffer.from(String(b), "latin1"));
    return Number(a < (b as number | bigint) ? -1 : a > (b as number | bigint));
  });
}

function prefixSums(counts: readonly number[]): number[] {
  let sum = 0;
  return counts.map((count) => {
    sum += count;
    return sum;
  });
}

function buildVectors(field: Field, documents: readonly TestDocument[]): VectorColumn | null {
  if (field.type !== "dense_vector") return null;
  const kind = field.mapping.similarity ?? "cosine";
  const docs: number[] = [];
  const vectors: Float32Array[] = [];
  documents.forEach(({ source }, doc) => {
    const value = source[field.path];
    if (!Array.isArray(value)) return;
    const length = kind === "cosine" ? Math.hypot(...value) : 1;
    docs.push(doc);
    vectors.push(Float32Array.from(value, (x: number) => x / length));
  });
  if (docs.length === 0) return null;
  const raw = (a: Float32Array, b: Float32Array) =>
    kind === "l2_norm" ? a.reduce((sum, x, i) => sum + (x - b[i]) ** 2, 0) : a.reduce((sum, x, i) => sum + x * b[i], 0);
  return {
    dims: vectors[0].length,
    rows: docs.length,
    docs: Uint32Array.from(docs),
    vector: (row) => vectors[row],
    similarities: (query, rows, out) => {
      for (let i = 0; i < out.length; i++) out[i] = raw(query, vectors[rows === null ? i : rows[i]]);
    },
    graph: null,
  };
}
