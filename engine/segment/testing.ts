/** For tests: everything a segment says, as plain JSON, so that two segments or two versions can be compared. */
import type { Field } from "../mapping/field-table.js";
import { gramAt, NO_GRAM, printGram } from "../regex/index.js";
import { isSet } from "../store/bits.js";
import { valuesOf } from "../trigrams/testing.js";
import { type Column, NO_MORE_DOCS, type SegmentReader } from "./types.js";

/** What one field of a segment holds, of the documents kept. */
export interface FieldFacts {
  /** Term (UTF-8, or hex where it is none) to [document, frequency, positions] of each posting. */
  postings: Record<string, [number, number, number[]][]>;
  /** Values by document: numbers in decimal, ordinals as terms. */
  column: string[][] | null;
  /** Numbers of the documents that have the field. */
  present: number[];
  /** Exact length and norm byte of each document; null where the field has none. */
  lengths: number[] | null;
  norms: number[] | null;
  vectors: number[][] | null;
  /** Texts by document, and in which documents each gram is; undefined where the field keeps no text. */
  texts?: string[][];
  grams?: Record<string, number[]>;
}

/** What a segment holds; documents are numbered among those kept. */
export interface SegmentFacts {
  documents: { id: string; seqNo: number; version: number; primaryTerm: number; routing?: string; source: string }[];
  fields: Record<string, FieldFacts>;
}

/** All facts about the documents that are alive (null: all). `u8` are the arena's bytes. */
export function segmentFacts(
  segment: SegmentReader,
  live: Uint32Array | null,
  fields: readonly Field[],
  u8: Uint8Array,
): SegmentFacts {
  segment.beginUse();
  try {
    const docs = Array.from({ length: segment.docCount }, (_, doc) => doc).filter((doc) => isSet(live, doc));
    return {
      documents: docs.map((doc) => documentFacts(segment, doc)),
      fields: Object.fromEntries(fields.map((field) => [field.path, fieldFacts(segment, field, docs, u8)])),
    };
  } finally {
    segment.endUse();
  }
}

function documentFacts(segment: SegmentReader, doc: number): SegmentFacts["documents"][number] {
  const id = segment.id(doc);
  if (segment.findId(id) < doc)
    throw new Error(`document ${doc} has id ${id}, which is found at ${segment.findId(id)}`);
  const routing = segment.routing(doc);
  return {
    id,
    seqNo: segment.seqNo(doc),
    version: segment.version(doc),
    primaryTerm: segment.primaryTerm(doc),
    ...(routing === undefined ? {} : { routing }),
    source: Buffer.from(segment.source(doc)).toString("utf8"),
  };
}

function fieldFacts(segment: SegmentReader, field: Field, docs: readonly number[], u8: Uint8Array): FieldFacts {
  const presence = segment.presence(field);
  const column = segment.column(field);
  const norms = segment.norms(field);
  const lengths = docs.map((doc) => segment.fieldLength(field, doc));
  return {
    postings: postingFacts(segment, field, new Map(docs.map((doc, number) => [doc, number]))),
    column: column && docs.map((doc) => columnFacts(segment, field, column, doc)),
    present: presence === null ? [] : docs.flatMap((doc, number) => (isSet(presence.bits, doc) ? [number] : [])),
    lengths: lengths.some((length) => length > 0) ? lengths : null,
    norms: norms === 0 ? null : docs.map((doc) => u8[norms + doc]),
    vectors: vectorFacts(segment, field, docs),
    ...textFacts(segment, field, docs, u8),
  };
}

function textFacts(segment: SegmentReader, field: Field, docs: readonly number[], u8: Uint8Array) {
  const trigrams = segment.trigrams?.(field) ?? null;
  if (trigrams === null) return {};
  const values = docs.map((doc) => valuesOf(trigrams, doc, u8));
  const grams: Record<string, number[]> = {};
  const all = new Set(values.flat().flatMap((bytes) => Array.from(bytes, (_, at) => gramAt(bytes, at))));
  all.delete(NO_GRAM);
  for (const gram of [...all].sort((a, b) => a - b)) {
    const found = new Set(trigrams.documents({ kind: "gram", gram }));
    const has = (bytes: Uint8Array) => bytes.some((_, at) => gramAt(bytes, at) === gram);
    const own = values.flatMap((one, number) => (one.some(has) ? [number] : []));
    if (!own.every((number) => found.has(docs[number]))) throw new Error(`gram ${gram} does not lead to all documents`);
    grams[printGram(gram)] = own;
  }
  return { texts: values.map((own) => own.map((bytes) => bytes.toString())), grams };
}

function postingFacts(segment: SegmentReader, field: Field, numbers: ReadonlyMap<number, number>) {
  const found: FieldFacts["postings"] = {};
  const terms = segment.terms(field);
  for (let ordinal = 0; ordinal < (terms?.size ?? 0); ordinal++) {
    const term = terms!.term(ordinal);
    if (terms!.find(term) !== ordinal) throw new Error(`term ${ordinal} of ${field.path} is not found`);
    const list: [number, number, number[]][] = [];
    const iterator = segment.postings(field, terms!.state(ordinal), { positions: field.positions });
    for (let doc = iterator.next(); doc !== NO_MORE_DOCS; doc = iterator.next()) {
      const number = numbers.get(doc);
      if (number === undefined) continue;
      const positions = new Uint32Array(field.positions ? iterator.freq() : 0);
      if (field.positions) iterator.positions(positions);
      list.push([number, iterator.freq(), [...positions]]);
    }
    if (list.length > 0) found[termText(term)] = list;
  }
  return found;
}

function termText(term: Uint8Array): string {
  const text = Buffer.from(term).toString("utf8");
  return Buffer.from(text, "utf8").equals(term) && !text.includes("\0")
    ? text
    : `0x${Buffer.from(term).toString("hex")}`;
}

function columnFacts(segment: SegmentReader, field: Field, column: Column, doc: number): string[] {
  if (!isSet(column.presence.bits, doc)) return [];
  const from = column.offsets === null ? doc : column.offsets[doc];
  const to = column.offsets === null ? doc + 1 : column.offsets[doc + 1];
  return Array.from({ length: to - from }, (_, i) => {
    const row = from + i;
    if (column.kind === "long") return String(column.base + BigInt(column.raw[row]) * column.step);
    if (column.kind === "double") return String(column.values[row]);
    return termText(segment.terms(field)!.term(column.ordinals[row]));
  });
}

function vectorFacts(segment: SegmentReader, field: Field, docs: readonly number[]): number[][] | null {
  const vectors = segment.vectors(field);
  if (vectors === null) return null;
  return docs.map((doc) => {
    const row = vectors.docs === null ? doc : vectors.docs.indexOf(doc);
    return row < 0 ? [] : [...vectors.vector(row)];
  });
}
