import { InternalError } from "../errors.js";
import { NO_FIELD, SectionKind, type SectionSink } from "../store/section.js";
import {
  addToFilter,
  documentMask,
  FLAG_ASCENDING,
  FLAG_SUCCESSORS,
  filterWords,
  firstSlot,
  IDS_PER_BLOCK,
  isSuccessor,
  tableSlots,
  UNFILTERED_SHARE,
} from "./id-format.js";
import { fingerprintOf, hashId } from "./id-key.js";

/** Longest id in bytes (Elasticsearch's limit). */
export const MAX_ID_BYTES = 512;

const BUFFER_BYTES = 64 * 1024;
/** Documents between two yields of `finishing`. */
const SLICE_DOCS = 16_384;

/** Streams the ids of a segment, document by document, into idData; the other sections follow at the end. */
export class IdWriter {
  readonly #sink: SectionSink;
  readonly #docs: number;
  readonly #offsets: Uint32Array;
  readonly #hashes: Uint32Array;
  readonly #fingerprints: Uint32Array;
  readonly #buffer = new Uint8Array(BUFFER_BYTES);
  readonly #last = new Uint8Array(MAX_ID_BYTES);
  #lastLength = 0;
  #filled = 0;
  #flushed = 0;
  #doc = 0;
  #ascending = true;
  /** Ids that are successors; how many of them since the last entry was written. */
  #successors = 0;
  #run = 0;

  constructor(sink: SectionSink, docs: number) {
    this.#sink = sink;
    this.#docs = docs;
    this.#offsets = new Uint32Array(Math.ceil(docs / IDS_PER_BLOCK) + 1);
    this.#hashes = new Uint32Array(docs);
    this.#fingerprints = new Uint32Array(docs);
    sink.begin(SectionKind.idData, NO_FIELD);
  }

  /** Adds the next document's id: bytes [from, to). */
  add(bytes: Uint8Array, from: number, to: number): void {
    const length = to - from;
    if (length > MAX_ID_BYTES) throw new InternalError(`an id of ${length} bytes`);
    const doc = this.#doc++;
    this.#hashes[doc] = hashId(bytes, from, to);
    this.#fingerprints[doc] = fingerprintOf(this.#hashes[doc], length);
    if (this.#filled + length + 8 > BUFFER_BYTES) this.#flush();
    const common = this.#sharedWithLast(bytes, from, to);
    const first = doc % IDS_PER_BLOCK === 0;
    const successor = doc > 0 && isSuccessor(this.#last, this.#lastLength, bytes, from, to);
    if (successor) this.#successors++;
    if (first || !successor) this.#endRun();
    if (first) this.#offsets[doc / IDS_PER_BLOCK] = this.#flushed + this.#filled;
    if (successor && !first) {
      this.#run++;
      for (let at = common; at < length; at++) this.#last[at] = bytes[from + at];
      return;
    }
    const shared = first ? 0 : common;
    this.#varint(1 + shared);
    this.#varint(length - shared);
    for (let at = from + shared; at < to; at++) this.#buffer[this.#filled++] = bytes[at];
    for (let at = common; at < length; at++) this.#last[at] = bytes[from + at];
    this.#lastLength = length;
  }

  /** Ends idData and writes idBlocks, and idTable and idFilter where needed. */
  finish(): void {
    for (const step = this.finishing(); !step.next().done; );
  }

  /** The same, yielding after some thousand documents. */
  *finishing(): Generator<void, void> {
    this.#endRun();
    this.#flush();
    this.#sink.end();
    if (this.#doc !== this.#docs) throw new InternalError(`${this.#doc} ids of ${this.#docs} documents`);
    this.#offsets[this.#offsets.length - 1] = this.#flushed;
    const flags = FLAG_SUCCESSORS | (this.#ascending ? FLAG_ASCENDING : 0);
    const header = Uint32Array.of(this.#docs, flags);
    this.#section(SectionKind.idBlocks, header, this.#offsets);
    if (!this.#ascending) this.#section(SectionKind.idTable, yield* this.#table());
    const filtered = !this.#ascending || this.#successors < UNFILTERED_SHARE * this.#docs;
    if (filtered) this.#section(SectionKind.idFilter, yield* this.#filter());
  }

  /** Writes the run of successors. */
  #endRun(): void {
    if (this.#run === 0) return;
    this.#varint(0);
    this.#varint(this.#run);
    this.#run = 0;
  }

  /** Length of the prefix shared with the id before; also notices when ids don't ascend. */
  #sharedWithLast(bytes: Uint8Array, from: number, to: number): number {
    const limit = Math.min(this.#lastLength, to - from);
    let common = 0;
    while (common < limit && bytes[from + common] === this.#last[common]) common++;
    if (this.#doc > 1) {
      const greater = common < limit ? bytes[from + common] > this.#last[common] : to - from > this.#lastLength;
      if (!greater) this.#ascending = false;
    }
    return common;
  }

  #varint(value: number): void {
    let rest = value;
    while (rest > 0x7f) {
      this.#buffer[this.#filled++] = (rest & 0x7f) | 0x80;
      rest >>>= 7;
    }
    this.#buffer[this.#filled++] = rest;
  }

  #flush(): void {
    this.#sink.append(this.#buffer.subarray(0, this.#filled));
    this.#flushed += this.#filled;
    this.#filled = 0;
  }

  *#table(): Generator<void, Uint32Array> {
    const slots = tableSlots(this.#docs);
    const mask = documentMask(this.#docs);
    const table = new Uint32Array(slots);
    for (let doc = this.#docs - 1; doc >= 0; doc--) {
      let slot = firstSlot(this.#hashes[doc], slots);
      while (table[slot] !== 0) slot = slot + 1 === slots ? 0 : slot + 1;
      table[slot] = ((this.#fingerprints[doc] & ~mask) | (doc + 1)) >>> 0;
      if (doc % SLICE_DOCS === 0) yield;
    }
    return table;
  }

  *#filter(): Generator<void, Uint32Array> {
    const words = new Uint32Array(filterWords(this.#docs));
    for (let doc = 0; doc < this.#docs; doc++) {
      addToFilter(words, this.#hashes[doc], this.#fingerprints[doc]);
      if (doc % SLICE_DOCS === 0) yield;
    }
    return words;
  }

  #section(kind: SectionKind, ...parts: Uint32Array[]): void {
    this.#sink.begin(kind, NO_FIELD);
    for (const part of parts) this.#sink.append(new Uint8Array(part.buffer, part.byteOffset, part.byteLength));
    this.#sink.end();
  }
}
