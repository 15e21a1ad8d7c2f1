/**
 * LZ4 block format (lz4_Block_format.md): sequences of a token byte (literal count << 4 | match length - 4, 15 meaning
 * "more bytes follow"), literals, a 2-byte distance. The last five bytes are literals and no match begins in the last
 * twelve. Matches are found through one table of the last place of each 4-byte hash, also put in where a match ended; a
 * match that begins a byte later is taken instead if it ends more than a byte later (lazy matching as in zlib), and a
 * match is extended back over literals. Where nothing matches the search steps wider and wider (LZ4's own acceleration).
 */
import type { MemoryViews } from "./memory.js";

const TABLE_BITS = 14;
/** Bytes of scratch that compressing needs. */
export const LZ4_TABLE_BYTES = 4 << TABLE_BITS;
const MIN_MATCH = 4;
const LAST_LITERALS = 5;
const MATCH_LIMIT = 12;
const MAX_DISTANCE = 65_535;

/** See Kernels.lz4Compress. */
export function lz4Compress(memory: MemoryViews, source: number, length: number, out: number, table: number): number {
  const { u8, view } = memory;
  u8.fill(0, table, table + LZ4_TABLE_BYTES);
  const writer = new SequenceWriter(memory, source, out);
  const limit = length - MATCH_LIMIT;
  const slotOf = (at: number) =>
    table + 4 * (Math.imul(view.getUint32(source + at, true), 2654435761) >>> (32 - TABLE_BITS));
  /** The last place of the same hash, if the same four bytes are there. Puts this place there. */
  const look = (at: number): number | null => {
    const slot = slotOf(at);
    const candidate = view.getUint32(slot, true);
    view.setUint32(slot, at, true);
    if (candidate >= at || at - candidate > MAX_DISTANCE) return null;
    return view.getUint32(source + candidate, true) === view.getUint32(source + at, true) ? candidate : null;
  };
  const endOf = (candidate: number, at: number) => matchEnd(memory, source, candidate, { at, length });
  let at = 0;
  let misses = 64;
  while (at < limit) {
    let candidate = look(at);
    if (candidate === null) {
      at += misses++ >>> 6;
      continue;
    }
    misses = 64;
    let end = endOf(candidate, at);
    while (at + 1 < limit) {
      const next = look(at + 1);
      if (next === null || endOf(next, at + 1) <= end + 1) break;
      at++;
      candidate = next;
      end = endOf(next, at);
    }
    for (; at > writer.anchor && candidate > 0 && u8[source + at - 1] === u8[source + candidate - 1]; at--) candidate--;
    writer.sequence(at, at - candidate, end - at);
    at = end;
    if (end - 2 < limit) view.setUint32(slotOf(end - 2), end - 2, true);
  }
  writer.lastLiterals(length);
  return writer.size;
}

/** Where the match of `from` and `place.at` ends; eight bytes are compared at a time, which stops before the last eight. */
function matchEnd(memory: MemoryViews, source: number, from: number, place: { at: number; length: number }): number {
  const { u8 } = memory;
  const distance = place.at - from;
  let end = place.at + MIN_MATCH;
  while (end < place.length - 8) {
    let same = 0;
    while (same < 8 && u8[source + end + same] === u8[source + end + same - distance]) same++;
    end += same;
    if (same < 8) break;
  }
  return Math.min(end, place.length - LAST_LITERALS);
}

class SequenceWriter {
  #at: number;
  /** Where the literals begin that are not written yet. */
  anchor = 0;

  constructor(
    private readonly memory: MemoryViews,
    private readonly source: number,
    private readonly out: number,
  ) {
    this.#at = out;
  }

  get size(): number {
    return this.#at - this.out;
  }

  sequence(at: number, distance: number, matchLength: number): void {
    this.#literals(at, Math.min(matchLength - MIN_MATCH, 15));
    this.memory.view.setUint16(this.#at, distance, true);
    this.#at += 2;
    this.#more(matchLength - MIN_MATCH);
    this.anchor = at + matchLength;
  }

  lastLiterals(length: number): void {
    this.#literals(length, 0);
  }

  #literals(end: number, matchNibble: number): void {
    const { u8 } = this.memory;
    const count = end - this.anchor;
    u8[this.#at++] = (Math.min(count, 15) << 4) | matchNibble;
    this.#more(count);
    u8.copyWithin(this.#at, this.source + this.anchor, this.source + end);
    this.#at += count;
  }

  #more(count: number): void {
    if (count < 15) return;
    let rest = count - 15;
    for (; rest >= 255; rest -= 255) this.memory.u8[this.#at++] = 255;
    this.memory.u8[this.#at++] = rest;
  }
}

/** See Kernels.lz4Decompress. */
export function lz4Decompress(
  memory: MemoryViews,
  source: number,
  length: number,
  out: number,
  capacity: number,
): number {
  return lz4DecompressPart(memory, source, length, { out, capacity, wanted: capacity + 1 });
}

/** See Kernels.lz4DecompressPart. */
export function lz4DecompressPart(
  memory: MemoryViews,
  source: number,
  length: number,
  to: { out: number; capacity: number; wanted: number },
): number {
  const { u8 } = memory;
  const { out, capacity, wanted } = to;
  const input = u8.subarray(source, source + length);
  const output = u8.subarray(out, out + capacity);
  let at = 0;
  let size = 0;
  const more = (nibble: number): number => {
    let total = nibble;
    if (nibble < 15) return total;
    for (;;) {
      if (at >= length) return -1;
      const byte = input[at++];
      total += byte;
      if (byte < 255) return total;
    }
  };
  while (at < length) {
    const token = input[at++];
    const literals = more(token >>> 4);
    if (literals < 0 || at + literals > length || size + literals > capacity) return -1;
    output.set(input.subarray(at, at + literals), size);
    at += literals;
    size += literals;
    if (at === length) return size;
    if (at + 2 > length) return -1;
    const distance = input[at] | (input[at + 1] << 8);
    at += 2;
    const extra = more(token & 15);
    if (extra < 0 || distance === 0 || distance > size || size + extra + MIN_MATCH > capacity) return -1;
    for (let end = size + extra + MIN_MATCH; size < end; size++) output[size] = output[size - distance];
    if (size >= wanted) return size;
  }
  return -1;
}
