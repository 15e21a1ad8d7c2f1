import { CorruptionError } from "../errors.js";
import type { Arena } from "../store/arena.js";
import { type CellSource, SectionKind } from "../store/section.js";
import { INDEX_ENTRY_BYTES, INDEX_HEADER_BYTES, IndexEntry, MAX_TERM_BYTES, TERMS_PER_BLOCK } from "./format.js";

const entries = new Uint8Array(2 * INDEX_ENTRY_BYTES);
const entriesView = new DataView(entries.buffer);
const ONE_ENTRY = entries.subarray(0, INDEX_ENTRY_BYTES);
const term = new Uint8Array(MAX_TERM_BYTES);

/**
 * Single terms of a field by ordinal: for a few documents, for which the dictionary need not be loaded whole. Holds no
 * memory of the segment's.
 */
export class StoredTerms {
  /** Where blocks are copied to that are not in the arena, and the first ordinal of the one that is there; -1: none. */
  #copy = new Uint8Array(1024);
  #copied = -1;

  constructor(
    readonly source: CellSource,
    readonly arena: Arena,
    readonly field: number,
  ) {}

  /** The bytes of a term: a view that is valid until the next call of any. */
  term(ordinal: number): Uint8Array {
    const first = ordinal - (ordinal % TERMS_PER_BLOCK);
    const data = this.source.warm(SectionKind.termData, this.field);
    if (data !== 0) return this.#decode(this.arena.u8, data + this.#range(first).from, ordinal - first);
    if (first !== this.#copied) this.#load(first);
    return this.#decode(this.#copy, 0, ordinal - first);
  }

  /** Term number `index` of the block that begins here. */
  #decode(bytes: Uint8Array, from: number, index: number): Uint8Array {
    let at = from;
    let length = 0;
    for (let i = 0; i <= index; i++) {
      let shared = bytes[at++];
      if (shared > 127) [shared, at] = continued(bytes, shared, at);
      let rest = bytes[at++];
      if (rest > 127) [rest, at] = continued(bytes, rest, at);
      length = shared + rest;
      if (length > MAX_TERM_BYTES) {
        throw new CorruptionError(`terms of field ${this.field}`, 0, `at most ${MAX_TERM_BYTES} bytes`, `${length}`);
      }
      for (let k = 0; k < rest; k++) term[shared + k] = bytes[at + k];
      at += rest;
    }
    return term.subarray(0, length);
  }

  #load(first: number): void {
    const { from, to } = this.#range(first);
    this.#copied = -1;
    if (this.#copy.length < to - from) this.#copy = new Uint8Array(2 * (to - from));
    this.source.readInto(SectionKind.termData, this.field, from, this.#copy.subarray(0, to - from));
    this.#copied = first;
  }

  /** Where in termData the block lies that begins with this ordinal. */
  #range(first: number): { from: number; to: number } {
    const { source, field } = this;
    const entry = INDEX_HEADER_BYTES + (first / TERMS_PER_BLOCK) * INDEX_ENTRY_BYTES;
    const last = entry + INDEX_ENTRY_BYTES >= source.sectionSize(SectionKind.termIndex, field);
    const index = source.warm(SectionKind.termIndex, field);
    if (index === 0) source.readInto(SectionKind.termIndex, field, entry, last ? ONE_ENTRY : entries);
    const view = index === 0 ? entriesView : this.arena.view;
    const at = (index === 0 ? 0 : index + entry) + IndexEntry.dataOffset;
    const end = last ? source.sectionSize(SectionKind.termData, field) : view.getUint32(at + INDEX_ENTRY_BYTES, true);
    return { from: view.getUint32(at, true), to: end };
  }
}

/** A varint that goes on: its value and where it ends. */
function continued(bytes: Uint8Array, first: number, from: number): [number, number] {
  let value = first & 127;
  let at = from;
  for (let shift = 7; ; shift += 7) {
    const byte = bytes[at++];
    value |= (byte & 127) << shift;
    if (!(byte > 127)) return [value >>> 0, at];
  }
}
