/**
 * Gathering the distinct grams of chunks of text (trigrams/format.ts), and the lists of chunk numbers that an index keeps
 * of each gram.
 *
 * Gatherer, 24 bytes, all u32:
 *
 *   0   letters  address of 256 bytes: the letter of each byte, below 128; 10 is a line feed and in no gram
 *   4   seen     address of a bitmap of 2^21 bits: grams of the current chunk; all zero before and after a chunk
 *   8   out      where the next entry goes: gram << 11 | tag, 4 bytes each
 *   12  tag      number of the chunk within its batch, below 2048
 *   16  lines    line feeds met; added to
 *   20  zero
 *
 * A list of ascending chunk numbers, `total` chunks there being, is one of
 *
 *   bitmap  bit i of byte i / 8 (little-endian): chunk i is in it; (total + 7) / 8 bytes
 *   gaps    groups of 64 numbers, each: 5 bits k, then a code a number of its gap, what lies between it and the one before
 *           (the first: its number). A gap g below 24 << k is g >> k ones, a zero, k low bits of g (Rice 1979); others
 *           are 24 ones and the gap in 32 bits. Bits fill bytes from the lowest on.
 *
 * whichever is shorter; gaps if equal.
 */
import type { MemoryViews } from "./memory.js";

export const GramGatherer = { letters: 0, seen: 4, out: 8, tag: 12, lines: 16, bytes: 24 } as const;

/** Bytes of the bitmap of grams. */
export const GRAM_BITMAP_BYTES = 2 ** 21 / 8;
/** An entry is gram << TAG_BITS | tag. */
export const TAG_BITS = 11;
/** Scratch of sortGrams beside a copy of the entries. */
export const SORT_GRAMS_TABLE_BYTES = 4 * (2048 + 1024);

const LINE_FEED = 10;
const GRAM_MASK = 2 ** 21 - 1;
const GROUP = 64;
const WIDTH_BITS = 5;
const LONG_GAP = 24;

/** See Kernels.gatherGrams. */
export function gatherGrams(memory: MemoryViews, gatherer: number, text: number, length: number): number {
  const { u8, view } = memory;
  const letters = view.getUint32(gatherer + GramGatherer.letters, true);
  const seen = view.getUint32(gatherer + GramGatherer.seen, true);
  const tag = view.getUint32(gatherer + GramGatherer.tag, true);
  let out = view.getUint32(gatherer + GramGatherer.out, true);
  let lines = view.getUint32(gatherer + GramGatherer.lines, true);
  const first = out;
  let gram = 0;
  let valid = 0;
  for (let at = text; at < text + length; at++) {
    const letter = u8[letters + u8[at]];
    gram = ((gram << 7) | letter) & GRAM_MASK;
    valid++;
    if (letter === LINE_FEED) {
      lines++;
      valid = 0;
    }
    if (valid < 3) continue;
    const place = seen + (gram >>> 3);
    const bit = 1 << (gram & 7);
    if ((u8[place] & bit) !== 0) continue;
    u8[place] |= bit;
    view.setUint32(out, ((gram << TAG_BITS) | tag) >>> 0, true);
    out += 4;
  }
  view.setUint32(gatherer + GramGatherer.out, out, true);
  view.setUint32(gatherer + GramGatherer.lines, lines, true);
  return (out - first) / 4;
}

/** See Kernels.forgetGrams. */
export function forgetGrams(memory: MemoryViews, seen: number, entries: number, count: number): void {
  const { u8, view } = memory;
  for (let i = 0; i < count; i++) u8[seen + ((view.getUint32(entries + 4 * i, true) >>> TAG_BITS) >>> 3)] = 0;
}

/** See Kernels.sortGrams. */
export function sortGrams(memory: MemoryViews, entries: number, count: number, _scratch: number): void {
  const { view } = memory;
  const sorted = Array.from({ length: count }, (_, i) => view.getUint32(entries + 4 * i, true));
  sorted.sort((a, b) => (a >>> TAG_BITS) - (b >>> TAG_BITS));
  for (const [i, entry] of sorted.entries()) view.setUint32(entries + 4 * i, entry, true);
}

/** See Kernels.takeGram. */
export function takeGram(
  memory: MemoryViews,
  entries: number,
  end: number,
  { base, out }: { base: number; out: number },
): number {
  const { view } = memory;
  const gram = view.getUint32(entries, true) >>> TAG_BITS;
  let count = 0;
  for (let at = entries; at < end && view.getUint32(at, true) >>> TAG_BITS === gram; at += 4) {
    view.setUint32(out + 4 * count++, base + (view.getUint32(at, true) & (2 ** TAG_BITS - 1)), true);
  }
  return count;
}

/** See Kernels.encodeChunks. */
export function encodeChunks(
  memory: MemoryViews,
  chunks: number,
  count: number,
  { total, out }: { total: number; out: number },
): number {
  const { u8, view } = memory;
  const bits: number[] = [];
  const put = (value: number, width: number) => {
    for (let i = 0; i < width; i++) bits.push(Math.floor(value / 2 ** i) % 2);
  };
  const numbers = Array.from({ length: count }, (_, i) => view.getUint32(chunks + 4 * i, true));
  const gaps = numbers.map((number, i) => number - (i === 0 ? 0 : numbers[i - 1] + 1));
  for (let from = 0; from < count; from += GROUP) {
    const group = gaps.slice(from, from + GROUP);
    const k = riceWidth(
      group.reduce((sum, gap) => sum + gap, 0),
      group.length,
    );
    put(k, WIDTH_BITS);
    for (const gap of group) {
      const ones = Math.floor(gap / 2 ** k);
      put(2 ** Math.min(ones, LONG_GAP) - 1, Math.min(ones, LONG_GAP));
      if (ones >= LONG_GAP) put(gap, 32);
      else put(2 * (gap % 2 ** k), k + 1);
    }
  }
  const bytes = Math.ceil(bits.length / 8);
  if (bytes > Math.ceil(total / 8)) {
    u8.fill(0, out, out + Math.ceil(total / 8));
    for (const number of numbers) u8[out + (number >>> 3)] |= 1 << (number & 7);
    return 0;
  }
  u8.fill(0, out, out + bytes);
  for (const [i, bit] of bits.entries()) u8[out + (i >>> 3)] |= bit << (i & 7);
  return bytes;
}

/** The width that makes geometrically distributed gaps of this sum short: log2 of their mean times ln 2 (Golomb 1966). */
function riceWidth(sum: number, count: number): number {
  const scaled = Math.floor((sum * 45) / (count * 64));
  return scaled < 1 ? 0 : 31 - Math.clz32(scaled);
}

/** See Kernels.decodeChunks. */
export function decodeChunks(memory: MemoryViews, list: number, count: number, out: number): void {
  const { u8, view } = memory;
  let at = 0;
  const take = (width: number) => {
    let value = 0;
    for (let i = 0; i < width; i++, at++) value += ((u8[list + (at >>> 3)] >>> (at & 7)) & 1) * 2 ** i;
    return value;
  };
  let next = 0;
  let k = 0;
  for (let i = 0; i < count; i++) {
    if (i % GROUP === 0) k = take(WIDTH_BITS);
    let ones = 0;
    while (ones < LONG_GAP && take(1) === 1) ones++;
    next += ones === LONG_GAP ? take(32) : ones * 2 ** k + take(k);
    view.setUint32(out + 4 * i, next++, true);
  }
}

/** See Kernels.bitmapChunks. */
export function bitmapChunks(memory: MemoryViews, bitmap: number, total: number, out: number): number {
  const { u8, view } = memory;
  let count = 0;
  for (let chunk = 0; chunk < total; chunk++) {
    if ((u8[bitmap + (chunk >>> 3)] >>> (chunk & 7)) & 1) view.setUint32(out + 4 * count++, chunk, true);
  }
  return count;
}

/** See Kernels.mapChunks. */
export function mapChunks(
  memory: MemoryViews,
  chunks: number,
  count: number,
  { map, out }: { map: number; out: number },
): number {
  const { view } = memory;
  let kept = 0;
  let last = -1;
  for (let i = 0; i < count; i++) {
    const mapped = view.getUint32(map + 4 * view.getUint32(chunks + 4 * i, true), true);
    if (mapped === 0xffffffff || mapped === last) continue;
    view.setUint32(out + 4 * kept++, mapped, true);
    last = mapped;
  }
  return kept;
}
