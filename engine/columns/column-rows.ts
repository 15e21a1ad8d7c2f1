import { InternalError } from "../errors.js";
import type { Arena } from "../store/arena.js";
import { type CellSource, SectionKind } from "../store/section.js";
import { COLUMN_META_BYTES, ColumnKind, type ColumnMeta, decodeColumnMeta, FLAG_MULTI, FLAG_SAFE } from "./format.js";

const copy = new Uint8Array(8);
const copyView = new DataView(copy.buffer);
/** The first bytes of `copy`, by how many. */
const PARTS = Array.from({ length: 9 }, (_, width) => copy.subarray(0, width));

/**
 * Single values of one column: for a few documents, for which the column need not be loaded whole. Holds no memory of
 * the segment's. Only for documents that have a value.
 */
export class ColumnRows {
  readonly #meta: ColumnMeta;
  /** As numbers, where all values are safe. */
  readonly #base: number;
  readonly #step: number;
  readonly #safe: boolean;
  /** Of the document asked for last. */
  #doc = -1;
  #first = 0;
  #count = 0;
  /** Where the bytes are that were located last. */
  #view: DataView = copyView;
  #at = 0;

  constructor(
    readonly source: CellSource,
    readonly arena: Arena,
    readonly field: number,
  ) {
    if (source.sectionSize(SectionKind.columnMeta, field) < 0) throw new InternalError(`field ${field} has no column`);
    const meta = new Uint8Array(COLUMN_META_BYTES);
    source.readInto(SectionKind.columnMeta, field, 0, meta);
    this.#meta = decodeColumnMeta(meta);
    this.#safe = this.#meta.kind === ColumnKind.long && (this.#meta.flags & FLAG_SAFE) !== 0;
    this.#base = Number(this.#meta.base);
    this.#step = Number(this.#meta.step);
  }

  /** Number of values of a document. */
  count(doc: number): number {
    this.#find(doc);
    return this.#count;
  }

  /** A whole number; a bigint where it is no safe integer. */
  long(doc: number, index: number): number | bigint {
    this.#find(doc);
    const row = this.#locateRow(index);
    const { base, step, width } = this.#meta;
    if (this.#safe && width < 8) return this.#base + row * this.#step;
    const value = base + (width === 8 ? this.#view.getBigUint64(this.#at, true) : BigInt(row)) * step;
    const number = Number(value);
    return Number.isSafeInteger(number) ? number : value;
  }

  double(doc: number, index: number): number {
    this.#find(doc);
    this.#locateRow(index);
    return this.#meta.width === 4 ? this.#view.getFloat32(this.#at, true) : this.#view.getFloat64(this.#at, true);
  }

  /** The ordinal of a term. */
  ordinal(doc: number, index: number): number {
    this.#find(doc);
    return this.#locateRow(index);
  }

  #find(doc: number): void {
    if (doc === this.#doc) return;
    this.#doc = doc;
    this.#first = doc;
    this.#count = 1;
    if ((this.#meta.flags & FLAG_MULTI) === 0) return;
    this.#locate(SectionKind.columnOffsets, 4 * doc, 8);
    this.#first = this.#view.getUint32(this.#at, true);
    this.#count = this.#view.getUint32(this.#at + 4, true) - this.#first;
  }

  /** Locates a row of the document; returns it if it is an unsigned number of up to 32 bits. */
  #locateRow(index: number): number {
    const { width } = this.#meta;
    this.#locate(SectionKind.columnValues, width * (this.#first + index), width);
    if (width === 1) return this.#view.getUint8(this.#at);
    return width === 2 ? this.#view.getUint16(this.#at, true) : this.#view.getUint32(this.#at, true);
  }

  /** Finds bytes of a section: in the arena, or copied. */
  #locate(kind: SectionKind, offset: number, count: number): void {
    const address = this.source.warm(kind, this.field);
    this.#view = address === 0 ? copyView : this.arena.view;
    this.#at = address === 0 ? 0 : address + offset;
    if (address === 0) this.source.readInto(kind, this.field, offset, PARTS[count]);
  }
}
