/**
 * One number per document, packed: sequence numbers, versions, primary terms, source lengths; or per value of a field. Value of document d =
 * base + slope * d + row[d]. One section:
 *
 *   offset  bytes          name   meaning
 *   0       8              base   f64
 *   8       4              count  documents
 *   12      1              width  bytes of a row: 0 (all rows are zero, none stored), 1, 2, 4 unsigned, 8 floating
 *   13      1              slope  0, or 1 where the values mostly ascend by one
 *   14      50             zero
 *   64      width * count  rows
 *
 * Example: 7, 8, 10 (slope 1): 0000000000001c40 03000000 01 01, 50 zeros, 00 00 01
 */
import type { Arena } from "../store/arena.js";
import { NO_FIELD, type SectionKind, type SectionSink, type SectionSource } from "../store/section.js";

const HEADER_BYTES = 64;

type Rows = Uint8Array | Uint16Array | Uint32Array | Float64Array;

/** Writes whole numbers up to 2^53, of the segment or a field. `slope` 1: meant for numbers that count up. */
export function writeNumbers(
  sink: SectionSink,
  kind: SectionKind,
  values: ArrayLike<number>,
  slope: 0 | 1,
  field = NO_FIELD,
): void {
  const count = values.length;
  let [min, max] = [Infinity, -Infinity];
  for (let doc = 0; doc < count; doc++) {
    const row = values[doc] - slope * doc;
    if (row < min) min = row;
    if (row > max) max = row;
  }
  const base = count === 0 ? 0 : min;
  const width = count === 0 ? 0 : widthOf(max - min);
  const header = new Uint8Array(HEADER_BYTES);
  const view = new DataView(header.buffer);
  view.setFloat64(0, base, true);
  view.setUint32(8, count, true);
  header[12] = width;
  header[13] = slope;
  sink.begin(kind, field);
  sink.append(header);
  if (width > 0) {
    const rows = makeRows(new ArrayBuffer(width * count), 0, width, count);
    for (let doc = 0; doc < count; doc++) rows[doc] = values[doc] - slope * doc - base;
    sink.append(new Uint8Array(rows.buffer));
  }
  sink.end();
}

/** Packed numbers in the arena. */
export class Numbers {
  readonly #rows: Rows | null;
  readonly #base: number;
  readonly #slope: number;
  readonly count: number;

  constructor(source: SectionSource, arena: Arena, kind: SectionKind, field = NO_FIELD) {
    const extent = source.pin(kind, field);
    if (extent === null) {
      [this.#rows, this.#base, this.#slope, this.count] = [null, 0, 0, 0];
      return;
    }
    const { address } = extent;
    this.#base = arena.view.getFloat64(address, true);
    this.count = arena.view.getUint32(address + 8, true);
    const width = arena.u8[address + 12];
    this.#slope = arena.u8[address + 13];
    this.#rows = width === 0 ? null : makeRows(arena.memory.buffer, address + HEADER_BYTES, width, this.count);
  }

  get(doc: number): number {
    return this.#base + this.#slope * doc + (this.#rows === null ? 0 : this.#rows[doc]);
  }
}

function widthOf(range: number): number {
  if (range === 0) return 0;
  if (range <= 0xff) return 1;
  if (range <= 0xffff) return 2;
  return range <= 0xffffffff ? 4 : 8;
}

function makeRows(buffer: ArrayBufferLike, at: number, width: number, count: number): Rows {
  if (width === 1) return new Uint8Array(buffer, at, count);
  if (width === 2) return new Uint16Array(buffer, at, count);
  if (width === 4) return new Uint32Array(buffer, at, count);
  return new Float64Array(buffer, at, count);
}
