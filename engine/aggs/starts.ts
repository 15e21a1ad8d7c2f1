/**
 * The numbering of a histogram's intervals. Where all are equally long, an interval is told by how many lie between it and the
 * origin, computed exactly as its start is; else by its start. Few enough are counted from the smallest value on, others are
 * numbered in a table as they appear.
 */
import type { Charge } from "../memory/index.js";
import { NumberTable } from "./number-table.js";
import type { Rounding } from "./rounding.js";

/** Intervals that may be counted from the smallest value on. */
const MAX_COUNTED = 1_000_000;

/** The values there may be: the smallest, the largest, and whether all are whole numbers. */
export interface ValueRange {
  readonly min: number;
  readonly max: number;
  readonly whole: boolean;
}

/** Numbers the intervals of one histogram. */
export class Starts {
  readonly #rounding: Rounding;
  readonly #table: NumberTable;
  /** Index of interval 0 and number of intervals, where they are counted. */
  readonly #counted: { first: number; count: number } | null;
  readonly #exactEdges: boolean;

  constructor(rounding: Rounding, range: ValueRange, charge: Charge) {
    this.#table = new NumberTable(charge);
    this.#rounding = rounding;
    this.#counted = counted(rounding, range);
    this.#exactEdges = rounding.regular !== null && hasExactEdges(rounding.regular, range);
  }

  /** Number of intervals known. */
  get size(): number {
    return this.#counted?.count ?? this.#table.size;
  }

  /** Start of an interval by number. */
  start(key: number): number {
    const { regular } = this.#rounding;
    const known = this.#counted === null ? this.#table.key(key) : this.#counted.first + key;
    return regular === null ? known : known * regular.length + regular.origin;
  }

  /** Numbers of the intervals that values lie in. */
  number(values: Float64Array, count: number, out: Uint32Array): void {
    const { regular } = this.#rounding;
    if (regular === null) this.#numberStarts(values, count, out);
    else if (this.#counted === null) this.#numberIndexes(values, count, regular, out);
    else if (this.#exactEdges) countWhole(values, count, { ...regular, first: this.#counted.first }, out);
    else countAny(values, count, { ...regular, first: this.#counted.first }, out);
  }

  /** Rounding costs much, and neighbours mostly share an interval: the last is tried first. */
  #numberStarts(values: Float64Array, count: number, out: Uint32Array): void {
    let low = Number.POSITIVE_INFINITY;
    let high = Number.NEGATIVE_INFINITY;
    let key = 0;
    for (let i = 0; i < count; i++) {
      const value = values[i];
      if (!(value >= low && value < high)) {
        low = this.#rounding.round(value);
        high = this.#rounding.next(low);
        key = this.#table.id(low);
      }
      out[i] = key;
    }
  }

  #numberIndexes(values: Float64Array, count: number, { length, origin }: Regular, out: Uint32Array): void {
    let last = Number.NaN;
    let key = 0;
    for (let i = 0; i < count; i++) {
      const index = Math.floor((values[i] - origin) / length);
      if (index !== last) {
        last = index;
        key = this.#table.id(index);
      }
      out[i] = key;
    }
  }
}

interface Regular {
  length: number;
  origin: number;
}

const EXACT = 2 ** 52;

/** Whole numbers not too large have edges that are exact: comparing with them says the same as dividing. */
function hasExactEdges({ length, origin }: Regular, { min, max, whole }: ValueRange): boolean {
  const edges = [min, max, length, origin];
  return whole && Number.isInteger(length) && Number.isInteger(origin) && edges.every((one) => Math.abs(one) <= EXACT);
}

/** Two comparisons are several times cheaper than a division. */
function countWhole(
  values: Float64Array,
  count: number,
  { length, origin, first }: Regular & { first: number },
  out: Uint32Array,
): void {
  let low = Number.POSITIVE_INFINITY;
  let high = Number.NEGATIVE_INFINITY;
  let key = 0;
  for (let i = 0; i < count; i++) {
    const value = values[i];
    if (value < low || value >= high) {
      const index = Math.floor((value - origin) / length);
      key = index - first;
      low = index * length + origin;
      high = low + length;
    }
    out[i] = key;
  }
}

function countAny(
  values: Float64Array,
  count: number,
  { length, origin, first }: Regular & { first: number },
  out: Uint32Array,
): void {
  for (let i = 0; i < count; i++) out[i] = Math.floor((values[i] - origin) / length) - first;
}

function counted({ regular }: Rounding, range: ValueRange): { first: number; count: number } | null {
  if (regular === null || !(range.min <= range.max)) return null;
  const first = Math.floor((range.min - regular.origin) / regular.length);
  const count = Math.floor((range.max - regular.origin) / regular.length) - first + 1;
  return Number.isSafeInteger(first) && count <= MAX_COUNTED ? { first, count } : null;
}
