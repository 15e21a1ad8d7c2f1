// Kernel of follow-shape.ts. Differs: literals, terms and strings are compared and searched eight and sixteen bytes at a
// time (some 0.15 us a log document of 280 bytes, one core of a Zen 5; plain TypeScript over objects took ten times that).
//
//   noteValues   records, end of them; values, stamp
//   followShape  state (32 bytes)
const NO: u32 = 0;
const DONE: u32 = 1;
const HELP: u32 = 2;
const NOT_HERE: usize = 1;
const SEVERAL: u32 = 0xffffffff;

const TEXT: u32 = 0;
const ITEMS: u32 = 2;
const TERM: u32 = 3;
const TERMS: u32 = 4;
const LONG: u32 = 5;
const LONGS: u32 = 6;
const BOOLEAN: u32 = 7;
const ADDRESS: u32 = 10;
const JSON_TEXT: u32 = 13;
const DATE: u32 = 32;

const RECORD_HEADER: usize = 8;
const TERM_RECORD: u32 = 2;
const DOUBLE_RECORD: u32 = 4;
const TEXT_RECORD: u32 = 7;
// Of a value's entry: its first record, and how many there are.
const FIRST: usize = 4;
const COUNT: usize = 8;
const VALUE_SHIFT: usize = 4;

export function noteValues(records: usize, end: usize, values: usize, stamp: u32): void {
  for (let at = records; at < end; at += load<u32>(at, 4)) {
    const head = load<u32>(at);
    const kind = head & 0xff;
    if ((kind < TERM_RECORD || kind > DOUBLE_RECORD) && kind != TEXT_RECORD) continue;
    const number = ((head >> 8) << 1) + <u32>(kind != TERM_RECORD && kind != TEXT_RECORD);
    const entry = values + (<usize>number << VALUE_SHIFT);
    const isKnown = load<u32>(entry) == stamp;
    if (!isKnown) store<u64>(entry, <u64>stamp | (<u64>at << 32));
    store<u32>(entry, isKnown ? load<u32>(entry, COUNT) + 1 : 1, COUNT);
  }
}

export function followShape(state: usize): u32 {
  const program = <usize>load<u32>(state);
  const slots = load<u32>(program);
  let slot = load<u32>(state, 4);
  let literal = <usize>load<u32>(state, 8);
  let at = <usize>load<u32>(state, 12);
  const end = <usize>load<u32>(state, 16);
  let out = <usize>load<u32>(state, 20);
  const values = <usize>load<u32>(state, 24);
  const stamp = load<u32>(state, 28);
  let result = NO;
  let entry = program + 4 + (<usize>slot << 4);
  for (; slot < slots; slot++, entry += 16) {
    const length = <usize>load<u32>(entry);
    if (at + length > end || !equal(at, literal, length)) break;
    at += length;
    literal += length;
    const kind = load<u32>(entry, 4);
    const to = kind <= ITEMS ? keptEnd(kind, entry, at, end, values, stamp) : slotEnd(kind, entry, at, end, values, stamp);
    if (to <= NOT_HERE) {
      if (to == NOT_HERE) result = HELP;
      break;
    }
    if (kind <= ITEMS) {
      copy(out, at, to - at);
      out += to - at;
      store<u8>(out++, 0);
    }
    at = to;
  }
  if (slot == slots) {
    const length = <usize>load<u32>(entry);
    if (at + length == end && equal(at, literal, length)) {
      result = DONE;
      at += length;
      literal += length;
    }
  }
  store<u32>(state, slot, 4);
  store<u32>(state, <u32>literal, 8);
  store<u32>(state, <u32>at, 12);
  store<u32>(state, <u32>out, 20);
  return result;
}

/** Where a slot ends whose bytes are kept; 0 where a column could print them after all. */
function keptEnd(kind: u32, entry: usize, at: usize, end: usize, values: usize, stamp: u32): usize {
  const to = kind == TEXT ? stringEnd(at, end) : kind == ITEMS ? itemsEnd(at, end) : scalarEnd(at, end);
  const column = load<u32>(entry, 12);
  if (to <= NOT_HERE || column == 0) return to;
  if (column == SEVERAL) return NOT_HERE;
  const noted = values + (<usize>(column - 1) << VALUE_SHIFT);
  if (load<u32>(noted) != stamp) return to;
  const list = kind == ITEMS ? load<u32>(entry, 8) : 0;
  if (list == 0) return NOT_HERE;
  return listEnd(list, at, end, noted) == to ? 0 : to;
}

/** Where the text ends that a column prints. */
// @ts-ignore: decorator
@inline
function slotEnd(kind: u32, entry: usize, at: usize, end: usize, values: usize, stamp: u32): usize {
  if (kind < DATE && (kind < TERM || kind > BOOLEAN) && kind != ADDRESS && kind != JSON_TEXT) return NOT_HERE;
  const noted = values + (<usize>load<u32>(entry, 8) << VALUE_SHIFT);
  if (load<u32>(noted) != stamp) return 0;
  if (kind == TERMS || kind == LONGS) return listEnd(kind, at, end, noted);
  if (load<u32>(noted, COUNT) != 1) return 0;
  return printedEnd(kind, at, end, <usize>load<u32>(noted, FIRST) + RECORD_HEADER);
}

// @ts-ignore: decorator
@inline
function printedEnd(kind: u32, at: usize, end: usize, value: usize): usize {
  if (kind == TERM) return termEnd(at, end, value);
  if (kind == LONG) return longEnd(at, end, load<i64>(value));
  if (kind == ADDRESS) return addressEnd(at, end, value + 4);
  if (kind == BOOLEAN) return booleanEnd(at, end, load<i64>(value));
  if (kind == JSON_TEXT) return jsonTextEnd(at, end, value);
  return dateEnd(at, end, load<i64>(value), kind - DATE);
}

function listEnd(kind: u32, from: usize, end: usize, noted: usize): usize {
  let record = <usize>load<u32>(noted, FIRST);
  const head = load<u32>(record);
  const count = load<u32>(noted, COUNT);
  let at = from;
  for (let i: u32 = 0; i < count; i++) {
    if (i > 0) {
      const last = record;
      do record += load<u32>(record, 4);
      while (load<u32>(record) != head);
      if (at >= end || load<u8>(at++) != 0x2c) return 0;
      if (!isInOrder(kind, last + RECORD_HEADER, record + RECORD_HEADER)) return 0;
    }
    const value = record + RECORD_HEADER;
    at = kind == TERMS ? quotedEnd(at, end, value) : longEnd(at, end, load<i64>(value));
    if (at == 0) return 0;
  }
  return at;
}

function isInOrder(kind: u32, a: usize, b: usize): bool {
  if (kind != TERMS) return load<i64>(a) <= load<i64>(b);
  const common = min(load<u32>(a), load<u32>(b));
  for (let i: usize = 4; i < 4 + <usize>common; i++) {
    const one = load<u8>(a + i);
    const other = load<u8>(b + i);
    if (one != other) return one < other;
  }
  return load<u32>(a) < load<u32>(b);
}

/** 16 bytes behind either may be read. */
// @ts-ignore: decorator
@inline
function equal(a: usize, b: usize, length: usize): bool {
  let done: usize = 0;
  for (; done + 8 <= length; done += 8) if (load<u64>(a + done) != load<u64>(b + done)) return false;
  const rest = length - done;
  if (rest == 0) return true;
  const mask = (<u64>1 << (<u64>rest << 3)) - 1;
  return ((load<u64>(a + done) ^ load<u64>(b + done)) & mask) == 0;
}

// @ts-ignore: decorator
@inline
function copy(to: usize, from: usize, count: usize): void {
  if (count > 256) memory.copy(to, from, count);
  else for (let done: usize = 0; done < count; done += 16) v128.store(to + done, v128.load(from + done));
}

/** Which bytes a string of JSON does not hold as they are: quotes, backslashes and control characters. */
// @ts-ignore: decorator
@inline
function specials(bytes: v128): v128 {
  return v128.or(
    v128.or(i8x16.eq(bytes, i8x16.splat(0x22)), i8x16.eq(bytes, i8x16.splat(0x5c))),
    i8x16.lt_u(bytes, i8x16.splat(0x20)),
  );
}

function stringEnd(from: usize, end: usize): usize {
  let at = from;
  while (at < end) {
    const mask = i8x16.bitmask(specials(v128.load(at)));
    if (mask == 0) {
      at += 16;
      continue;
    }
    at += ctz(mask);
    if (at >= end) return 0;
    const byte = load<u8>(at);
    if (byte == 0x22) return at;
    if (byte != 0x5c) return 0;
    at += 2;
  }
  return 0;
}

function itemsEnd(from: usize, end: usize): usize {
  let depth = 1;
  for (let at = from; at < end; at++) {
    const byte = load<u8>(at);
    if (byte == 0x22) {
      at = stringEnd(at + 1, end);
      if (at == 0) return 0;
    } else if (byte == 0x5b || byte == 0x7b) depth++;
    else if (byte == 0x5d || byte == 0x7d) {
      if (--depth == 0) return at;
    } else if (byte == 0) return 0;
  }
  return 0;
}

function scalarEnd(from: usize, end: usize): usize {
  let at = from;
  while (at < end) {
    const byte = load<u8>(at);
    if (at == from && (byte == 0x22 || byte == 0x5b || byte == 0x7b)) return NOT_HERE;
    if (byte <= 0x20 || byte == 0x2c || byte == 0x5d || byte == 0x7d) break;
    at++;
  }
  return at == from ? 0 : at;
}

// @ts-ignore: decorator
@inline
function termEnd(from: usize, end: usize, value: usize): usize {
  const length = <usize>load<u32>(value);
  return from + length <= end && equal(from, value + 4, length) ? from + length : 0;
}

function jsonTextEnd(from: usize, end: usize, value: usize): usize {
  let text = value + 4;
  const stop = text + <usize>load<u32>(value);
  let at = from;
  while (text < stop) {
    const bytes = v128.load(text);
    const plain = min<usize>(ctz(i8x16.bitmask(specials(bytes)) | 0x10000), stop - text);
    const differ = i8x16.bitmask(i8x16.ne(bytes, v128.load(at)));
    if (at + plain > end || (differ & ((1 << <u32>plain) - 1)) != 0) return 0;
    at += plain;
    text += plain;
    if (plain == 16 || text == stop) continue;
    at = escapedEnd(at, end, load<u8>(text++));
    if (at == 0) return 0;
  }
  return at;
}

/** Behind the escape of a byte, if it stands at `at`. */
function escapedEnd(at: usize, end: usize, byte: u32): usize {
  const letter: u32 = shortEscape(byte);
  if (letter != 0) return at + 2 <= end && load<u16>(at) == (letter << 8 | 0x5c) ? at + 2 : 0;
  const low = byte & 15;
  const digits = (0x30 + (byte >> 4)) | ((low < 10 ? 0x30 + low : 0x57 + low) << 8);
  return at + 6 <= end && load<u32>(at) == 0x3030755c && load<u16>(at, 4) == digits ? at + 6 : 0;
}

function shortEscape(byte: u32): u32 {
  if (byte == 0x22 || byte == 0x5c) return byte;
  if (byte == 8) return 0x62;
  if (byte == 9) return 0x74;
  if (byte == 10) return 0x6e;
  if (byte == 12) return 0x66;
  return byte == 13 ? 0x72 : 0;
}

function quotedEnd(from: usize, end: usize, value: usize): usize {
  if (from >= end || load<u8>(from) != 0x22) return 0;
  const to = termEnd(from + 1, end, value);
  return to != 0 && to < end && load<u8>(to) == 0x22 ? to + 1 : 0;
}

// @ts-ignore: decorator
@inline
function digitAt(at: usize): u32 {
  return <u32>load<u8>(at) - 0x30;
}

function longEnd(from: usize, end: usize, wanted: i64): usize {
  const negative = from < end && load<u8>(from) == 0x2d;
  const first = negative ? from + 1 : from;
  let at = first;
  let magnitude: u64 = 0;
  for (; at < end && digitAt(at) <= 9; at++) {
    if (at - first == 19) return 0;
    magnitude = 10 * magnitude + digitAt(at);
  }
  if (at == first || (load<u8>(first) == 0x30 && (at > first + 1 || negative))) return 0;
  if (negative != wanted < 0) return 0;
  return magnitude == <u64>(wanted < 0 ? -wanted : wanted) ? at : 0;
}

// @ts-ignore: decorator
@inline
function booleanEnd(from: usize, end: usize, value: i64): usize {
  if (value != 0) return from + 4 <= end && load<u32>(from) == 0x65757274 ? from + 4 : 0; // true
  return from + 5 <= end && load<u32>(from) == 0x736c6166 && load<u8>(from, 4) == 0x65 ? from + 5 : 0; // fals, e
}

function addressEnd(from: usize, end: usize, bytes: usize): usize {
  if (load<u64>(bytes) != 0 || load<u32>(bytes, 8) != 0xffff0000) return NOT_HERE;
  let at = from;
  for (let i: usize = 0; i < 4; i++) {
    if (i > 0 && (at >= end || load<u8>(at++) != 0x2e)) return 0;
    const first = at;
    let number: u32 = 0;
    while (at < end && at < first + 3 && digitAt(at) <= 9) number = 10 * number + digitAt(at++);
    if (at == first || (load<u8>(first) == 0x30 && at > first + 1)) return 0;
    if (number != load<u8>(bytes + 12 + i)) return 0;
  }
  return at;
}

const YEAR_0: i64 = -62167219200000;
const YEAR_10000: i64 = 253402300800000;
const DAY: i64 = 86400000;

// Days to date: Howard Hinnant, "chrono-Compatible Low-Level Date Algorithms" (civil_from_days).
function dateEnd(from: usize, end: usize, millis: i64, style: u32): usize {
  if (millis < YEAR_0 || millis >= YEAR_10000) return 0;
  const time = style & 3;
  const length: usize = time == 0 ? 10 : (time == 1 ? 19 : 23) + (style & 8 ? 1 : style & 16 ? 6 : 0);
  if (from + length > end) return 0;
  const sinceYear0 = millis - YEAR_0;
  const z = <u32>(sinceYear0 / DAY) + 146037; // days since 0000-03-01, an era more
  const ofDay = <u32>(sinceYear0 % DAY);
  const era = z / 146097;
  const doe = z - era * 146097;
  const yoe = (doe - doe / 1460 + doe / 36524 - doe / 146096) / 365;
  const doy = doe - (365 * yoe + yoe / 4 - yoe / 100);
  const mp = (5 * doy + 2) / 153;
  const day = doy - (153 * mp + 2) / 5 + 1;
  const month = mp < 10 ? mp + 3 : mp - 9;
  const year = yoe + era * 400 + (month <= 2 ? 1 : 0) - 400;
  if (!isPair(from, year / 100) || !isPair(from + 2, year % 100) || load<u8>(from, 4) != 0x2d) return 0;
  if (!isPair(from + 5, month) || load<u8>(from, 7) != 0x2d || !isPair(from + 8, day)) return 0;
  if (time == 0) return from + 10;
  if (load<u8>(from, 10) != <u8>(style & 4 ? 0x20 : 0x54)) return 0;
  const seconds = ofDay / 1000;
  if (!isPair(from + 11, seconds / 3600) || load<u8>(from, 13) != 0x3a) return 0;
  if (!isPair(from + 14, (seconds / 60) % 60) || load<u8>(from, 16) != 0x3a || !isPair(from + 17, seconds % 60)) return 0;
  let at = from + 19;
  if (time != 1) {
    const part = ofDay % 1000;
    if (load<u8>(at) != 0x2e || digitAt(at + 1) != part / 100 || !isPair(at + 2, part % 100)) return 0;
    at += 4;
  }
  if (style & 8) return load<u8>(at) == 0x5a ? at + 1 : 0;
  if ((style & 16) == 0) return at;
  return load<u32>(at) == 0x3a30302b && load<u16>(at, 4) == 0x3030 ? at + 6 : 0; // +00:00
}

// @ts-ignore: decorator
@inline
function isPair(at: usize, value: u32): bool {
  return digitAt(at) == value / 10 && digitAt(at + 1) == value % 10;
}
