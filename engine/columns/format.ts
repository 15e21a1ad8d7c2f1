/**
 * A column: the values of one field by document, in up to six sections, all little-endian.
 *
 *   columnMeta, 64 bytes
 *   offset  bytes  name      meaning
 *   0       4      docs      documents of the segment
 *   4       4      present   documents with a value
 *   8       4      values    rows of columnValues; equal to docs where no document has two values
 *   12      1      kind      1 long, 2 double, 3 ordinals
 *   13      1      width     bytes of a row: 1, 2, 4, 8 unsigned (long, ordinals up to 4); 4 or 8 floating (double)
 *   14      1      flags     1: several values (columnOffsets is there), 2: every value is a safe integer (long)
 *   15      1      zero
 *   16      8      base      long: i64, value = base + row * step; else zero
 *   24      8      step      long: u64, greatest common divisor of the values' distances, at least 1; else zero
 *   32      8      min       long: i64, double: f64, ordinals: zero
 *   40      8      max       as min
 *   48      16     zero
 *
 *   columnPresence   bitset, u32 words, bit i of word w: document 32 * w + i has a value; absent when all have one
 *   columnOffsets    u32[docs + 1], only with flag 1: rows offsets[d] to offsets[d + 1] are document d's, ascending
 *   columnValues     values rows of `width` bytes; a document without a value, in a column
 *                    without offsets, has zero (double: NaN)
 *   columnBlockMin,  u32 per 128 rows: smallest and largest row, documents without a value not counted (a block of
 *   columnBlockMax   none: 0xffffffff and 0); long columns of width 1, 2, 4 only
 *
 * Example: meta of the dates 1000, 3000 and nothing (three documents)
 *   03000000 02000000 03000000 01010200 e803000000000000 d007000000000000 e803000000000000 b80b000000000000 and 16 zeros
 */
export const COLUMN_META_BYTES = 64;

export const ColumnKind = { long: 1, double: 2, ordinals: 3 } as const;
export const FLAG_MULTI = 1;
export const FLAG_SAFE = 2;

/** Rows of a block with its own minimum and maximum. */
export const BLOCK_ROWS = 128;

/** What the meta section says. */
export interface ColumnMeta {
  docs: number;
  present: number;
  values: number;
  kind: number;
  width: number;
  flags: number;
  base: bigint;
  step: bigint;
  /** Bits of the i64 or f64. */
  min: bigint | number;
  max: bigint | number;
}

export function encodeColumnMeta(meta: ColumnMeta): Uint8Array {
  const bytes = new Uint8Array(COLUMN_META_BYTES);
  const view = new DataView(bytes.buffer);
  view.setUint32(0, meta.docs, true);
  view.setUint32(4, meta.present, true);
  view.setUint32(8, meta.values, true);
  bytes[12] = meta.kind;
  bytes[13] = meta.width;
  bytes[14] = meta.flags;
  view.setBigInt64(16, meta.base, true);
  view.setBigUint64(24, meta.step, true);
  setNumber(view, 32, meta.min);
  setNumber(view, 40, meta.max);
  return bytes;
}

export function decodeColumnMeta(bytes: Uint8Array): ColumnMeta {
  const view = new DataView(bytes.buffer, bytes.byteOffset, COLUMN_META_BYTES);
  const kind = bytes[12];
  const number = (at: number) => (kind === ColumnKind.double ? view.getFloat64(at, true) : view.getBigInt64(at, true));
  return {
    docs: view.getUint32(0, true),
    present: view.getUint32(4, true),
    values: view.getUint32(8, true),
    kind,
    width: bytes[13],
    flags: bytes[14],
    base: view.getBigInt64(16, true),
    step: view.getBigUint64(24, true),
    min: number(32),
    max: number(40),
  };
}

function setNumber(view: DataView, at: number, value: bigint | number): void {
  if (typeof value === "bigint") view.setBigInt64(at, value, true);
  else view.setFloat64(at, value, true);
}
