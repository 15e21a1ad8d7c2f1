import { InternalError } from "../errors.js";
import type { Arena } from "../store/arena.js";
import { NO_FIELD, SectionKind, type SectionSource } from "../store/section.js";
import {
  compareBytes,
  documentMask,
  FLAG_ASCENDING,
  firstSlot,
  ID_HEADER_WORDS,
  IDS_PER_BLOCK,
  mayContain,
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
  readonly #filter: Uint32Array;
  readonly #mask: number;
  /** The block decoded last: its ids one after the other, and where each ends. */
  #block = -1;
  readonly #text = new Uint8Array(IDS_PER_BLOCK * MAX_ID_BYTES);
  readonly #ends = new Uint32Array(IDS_PER_BLOCK + 1);

  constructor(source: SectionSource, arena: Arena) {
    const words = (kind: SectionKind): Uint32Array | null => {
      const extent = source.pin(kind, NO_FIELD);
      return extent && new Uint32Array(arena.memory.buffer, extent.address, extent.length / 4);
    };
    const blocks = words(SectionKind.idBlocks);
    const filter = words(SectionKind.idFilter);
    if (blocks === null || filter === null) throw new InternalError("a segment without ids");
    this.#source = source;
    this.docs = blocks[0];
    this.#ascending = (blocks[1] & FLAG_ASCENDING) !== 0;
    this.#offsets = blocks.subarray(ID_HEADER_WORDS);
    this.#table = words(SectionKind.idTable);
    this.#filter = filter;
    this.#mask = documentMask(this.docs);
  }

  id(doc: number): string {
    const { bytes, from, to } = this.bytes(doc);
    return Buffer.from(bytes.buffer, bytes.byteOffset + from, to - from).toString("utf8");
  }

  /** The id's bytes, in a buffer that is valid until the next call. */
  bytes(doc: number): { bytes: Uint8Array; from: number; to: number } {
    this.#decode(Math.floor(doc / IDS_PER_BLOCK));
    const within = doc % IDS_PER_BLOCK;
    return { bytes: this.#text, from: this.#ends[within], to: this.#ends[within + 1] };
  }

  /** false: certainly no document has this id. */
  maybe(key: IdKey): boolean {
    return this.docs > 0 && mayContain(this.#filter, key.hash, key.fingerprint);
  }

  /** The newest document with this id, or -1. */
  find(key: IdKey): number {
    if (!this.maybe(key)) return -1;
    return this.#ascending ? this.#search(key) : this.#probe(key);
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
    const end = Math.min(this.docs, (low + 1) * IDS_PER_BLOCK);
    for (let doc = low * IDS_PER_BLOCK; doc < end; doc++) if (this.#compare(key, doc) === 0) return doc;
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

  #decode(block: number): void {
    if (block === this.#block) return;
    const offset = this.#offsets[block];
    const bytes = this.#source.read(SectionKind.idData, NO_FIELD, offset, this.#offsets[block + 1] - offset);
    const count = Math.min(IDS_PER_BLOCK, this.docs - block * IDS_PER_BLOCK);
    let at = 0;
    const varint = (): number => {
      let value = bytes[at] & 0x7f;
      for (let shift = 7; bytes[at++] >= 0x80; shift += 7) value |= (bytes[at] & 0x7f) << shift;
      return value;
    };
    let end = 0;
    for (let i = 0; i < count; i++) {
      const before = i === 0 ? 0 : this.#ends[i - 1];
      const shared = varint();
      const rest = varint();
      this.#text.copyWithin(end, before, before + shared);
      end += shared;
      for (let j = 0; j < rest; j++) this.#text[end++] = bytes[at++];
      this.#ends[i + 1] = end;
    }
    this.#block = block;
  }
}
