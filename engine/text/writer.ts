/** Writing the dictionary of a field: terms in ascending order, each with what became of its postings. */
import { NO_SINGLETON } from "../kernels/encode-postings.js";
import { writeVarint } from "../kernels/varint.js";
import { ByteChunks } from "../postings/byte-chunks.js";
import { SectionKind, type SectionSink } from "../store/section.js";
import {
  FIELD_STATS_BYTES,
  FLAG_WITH_FREQS,
  INDEX_ENTRY_BYTES,
  INDEX_HEADER_BYTES,
  IndexEntry,
  TERMS_PER_BLOCK,
} from "./format.js";

const WINDOW_BYTES = 128 * 1024;
/** Most bytes that one term can take: the longest term and its varints. */
const MAX_ENTRY_BYTES = 33_000;
/** u32 of a row, in order (kernels/encode-postings.ts TermRow). */
const ROW = { docFreq: 0, totalTermFreq: 1, singletonDoc: 2, headerBytes: 3, dataBytes: 4, positionBytes: 5 } as const;

/** Bytes written through a window. */
class Stream {
  readonly bytes = new Uint8Array(WINDOW_BYTES);
  readonly chunks = new ByteChunks();
  at = 0;

  get length(): number {
    return this.chunks.length + this.at;
  }

  reserve(bytes: number): void {
    if (this.at + bytes > WINDOW_BYTES) this.drain();
  }

  drain(): void {
    this.chunks.append(this.bytes.subarray(0, this.at));
    this.at = 0;
  }

  varint(value: number): void {
    this.at = writeVarint(this.bytes, this.at, value);
  }
}

/** Gathers one field's dictionary after the other; `finish` writes it. */
export class TermsWriter {
  readonly #data = new Stream();
  readonly #states = new Stream();
  readonly #index = new Stream();
  readonly #last = new Uint8Array(MAX_ENTRY_BYTES);
  #withFreqs = false;
  #lastLength = 0;
  #count = 0;
  #dataOffset = 0;
  #headerOffset = 0;
  #positionOffset = 0;
  #sumTotalTermFreq = 0;

  /** Begins a field. */
  begin(withFreqs: boolean): void {
    this.#withFreqs = withFreqs;
    this.#lastLength = 0;
    this.#count = 0;
    this.#dataOffset = 0;
    this.#headerOffset = 0;
    this.#positionOffset = 0;
    this.#sumTotalTermFreq = 0;
  }

  /** Terms so far, and so the ordinal of the next. */
  get count(): number {
    return this.#count;
  }

  /**
   * Adds the term bytes[from, from + length), greater than the one before; `rows[row ...]` are the six numbers of its row
   * (kernels/encode-postings.ts). Returns its ordinal.
   */
  add(bytes: Uint8Array, from: number, length: number, rows: Uint32Array, row: number): number {
    this.#data.reserve(MAX_ENTRY_BYTES);
    this.#states.reserve(64);
    const shared =
      this.#count % TERMS_PER_BLOCK === 0 ? this.#beginBlock(bytes, from, length) : this.#shared(bytes, from, length);
    const data = this.#data;
    data.varint(shared);
    data.varint(length - shared);
    for (let i = shared; i < length; i++) {
      const byte = bytes[from + i];
      this.#last[i] = byte;
      data.bytes[data.at++] = byte;
    }
    this.#lastLength = length;
    this.#addState(rows, row);
    return this.#count++;
  }

  /** Writes the sections; nothing when there are no terms. `docCount`: documents with at least one. */
  finish(sink: SectionSink, field: number, docCount: number): void {
    if (this.#count === 0) return;
    const header = new Uint8Array(INDEX_HEADER_BYTES);
    new DataView(header.buffer).setUint32(0, this.#count, true);
    header[4] = this.#withFreqs ? FLAG_WITH_FREQS : 0;
    this.#index.drain();
    this.#data.drain();
    this.#states.drain();
    sink.begin(SectionKind.termIndex, field);
    sink.append(header);
    for (const chunk of this.#index.chunks.take()) sink.append(chunk);
    sink.end();
    this.#data.chunks.writeSection(sink, SectionKind.termData, field);
    this.#states.chunks.writeSection(sink, SectionKind.termStates, field);
    const stats = new DataView(new ArrayBuffer(FIELD_STATS_BYTES));
    stats.setUint32(0, docCount, true);
    stats.setFloat64(8, this.#sumTotalTermFreq, true);
    sink.begin(SectionKind.fieldStats, field);
    sink.append(new Uint8Array(stats.buffer));
    sink.end();
  }

  #beginBlock(bytes: Uint8Array, from: number, length: number): 0 {
    this.#index.reserve(INDEX_ENTRY_BYTES);
    const entry = new DataView(this.#index.bytes.buffer, this.#index.at, INDEX_ENTRY_BYTES);
    entry.setUint32(IndexEntry.keyHigh, bigEndian(bytes, from, length), true);
    entry.setUint32(IndexEntry.keyLow, bigEndian(bytes, from + 4, length - 4), true);
    entry.setUint32(IndexEntry.dataOffset, this.#data.length, true);
    entry.setUint32(IndexEntry.stateOffset, this.#states.length, true);
    this.#index.at += INDEX_ENTRY_BYTES;
    this.#states.varint(this.#dataOffset);
    this.#states.varint(this.#headerOffset);
    this.#states.varint(this.#positionOffset);
    return 0;
  }

  #shared(bytes: Uint8Array, from: number, length: number): number {
    const most = Math.min(length, this.#lastLength);
    const last = this.#last;
    let shared = 0;
    while (shared < most && bytes[from + shared] === last[shared]) shared++;
    return shared;
  }

  #addState(rows: Uint32Array, row: number): void {
    const states = this.#states;
    const docFreq = rows[row + ROW.docFreq];
    const totalTermFreq = rows[row + ROW.totalTermFreq];
    const singletonDoc = rows[row + ROW.singletonDoc];
    if (this.#withFreqs) {
      states.varint(2 * (docFreq - 1) + (totalTermFreq === docFreq ? 1 : 0));
      if (totalTermFreq !== docFreq) states.varint(totalTermFreq - docFreq - 1);
    } else {
      states.varint(docFreq - 1);
    }
    states.varint(singletonDoc === NO_SINGLETON ? rows[row + ROW.dataBytes] : singletonDoc);
    if (this.#withFreqs) states.varint(rows[row + ROW.positionBytes]);
    this.#dataOffset += rows[row + ROW.dataBytes];
    this.#headerOffset += rows[row + ROW.headerBytes];
    this.#positionOffset += rows[row + ROW.positionBytes];
    this.#sumTotalTermFreq += totalTermFreq;
  }
}

/** Four bytes as a number, big-endian, zero behind `length`. */
export function bigEndian(bytes: Uint8Array, from: number, length: number): number {
  let value = 0;
  for (let i = 0; i < 4; i++) value = (value << 8) | (i < length ? bytes[from + i] : 0);
  return value >>> 0;
}
