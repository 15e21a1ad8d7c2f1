/**
 * Columns of unsigned 64-bit numbers. Columns hold signed ones (format.ts), so these are kept 2^63 lower, which leaves their
 * order as it is; whoever reads a column sees them as they are, because its base is a bigint of any size.
 */
import type { Column, LongColumn } from "../segment/types.js";

/** What an unsigned number is lowered by to be kept. */
export const UNSIGNED_BIAS = 2n ** 63n;

const MAX_SAFE = BigInt(Number.MAX_SAFE_INTEGER);

/** The column of an unsigned field as its values are. */
export function unsignedColumn(column: Column | null): Column | null {
  return column?.kind === "long" ? moved(column, UNSIGNED_BIAS) : column;
}

/** The column of an unsigned field as it is kept, from what `unsignedColumn` gave. */
export function keptColumn(column: Column | null): Column | null {
  return column?.kind === "long" ? moved(column, -UNSIGNED_BIAS) : column;
}

function moved(column: LongColumn, by: bigint): LongColumn {
  const min = column.min + by;
  const max = column.max + by;
  return { ...column, base: column.base + by, min, max, safe: min >= -MAX_SAFE && max <= MAX_SAFE };
}
