import path from "node:path";
import { EngineError, InternalError } from "../errors.js";
import type { Field } from "../mapping/field-table.js";
import { SegmentFileWriter } from "../segment/file-writer.js";
import { writeSegmentMeta } from "../segment/meta.js";
import { OpenSegment, segmentFileName } from "../segment/reader.js";
import { idKey } from "../source/id-key.js";
import { IdWriter } from "../source/id-writer.js";
import { writeNumbers } from "../source/numbers.js";
import { writeRouting } from "../source/routing.js";
import { allSet, bitWords, clearBit, isSet, setBit } from "../store/bits.js";
import { Growing } from "../store/growing.js";
import { SectionKind, type SectionSink } from "../store/section.js";
import type { Storage } from "../store/storage.js";
import { FieldBuffer } from "./field-buffer.js";
import { IdMap } from "./id-map.js";
import { InvertedBuffer } from "./inverted.js";
import { flushInverted } from "./inverted-flush.js";
import { RECORD_HEADER_BYTES, RecordKind } from "./prepared.js";
import { SourceBuffer } from "./source-buffer.js";

/** What sequencing says about a document. */
export interface DocumentMeta {
  id: string;
  seqNo: number;
  primaryTerm: number;
  version: number;
  routing?: string;
  /** Raw bytes as they came. */
  source: Uint8Array;
}

/** A sealed write buffer: the segment, and which of its documents are alive (null: all). */
export interface SealedSegment {
  segment: OpenSegment;
  live: Uint32Array | null;
  liveCount: number;
}

/** Free arena that a document must find beyond what it can make the buffers grow by. */
const ROOM_BYTES = 2 * 2 ** 20;

/**
 * The write buffer: documents that were sequenced and logged, not yet searchable. Documents are numbered from 0 in the
 * order they are added, which must be that of their sequence numbers. All its memory is in the arena until `close()`.
 */
export class Memtable {
  readonly #storage: Storage;
  readonly #inverted: InvertedBuffer;
  readonly #ids: IdMap;
  readonly #source: SourceBuffer;
  readonly #seqNos: Growing<"f64">;
  readonly #versions: Growing<"f64">;
  readonly #primaryTerms: Growing<"f64">;
  readonly #fields: FieldBuffer[] = [];
  readonly #routingDocs: number[] = [];
  readonly #routings: string[] = [];
  #deleted = new Uint32Array(32);
  #docCount = 0;
  #deletedCount = 0;
  /** Bytes of documents that may still come before room is looked for again. */
  #credit = 0;

  constructor(storage: Storage) {
    const { arena, kernels } = storage;
    this.#storage = storage;
    this.#inverted = new InvertedBuffer(arena, kernels);
    this.#ids = new IdMap(arena);
    this.#source = new SourceBuffer(storage);
    this.#seqNos = new Growing(arena, "f64");
    this.#versions = new Growing(arena, "f64");
    this.#primaryTerms = new Growing(arena, "f64");
  }

  /** Documents added, deleted ones included. */
  get docCount(): number {
    return this.#docCount;
  }

  get deletedCount(): number {
    return this.#deletedCount;
  }

  /** Bytes of arena held. */
  get bytes(): number {
    const lists = this.#seqNos.bytes + this.#versions.bytes + this.#primaryTerms.bytes;
    let total = this.#inverted.bytes + this.#ids.bytes + this.#source.bytes + lists;
    for (const field of this.#fields) total += field?.bytes ?? 0;
    return total;
  }

  /**
   * Adds a document: its records at [start, end) in the arena (prepared.ts), whose field ordinals `fields` resolves.
   * Returns its number. An older document with the same id stays until `delete` is called for it. Throws `overloaded`,
   * having added nothing, when the arena may not have the room: seal and try again.
   */
  add(records: { start: number; end: number }, fields: readonly Field[], meta: DocumentMeta): number {
    this.#ensureRoom(2 * meta.source.length + 4 * (records.end - records.start));
    const doc = this.#docCount;
    this.#ids.add(idKey(meta.id));
    this.#source.add(meta.source);
    this.#seqNos.push(meta.seqNo);
    this.#versions.push(meta.version);
    this.#primaryTerms.push(meta.primaryTerm);
    if (meta.routing !== undefined) {
      this.#routingDocs.push(doc);
      this.#routings.push(meta.routing);
    }
    this.#addRecords(records, fields, doc);
    this.#docCount++;
    return doc;
  }

  /** Marks a document as deleted; it stays in the segment, dead. */
  delete(doc: number): void {
    if (doc < 0 || doc >= this.#docCount) throw new InternalError(`document ${doc} of ${this.#docCount} is deleted`);
    if (this.#isDeleted(doc)) return;
    if (doc >>> 5 >= this.#deleted.length) {
      const larger = new Uint32Array(2 * bitWords(this.#docCount));
      larger.set(this.#deleted);
      this.#deleted = larger;
    }
    setBit(this.#deleted, doc);
    this.#deletedCount++;
  }

  /** The newest document with this id, or -1 when there is none or it is deleted. */
  findId(id: string): number {
    const doc = this.#ids.find(idKey(id));
    return doc >= 0 && this.#isDeleted(doc) ? -1 : doc;
  }

  id(doc: number): string {
    return this.#ids.id(doc);
  }

  seqNo(doc: number): number {
    return this.#seqNos.view[doc];
  }

  version(doc: number): number {
    return this.#versions.view[doc];
  }

  primaryTerm(doc: number): number {
    return this.#primaryTerms.view[doc];
  }

  routing(doc: number): string | undefined {
    let [low, high] = [0, this.#routingDocs.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.#routingDocs[middle] < doc) low = middle + 1;
      else high = middle;
    }
    return this.#routingDocs[low] === doc ? this.#routings[low] : undefined;
  }

  /** A copy of the raw bytes. */
  source(doc: number): Uint8Array {
    return this.#source.get(doc);
  }

  /**
   * Writes `<folder>/<name>.seg` (not synced) and opens it. The memtable can still be read, but takes no more
   * documents; a document deleted from now on must be deleted in the segment too.
   */
  seal(folder: string, name: string): SealedSegment {
    const writer = new SegmentFileWriter(this.#storage, path.join(folder, segmentFileName(name)));
    try {
      this.#write(writer);
      writer.finish();
    } catch (error) {
      writer.abandon();
      throw error;
    }
    const live = this.#deletedCount === 0 ? null : this.#live();
    return {
      segment: OpenSegment.open(this.#storage, folder, name),
      live,
      liveCount: this.#docCount - this.#deletedCount,
    };
  }

  /** Gives all memory back. */
  close(): void {
    for (const part of [this.#inverted, this.#ids, this.#source, this.#seqNos, this.#versions, this.#primaryTerms]) {
      part.close();
    }
    for (const field of this.#fields) field?.close();
    this.#fields.length = 0;
  }

  #addRecords(records: { start: number; end: number }, fields: readonly Field[], doc: number): void {
    const { u32 } = this.#storage.arena;
    for (let at = records.start; at < records.end; ) {
      const head = u32[at >>> 2];
      const buffer = this.#fields[head >>> 8] ?? this.#newField(fields, head >>> 8);
      this.#addRecord(buffer, head & 0xff, at, doc);
      at += u32[(at + 4) >>> 2];
    }
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

  #newField(fields: readonly Field[], ordinal: number): FieldBuffer {
    const field = fields[ordinal];
    if (field === undefined) throw new InternalError(`a prepared record names field ${ordinal}, which does not exist`);
    const buffer = new FieldBuffer(this.#storage.arena, field);
    this.#fields[ordinal] = buffer;
    return buffer;
  }

  /** The buffers can't go on after a failed allocation in the middle of a document, so it is refused before. */
  #ensureRoom(documentBytes: number): void {
    this.#credit -= documentBytes;
    if (this.#credit >= 0) return;
    const { arena, extents, scratch } = this.#storage;
    const room = Math.min(ROOM_BYTES, arena.capacity / 16);
    // Lists and tables grow by doubling; while they are copied old and new are held.
    const needed = 1.5 * this.bytes + documentBytes + room;
    if (arena.capacity - arena.used < needed) extents.evict(needed - (arena.capacity - arena.used));
    if (arena.capacity - arena.used < needed) scratch.release();
    if (arena.capacity - arena.used < needed) {
      throw new EngineError("overloaded", "the write buffer has no room to grow: refresh, then retry", { needed });
    }
    this.#credit = room / 8;
  }

  #write(sink: SectionSink): void {
    const docs = this.#docCount;
    const ordinals = flushInverted(this.#inverted, sink, docs);
    for (const buffer of this.#fields) {
      if (buffer !== undefined) buffer.flush(sink, docs, ordinals(buffer.field));
    }
    this.#writeIds(sink);
    writeNumbers(sink, SectionKind.seqNos, this.#seqNos.filled(), 1);
    writeNumbers(sink, SectionKind.versions, this.#versions.filled(), 0);
    writeNumbers(sink, SectionKind.primaryTerms, this.#primaryTerms.filled(), 0);
    writeRouting(sink, this.#routingDocs, this.#routings);
    this.#source.flush(sink);
    const last = docs - 1;
    writeSegmentMeta(sink, {
      docs,
      minSeqNo: docs === 0 ? 0 : this.#seqNos.view[0],
      maxSeqNo: docs === 0 ? 0 : this.#seqNos.view[last],
    });
  }

  #writeIds(sink: SectionSink): void {
    const writer = new IdWriter(sink, this.#docCount);
    for (let doc = 0; doc < this.#docCount; doc++) {
      const { from, to } = this.#ids.range(doc);
      writer.add(this.#ids.text.view, from, to);
    }
    writer.finish();
  }

  #isDeleted(doc: number): boolean {
    return doc >>> 5 < this.#deleted.length && isSet(this.#deleted, doc);
  }

  #live(): Uint32Array {
    const live = allSet(this.#docCount);
    for (let doc = 0; doc < this.#docCount; doc++) if (this.#isDeleted(doc)) clearBit(live, doc);
    return live;
  }
}
