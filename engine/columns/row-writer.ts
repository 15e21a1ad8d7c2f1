import { InternalError } from "../errors.js";
import { SectionKind, type SectionSink } from "../store/section.js";
import { BLOCK_ROWS } from "./format.js";
import { writeWords } from "./shape.js";

/** Rows gathered before they are written; a multiple of BLOCK_ROWS. */
const BUFFER_ROWS = 4096;
const NO_MIN = 0xffffffff;

/** How rows are stored. */
export interface RowFormat {
  width: 1 | 2 | 4 | 8;
  /** Floating point (width 4 or 8) instead of unsigned. */
  floating: boolean;
  /** Keep minimum and maximum of every 128 rows (unsigned, width up to 4). */
  blocks: boolean;
}

/** Smallest width that holds unsigned numbers up to `max`. */
export function unsignedWidth(max: number): 1 | 2 | 4 | 8 {
  if (max <= 0xff) return 1;
  if (max <= 0xffff) return 2;
  return max <= 0xffffffff ? 4 : 8;
}

/** Streams the rows of one column into columnValues, and their block minima and maxima after them. */
export class RowWriter {
  /** Rows as numbers, NaN: no value; turned into the stored width a buffer at a time, by one native conversion. */
  readonly #numbers = new Float64Array(BUFFER_ROWS);
  readonly #rows: Uint8Array | Uint16Array | Uint32Array | Float32Array | Float64Array;
  readonly #bytes: Uint8Array;
  readonly #mins: number[] = [];
  readonly #maxs: number[] = [];
  readonly #format: RowFormat;
  #filled = 0;
  /** Smallest and largest row of all. */
  least = Infinity;
  most = -Infinity;

  constructor(
    readonly sink: SectionSink,
    readonly field: number,
    format: RowFormat,
  ) {
    this.#format = format;
    this.#rows = makeRows(format);
    this.#bytes = new Uint8Array(this.#rows.buffer);
    sink.begin(SectionKind.columnValues, field);
  }

  push(row: number): void {
    this.#numbers[this.#filled++] = row;
    if (this.#filled === BUFFER_ROWS) this.#flush();
  }

  /** The row of a document without a value: zero (NaN in a floating column), not counted in minimum and maximum. */
  pushAbsent(): void {
    this.push(Number.NaN);
  }

  finish(): void {
    this.#flush();
    this.sink.end();
    if (!this.#format.blocks) return;
    writeWords(this.sink, SectionKind.columnBlockMin, this.field, Uint32Array.from(this.#mins));
    writeWords(this.sink, SectionKind.columnBlockMax, this.field, Uint32Array.from(this.#maxs));
  }

  #flush(): void {
    for (let from = 0; from < this.#filled; from += BLOCK_ROWS) {
      this.#summarise(from, Math.min(this.#filled, from + BLOCK_ROWS));
    }
    this.#rows.set(this.#numbers.subarray(0, this.#filled));
    this.sink.append(this.#bytes.subarray(0, this.#filled * this.#format.width));
    this.#filled = 0;
  }

  /** Minimum and maximum of rows [from, to); comparisons with NaN are false. */
  #summarise(from: number, to: number): void {
    const numbers = this.#numbers;
    let [min, max] = [Infinity, -Infinity];
    for (let row = from; row < to; row++) {
      const number = numbers[row];
      if (number < min) min = number;
      if (number > max) max = number;
    }
    if (min < this.least) this.least = min;
    if (max > this.most) this.most = max;
    if (!this.#format.blocks) return;
    this.#mins.push(min > max ? NO_MIN : min);
    this.#maxs.push(min > max ? 0 : max);
  }
}

/** The same for unsigned rows of 64 bits. */
export class BigRowWriter {
  readonly #rows = new BigUint64Array(BUFFER_ROWS);
  readonly #bytes = new Uint8Array(this.#rows.buffer);
  #filled = 0;
  /** Smallest and largest row of all. */
  least = 2n ** 64n;
  most = 0n;

  constructor(
    readonly sink: SectionSink,
    field: number,
  ) {
    sink.begin(SectionKind.columnValues, field);
  }

  push(row: bigint): void {
    if (row < this.least) this.least = row;
    if (row > this.most) this.most = row;
    this.#append(row);
  }

  pushAbsent(): void {
    this.#append(0n);
  }

  finish(): void {
    this.#flush();
    this.sink.end();
  }

  #append(row: bigint): void {
    this.#rows[this.#filled++] = row;
    if (this.#filled === BUFFER_ROWS) this.#flush();
  }

  #flush(): void {
    this.sink.append(this.#bytes.subarray(0, this.#filled * 8));
    this.#filled = 0;
  }
}

function makeRows({
  width,
  floating,
}: RowFormat): Uint8Array | Uint16Array | Uint32Array | Float32Array | Float64Array {
  if (floating) return width === 4 ? new Float32Array(BUFFER_ROWS) : new Float64Array(BUFFER_ROWS);
  if (width === 1) return new Uint8Array(BUFFER_ROWS);
  if (width === 2) return new Uint16Array(BUFFER_ROWS);
  if (width === 4) return new Uint32Array(BUFFER_ROWS);
  throw new InternalError("rows of 64 bits are written by BigRowWriter");
}
