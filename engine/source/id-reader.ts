import { InternalError } from "../errors.js";
import type { Arena } from "../store/arena.js";
import { NO_FIELD, SectionKind, type SectionSource } from "../store/section.js";
import {
  compareBytes,
  documentMask,
  FLAG_ASCENDING,
  FLAG_SUCCESSORS,
  firstSlot,
  ID_HEADER_WORDS,
  IDS_PER_BLOCK,
  makeSuccessor,
  mayContain,
  OLD_IDS_PER_BLOCK,
} from "./id-format.js";
import type { IdKey } from "./id-key.js";
import { MAX_ID_BYTES } from "./id-writer.js";

/** Finds ids by document and documents by id. Holds views of the arena: valid while the segment is in use. */
export class IdReader {
  readonly docs: number;
  readonly #source: SectionSource;
  readonly #ascending: boolean;
  /** Where blocks begin in idData; one more than there are. */
  readonly #offsets: Uint32Array;
  readonly #table: Uint32Array | null;
  readonly #filter: Uint32Array | null;
  readonly #perBlock: number;
  /** Whether entries may be successors. */
  readonly #successors: boolean;
  readonly #mask: number;
  /** The block decoded last: its ids one after the other, and where each ends. */
  #block = -1;
  /** How many of its ids were decoded, where in its bytes the next entry is, and how many successors come before that. */
  #decoded = 0;
  #at = 0;
  #run = 0;
  #bytes: Uint8Array = new Uint8Array(0);
  /** First and last id, where they stand in for a filter; read when first needed. */
  #range: { low: Uint8Array; high: Uint8Array } | null = null;
  readonly #text = new Uint8Array(IDS_PER_BLOCK * MAX_ID_BYTES);
  readonly #ends = new Uint32Array(IDS_PER_BLOCK + 1);

  constructor(source: SectionSource, arena: Arena) {
    const words = (kind: SectionKind): Uint32Array | null => {
      const extent = source.pin(kind, NO_FIELD);
      return extent && new Uint32Array(arena.memory.buffer, extent.address, extent.length / 4);
    };
    const blocks = words(SectionKind.idBlocks);
    if (blocks === null) throw new InternalError("a segment without ids");
    this.#source = source;
    this.docs = blocks[0];
    this.#ascending = (blocks[1] & FLAG_ASCENDING) !== 0;
    this.#offsets = blocks.subarray(ID_HEADER_WORDS);
    this.#table = words(SectionKind.idTable);
    this.#filter = words(SectionKind.idFilter);
    this.#successors = (blocks[1] & FLAG_SUCCESSORS) !== 0;
    this.#perBlock = this.#successors ? IDS_PER_BLOCK : OLD_IDS_PER_BLOCK;
    this.#mask = documentMask(this.docs);
  }

  id(doc: number): string {
    const { bytes, from, to } = this.bytes(doc);
    return Buffer.from(bytes.buffer, bytes.byteOffset + from, to - from).toString("utf8");
  }

  /** The id's bytes, in a buffer that is valid until the next call. */
  bytes(doc: number): { bytes: Uint8Array; from: number; to: number } {
    const within = doc % this.#perBlock;
    this.#decode(Math.floor(doc / this.#perBlock), within);
    return { bytes: this.#text, from: this.#ends[within], to: this.#ends[within + 1] };
  }

  /** false: certainly no document has this id. */
  maybe(key: IdKey): boolean {
    if (this.docs === 0) return false;
    return this.#filter === null ? this.#inRange(key) : mayContain(this.#filter, key.hash, key.fingerprint);
  }

  /** The same by an id's hashes alone: true where only its bytes could tell. */
  maybeHashed(hash: number, fingerprint: number): boolean {
    return this.docs > 0 && (this.#filter === null || mayContain(this.#filter, hash, fingerprint));
  }

  /** The newest document with this id, or -1. */
  find(key: IdKey): number {
    if (!this.maybe(key)) return -1;
    return this.#ascending ? this.#search(key) : this.#probe(key);
  }

  #inRange({ bytes }: IdKey): boolean {
    this.#range ??= { low: this.#copy(0), high: this.#copy(this.docs - 1) };
    const { low, high } = this.#range;
    const whole = (of: Uint8Array) => ({ bytes: of, from: 0, to: of.length });
    return compareBytes(whole(low), whole(bytes)) <= 0 && compareBytes(whole(bytes), whole(high)) <= 0;
  }

  #copy(doc: number): Uint8Array {
    const { bytes, from, to } = this.bytes(doc);
    return bytes.slice(from, to);
  }

  #probe(key: IdKey): number {
    const table = this.#table;
    if (table === null) throw new InternalError("a segment without id table");
    const mask = this.#mask;
    const wanted = (key.fingerprint & ~mask) >>> 0;
    for (
      let slot = firstSlot(key.hash, table.length);
      table[slot] !== 0;
      slot = slot + 1 === table.length ? 0 : slot + 1
    ) {
      if ((table[slot] & ~mask) >>> 0 !== wanted) continue;
      const doc = ((table[slot] & mask) >>> 0) - 1;
      if (this.#compare(key, doc) === 0) return doc;
    }
    return -1;
  }

  #search(key: IdKey): number {
    let [low, high] = [0, this.#offsets.length - 1];
    // The last block whose first id is not greater.
    while (high - low > 1) {
      const middle = (low + high) >>> 1;
      if (this.#compareFirst(key, middle) >= 0) low = middle;
      else high = middle;
    }
    const end = Math.min(this.docs, (low + 1) * this.#perBlock);
    for (let doc = low * this.#perBlock; doc < end; doc++) {
      const order = this.#compare(key, doc);
      if (order <= 0) return order === 0 ? doc : -1;
    }
    return -1;
  }

  #compare(key: IdKey, doc: number): number {
    return compareBytes({ bytes: key.bytes, from: 0, to: key.bytes.length }, this.bytes(doc));
  }

  /** Compares with a block's first id, which stands there whole. */
  #compareFirst(key: IdKey, block: number): number {
    const offset = this.#offsets[block];
    const bytes = this.#source.read(
      SectionKind.idData,
      NO_FIELD,
      offset,
      Math.min(this.#offsets[block + 1] - offset, MAX_ID_BYTES + 4),
    );
    const length = bytes[1] < 0x80 ? bytes[1] : (bytes[1] & 0x7f) | (bytes[2] << 7);
    const from = bytes[1] < 0x80 ? 2 : 3;
    return compareBytes({ bytes: key.bytes, from: 0, to: key.bytes.length }, { bytes, from, to: from + length });
  }

  /** Decodes a block up to its id number `within`. */
  #decode(block: number, within: number): void {
    if (block !== this.#block) this.#load(block);
    for (; this.#decoded <= within; this.#decoded++) this.#decodeNext();
  }

  #load(block: number): void {
    const offset = this.#offsets[block];
    this.#block = -1;
    this.#bytes = this.#source.read(SectionKind.idData, NO_FIELD, offset, this.#offsets[block + 1] - offset);
    this.#block = block;
    this.#decoded = 0;
    this.#at = 0;
    this.#run = 0;
  }

  #decodeNext(): void {
    const index = this.#decoded;
    const text = this.#text;
    const before = index === 0 ? 0 : this.#ends[index - 1];
    let end = index === 0 ? 0 : this.#ends[index];
    let shared = 0;
    if (this.#run === 0) {
      shared = this.#varint();
      if (this.#successors && shared-- === 0) this.#run = this.#varint();
    }
    if (this.#run > 0) {
      this.#run--;
      text.copyWithin(end, before, end);
      end += end - before;
      makeSuccessor(text, end);
    } else {
      const rest = this.#varint();
      text.copyWithin(end, before, before + shared);
      end += shared;
      for (let i = 0; i < rest; i++) text[end++] = this.#bytes[this.#at++];
    }
    this.#ends[index + 1] = end;
  }

  #varint(): number {
    const bytes = this.#bytes;
    let byte = bytes[this.#at++];
    let value = byte & 0x7f;
    for (let shift = 7; byte >= 0x80; shift += 7) {
      byte = bytes[this.#at++];
      value |= (byte & 0x7f) << shift;
    }
    return value;
  }
}
