/**
 * Values of a batch of documents, read from a column into plain buffers. One loop per width of raw values: V8 compiles a loop
 * well only while it sees one type of array.
 */

import { millisOf } from "../mapping/date-nanos.js";
import type { Field } from "../mapping/field-table.js";
import type { BatchBuffers } from "../query/exec/batch-buffers.js";
import { hasBit } from "../query/exec/bits.js";
import type { LeafContext } from "../query/exec/context.js";
import { columnOf } from "../query/exec/uninverted.js";
import type { Column, DoubleColumn, LongColumn, OrdinalColumn } from "../segment/types.js";
import { fitsNumbers, longRow } from "../sort/index.js";
import type { Batch } from "./aggregator.js";

/** Values of a batch: `values[i]` belongs to document `index[i]` of the batch (null: to document i). */
export interface BatchValues<A extends Float64Array | Uint32Array> {
  values: A;
  index: Uint32Array | null;
  count: number;
}

/** Reads the values of a batch; the result is only valid until the next call. */
export type ReadNumbers = (batch: Batch) => BatchValues<Float64Array>;
/** The same for ordinals. */
export type ReadOrdinals = (batch: Batch) => BatchValues<Uint32Array>;

/** Rows of the documents that have values, and which document each belongs to. */
interface Rows {
  /** null: row = document. */
  rows: Uint32Array | null;
  index: Uint32Array | null;
  first: number;
  count: number;
}

/** Finds the rows of a batch. Documents without a value are left out. */
function rowFinder(column: Column, buffers: BatchBuffers): (batch: Batch) => Rows {
  const { offsets, presence } = column;
  if (offsets !== null) return multiRows(offsets, buffers);
  if (presence.bits !== null) return presentRows(presence.bits, buffers);
  return (batch) => ({ rows: batch.docs, index: null, first: batch.first, count: batch.count });
}

function presentRows(bits: Uint32Array, buffers: BatchBuffers): (batch: Batch) => Rows {
  let rows = buffers.words();
  let index = buffers.words();
  return ({ docs, first, count }) => {
    if (count > rows.length) {
      rows = new Uint32Array(count);
      index = new Uint32Array(count);
    }
    let found = 0;
    for (let i = 0; i < count; i++) {
      const doc = docs === null ? first + i : docs[i];
      if (((bits[doc >>> 5] >>> (doc & 31)) & 1) === 0) continue;
      rows[found] = doc;
      index[found++] = i;
    }
    return { rows, index, first: 0, count: found };
  };
}

function multiRows(offsets: Uint32Array, buffers: BatchBuffers): (batch: Batch) => Rows {
  let rows = buffers.words();
  let index = buffers.words();
  return ({ docs, first, count }) => {
    let found = 0;
    for (let i = 0; i < count; i++) {
      const doc = docs === null ? first + i : docs[i];
      const end = offsets[doc + 1];
      if (found + end - offsets[doc] > rows.length) {
        rows = grown(rows, found + end - offsets[doc]);
        index = grown(index, found + end - offsets[doc]);
      }
      for (let row = offsets[doc]; row < end; row++) {
        rows[found] = row;
        index[found++] = i;
      }
    }
    return { rows, index, first: 0, count: found };
  };
}

function grown(from: Uint32Array, size: number): Uint32Array {
  const larger = new Uint32Array(Math.max(size, from.length * 2));
  larger.set(from);
  return larger;
}

/** Copies raw values of rows into `out`. */
function gather(raw: Uint8Array | Uint16Array | Uint32Array, { rows, first, count }: Rows, out: Uint32Array): void {
  if (rows === null) {
    const piece = raw.subarray(first, first + count);
    if (piece instanceof Uint8Array) widen8(piece, count, out);
    else if (piece instanceof Uint16Array) widen16(piece, count, out);
    else out.set(piece);
  } else if (raw instanceof Uint8Array) gather8(raw, rows, count, out);
  else if (raw instanceof Uint16Array) gather16(raw, rows, count, out);
  else gather32(raw, rows, count, out);
}

function widen8(raw: Uint8Array, count: number, out: Uint32Array): void {
  for (let i = 0; i < count; i++) out[i] = raw[i];
}

function widen16(raw: Uint16Array, count: number, out: Uint32Array): void {
  for (let i = 0; i < count; i++) out[i] = raw[i];
}

function gather8(raw: Uint8Array, rows: Uint32Array, count: number, out: Uint32Array): void {
  for (let i = 0; i < count; i++) out[i] = raw[rows[i]];
}

function gather16(raw: Uint16Array, rows: Uint32Array, count: number, out: Uint32Array): void {
  for (let i = 0; i < count; i++) out[i] = raw[rows[i]];
}

function gather32(raw: Uint32Array, rows: Uint32Array, count: number, out: Uint32Array): void {
  for (let i = 0; i < count; i++) out[i] = raw[rows[i]];
}

/** Reader of ordinals; null column: no document has any. */
export function ordinalReader({ buffers }: LeafContext, column: OrdinalColumn | null): ReadOrdinals {
  if (column === null) return () => ({ values: new Uint32Array(0), index: new Uint32Array(0), count: 0 });
  const find = rowFinder(column, buffers);
  let values = buffers.words();
  return (batch) => {
    const rows = find(batch);
    if (rows.count > values.length) values = new Uint32Array(rows.count);
    gather(column.ordinals, rows, values);
    return { values, index: rows.index, count: rows.count };
  };
}

/** Reader of raw values of 8 or 16 bits, one per document; null: the column is not such. */
export function narrowReader(
  { buffers }: LeafContext,
  column: Column | null,
): { read: ReadOrdinals; width: number; value(raw: number): number } | null {
  if (column?.kind !== "long" || column.offsets !== null) return null;
  const { raw, base, step } = column;
  if (!(raw instanceof Uint8Array || raw instanceof Uint16Array)) return null;
  const find = rowFinder(column, buffers);
  let values = buffers.words();
  const read: ReadOrdinals = (batch) => {
    const rows = find(batch);
    if (rows.count > values.length) values = new Uint32Array(rows.count);
    gather(raw, rows, values);
    return { values, index: rows.index, count: rows.count };
  };
  return { read, width: 256 ** raw.BYTES_PER_ELEMENT, value: (one) => Number(base) + one * Number(step) };
}

/** Reader of numbers: longs, doubles, dates as milliseconds, booleans as 0 and 1. Longs beyond 2^53 are rounded, as in Elasticsearch. */
export function numberReader(leaf: LeafContext, field: Field | undefined, missing: number | null): ReadNumbers {
  const column = field === undefined ? null : columnOf(leaf, field);
  const read = column === null || column.kind === "ordinals" ? noNumbers() : columnNumbers(leaf, column, field);
  return missing === null ? read : withMissing(read, missing, leaf.buffers);
}

function noNumbers(): ReadNumbers {
  return () => ({ values: new Float64Array(0), index: new Uint32Array(0), count: 0 });
}

function columnNumbers(
  { buffers }: LeafContext,
  column: LongColumn | DoubleColumn,
  field: Field | undefined,
): ReadNumbers {
  const find = rowFinder(column, buffers);
  const fill = column.kind === "double" ? doubleFiller(column) : wholeFiller(column, field, buffers);
  let values = buffers.numbers();
  return (batch) => {
    const rows = find(batch);
    if (rows.count > values.length) values = new Float64Array(rows.count);
    fill(rows, values);
    return { values, index: rows.index, count: rows.count };
  };
}

type Fill = (rows: Rows, out: Float64Array) => void;

function doubleFiller(column: DoubleColumn): Fill {
  const { values } = column;
  if (values instanceof Float32Array) {
    return ({ rows, first, count }, out) => {
      for (let i = 0; i < count; i++) out[i] = values[rows === null ? first + i : rows[i]];
    };
  }
  return ({ rows, first, count }, out) => {
    if (rows === null) out.set(values.subarray(first, first + count));
    else for (let i = 0; i < count; i++) out[i] = values[rows[i]];
  };
}

function wholeFiller(column: LongColumn, field: Field | undefined, buffers: BatchBuffers): Fill {
  return field?.type === "date_nanos" ? millisFiller(column) : longFiller(column, buffers);
}

/** Moments of nanoseconds as milliseconds, rounded down. */
function millisFiller(column: LongColumn): Fill {
  return ({ rows, first, count }, out) => {
    for (let i = 0; i < count; i++) out[i] = Number(millisOf(longRow(column, rows === null ? first + i : rows[i])));
  };
}

function longFiller(column: LongColumn, buffers: BatchBuffers): Fill {
  if (!fitsNumbers(column)) return exactFiller(column);
  const base = Number(column.base);
  const step = Number(column.step);
  const { raw } = column;
  if (raw instanceof BigUint64Array) return wideFiller(raw, base, step);
  let buffer = buffers.words();
  return (rows, out) => {
    if (rows.count > buffer.length) buffer = new Uint32Array(rows.count);
    gather(raw, rows, buffer);
    for (let i = 0; i < rows.count; i++) out[i] = base + buffer[i] * step;
  };
}

/** 64-bit raw values as two 32-bit words: no bigints while the sum stays exact. */
function wideFiller(raw: BigUint64Array, base: number, step: number): Fill {
  const words = new Uint32Array(raw.buffer, raw.byteOffset, raw.length * 2);
  return ({ rows, first, count }, out) => {
    for (let i = 0; i < count; i++) {
      const row = rows === null ? first + i : rows[i];
      out[i] = base + (words[2 * row + 1] * 4294967296 + words[2 * row]) * step;
    }
  };
}

/** Rounded once, from the exact value. */
function exactFiller(column: LongColumn): Fill {
  return ({ rows, first, count }, out) => {
    for (let i = 0; i < count; i++) out[i] = Number(longRow(column, rows === null ? first + i : rows[i]));
  };
}

/** Puts a value where documents have none. */
function withMissing(read: ReadNumbers, missing: number, buffers: BatchBuffers): ReadNumbers {
  let values = buffers.numbers();
  let index = buffers.words();
  return (batch) => {
    const found = read(batch);
    if (found.index === null) return found;
    const size = found.count + batch.count;
    if (size > values.length) {
      values = new Float64Array(size);
      index = new Uint32Array(size);
    }
    let count = 0;
    let at = 0;
    for (let i = 0; i < batch.count; i++) {
      const before = count;
      for (; at < found.count && found.index[at] === i; at++) {
        values[count] = found.values[at];
        index[count++] = i;
      }
      if (count > before) continue;
      values[count] = missing;
      index[count++] = i;
    }
    return { values, index, count };
  };
}

/** Whether a document has the field: a test per document. */
export function presenceTest(leaf: LeafContext, field: Field | undefined): (doc: number) => boolean {
  const presence = field === undefined ? null : leaf.segment.presence(field);
  if (presence === null) return () => false;
  const { bits } = presence;
  return bits === null ? () => true : (doc) => hasBit(bits, doc);
}
