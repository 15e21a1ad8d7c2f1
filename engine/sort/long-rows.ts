/**
 * Rows of a column of whole numbers as JavaScript numbers. `base + raw * step` is exact in doubles only while everything on
 * the way stays within 2^53; `safe` alone does not say so, because the span of safe values may be twice as wide.
 */
import type { LongColumn } from "../segment/types.js";

const TWO_53 = 2n ** 53n;

/** Whether every row can be computed in doubles without rounding. */
export function fitsNumbers(column: LongColumn): boolean {
  return column.safe && column.max - column.base <= TWO_53;
}

/** Exact value of a row. */
export function longRow(column: LongColumn, row: number): bigint {
  return column.base + BigInt(column.raw[row]) * column.step;
}

/** Raw value of a row, rounded where it is beyond 2^53: ascending like the values. */
export function rawReader(column: LongColumn): (row: number) => number {
  const { raw } = column;
  if (!(raw instanceof BigUint64Array)) return (row) => raw[row];
  const words = new Uint32Array(raw.buffer, raw.byteOffset, raw.length * 2);
  return (row) => words[2 * row + 1] * 4294967296 + words[2 * row];
}

/** Value of a row as a number; the column must fit (`fitsNumbers`). */
export function numberRow(column: LongColumn): (row: number) => number {
  const base = Number(column.base);
  const step = Number(column.step);
  const raw = rawReader(column);
  return (row) => base + raw(row) * step;
}
