import path from "node:path";
import { InternalError } from "../errors.js";
import type { Field } from "../mapping/field-table.js";
import { SegmentFileWriter } from "../segment/file-writer.js";
import { writeSegmentMeta } from "../segment/meta.js";
import { segmentFileName } from "../segment/reader.js";
import { type DocumentPlace, Elider } from "../source/elider.js";
import { IdWriter } from "../source/id-writer.js";
import { writeNumbers } from "../source/numbers.js";
import { writeRouting } from "../source/routing.js";
import { SourceWriter } from "../source/source-writer.js";
import { NO_FIELD, SectionKind, type SectionSink } from "../store/section.js";
import type { Storage } from "../store/storage.js";
import { FieldBuffer } from "./field-buffer.js";
import { InvertedBuffer } from "./inverted.js";
import { flushInverted } from "./inverted-flush.js";
import { RECORD_HEADER_BYTES, RecordKind } from "./prepared.js";

/** What is known of each document beside its fields, by its number in the segment. */
export interface DocumentRows {
  /** UTF-8 bytes [from, to). */
  id(doc: number): { bytes: Uint8Array; from: number; to: number };
  seqNo(doc: number): number;
  version(doc: number): number;
  primaryTerm(doc: number): number;
  /** Its prepared records (prepared.ts) and its raw bytes, in the arena; 16 readable bytes follow the latter. */
  place(doc: number): DocumentPlace;
  /** Documents that have a routing value, ascending, and the values. */
  routings(): [docs: number[], values: string[]];
}

/** Free arena that a document must find beyond what it can make the buffers grow by. */
const ROOM_BYTES = 2 * 2 ** 20;
/** Documents between two yields where little is done with each. */
const SLICE_DOCS = 4096;
/** The same for sources, which are packed. */
const SLICE_SOURCES = 512;

/**
 * Gathers the prepared records of documents, field by field, and writes them as a segment. Documents are numbered from
 * 0 in the order they are added, which must be that of their sequence numbers. Memory is in the arena until `close()`.
 */
export class SegmentBuilder {
  readonly #storage: Storage;
  readonly #fieldTable: readonly Field[];
  readonly #inverted: InvertedBuffer;
  readonly #fields: FieldBuffer[] = [];
  #docCount = 0;
  /** Bytes of documents that may still come before room is looked for again. */
  #credit = 0;

  /** `fields`: by the ordinals that records name. */
  constructor(storage: Storage, fields: readonly Field[]) {
    this.#storage = storage;
    this.#fieldTable = fields;
    this.#inverted = new InvertedBuffer(storage.arena, storage.kernels);
  }

  get docCount(): number {
    return this.#docCount;
  }

  /** Bytes of arena held. */
  get bytes(): number {
    let total = this.#inverted.bytes;
    for (const field of this.#fields) total += field?.bytes ?? 0;
    return total;
  }

  /**
   * Whether a document of about so many bytes can be added. The buffers can't go on after a failed allocation in the
   * middle of a document, so this is asked before.
   */
  hasRoom(documentBytes: number): boolean {
    this.#credit -= documentBytes;
    if (this.#credit >= 0) return true;
    const { arena, extents, scratch } = this.#storage;
    const room = Math.min(ROOM_BYTES, arena.capacity / 16);
    // Lists and tables grow by doubling; while they are copied old and new are held.
    const needed = 1.5 * this.bytes + documentBytes + room;
    if (arena.capacity - arena.used < needed) extents.evict(needed - (arena.capacity - arena.used));
    if (arena.capacity - arena.used < needed) scratch.release();
    if (arena.capacity - arena.used < needed) return false;
    this.#credit = room / 8;
    return true;
  }

  /** Adds a document: its records at [start, end) in the arena (prepared.ts). */
  add(start: number, end: number): void {
    const { u32 } = this.#storage.arena;
    const doc = this.#docCount++;
    for (let at = start; at < end; ) {
      const head = u32[at >>> 2];
      const buffer = this.#fields[head >>> 8] ?? this.#newField(head >>> 8);
      this.#addRecord(buffer, head & 0xff, at, doc);
      at += u32[(at + 4) >>> 2];
    }
  }

  /** Writes `<folder>/<name>.seg` (not synced). Ended early or by an error it leaves no file behind. */
  *write(folder: string, name: string, rows: DocumentRows): Generator<void, void> {
    const writer = new SegmentFileWriter(this.#storage, path.join(folder, segmentFileName(name)));
    let finished = false;
    try {
      yield* this.#write(writer, rows);
      writer.finish();
      finished = true;
    } finally {
      if (!finished) writer.abandon();
    }
  }

  /** Gives all memory back. */
  close(): void {
    this.#inverted.close();
    for (const field of this.#fields) field?.close();
    this.#fields.length = 0;
  }

  #addRecord(buffer: FieldBuffer, kind: number, at: number, doc: number): void {
    const { u32 } = this.#storage.arena;
    const { field } = buffer;
    const payload = (at + RECORD_HEADER_BYTES) >>> 2;
    switch (kind) {
      case RecordKind.tokens:
        if (field.inverted) this.#inverted.addTokens(field, at, doc);
        buffer.addExists(doc);
        break;
      case RecordKind.term:
        this.#addTerm(buffer, at, doc);
        break;
      case RecordKind.long:
      case RecordKind.double:
        buffer.addValue(doc, u32[payload], u32[payload + 1]);
        break;
      case RecordKind.vector:
        buffer.addVector(doc, at + RECORD_HEADER_BYTES, (u32[(at + 4) >>> 2] - RECORD_HEADER_BYTES) / 4);
        break;
      case RecordKind.text:
        buffer.addText(doc, at + RECORD_HEADER_BYTES + 4, u32[payload]);
        break;
      case RecordKind.exists:
        buffer.addExists(doc);
        break;
      default:
        throw new InternalError(`a prepared record of unknown kind ${kind} for field "${field.path}"`);
    }
  }

  #addTerm(buffer: FieldBuffer, at: number, doc: number): void {
    const { field } = buffer;
    // An ordinal column needs the dictionary even where nobody may search it.
    if (field.column === "ordinals") buffer.addValue(doc, this.#inverted.addTerm(field, at, doc), 0);
    else {
      if (field.inverted) this.#inverted.addTerm(field, at, doc);
      // A column of numbers has records of its own.
      if (field.column === null) buffer.addExists(doc);
    }
  }

  #newField(ordinal: number): FieldBuffer {
    const field = this.#fieldTable[ordinal];
    if (field === undefined) throw new InternalError(`a prepared record names field ${ordinal}, which does not exist`);
    const buffer = new FieldBuffer(this.#storage.arena, field);
    this.#fields[ordinal] = buffer;
    return buffer;
  }

  *#write(sink: SectionSink, rows: DocumentRows): Generator<void, void> {
    const docs = this.#docCount;
    const ordinals = flushInverted(this.#inverted, sink, docs);
    yield;
    for (const buffer of this.#fields) {
      if (buffer === undefined) continue;
      buffer.flush(sink, docs, ordinals(buffer.field));
      yield;
      yield* buffer.flushText(this.#storage, sink, docs);
    }
    yield* this.#writeIds(sink, rows);
    yield* this.#writeNumbers(sink, rows);
    writeRouting(sink, ...rows.routings());
    yield* this.#writeSource(sink, rows);
    writeSegmentMeta(sink, {
      docs,
      minSeqNo: docs === 0 ? 0 : rows.seqNo(0),
      maxSeqNo: docs === 0 ? 0 : rows.seqNo(docs - 1),
    });
  }

  *#writeIds(sink: SectionSink, rows: DocumentRows): Generator<void, void> {
    const writer = new IdWriter(sink, this.#docCount);
    for (let doc = 0; doc < this.#docCount; doc++) {
      const { bytes, from, to } = rows.id(doc);
      writer.add(bytes, from, to);
      if (doc % SLICE_DOCS === SLICE_DOCS - 1) yield;
    }
    yield* writer.finishing();
  }

  *#writeNumbers(sink: SectionSink, rows: DocumentRows): Generator<void, void> {
    const gather = (of: (doc: number) => number) => {
      const values = new Float64Array(this.#docCount);
      for (let doc = 0; doc < values.length; doc++) values[doc] = of(doc);
      return values;
    };
    writeNumbers(
      sink,
      SectionKind.seqNos,
      gather((doc) => rows.seqNo(doc)),
      1,
    );
    yield;
    writeNumbers(
      sink,
      SectionKind.versions,
      gather((doc) => rows.version(doc)),
      0,
    );
    yield;
    writeNumbers(
      sink,
      SectionKind.primaryTerms,
      gather((doc) => rows.primaryTerm(doc)),
      0,
    );
    yield;
  }

  *#writeSource(sink: SectionSink, rows: DocumentRows): Generator<void, void> {
    const writer = new SourceWriter(this.#storage, (bytes) => sink.append(bytes));
    const elider = new Elider(this.#storage, writer, this.#fieldTable);
    try {
      sink.begin(SectionKind.sourceData, NO_FIELD);
      for (let doc = 0; doc < this.#docCount; doc++) {
        elider.add(rows.place(doc));
        if (doc % SLICE_SOURCES === SLICE_SOURCES - 1) yield;
      }
      writer.endBlock();
      sink.end();
      writer.finish(sink, elider.shapes.encoded);
    } finally {
      elider.close();
      writer.close();
    }
  }
}
