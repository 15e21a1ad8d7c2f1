/**
 * Bits of documents by the values of their columns. A column's rows are compared first (by kernels, in raw form), then
 * turned into documents: for single-valued columns a row is a document.
 */
import type { Field } from "../../mapping/field-table.js";
import type { Column, DoubleColumn, LongColumn } from "../../segment/types.js";
import { clearTail, intersect, noBits, setBit, unite, wordCount } from "./bits.js";
import { type LeafContext, RANGE_CHUNK } from "./context.js";

/** Rows per entry of a long column's blockMin and blockMax. */
const BLOCK_ROWS = 128;
const MAX_U64 = 0xffffffffffffffffn;

/** Documents with a value in [low, high]. */
export function longRangeBits(leaf: LeafContext, field: Field, low: bigint, high: bigint): Uint32Array {
  const column = leaf.segment.column(field);
  if (column?.kind !== "long" || low > high || low > column.max || high < column.min) return noBits(leaf.docCount);
  // In raw numbers: raw = (value - base) / step, rounded inwards.
  const rawLow = low <= column.base ? 0n : (low - column.base + column.step - 1n) / column.step;
  const rawHigh = high < column.base ? -1n : (high - column.base) / column.step;
  if (rawHigh < rawLow) return noBits(leaf.docCount);
  return rowsToDocs(column, rawRangeRows(leaf, column, rawLow, rawHigh));
}

function rawRangeRows(leaf: LeafContext, column: LongColumn, low: bigint, high: bigint): Uint32Array {
  const { raw } = column;
  if (raw instanceof BigUint64Array) return wideRangeRows(raw, low, high > MAX_U64 ? MAX_U64 : high);
  const largest = BigInt(2 ** (8 * raw.BYTES_PER_ELEMENT) - 1);
  if (low > largest) return noBits(raw.length);
  const [from, to] = [Number(low), Number(high > largest ? largest : high)];
  const { blockMin, blockMax } = column;
  if (blockMin === null || blockMax === null) return rowBits(leaf, raw, column.rawAddress, from, to);
  return skippingRangeRows(leaf, column, { blockMin, blockMax }, { low: from, high: to });
}

/**
 * Blocks wholly inside or outside the range need no look at their rows. In columns that follow the order of documents
 * (time stamps) that leaves the two ends of the range; runs of other blocks are compared by a kernel.
 */
function skippingRangeRows(
  leaf: LeafContext,
  column: LongColumn,
  blocks: { blockMin: Uint32Array; blockMax: Uint32Array },
  range: { low: number; high: number },
): Uint32Array {
  const { low, high } = range;
  const rows = column.raw.length;
  const bits = noBits(rows);
  const words = BLOCK_ROWS / 32;
  let mixedFrom = -1;
  const endRun = (block: number) => {
    if (mixedFrom < 0) return;
    const first = mixedFrom * BLOCK_ROWS;
    compareRows(leaf, column, { first, count: Math.min(block * BLOCK_ROWS, rows) - first, low, high }, bits);
    mixedFrom = -1;
  };
  for (let block = 0; block < blocks.blockMin.length; block++) {
    const min = blocks.blockMin[block];
    const max = blocks.blockMax[block];
    const inside = min >= low && max <= high;
    if (!inside && min <= high && max >= low) {
      if (mixedFrom < 0) mixedFrom = block;
      continue;
    }
    endRun(block);
    if (inside) bits.fill(0xffffffff, block * words, (block + 1) * words);
  }
  endRun(blocks.blockMin.length);
  clearTail(bits, rows);
  return bits;
}

/** Compares rows from a block's first on; sets whole words of `bits`. */
function compareRows(
  leaf: LeafContext,
  column: LongColumn,
  part: { first: number; count: number; low: number; high: number },
  bits: Uint32Array,
): void {
  const { scratch, environment } = leaf.context;
  const width = column.raw.BYTES_PER_ELEMENT as 1 | 2 | 4;
  const end = part.first + part.count;
  for (let first = part.first; first < end; first += RANGE_CHUNK) {
    const count = Math.min(RANGE_CHUNK, end - first);
    const address = column.rawAddress + first * width;
    environment.kernels.rangeToBits(address, width, count, part.low, part.high, scratch.rangeBits);
    const from = scratch.rangeBits >>> 2;
    bits.set(environment.arena.u32.subarray(from, from + wordCount(count)), first >>> 5);
  }
}

/** 64-bit rows as pairs of 32-bit words: comparing those is many times faster than bigints. */
function wideRangeRows(raw: BigUint64Array, low: bigint, high: bigint): Uint32Array {
  const words = new Uint32Array(raw.buffer, raw.byteOffset, raw.length * 2);
  const lowTop = Number(low >> 32n);
  const lowBottom = Number(low & 0xffffffffn);
  const highTop = Number(high >> 32n);
  const highBottom = Number(high & 0xffffffffn);
  const bits = noBits(raw.length);
  for (let row = 0; row < raw.length; row++) {
    const bottom = words[2 * row];
    const top = words[2 * row + 1];
    const notLess = top > lowTop || (top === lowTop && bottom >= lowBottom);
    const notMore = top < highTop || (top === highTop && bottom <= highBottom);
    if (notLess && notMore) bits[row >>> 5] |= 1 << (row & 31);
  }
  return bits;
}

/** Documents with a value in [low, high]. */
export function doubleRangeBits(leaf: LeafContext, field: Field, low: number, high: number): Uint32Array {
  const column = leaf.segment.column(field);
  if (column?.kind !== "double" || !(low <= high) || low > column.max || high < column.min) {
    return noBits(leaf.docCount);
  }
  return rowsToDocs(column, doubleRows(leaf, column, low, high));
}

function doubleRows(leaf: LeafContext, column: DoubleColumn, low: number, high: number): Uint32Array {
  const { kernels } = leaf.context.environment;
  const width = column.values.BYTES_PER_ELEMENT as 4 | 8;
  return chunkedRows(leaf, column.values.length, (first, count, bits) => {
    kernels.rangeToBitsDouble(column.valuesAddress + first * width, width, count, low, high, bits);
  });
}

/** Rows of unsigned numbers in the arena that lie in [low, high]. */
export function rowBits(
  leaf: LeafContext,
  raw: Uint8Array | Uint16Array | Uint32Array,
  address: number,
  low: number,
  high: number,
): Uint32Array {
  const { kernels } = leaf.context.environment;
  const width = raw.BYTES_PER_ELEMENT as 1 | 2 | 4;
  return chunkedRows(leaf, raw.length, (first, count, bits) => {
    kernels.rangeToBits(address + first * width, width, count, low, high, bits);
  });
}

/** Runs a kernel over pieces of a column, because its output must lie in the arena. */
function chunkedRows(
  leaf: LeafContext,
  rows: number,
  run: (first: number, count: number, bits: number) => void,
): Uint32Array {
  const { scratch, environment } = leaf.context;
  const bits = noBits(rows);
  for (let first = 0; first < rows; first += RANGE_CHUNK) {
    const count = Math.min(RANGE_CHUNK, rows - first);
    run(first, count, scratch.rangeBits);
    const from = scratch.rangeBits >>> 2;
    bits.set(environment.arena.u32.subarray(from, from + wordCount(count)), first >>> 5);
  }
  clearTail(bits, rows);
  return bits;
}

/** Documents with any of the values. */
export function longSetBits(leaf: LeafContext, field: Field, values: readonly bigint[]): Uint32Array {
  const bits = noBits(leaf.docCount);
  for (const value of values) unite(bits, longRangeBits(leaf, field, value, value));
  return bits;
}

/** Documents with any of the values. */
export function doubleSetBits(leaf: LeafContext, field: Field, values: readonly number[]): Uint32Array {
  const bits = noBits(leaf.docCount);
  for (const value of values) unite(bits, doubleRangeBits(leaf, field, value, value));
  return bits;
}

/** From rows of a column to its documents; `rows` may be changed and returned. */
export function rowsToDocs(column: Column, rows: Uint32Array): Uint32Array {
  const { offsets, presence } = column;
  if (offsets === null) {
    if (presence.bits !== null) intersect(rows, presence.bits);
    return rows;
  }
  const bits = noBits(column.docCount);
  let doc = 0;
  for (let w = 0; w < rows.length; w++) {
    let word = rows[w];
    while (word !== 0) {
      const row = (w << 5) + 31 - Math.clz32(word & -word);
      word &= word - 1;
      while (offsets[doc + 1] <= row) doc++;
      setBit(bits, doc);
    }
  }
  return bits;
}
