/** Documents for tests: random ones, their prepared records, and what a segment must answer about them. */
import type { Field } from "../mapping/field-table.js";
import type { FieldType } from "../mapping/mapping.js";
import { OpenSegment } from "../segment/reader.js";
import { type Column, NO_MORE_DOCS, type SegmentReader } from "../segment/types.js";
import type { DocumentPlace } from "../source/elider.js";
import { isSet } from "../store/bits.js";
import type { Storage } from "../store/storage.js";
import type { Chance } from "../store/testing.js";
import { normalise } from "../vectors/writer.js";
import type { BufferedDocuments } from "./buffered-documents.js";
import { type BuildTarget, type BuiltSegment, buildSegments } from "./build-job.js";
import { RECORD_HEADER_BYTES, RecordKind, TOKEN_ENTRY_BYTES, TOKENS_HEADER_BYTES } from "./prepared.js";
import { type DocumentRows, SegmentBuilder } from "./segment-builder.js";

function field(ordinal: number, path: string, type: FieldType, rest: Partial<Field>): Field {
  return {
    ordinal,
    path,
    type,
    mapping: { type },
    inverted: false,
    positions: false,
    norms: false,
    column: null,
    trigrams: false,
    ...rest,
  };
}

/** One field of each kind. */
export const FIELDS = {
  title: field(0, "title", "text", { inverted: true, positions: true, norms: true }),
  tag: field(1, "tag", "keyword", { inverted: true, column: "ordinals" }),
  count: field(2, "count", "long", { column: "long" }),
  price: field(3, "price", "double", { column: "double" }),
  embedding: field(4, "embedding", "dense_vector", {}),
  hidden: field(5, "hidden", "keyword", {}),
  rank: field(6, "rank", "integer", { column: "long" }),
} as const;

export const ALL_FIELDS: readonly Field[] = Object.values(FIELDS);

/** A document as a test knows it. Text is words; other values are in the order they were given. */
export interface TestDocument {
  id: string;
  seqNo: number;
  version: number;
  primaryTerm: number;
  routing?: string;
  source: Uint8Array;
  title: string[];
  tag: string[];
  count: bigint[];
  price: number[];
  embedding: number[] | null;
  hidden: boolean;
  rank: bigint[];
}

/** A random document; few distinct ids when `ids` is small. */
export function randomDocument(random: Chance, seqNo: number, ids: number): TestDocument {
  const some = <T>(most: number, make: () => T): T[] => Array.from({ length: random(most + 1) }, make);
  const title = some(8, () => `word${random(50) ** 2 % 97}`);
  return {
    id: `id-${random(ids)}`,
    seqNo,
    version: random(10) === 0 ? 1 + random(1000) : 1,
    primaryTerm: 1,
    ...(random(20) === 0 ? { routing: `r${random(5)}` } : {}),
    source: new TextEncoder().encode(
      JSON.stringify({ seqNo, title: title.join(" "), filler: "x".repeat(random(300)) }),
    ),
    title,
    tag: some(3, () => `tag-${random(40)}`),
    count: some(2, () => BigInt(random(100_000)) * 10n),
    price: some(1, () => random(1000) / 8),
    embedding: random(3) === 0 ? null : Array.from({ length: 4 }, () => random(100) - 50),
    hidden: random(2) === 0,
    rank: [BigInt(seqNo)],
  };
}

/** Writes records of documents into arena memory of its own. */
export class RecordWriter {
  readonly #address: number;
  #at = 0;

  constructor(
    readonly storage: Storage,
    bytes = 256 * 1024,
  ) {
    this.#address = storage.arena.alloc(bytes);
  }

  /** The document's records; valid until the next call. */
  write(doc: TestDocument): { start: number; end: number } {
    this.#at = this.#address;
    if (doc.title.length > 0) this.#tokens(FIELDS.title, doc.title);
    for (const tag of doc.tag) this.#term(FIELDS.tag, tag);
    for (const value of doc.count) this.#long(FIELDS.count, value);
    for (const value of doc.price) this.#double(FIELDS.price, value);
    if (doc.embedding !== null) this.#vector(FIELDS.embedding, doc.embedding);
    if (doc.hidden) this.#end(FIELDS.hidden, RecordKind.exists, 0);
    for (const value of doc.rank) this.#long(FIELDS.rank, value);
    return { start: this.#address, end: this.#at };
  }

  close(): void {
    this.storage.arena.free(this.#address);
  }

  get #payload(): number {
    return this.#at + RECORD_HEADER_BYTES;
  }

  #tokens(of: Field, words: readonly string[]): void {
    const { arena, kernels } = this.storage;
    const text = new TextEncoder().encode(words.join(""));
    const tokens = this.#payload + TOKENS_HEADER_BYTES;
    const textAt = tokens + words.length * TOKEN_ENTRY_BYTES;
    arena.u32.set([words.length, words.length, text.length, 0], this.#payload / 4);
    let start = 0;
    words.forEach((word, position) => {
      arena.u32.set([start, word.length, position, 0], (tokens + position * TOKEN_ENTRY_BYTES) / 4);
      start += word.length;
    });
    arena.u8.set(text, textAt);
    kernels.hashTokens(textAt, tokens, words.length);
    this.#end(of, RecordKind.tokens, textAt + text.length + 16 - this.#payload);
  }

  #term(of: Field, value: string): void {
    const text = new TextEncoder().encode(value);
    this.storage.arena.u32[this.#payload / 4] = text.length;
    this.storage.arena.u8.set(text, this.#payload + 4);
    this.#end(of, RecordKind.term, 4 + text.length + 16);
  }

  #long(of: Field, value: bigint): void {
    this.storage.arena.view.setBigInt64(this.#payload, value, true);
    this.#end(of, RecordKind.long, 8);
  }

  #double(of: Field, value: number): void {
    this.storage.arena.view.setFloat64(this.#payload, value, true);
    this.#end(of, RecordKind.double, 8);
  }

  #vector(of: Field, values: readonly number[]): void {
    this.storage.arena.f32.set(values, this.#payload / 4);
    this.#end(of, RecordKind.vector, 4 * values.length);
  }

  #end(of: Field, kind: number, payloadBytes: number): void {
    const size = RECORD_HEADER_BYTES + Math.ceil(payloadBytes / 4) * 4;
    this.storage.arena.u32.set([(of.ordinal << 8) | kind, size], this.#at / 4);
    this.#at += size;
  }
}

/** Buffers documents as a shard does: an older one with the same id is dead then. */
export function bufferAll(storage: Storage, documents: BufferedDocuments, docs: readonly TestDocument[]): void {
  const records = new RecordWriter(storage);
  for (const doc of docs) {
    const older = documents.find(doc.id);
    bufferOne(storage, documents, { doc, ...records.write(doc) });
    if (older >= 0) documents.delete(older);
  }
  records.close();
}

/** Buffers one document whose records lie at [start, end). */
export function bufferOne(
  storage: Storage,
  documents: BufferedDocuments,
  { doc, start, end }: { doc: TestDocument; start: number; end: number },
): void {
  const { id, seqNo, primaryTerm, version, routing, source } = doc;
  const sourceAddress = storage.arena.alloc(source.length);
  storage.arena.u8.set(source, sourceAddress);
  const place = { start, end, sourceAddress, sourceLength: source.length, memory: [] };
  documents.add({ id, seqNo, primaryTerm, version, routing, ...place });
  storage.arena.free(sourceAddress);
}

/** Makes segments of buffered documents. */
export function buildAll(storage: Storage, documents: BufferedDocuments, target: BuildTarget): BuiltSegment[] {
  const steps = buildSegments(storage, ALL_FIELDS, documents.rows(), target);
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
  }
}

/** One segment of these documents, whose ids may repeat: all are in it. */
export function segmentOf(storage: Storage, folder: string, name: string, docs: readonly TestDocument[]): OpenSegment {
  const builder = new SegmentBuilder(storage, ALL_FIELDS);
  const records = new RecordWriter(storage);
  for (const doc of docs) {
    const { start, end } = records.write(doc);
    builder.add(start, end);
  }
  records.close();
  for (const steps = builder.write(folder, name, new TestRows(storage, docs)); !steps.next().done; );
  builder.close();
  return OpenSegment.open(storage, folder, name);
}

/** The documents of a test as a builder asks for them. */
export class TestRows implements DocumentRows {
  constructor(
    private readonly storage: Storage,
    private readonly docs: readonly (Pick<TestDocument, "id" | "seqNo" | "version" | "primaryTerm" | "source"> & {
      readonly routing?: string;
    })[],
  ) {}

  id(doc: number): { bytes: Uint8Array; from: number; to: number } {
    const bytes = new TextEncoder().encode(this.docs[doc].id);
    return { bytes, from: 0, to: bytes.length };
  }

  seqNo(doc: number): number {
    return this.docs[doc].seqNo;
  }

  version(doc: number): number {
    return this.docs[doc].version;
  }

  primaryTerm(doc: number): number {
    return this.docs[doc].primaryTerm;
  }

  /** Without records: nothing is left out of `_source`. */
  place(doc: number): DocumentPlace {
    const { source } = this.docs[doc];
    const address = this.storage.scratch.region("raw", source.length + 16);
    this.storage.arena.u8.set(source, address);
    return { start: 0, end: 0, source: address, length: source.length };
  }

  routings(): [docs: number[], values: string[]] {
    const docs = this.docs.flatMap(({ routing }, doc) => (routing === undefined ? [] : [doc]));
    return [docs, docs.map((doc) => this.docs[doc].routing as string)];
  }
}

/** All that a segment says about its live documents, in a form that can be compared; documents are numbered among the live ones. */
export interface Answers {
  documents: unknown[];
  /** Field path, term, then [document, frequency, positions] of each posting. */
  postings: Record<string, [number, number, number[]][]>;
}

/** What a segment of these documents must answer. */
export function expectedAnswers(docs: readonly TestDocument[]): Answers {
  const postings: Answers["postings"] = {};
  const add = (term: string, posting: [number, number, number[]]): void => {
    postings[term] = [...(postings[term] ?? []), posting];
  };
  docs.forEach((doc, number) => {
    const words = new Map<string, number[]>();
    doc.title.forEach((word, position) => {
      words.set(word, [...(words.get(word) ?? []), position]);
    });
    for (const [word, positions] of words) add(`title:${word}`, [number, positions.length, positions]);
    for (const tag of new Set(doc.tag)) add(`tag:${tag}`, [number, 1, []]);
  });
  return { documents: docs.map(expectedDocument), postings };
}

function expectedDocument(doc: TestDocument): unknown {
  const ascending = (a: bigint, b: bigint) => (a < b ? -1 : a > b ? 1 : 0);
  return {
    id: doc.id,
    seqNo: doc.seqNo,
    version: doc.version,
    routing: doc.routing,
    source: new TextDecoder().decode(doc.source),
    title: doc.title.length,
    tag: [...new Set(doc.tag)].sort(),
    count: [...doc.count].sort(ascending),
    price: [...doc.price].sort((a, b) => a - b),
    rank: doc.rank,
    hidden: doc.hidden,
    embedding: doc.embedding && Array.from(normalised(doc.embedding)),
    present: ALL_FIELDS.filter((of) => hasValue(doc, of)).map(({ path }) => path),
  };
}

function normalised(values: readonly number[]): Float32Array {
  const vector = Float32Array.from(values);
  normalise(vector);
  return vector;
}

function hasValue(doc: TestDocument, of: Field): boolean {
  const value = doc[of.path as "title" | "tag" | "count" | "price" | "embedding" | "hidden" | "rank"];
  return Array.isArray(value) ? value.length > 0 : Boolean(value);
}

/** What a segment answers about its live documents. */
export function answersOf(segment: SegmentReader, live: Uint32Array | null): Answers {
  segment.beginUse();
  try {
    const kept = Array.from({ length: segment.docCount }, (_, doc) => doc).filter((doc) => isSet(live, doc));
    const numbers = new Map(kept.map((doc, number) => [doc, number]));
    const documents = kept.map((doc) => documentOf(segment, doc));
    return {
      documents,
      postings: { ...postingsOf(segment, FIELDS.title, numbers), ...postingsOf(segment, FIELDS.tag, numbers) },
    };
  } finally {
    segment.endUse();
  }
}

function documentOf(segment: SegmentReader, doc: number): unknown {
  const vectors = segment.vectors(FIELDS.embedding);
  const row = vectors === null ? -1 : vectors.docs === null ? doc : vectors.docs.indexOf(doc);
  const tags = columnValues(segment.column(FIELDS.tag), doc) as number[];
  return {
    id: segment.id(doc),
    seqNo: segment.seqNo(doc),
    version: segment.version(doc),
    routing: segment.routing(doc),
    source: new TextDecoder().decode(segment.source(doc)),
    title: segment.fieldLength(FIELDS.title, doc),
    tag: tags.map((ordinal) => new TextDecoder().decode(segment.terms(FIELDS.tag)!.term(ordinal))),
    count: columnValues(segment.column(FIELDS.count), doc),
    price: columnValues(segment.column(FIELDS.price), doc),
    rank: columnValues(segment.column(FIELDS.rank), doc),
    hidden: has(segment, FIELDS.hidden, doc),
    embedding: row < 0 ? null : Array.from(vectors!.vector(row)),
    present: ALL_FIELDS.filter((of) => has(segment, of, doc)).map(({ path }) => path),
  };
}

function has(segment: SegmentReader, of: Field, doc: number): boolean {
  const presence = segment.presence(of);
  return presence !== null && isSet(presence.bits, doc);
}

function columnValues(column: Column | null, doc: number): (bigint | number)[] {
  if (column === null || !isSet(column.presence.bits, doc)) return [];
  const from = column.offsets === null ? doc : column.offsets[doc];
  const to = column.offsets === null ? doc + 1 : column.offsets[doc + 1];
  const values: (bigint | number)[] = [];
  for (let row = from; row < to; row++) {
    if (column.kind === "long") values.push(column.base + BigInt(column.raw[row]) * column.step);
    else values.push(column.kind === "double" ? column.values[row] : column.ordinals[row]);
  }
  return values;
}

function postingsOf(segment: SegmentReader, of: Field, numbers: Map<number, number>): Answers["postings"] {
  const found: Answers["postings"] = {};
  const terms = segment.terms(of);
  for (let ordinal = 0; ordinal < (terms?.size ?? 0); ordinal++) {
    const list: [number, number, number[]][] = [];
    const iterator = segment.postings(of, terms!.state(ordinal), { positions: of.positions });
    for (let doc = iterator.next(); doc !== NO_MORE_DOCS; doc = iterator.next()) {
      const number = numbers.get(doc);
      if (number === undefined) continue;
      const positions = new Uint32Array(of.positions ? iterator.freq() : 0);
      if (of.positions) iterator.positions(positions);
      list.push([number, iterator.freq(), [...positions]]);
    }
    if (list.length > 0) found[`${of.path}:${new TextDecoder().decode(terms!.term(ordinal))}`] = list;
  }
  return found;
}
