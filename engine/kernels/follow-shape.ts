/**
 * Whether a document has a known shape (source/shape.ts), and what of it must be kept: the inner loop of leaving out of
 * `_source` what columns print back. Literals are compared, kept slots copied; slots that a column prints are compared
 * with what it would print. What is not done here (fractions, lists of texts, IPv6) is asked for slot by slot (`help`).
 *
 * Program of a shape: u32 slots, then 16 bytes a slot, then u32 bytes of the last literal, then all literals:
 *
 *   0       4      literal  bytes of the literal before the slot
 *   4       4      kind     SlotKind
 *   8       4      value    slots printed from a column: which value (see below); kept items: the SlotKind by which the
 *                           column might print them, 0: to be asked for
 *   12      4      column   kept slots: 0, or 1 + a value that a column might print this from instead, or SEVERAL
 *
 * Values of the document being followed: entries of 16 bytes, u32 stamp of the document in which the value was noted
 * last, u32 address of its first prepared record, u32 how many there are, u32 zero. The value of a field is at
 * 2 * ordinal if it is a TERM or TEXT record, else at 2 * ordinal + 1.
 *
 * A list is printed from a column only where the document has it in the column's order: terms ascending without one
 * twice, whole numbers ascending.
 *
 * State, 32 bytes, all u32:
 *
 *   0   program
 *   4   slot      the one to go on with
 *   8   literal   address of the literal to compare next
 *   12  at        next byte of the document
 *   16  end       of the document; 16 bytes behind it must be readable
 *   20  out       where the next kept byte goes; at most as many as the document has, 16 more may be overwritten
 *   24  values    address of the values
 *   28  stamp     of this document
 */
import type { MemoryViews } from "./memory.js";

/** What a slot is: meanings are in source/slots.ts. Numbers are on disk. */
export const SlotKind = {
  text: 0,
  value: 1,
  items: 2,
  term: 3,
  terms: 4,
  long: 5,
  longs: 6,
  boolean: 7,
  double: 8,
  pointedDouble: 9,
  address: 10,
  epochSeconds: 11,
  doubles: 12,
  jsonText: 13,
  jsonTexts: 14,
  date: 32,
} as const;

export const FollowState = {
  program: 0,
  slot: 4,
  literal: 8,
  at: 12,
  end: 16,
  out: 20,
  values: 24,
  stamp: 28,
  bytes: 32,
} as const;

export const PROGRAM_SLOT_BYTES = 16;
/** Bytes of the entry of a value. */
export const VALUE_BYTES = 16;
/** In `column` of a slot: more than one column might print it. */
export const SEVERAL = 0xffffffff;

/** What followShape found: another shape, all done, or a slot (state.slot, beginning at state.at) that the caller must do. */
export const Followed = { no: 0, done: 1, help: 2 } as const;

const RECORD_HEADER = 8;
const TERM = 2;
const DOUBLE = 4;
const TEXT = 7;
const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const BLANK = 0x20;
const COMMA = 0x2c;
const MINUS = 0x2d;
const DOT = 0x2e;
const OPEN_ARRAY = 0x5b;
const CLOSE_ARRAY = 0x5d;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;
/** Digits of the longest i64. */
const MAX_DIGITS = 19;

/** See Kernels.noteValues. */
export function noteValues(memory: MemoryViews, records: number, end: number, values: number, stamp: number): void {
  const { view } = memory;
  for (let at = records; at < end; at += view.getUint32(at + 4, true)) {
    const head = view.getUint32(at, true);
    const kind = head & 0xff;
    if ((kind < TERM || kind > DOUBLE) && kind !== TEXT) continue;
    const entry = values + VALUE_BYTES * (2 * (head >>> 8) + (kind === TERM || kind === TEXT ? 0 : 1));
    if (view.getUint32(entry, true) === stamp) view.setUint32(entry + 8, view.getUint32(entry + 8, true) + 1, true);
    else {
      view.setUint32(entry, stamp, true);
      view.setUint32(entry + 4, at, true);
      view.setUint32(entry + 8, 1, true);
    }
  }
}

/** See Kernels.followShape. */
export function followShape(memory: MemoryViews, state: number): number {
  const { view } = memory;
  const get = (field: number) => view.getUint32(state + field, true);
  const set = (field: number, value: number) => view.setUint32(state + field, value, true);
  const slots = view.getUint32(get(FollowState.program), true);
  const first = get(FollowState.program) + 4;
  for (let slot = get(FollowState.slot); slot < slots; slot++) {
    const entry = first + PROGRAM_SLOT_BYTES * slot;
    set(FollowState.slot, slot);
    if (!passLiteral(memory, state, view.getUint32(entry, true))) return Followed.no;
    const kind = view.getUint32(entry + 4, true);
    const part = { memory, from: get(FollowState.at), end: get(FollowState.end) };
    const to = isKeptKind(kind) ? keptEnd(part, state, entry) : printedEnd(part, state, entry);
    if (to === NOT_HERE) return Followed.help;
    if (to === 0) return Followed.no;
    if (isKeptKind(kind)) keep(memory, state, to);
    set(FollowState.at, to);
  }
  const last = first + PROGRAM_SLOT_BYTES * slots;
  if (!passLiteral(memory, state, view.getUint32(last, true))) return Followed.no;
  set(FollowState.slot, slots);
  return get(FollowState.at) === get(FollowState.end) ? Followed.done : Followed.no;
}

interface Part {
  memory: MemoryViews;
  from: number;
  end: number;
}

/** Instead of where a part ends (0: it is not what it should be): this is left to the caller. */
const NOT_HERE = 1;

function isKeptKind(kind: number): boolean {
  return kind <= SlotKind.items;
}

/** Where a slot ends whose bytes are kept; 0 where a column could print them after all. */
function keptEnd(part: Part, state: number, entry: number): number {
  const { view } = part.memory;
  const kind = view.getUint32(entry + 4, true);
  const to = kind === SlotKind.text ? stringEnd(part) : kind === SlotKind.value ? scalarEnd(part) : itemsEnd(part);
  const column = view.getUint32(entry + 12, true);
  if (to === 0 || to === NOT_HERE || column === 0) return to;
  if (column === SEVERAL) return NOT_HERE;
  const values = valuesOf(part.memory, state, column - 1);
  if (values.length === 0) return to;
  const list = kind === SlotKind.items ? view.getUint32(entry + 8, true) : 0;
  if (list === 0) return NOT_HERE;
  return listEnd(part, list, values) === to ? 0 : to;
}

/** Where the text ends that a column prints; 0: the document has another. */
function printedEnd(part: Part, state: number, entry: number): number {
  const { view } = part.memory;
  const kind = view.getUint32(entry + 4, true);
  const printer = PRINTED.get(Math.min(kind, SlotKind.date));
  const isList = kind === SlotKind.terms || kind === SlotKind.longs;
  if (printer === undefined && !isList) return NOT_HERE;
  const values = valuesOf(part.memory, state, view.getUint32(entry + 8, true));
  if (values.length === 0 || (values.length > 1 && !isList)) return 0;
  return isList ? listEnd(part, kind, values) : printer!(part, values[0], kind - SlotKind.date);
}

/** Where the list ends that prints these values; 0: the document has another, or not in the column's order. */
function listEnd(part: Part, kind: number, values: readonly number[]): number {
  const { u8 } = part.memory;
  const ofTerms = kind === SlotKind.terms;
  let from = part.from;
  for (const [i, value] of values.entries()) {
    if (i > 0 && !(ofTerms ? isTermBelow : isLongUpTo)(part.memory, values[i - 1], value)) return 0;
    if (i > 0 && (from >= part.end || u8[from++] !== COMMA)) return 0;
    from = (ofTerms ? quotedEnd : longEnd)({ ...part, from }, value);
    if (from === 0) return 0;
  }
  return from;
}

function isTermBelow({ u8, view }: MemoryViews, a: number, b: number): boolean {
  const bytes = (value: number) => u8.subarray(value + 4, value + 4 + view.getUint32(value, true));
  const [one, other] = [bytes(a), bytes(b)];
  const at = one.findIndex((byte, i) => byte !== other[i]);
  return at < 0 ? one.length < other.length : at < other.length && one[at] < other[at];
}

function isLongUpTo({ view }: MemoryViews, a: number, b: number): boolean {
  return view.getBigInt64(a, true) <= view.getBigInt64(b, true);
}

function passLiteral(memory: MemoryViews, state: number, length: number): boolean {
  const { view, u8 } = memory;
  const at = view.getUint32(state + FollowState.at, true);
  const literal = view.getUint32(state + FollowState.literal, true);
  if (at + length > view.getUint32(state + FollowState.end, true)) return false;
  for (let i = 0; i < length; i++) if (u8[at + i] !== u8[literal + i]) return false;
  view.setUint32(state + FollowState.at, at + length, true);
  view.setUint32(state + FollowState.literal, literal + length, true);
  return true;
}

/** Addresses of what the document has of a value: payloads of records, in its order. */
function valuesOf({ view }: MemoryViews, state: number, value: number): number[] {
  const entry = view.getUint32(state + FollowState.values, true) + VALUE_BYTES * value;
  if (view.getUint32(entry, true) !== view.getUint32(state + FollowState.stamp, true)) return [];
  let record = view.getUint32(entry + 4, true);
  const head = view.getUint32(record, true);
  const found = [record + RECORD_HEADER];
  while (found.length < view.getUint32(entry + 8, true)) {
    record += view.getUint32(record + 4, true);
    if (view.getUint32(record, true) === head) found.push(record + RECORD_HEADER);
  }
  return found;
}

/** Copies [at, to) and the zero byte that ends what a slot keeps. */
function keep(memory: MemoryViews, state: number, to: number): void {
  const { view, u8 } = memory;
  const at = view.getUint32(state + FollowState.at, true);
  const out = view.getUint32(state + FollowState.out, true);
  u8.copyWithin(out, at, to);
  u8[out + to - at] = 0;
  view.setUint32(state + FollowState.out, out + to - at + 1, true);
}

/** The quote that ends the string whose inside begins here. */
function stringEnd({ memory: { u8 }, from, end }: Part): number {
  for (let at = from; at < end; at++) {
    if (u8[at] === QUOTE) return at;
    if (u8[at] < BLANK) return 0;
    if (u8[at] === BACKSLASH) at++;
  }
  return 0;
}

/** Behind the number or literal that begins here. */
function scalarEnd({ memory: { u8 }, from, end }: Part): number {
  if (from < end && (u8[from] === QUOTE || u8[from] === OPEN_ARRAY || u8[from] === OPEN_OBJECT)) return NOT_HERE;
  let at = from;
  while (at < end && u8[at] > BLANK && u8[at] !== COMMA && u8[at] !== CLOSE_ARRAY && u8[at] !== CLOSE_OBJECT) at++;
  return at === from ? 0 : at;
}

/** The bracket that closes the array whose inside begins here. */
function itemsEnd(part: Part): number {
  const { u8 } = part.memory;
  let depth = 1;
  for (let at = part.from; at < part.end; at++) {
    const byte = u8[at];
    if (byte === QUOTE) {
      at = stringEnd({ ...part, from: at + 1 });
      if (at === 0) return 0;
    } else if (byte === OPEN_OBJECT || byte === OPEN_ARRAY) depth++;
    else if (byte === CLOSE_OBJECT || byte === CLOSE_ARRAY) {
      if (--depth === 0) return at;
    } else if (byte === 0) return 0;
  }
  return 0;
}

/** Where the text ends that this value prints; 0: the document has another. */
type Printer = (part: Part, value: number, style: number) => number;

const PRINTED = new Map<number, Printer>([
  [SlotKind.term, termEnd],
  [SlotKind.long, longEnd],
  [SlotKind.boolean, booleanEnd],
  [SlotKind.address, addressEnd],
  [SlotKind.jsonText, jsonTextEnd],
  [SlotKind.date, dateEnd],
]);

function termEnd({ memory: { u8, view }, from, end }: Part, value: number): number {
  const length = view.getUint32(value, true);
  if (from + length > end) return 0;
  for (let i = 0; i < length; i++) if (u8[from + i] !== u8[value + 4 + i]) return 0;
  return from + length;
}

/** A text as source/print-text.ts escapes it. */
function jsonTextEnd({ memory: { u8, view }, from, end }: Part, value: number): number {
  let at = from;
  for (let i = 0; i < view.getUint32(value, true); i++) {
    const byte = u8[value + 4 + i];
    const isPlain = byte >= BLANK && byte !== QUOTE && byte !== BACKSLASH;
    const written = isPlain ? String.fromCharCode(byte) : JSON.stringify(String.fromCharCode(byte)).slice(1, -1);
    if (at + written.length > end) return 0;
    for (let j = 0; j < written.length; j++) if (u8[at++] !== written.charCodeAt(j)) return 0;
  }
  return at;
}

/** A term of a list, with its quotes. */
function quotedEnd(part: Part, value: number): number {
  const { u8 } = part.memory;
  if (part.from >= part.end || u8[part.from] !== QUOTE) return 0;
  const to = termEnd({ ...part, from: part.from + 1 }, value);
  return to !== 0 && to < part.end && u8[to] === QUOTE ? to + 1 : 0;
}

function longEnd({ memory: { u8, view }, from, end }: Part, value: number): number {
  const wanted = view.getBigInt64(value, true);
  const negative = from < end && u8[from] === MINUS;
  const first = negative ? from + 1 : from;
  let at = first;
  let magnitude = 0n;
  for (; at < end && u8[at] >= 0x30 && u8[at] <= 0x39; at++) {
    if (at - first === MAX_DIGITS) return 0;
    magnitude = 10n * magnitude + BigInt(u8[at] - 0x30);
  }
  const plain = at > first && (u8[first] !== 0x30 || (at === first + 1 && !negative));
  return plain && (negative ? -magnitude : magnitude) === wanted ? at : 0;
}

function booleanEnd({ memory: { u8, view }, from, end }: Part, value: number): number {
  const text = view.getBigInt64(value, true) === 0n ? "false" : "true";
  if (from + text.length > end) return 0;
  for (let i = 0; i < text.length; i++) if (u8[from + i] !== text.charCodeAt(i)) return 0;
  return from + text.length;
}

/** IPv4 only. */
function addressEnd({ memory: { u8 }, from, end }: Part, value: number): number {
  const bytes = value + 4;
  for (let i = 0; i < 12; i++) if (u8[bytes + i] !== (i < 10 ? 0 : 0xff)) return NOT_HERE;
  let at = from;
  for (let i = 0; i < 4; i++) {
    if (i > 0 && (at >= end || u8[at++] !== DOT)) return 0;
    const first = at;
    let number = 0;
    while (at < end && at < first + 3 && u8[at] >= 0x30 && u8[at] <= 0x39) number = 10 * number + u8[at++] - 0x30;
    const plain = at > first && (u8[first] !== 0x30 || at === first + 1);
    if (!plain || number !== u8[bytes + 12 + i]) return 0;
  }
  return at;
}

/** Styles as in source/print-date.ts; years of four digits. */
function dateEnd({ memory: { u8, view }, from, end }: Part, value: number, style: number): number {
  const millis = Number(view.getBigInt64(value, true));
  if (!(millis >= YEAR_0 && millis < YEAR_10000)) return 0;
  const printed = new Date(millis).toISOString();
  const time = ["", printed.slice(11, 19), printed.slice(11, 23)][style & 3];
  const text =
    time === ""
      ? printed.slice(0, 10)
      : `${printed.slice(0, 10)}${style & 4 ? " " : "T"}${time}${style & 8 ? "Z" : style & 16 ? "+00:00" : ""}`;
  if (from + text.length > end) return 0;
  for (let i = 0; i < text.length; i++) if (u8[from + i] !== text.charCodeAt(i)) return 0;
  return from + text.length;
}

/** First milliseconds of the years 0 and 10000. */
const YEAR_0 = -62_167_219_200_000;
const YEAR_10000 = 253_402_300_800_000;
