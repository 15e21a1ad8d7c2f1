/**
 * Several values of a document as one: their sum, mean or median, in Java's arithmetic (Elasticsearch `MultiValueMode`): sums of
 * longs wrap around, means and medians of them are rounded half up and held within the longs.
 */
import type { Column, DoubleColumn, LongColumn } from "../segment/types.js";
import { longRow } from "./long-rows.js";

/** How several values become one; `min` and `max` only pick a row. */
export type CombiningMode = "sum" | "avg" | "median";

const LONG_MIN = -(2n ** 63n);
const LONG_MAX = 2n ** 63n - 1n;

/** The combined value of a document with at least one value; the column must be multi-valued. */
export function combine(
  column: Column & { kind: "long" | "double" },
  doc: number,
  mode: CombiningMode,
): number | bigint {
  const offsets = column.offsets as Uint32Array;
  const rows = { from: offsets[doc], to: offsets[doc + 1] };
  return column.kind === "double" ? combineDoubles(column, rows, mode) : combineLongs(column, rows, mode);
}

interface Rows {
  from: number;
  to: number;
}

function combineLongs(column: LongColumn, { from, to }: Rows, mode: CombiningMode): bigint {
  const count = to - from;
  if (mode === "median") {
    const middle = (from + to - 1) >> 1;
    const low = longRow(column, middle);
    return count % 2 === 1 ? low : javaRound((Number(low) + Number(longRow(column, middle + 1))) / 2);
  }
  let sum = 0n;
  for (let row = from; row < to; row++) sum += longRow(column, row);
  sum = BigInt.asIntN(64, sum);
  return mode === "sum" || count === 1 ? sum : javaRound(Number(sum) / count);
}

/** Java's Math.round: half up, saturating. */
function javaRound(value: number): bigint {
  const rounded = BigInt(Math.round(value));
  return rounded > LONG_MAX ? LONG_MAX : rounded < LONG_MIN ? LONG_MIN : rounded;
}

function combineDoubles(column: DoubleColumn, { from, to }: Rows, mode: CombiningMode): number {
  const { values } = column;
  if (mode === "median") {
    const middle = (from + to - 1) >> 1;
    return (to - from) % 2 === 1 ? values[middle] : (values[middle] + values[middle + 1]) / 2;
  }
  let sum = 0;
  for (let row = from; row < to; row++) sum += values[row];
  return mode === "sum" ? sum : sum / (to - from);
}
