/** Reading the dictionary of a field in a segment; bytes as described in format.ts. */
import { CorruptionError, InternalError } from "../errors.js";
import { bigEndian } from "../kernels/write-terms.js";
import type { Field } from "../mapping/field-table.js";
import type { FieldStats, TermDictionary, TermState } from "../segment/types.js";
import type { Arena } from "../store/arena.js";
import { type Extent, SectionKind, type SectionSource } from "../store/section.js";
import type { Storage } from "../store/storage.js";
import { TermCursor } from "./cursor.js";
import {
  FLAG_WITH_FREQS,
  INDEX_ENTRY_BYTES,
  INDEX_HEADER_BYTES,
  IndexEntry,
  MAX_TERM_BYTES,
  TERMS_PER_BLOCK,
} from "./format.js";
import { type MutableTermState, StateReader } from "./states.js";

/** The dictionary of a field, null where no document of the segment has a term in it. */
export function openTerms(source: SectionSource, storage: Storage, field: Field): Terms | null {
  const index = source.pin(SectionKind.termIndex, field.ordinal);
  if (index === null) return null;
  const data = source.pin(SectionKind.termData, field.ordinal);
  const states = source.pin(SectionKind.termStates, field.ordinal);
  if (data === null || states === null) throw new InternalError(`field "${field.path}" has a term index and no terms`);
  return new Terms(storage.arena, { index, data, states }, field.path);
}

/** Statistics of a field; zeros where it has no terms. */
export function readFieldStats(source: SectionSource, storage: Storage, field: Field): FieldStats {
  const stats = source.pin(SectionKind.fieldStats, field.ordinal);
  if (stats === null) return { docCount: 0, sumTotalTermFreq: 0 };
  const { view } = storage.arena;
  return {
    docCount: view.getUint32(stats.address, true),
    sumTotalTermFreq: view.getFloat64(stats.address + 8, true),
  };
}

/** Dictionary on pinned sections: valid while they are. Makes an object for a state, none for a term. */
export class Terms implements TermDictionary {
  readonly size: number;
  /** Whether frequencies and positions are kept. */
  readonly withFreqs: boolean;
  readonly #arena: Arena;
  readonly #entries: number;
  readonly #data: number;
  readonly #states: number;
  readonly #blocks: number;
  /** Bytes of the term that was read last. */
  readonly #term = new Uint8Array(MAX_TERM_BYTES);
  /** Where the varint that was read last ends. */
  #next = 0;

  constructor(arena: Arena, sections: { index: Extent; data: Extent; states: Extent }, name: string) {
    const { index, data, states } = sections;
    this.#arena = arena;
    this.size = arena.view.getUint32(index.address, true);
    this.withFreqs = (arena.view.getUint32(index.address + 4, true) & FLAG_WITH_FREQS) !== 0;
    this.#entries = index.address + INDEX_HEADER_BYTES;
    this.#data = data.address;
    this.#states = states.address;
    this.#blocks = Math.ceil(this.size / TERMS_PER_BLOCK);
    const expected = INDEX_HEADER_BYTES + INDEX_ENTRY_BYTES * this.#blocks;
    if (this.size === 0 || index.length !== expected) {
      throw new CorruptionError(
        `term index of "${name}"`,
        0,
        `${expected} bytes for ${this.size} terms`,
        `${index.length}`,
      );
    }
  }

  find(term: Uint8Array): number {
    const place = this.#locate(term);
    return place < 0 ? -1 : place;
  }

  seek(term: Uint8Array): number {
    const place = this.#locate(term);
    return place < 0 ? -1 - place : place;
  }

  term(ordinal: number): Uint8Array {
    this.#check(ordinal);
    const { u8 } = this.#arena;
    const block = Math.floor(ordinal / TERMS_PER_BLOCK);
    let at = this.#dataOf(block);
    let length = 0;
    for (let i = block * TERMS_PER_BLOCK; i <= ordinal; i++) {
      const shared = this.#varint(at);
      const rest = this.#varint(this.#next);
      at = this.#next;
      for (let k = 0; k < rest; k++) this.#term[shared + k] = u8[at + k];
      at += rest;
      length = shared + rest;
    }
    return this.#term.slice(0, length);
  }

  state(ordinal: number): TermState {
    const { docFreq, totalTermFreq, singletonDoc, headerOffset, dataOffset, positionOffset } = this.#stateOf(ordinal);
    return { docFreq, totalTermFreq, singletonDoc, headerOffset, dataOffset, positionOffset };
  }

  /** Walks all terms in order. */
  cursor(): TermCursor {
    return new TermCursor(this.#arena, { data: this.#data, states: this.#states }, this);
  }

  #check(ordinal: number): void {
    if (ordinal < 0 || ordinal >= this.size) throw new InternalError(`term ${ordinal} of ${this.size} is asked for`);
  }

  #stateOf(ordinal: number): MutableTermState {
    this.#check(ordinal);
    const block = Math.floor(ordinal / TERMS_PER_BLOCK);
    const reader = new StateReader(this.#arena, this.withFreqs);
    reader.beginBlock(this.#states + this.#entry(block, IndexEntry.stateOffset));
    for (let i = block * TERMS_PER_BLOCK; i <= ordinal; i++) reader.next();
    return reader.state;
  }

  #entry(block: number, field: number): number {
    return this.#arena.view.getUint32(this.#entries + INDEX_ENTRY_BYTES * block + field, true);
  }

  #dataOf(block: number): number {
    return this.#data + this.#entry(block, IndexEntry.dataOffset);
  }

  #varint(at: number): number {
    const { u8 } = this.#arena;
    let next = at;
    let byte = u8[next++];
    let value = byte & 127;
    for (let shift = 7; byte > 127; shift += 7) {
      byte = u8[next++];
      value |= (byte & 127) << shift;
    }
    this.#next = next;
    return value >>> 0;
  }

  /** The term's ordinal, or -1 - the ordinal of the first greater one. */
  #locate(term: Uint8Array): number {
    const high = bigEndian(term, 0, term.length);
    const low = bigEndian(term, 4, term.length - 4);
    let [from, to] = [0, this.#blocks];
    while (from < to) {
      const middle = (from + to) >>> 1;
      if (this.#compareFirst(middle, term, high, low) <= 0) from = middle + 1;
      else to = middle;
    }
    return from === 0 ? -1 : this.#scan(from - 1, term);
  }

  /** Sign of a block's first term against `term`. */
  #compareFirst(block: number, term: Uint8Array, high: number, low: number): number {
    const keyHigh = this.#entry(block, IndexEntry.keyHigh);
    if (keyHigh !== high) return keyHigh < high ? -1 : 1;
    const keyLow = this.#entry(block, IndexEntry.keyLow);
    if (keyLow !== low) return keyLow < low ? -1 : 1;
    const at = this.#dataOf(block);
    const length = this.#varint(at + 1);
    const { u8 } = this.#arena;
    const first = this.#next;
    const both = Math.min(length, term.length);
    for (let i = 0; i < both; i++) if (u8[first + i] !== term[i]) return u8[first + i] - term[i];
    return length - term.length;
  }

  /** Looks in a block whose first term is not greater. */
  #scan(block: number, term: Uint8Array): number {
    const { u8 } = this.#arena;
    const end = Math.min(this.size, (block + 1) * TERMS_PER_BLOCK);
    let at = this.#dataOf(block);
    // Bytes that the term before, a smaller one, has in common with `term`.
    let common = 0;
    for (let ordinal = block * TERMS_PER_BLOCK; ordinal < end; ordinal++) {
      const shared = this.#varint(at);
      const rest = this.#varint(this.#next);
      const suffix = this.#next;
      at = suffix + rest;
      if (shared > common) continue;
      if (shared < common) return -1 - ordinal;
      let i = 0;
      while (i < rest && common < term.length && u8[suffix + i] === term[common]) {
        i++;
        common++;
      }
      if (i === rest && common === term.length) return ordinal;
      if (common === term.length || (i < rest && u8[suffix + i] > term[common])) return -1 - ordinal;
    }
    return -1 - end;
  }
}
