// Kernel of scan-lines.ts, where the struct and the table are described. Differs: lines are not looked for before they are read;
// a line that is reported is measured then. Literals are found by comparing two of their bytes with 16 places of the text at a time,
// rows of classes by looking up 16 bytes at a time in their tables.
//
//   scanLines   scan (the struct). Returns 0 done, 1 full, 2 wants a state.
//   countFeeds  text, length

const TEXT: usize = 0;
const LENGTH: usize = 4;
const AT: usize = 8;
const STATE: usize = 12;
const COLUMN: usize = 16;
const TABLE: usize = 20;
const COLUMNS: usize = 24;
const FIRST: usize = 28;
const FEED: usize = 32;
const RETURNED: usize = 36;
const LITERAL: usize = 40;
const LITERAL_LENGTH: usize = 44;
const FOLDS: usize = 48;
const RARE: usize = 52;
const RARER: usize = 56;
const WHOLE: usize = 60;
const LINES: usize = 64;
const CAPACITY: usize = 68;
const FOUND: usize = 72;
const LINE_END: usize = 76;
const CLASSES: usize = 80;
const CLASSES_LENGTH: usize = 84;

// Of a class.
const LOW: usize = 0;
const HIGH: usize = 16;
const OFFSET: usize = 32;
const CLASS_BYTES: usize = 48;

const WANTED: u32 = 0;
const MATCH: u32 = 4;
const DEAD: u32 = 8;
const UNSURE: u32 = 12;
const LOOKS: u32 = 16;
const FIRST_ROW: u32 = 32;
const UNSURE_LINE: u32 = 0x80000000;

const DONE: u32 = 0;
const FULL: u32 = 1;
const WANTS_STATE: u32 = 2;

const LINE_FEED: u32 = 10;
const CARRIAGE_RETURN: u32 = 13;

export function scanLines(scan: usize): u32 {
  const candidates = load<u32>(scan, LITERAL_LENGTH) != 0 || load<u32>(scan, CLASSES_LENGTH) != 0;
  return candidates ? scanCandidates(scan) : scanAll(scan);
}

// @ts-ignore: decorator
@inline
function entry(scan: usize, state: u32, column: u32): u32 {
  return load<u32>(<usize>load<u32>(scan, TABLE) + state + column);
}

// @ts-ignore: decorator
@inline
function columnOf(columns: usize, p: usize): u32 {
  return <u32>load<u16>(columns + (<usize>load<u8>(p) << 1));
}

// Line feeds among `length` bytes; 16 more are readable. Sixteen lanes count up to 255 each before they are added.
export function countFeeds(text: usize, length: u32): u32 {
  const feeds = i8x16.splat(<i8>LINE_FEED);
  const end = text + length;
  let count: u32 = 0;
  let p = text;
  while (p + 16 <= end) {
    let lanes = i8x16.splat(0);
    let stop = p + 255 * 16;
    if (stop > end) stop = end;
    for (; p + 16 <= stop; p += 16) lanes = i8x16.sub(lanes, i8x16.eq(v128.load(p), feeds));
    const sums = i32x4.extadd_pairwise_i16x8_u(i16x8.extadd_pairwise_i8x16_u(lanes));
    count +=
      i32x4.extract_lane(sums, 0) + i32x4.extract_lane(sums, 1) + i32x4.extract_lane(sums, 2) + i32x4.extract_lane(sums, 3);
  }
  for (; p < end; p++) count += <u32>(<u32>load<u8>(p) == LINE_FEED);
  return count;
}

// The next line feed, or the end.
function feedFrom(p: usize, end: usize): usize {
  const feeds = i8x16.splat(<i8>LINE_FEED);
  for (; p < end; p += 16) {
    const mask = i8x16.bitmask(i8x16.eq(v128.load(p), feeds));
    if (mask != 0) {
      const found = p + ctz<u32>(<u32>mask);
      return found < end ? found : end;
    }
  }
  return end;
}

// The first byte of the line that the byte at p belongs to.
function lineBegin(p: usize, text: usize): usize {
  while (p > text && <u32>load<u8>(p - 1) != LINE_FEED) p--;
  return p;
}

function withoutReturn(feed: usize, text: usize, end: usize): usize {
  return feed < end && feed > text && <u32>load<u8>(feed - 1) == CARRIAGE_RETURN ? feed - 1 : feed;
}

// Writes the line of the byte at p, which ends at `feed`.
function report(scan: usize, p: usize, feed: usize, unsure: u32): void {
  const text = <usize>load<u32>(scan, TEXT);
  const found = load<u32>(scan, FOUND);
  const pair = <usize>load<u32>(scan, LINES) + (<usize>found << 3);
  store<u32>(pair, <u32>(lineBegin(p, text) - text));
  store<u32>(pair, <u32>(withoutReturn(feed, text, text + load<u32>(scan, LENGTH)) - text) | unsure, 4);
  store<u32>(scan, found + 1, FOUND);
}

function leave(scan: usize, p: usize, state: u32, status: u32): u32 {
  store<u32>(scan, <u32>(p - load<u32>(scan, TEXT)), AT);
  store<u32>(scan, state, STATE);
  return status;
}

function wants(scan: usize, p: usize, state: u32, column: u32): u32 {
  const text = <usize>load<u32>(scan, TEXT);
  store<u32>(scan, column, COLUMN);
  store<u32>(scan, <u32>(feedFrom(p, text + load<u32>(scan, LENGTH)) - text) + 1, LINE_END);
  return leave(scan, p, state, WANTS_STATE);
}

// No literal: byte by byte through all lines.
function scanAll(scan: usize): u32 {
  const text = <usize>load<u32>(scan, TEXT);
  const end = text + load<u32>(scan, LENGTH);
  const table = <usize>load<u32>(scan, TABLE);
  const columns = <usize>load<u32>(scan, COLUMNS);
  const first = load<u32>(scan, FIRST);
  const feedColumn = load<u32>(scan, FEED);
  const capacity = load<u32>(scan, CAPACITY);
  let p = text + load<u32>(scan, AT);
  let state = load<u32>(scan, STATE);
  store<u32>(scan, 0, LINE_END);
  while (p <= end) {
    if (load<u32>(scan, FOUND) >= capacity) return leave(scan, p, state, FULL);
    let next = FIRST_ROW;
    let column: u32 = 0;
    while (p < end) {
      column = columnOf(columns, p);
      next = load<u32>(table + state + column);
      if (next < FIRST_ROW) break;
      state = next;
      p++;
    }
    if (next >= FIRST_ROW) {
      // The text is at its end: behind a line feed there is no further line.
      if (p == text || <u32>load<u8>(p - 1) == LINE_FEED) return leave(scan, p, first, DONE);
      column = feedColumn;
      next = entry(scan, state, column);
      if (next >= FIRST_ROW) return leave(scan, end, first, DONE);
    } else if (next == LOOKS) {
      const ends = p + 1 < end && <u32>load<u8>(p + 1) == LINE_FEED;
      column = ends ? feedColumn : load<u32>(scan, RETURNED);
      next = entry(scan, state, column);
      if (next >= FIRST_ROW) {
        state = next;
        p += ends ? 2 : 1;
      }
    }
    if (next < FIRST_ROW) {
      if (next == WANTED) return wants(scan, p, state, column);
      const feed = feedFrom(p, end);
      if (next != DEAD) report(scan, p, feed, next == UNSURE ? UNSURE_LINE : 0);
      p = feed + 1;
      state = first;
    }
  }
  return leave(scan, end, first, DONE);
}

// Only lines that have the literal, or the row of classes, are read.
function scanCandidates(scan: usize): u32 {
  const text = <usize>load<u32>(scan, TEXT);
  const end = text + load<u32>(scan, LENGTH);
  const first = load<u32>(scan, FIRST);
  const capacity = load<u32>(scan, CAPACITY);
  const byLiteral = load<u32>(scan, LITERAL_LENGTH) != 0;
  let p = text + load<u32>(scan, AT);
  let state = load<u32>(scan, STATE);
  let lineEnd = <usize>load<u32>(scan, LINE_END);
  store<u32>(scan, 0, LINE_END);
  while (true) {
    if (load<u32>(scan, FOUND) >= capacity) return leave(scan, p, first, FULL);
    let feed = text + lineEnd - 1;
    if (lineEnd == 0) {
      const place = byLiteral ? findLiteral(scan, p, end) : findClasses(scan, p, end);
      if (place == 0) return leave(scan, end, first, DONE);
      p = lineBegin(place, text);
      feed = feedFrom(place, end);
    }
    lineEnd = 0;
    const next = load<u32>(scan, WHOLE) != 0 ? MATCH : readLine(scan, p, withoutReturn(feed, text, end), state);
    if (next == WANTED) return WANTS_STATE;
    if (next != DEAD) report(scan, p, feed, next == UNSURE ? UNSURE_LINE : 0);
    p = feed + 1;
    state = first;
  }
}

// Follows the automaton from p to a line's end; what is wanted is left in the struct.
function readLine(scan: usize, p: usize, end: usize, state: u32): u32 {
  const table = <usize>load<u32>(scan, TABLE);
  const columns = <usize>load<u32>(scan, COLUMNS);
  while (true) {
    let column = p == end ? load<u32>(scan, FEED) : columnOf(columns, p);
    let next = load<u32>(table + state + column);
    if (next == LOOKS) {
      column = load<u32>(scan, RETURNED);
      next = load<u32>(table + state + column);
    }
    if (next == WANTED) wants(scan, p, state, column);
    if (next < FIRST_ROW) return next;
    if (p == end) return DEAD;
    state = next;
    p++;
  }
}

// Sixteen places from p on: all bits of those set that have both bytes.
// @ts-ignore: decorator
@inline
function both(p: usize, rare: usize, rarer: usize, fold1: v128, byte1: v128, fold2: v128, byte2: v128): v128 {
  const here1 = i8x16.eq(v128.or(v128.load(p + rare), fold1), byte1);
  return v128.and(here1, i8x16.eq(v128.or(v128.load(p + rarer), fold2), byte2));
}

// Where the literal is next; 0: nowhere.
function findLiteral(scan: usize, p: usize, end: usize): usize {
  const literal = <usize>load<u32>(scan, LITERAL);
  const folds = <usize>load<u32>(scan, FOLDS);
  const length = <usize>load<u32>(scan, LITERAL_LENGTH);
  const rare = <usize>load<u32>(scan, RARE);
  const rarer = <usize>load<u32>(scan, RARER);
  if (p + length > end) return 0;
  const last = end - length;
  // All lanes: the byte that is looked for, and what folds a text's byte to it.
  const byte1 = i8x16.splat(load<i8>(literal + rare));
  const fold1 = i8x16.splat(load<i8>(folds + rare));
  const byte2 = i8x16.splat(load<i8>(literal + rarer));
  const fold2 = i8x16.splat(load<i8>(folds + rarer));
  for (; p <= last; p += 16) {
    // Four times sixteen places are passed over at a time while none of them has both bytes.
    while (p + 48 <= last) {
      const pair0 = both(p, rare, rarer, fold1, byte1, fold2, byte2);
      const pair1 = both(p + 16, rare, rarer, fold1, byte1, fold2, byte2);
      const pair2 = both(p + 32, rare, rarer, fold1, byte1, fold2, byte2);
      const pair3 = both(p + 48, rare, rarer, fold1, byte1, fold2, byte2);
      if (v128.any_true(v128.or(v128.or(pair0, pair1), v128.or(pair2, pair3)))) break;
      p += 64;
    }
    let mask = <u32>i8x16.bitmask(both(p, rare, rarer, fold1, byte1, fold2, byte2));
    while (mask != 0) {
      const place = p + ctz<u32>(mask);
      if (place > last) return 0;
      if (same(place, literal, folds, length)) return place;
      mask &= mask - 1;
    }
  }
  return 0;
}

// Of sixteen bytes those that are of a class by their two halves; zero for others.
// @ts-ignore: decorator
@inline
function ofClass(p: usize, low: v128, high: v128): v128 {
  const bytes = v128.load(p);
  const halves = v128.and(bytes, i8x16.splat(15));
  return v128.and(i8x16.swizzle(low, halves), i8x16.swizzle(high, i8x16.shr_u(bytes, 4)));
}

// Where a row of bytes of the classes is next; 0: nowhere.
function findClasses(scan: usize, p: usize, end: usize): usize {
  const class1 = <usize>load<u32>(scan, CLASSES);
  const class2 = class1 + CLASS_BYTES;
  const class3 = class2 + CLASS_BYTES;
  const length = <usize>load<u32>(scan, CLASSES_LENGTH);
  if (p + length > end) return 0;
  const last = end - length;
  const low1 = v128.load(class1, LOW);
  const high1 = v128.load(class1, HIGH);
  const offset1 = <usize>load<u32>(class1, OFFSET);
  const low2 = v128.load(class2, LOW);
  const high2 = v128.load(class2, HIGH);
  const offset2 = <usize>load<u32>(class2, OFFSET);
  const low3 = v128.load(class3, LOW);
  const high3 = v128.load(class3, HIGH);
  const offset3 = <usize>load<u32>(class3, OFFSET);
  const none = i8x16.splat(0);
  for (; p <= last; p += 16) {
    // The first is the rarest: mostly none of the sixteen is of it.
    const first = ofClass(p + offset1, low1, high1);
    if (!v128.any_true(first)) continue;
    const all = v128.and(
      v128.and(i8x16.ne(first, none), i8x16.ne(ofClass(p + offset2, low2, high2), none)),
      i8x16.ne(ofClass(p + offset3, low3, high3), none),
    );
    const mask = <u32>i8x16.bitmask(all);
    if (mask == 0) continue;
    const place = p + ctz<u32>(mask);
    return place <= last ? place : 0;
  }
  return 0;
}

function same(p: usize, literal: usize, folds: usize, length: usize): bool {
  // Eight bytes at a time, from the end: what begins alike is frequent (`#include <linux/`), what ends alike is not.
  let i = length;
  while (i >= 8) {
    i -= 8;
    if ((load<u64>(p + i) | load<u64>(folds + i)) != load<u64>(literal + i)) return false;
  }
  while (i > 0) {
    i--;
    if ((load<u8>(p + i) | load<u8>(folds + i)) != load<u8>(literal + i)) return false;
  }
  return true;
}
