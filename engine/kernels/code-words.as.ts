// Kernel of code-words.ts. Differs: 64 bytes at a time are classified into 64-bit masks, one bit a byte and class; the
// identifiers that lie whole inside such a window, nearly all, are cut up by counting zeros. Longer ones go byte by byte.
//
//   codeWords  source, end; text, textBytes; tokens, capacity; position; done (CodeWordsDone, written)
//
// Reads up to 63 bytes behind the source, writes up to 15 bytes behind the text.
import { hashShort } from "./hash.as";

const MAX_WORD_BYTES: u32 = 255;
const ALL: u64 = 0xffffffffffffffff;

// CodeWordsDone
const DONE_COUNT: usize = 0;
const DONE_TEXT_BYTES: usize = 4;
const DONE_POSITION: usize = 8;

// @ts-ignore: decorator
@inline
function between(v: v128, low: i8, high: i8): v128 {
  return v128.and(i8x16.ge_u(v, i8x16.splat(low)), i8x16.le_u(v, i8x16.splat(high)));
}
// @ts-ignore: decorator
@inline
function joiners(v: v128): v128 {
  return v128.or(i8x16.eq(v, i8x16.splat(0x5f)), i8x16.eq(v, i8x16.splat(0x24)));
}
// @ts-ignore: decorator
@inline
function lowerCase(v: v128): v128 {
  return v128.or(v, v128.and(between(v, 0x41, 0x5a), i8x16.splat(0x20)));
}
// Bit i: top bit of byte i of the 64 bytes a b c d.
// @ts-ignore: decorator
@inline
function mask64(a: v128, b: v128, c: v128, d: v128): u64 {
  return (
    <u64>(<u32>i8x16.bitmask(a) | (<u32>i8x16.bitmask(b) << 16)) |
    (<u64>(<u32>i8x16.bitmask(c) | (<u32>i8x16.bitmask(d) << 16)) << 32)
  );
}
// The lowest `count` bits; count up to 64.
// @ts-ignore: decorator
@inline
function lowest(count: u32): u64 {
  return count >= 64 ? ALL : (<u64>1 << count) - 1;
}
// How many bits from `from` on are set without a gap.
// @ts-ignore: decorator
@inline
function runFrom(mask: u64, from: u32): u32 {
  return <u32>ctz(~(mask >> from));
}

export function codeWords(
  source: usize,
  end: usize,
  text: usize,
  textBytes: u32,
  tokens: usize,
  capacity: u32,
  position: u32,
  done: usize,
): usize {
  store<u32>(done, 0, DONE_COUNT);
  store<u32>(done, textBytes, DONE_TEXT_BYTES);
  store<u32>(done, position, DONE_POSITION);
  let at = source;
  while (at < end) {
    const a = v128.load(at);
    const b = v128.load(at, 16);
    const c = v128.load(at, 32);
    const d = v128.load(at, 48);
    const rest = end - at;
    const inside = lowest(<u32>min<usize>(rest, 64));
    const upper = mask64(between(a, 0x41, 0x5a), between(b, 0x41, 0x5a), between(c, 0x41, 0x5a), between(d, 0x41, 0x5a)) & inside;
    const lower = mask64(between(a, 0x61, 0x7a), between(b, 0x61, 0x7a), between(c, 0x61, 0x7a), between(d, 0x61, 0x7a)) & inside;
    const digit = mask64(between(a, 0x30, 0x39), between(b, 0x30, 0x39), between(c, 0x30, 0x39), between(d, 0x30, 0x39)) & inside;
    const joiner = mask64(joiners(a), joiners(b), joiners(c), joiners(d)) & inside;
    const wide = mask64(a, b, c, d) & inside;
    let left = upper | lower | digit | joiner | wide;
    let next = at + min<usize>(rest, 64);
    while (left != 0) {
      const from = <u32>ctz(left);
      const length = runFrom(left, from);
      const stop = from + length;
      if (stop == 64 && rest > 64) {
        // It may go on: it is looked at again from its beginning, or it fills the window and more.
        next = at + from;
        if (from == 0) {
          next = longIdentifier(at, end, text, tokens, capacity, done);
          if (next == at) return at;
        }
        break;
      }
      const run = lowest(length);
      if (((wide >> from) & run) != 0 || load<u32>(done, DONE_COUNT) + length + 1 > capacity) return at + from;
      const joins = (joiner >> from) & run;
      if (joins != run) {
        copyLower(at + from, text + load<u32>(done, DONE_TEXT_BYTES), length);
        const u = (upper >> from) & run;
        const l = (lower >> from) & run;
        addWords(u, l, run & ~joins, length, text, tokens, done);
      }
      left = stop == 64 ? 0 : left & (ALL << stop);
    }
    at = next;
  }
  return end;
}

// @ts-ignore: decorator
@inline
function copyLower(source: usize, target: usize, length: u32): void {
  for (let i: u32 = 0; i < length; i += 16) v128.store(target + i, lowerCase(v128.load(source + i)));
}

/** The words of an identifier of up to 64 bytes; `solid`: the bytes that are in parts. */
// @ts-ignore: decorator
@inline
function addWords(upper: u64, lower: u64, solid: u64, length: u32, text: usize, tokens: usize, done: usize): void {
  const start = load<u32>(done, DONE_TEXT_BYTES);
  let count = load<u32>(done, DONE_COUNT);
  let position = load<u32>(done, DONE_POSITION);
  let from = <u32>ctz(solid);
  let stop = endOfPart(upper, lower, solid, from);
  if (stop - from != length) addEntry(tokens, count++, start, length, position, text);
  for (;;) {
    addEntry(tokens, count++, start + from, stop - from, position++, text);
    const left = stop >= 64 ? 0 : solid >> stop;
    if (left == 0) break;
    from = stop + <u32>ctz(left);
    stop = endOfPart(upper, lower, solid, from);
  }
  store<u32>(done, count, DONE_COUNT);
  store<u32>(done, start + length, DONE_TEXT_BYTES);
  store<u32>(done, position, DONE_POSITION);
}

// @ts-ignore: decorator
@inline
function endOfPart(upper: u64, lower: u64, solid: u64, at: u32): u32 {
  if (((lower >> at) & 1) != 0) return at + runFrom(lower, at);
  if (((upper >> at) & 1) == 0) return at + runFrom(solid & ~upper & ~lower, at);
  const capitals = runFrom(upper, at);
  const stop = at + capitals;
  if (stop >= 64 || ((lower >> stop) & 1) == 0) return stop;
  // The last capital of a run belongs to the word that follows it.
  return capitals > 1 ? stop - 1 : stop + runFrom(lower, stop);
}

// @ts-ignore: decorator
@inline
function addEntry(tokens: usize, count: u32, start: u32, length: u32, position: u32, text: usize): void {
  const entry = tokens + (<usize>count << 4);
  store<u32>(entry, start);
  store<u32>(entry, length, 4);
  store<u32>(entry, position, 8);
  store<u32>(entry, hashShort(text + start, length), 12);
}

const SEPARATOR: u32 = 0;
const LOWER: u32 = 1;
const UPPER: u32 = 2;
const DIGIT: u32 = 3;
const JOINER: u32 = 4;
const WIDE: u32 = 5;

// @ts-ignore: decorator
@inline
function classOf(byte: u32): u32 {
  if (byte - 0x61 < 26) return LOWER;
  if (byte - 0x41 < 26) return UPPER;
  if (byte - 0x30 < 10) return DIGIT;
  if (byte == 0x5f || byte == 0x24) return JOINER;
  return byte >= 0x80 ? WIDE : SEPARATOR;
}

/** An identifier of 64 bytes or more; returns its end, or where it begins when it cannot be read here. */
function longIdentifier(at: usize, end: usize, text: usize, tokens: usize, capacity: u32, done: usize): usize {
  let stop = at;
  let kinds: u32 = 0;
  for (; stop < end; stop++) {
    const kind = classOf(load<u8>(stop));
    if (kind == SEPARATOR) break;
    kinds |= 1 << kind;
  }
  const length = <u32>(stop - at);
  if ((kinds & (1 << WIDE)) != 0 || load<u32>(done, DONE_COUNT) + length + 1 > capacity) return at;
  if (kinds == 1 << JOINER) return stop;
  const start = load<u32>(done, DONE_TEXT_BYTES);
  copyLower(at, text + start, length);
  addLongWords(at, stop, text, tokens, done);
  store<u32>(done, start + length, DONE_TEXT_BYTES);
  return stop;
}

function addLongWords(source: usize, end: usize, text: usize, tokens: usize, done: usize): void {
  const start = load<u32>(done, DONE_TEXT_BYTES);
  let count = load<u32>(done, DONE_COUNT);
  let position = load<u32>(done, DONE_POSITION);
  let from = afterJoiners(source, end);
  let stop = endOfLongPart(from, end);
  const length = <u32>(end - source);
  if (stop - from != length && length <= MAX_WORD_BYTES) addEntry(tokens, count++, start, length, position, text);
  for (;;) {
    for (let piece = from; piece < stop; piece += MAX_WORD_BYTES) {
      const size = min<u32>(MAX_WORD_BYTES, <u32>(stop - piece));
      addEntry(tokens, count++, start + <u32>(piece - source), size, position++, text);
    }
    from = afterJoiners(stop, end);
    if (from == end) break;
    stop = endOfLongPart(from, end);
  }
  store<u32>(done, count, DONE_COUNT);
  store<u32>(done, position, DONE_POSITION);
}

function afterJoiners(at: usize, end: usize): usize {
  while (at < end && classOf(load<u8>(at)) == JOINER) at++;
  return at;
}

function endOfLongPart(at: usize, end: usize): usize {
  const kind = classOf(load<u8>(at));
  let stop = at + 1;
  while (stop < end && classOf(load<u8>(stop)) == kind) stop++;
  if (kind != UPPER || stop == end || classOf(load<u8>(stop)) != LOWER) return stop;
  if (stop - at > 1) return stop - 1;
  while (stop < end && classOf(load<u8>(stop)) == LOWER) stop++;
  return stop;
}
