import { EngineError } from "../errors.js";

/**
 * Walks a JSON document (RFC 8259) byte by byte, without a tree and without strings: whoever reads a value gets where
 * it lies. Everything is checked on the way: grammar, UTF-8 (RFC 3629), escapes, depth, and that nothing follows.
 */
export interface JsonWalk {
  /** The memory; the byte at `end` must be readable and zero, so that no loop needs a bound. */
  bytes: Uint8Array;
  begin: number;
  end: number;
  /** The next byte to read. */
  at: number;
  /** The last string read: its raw bytes between the quotes, and what is in them (StringFlags). */
  stringStart: number;
  stringEnd: number;
  stringFlags: number;
  /** The last number read: its bytes, and its value as mantissa / 10^scale when `exact`. */
  numberStart: number;
  numberEnd: number;
  mantissa: number;
  scale: number;
  /** No exponent and at most 15 digits: the mantissa is a whole number without rounding, sign included. */
  exact: boolean;
}

export const StringFlags = { escapes: 1, nonAscii: 2 } as const;

/** Deepest nesting of objects and arrays, as Jackson's StreamReadConstraints in Elasticsearch. */
export const MAX_DEPTH = 1000;

const QUOTE = 0x22;
const COMMA = 0x2c;
const MINUS = 0x2d;
const COLON = 0x3a;
const OPEN_ARRAY = 0x5b;
const BACKSLASH = 0x5c;
const CLOSE_ARRAY = 0x5d;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;

/** What a byte means inside a string: nothing special, the end, an escape, forbidden, part of a longer code point. */
const ORDINARY = 0;
const ESCAPE = 2;
const WIDE = 4;
const IN_STRING = new Uint8Array(256);
for (let byte = 0; byte < 256; byte++) {
  if (byte === QUOTE) IN_STRING[byte] = 1;
  else if (byte === BACKSLASH) IN_STRING[byte] = ESCAPE;
  else if (byte < 0x20) IN_STRING[byte] = 3;
  else if (byte >= 0x80) IN_STRING[byte] = WIDE;
}

/** A walk over nothing; `startWalk` points it at a document. */
export function createWalk(bytes: Uint8Array): JsonWalk {
  return {
    bytes,
    begin: 0,
    end: 0,
    at: 0,
    stringStart: 0,
    stringEnd: 0,
    stringFlags: 0,
    numberStart: 0,
    numberEnd: 0,
    mantissa: 0,
    scale: 0,
    exact: false,
  };
}

/** Points a walk at bytes [begin, end) of its memory; writes the zero that must follow. */
export function startWalk(walk: JsonWalk, begin: number, end: number): void {
  walk.begin = begin;
  walk.at = begin;
  walk.end = end;
  walk.bytes[end] = 0;
}

/** The error of a document that is not JSON: what was found, and line, column and byte of it. */
export function malformed(walk: JsonWalk, message: string, at: number = walk.at): EngineError {
  const { line, column, byteOffset } = placeOf(walk, at);
  const text = `${message} at line ${line}, column ${column} (byte ${byteOffset})`;
  return new EngineError("document_malformed", text, { line, column, byteOffset });
}

/** Line and column (in bytes) from 1, and byte from 0, of a place in the document. */
export function placeOf(walk: JsonWalk, at: number): { line: number; column: number; byteOffset: number } {
  let line = 1;
  let lineStart = walk.begin;
  for (let i = walk.begin; i < at; i++) {
    if (walk.bytes[i] !== 0x0a) continue;
    line++;
    lineStart = i + 1;
  }
  return { line, column: at - lineStart + 1, byteOffset: at - walk.begin };
}

function unexpected(walk: JsonWalk, wanted: string): EngineError {
  if (walk.at >= walk.end) return malformed(walk, `Unexpected end of the document, expected ${wanted}`);
  const byte = walk.bytes[walk.at];
  const shown = byte > 0x20 && byte < 0x7f ? `'${String.fromCharCode(byte)}'` : `byte 0x${byte.toString(16)}`;
  return malformed(walk, `Unexpected ${shown}, expected ${wanted}`);
}

/** Moves over white space; returns the byte there (0 at the end). */
export function skipSpace(walk: JsonWalk): number {
  const { bytes } = walk;
  let { at } = walk;
  let byte = bytes[at];
  while (byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09) byte = bytes[++at];
  walk.at = at;
  return byte;
}

/** Reads the string whose opening quote is next; moves behind it. */
export function readString(walk: JsonWalk): void {
  const { bytes } = walk;
  let at = walk.at + 1;
  walk.stringStart = at;
  let flags = 0;
  for (;;) {
    let kind = IN_STRING[bytes[at]];
    while (kind === ORDINARY) kind = IN_STRING[bytes[++at]];
    if (kind === 1) break;
    walk.at = at;
    if (kind === ESCAPE) {
      flags |= StringFlags.escapes;
      at = checkEscape(walk);
    } else if (kind === WIDE) {
      flags |= StringFlags.nonAscii;
      at = checkWide(walk);
    } else if (at >= walk.end) {
      throw malformed(walk, "Unexpected end of the document in a string");
    } else {
      throw malformed(walk, `Illegal unquoted control character 0x${bytes[at].toString(16)} in a string`);
    }
  }
  walk.stringEnd = at;
  walk.stringFlags = flags;
  walk.at = at + 1;
}

/** Checks the escape at `at`; returns where it ends. */
function checkEscape(walk: JsonWalk): number {
  const { bytes, at } = walk;
  switch (bytes[at + 1]) {
    case QUOTE:
    case BACKSLASH:
    case 0x2f:
    case 0x62:
    case 0x66:
    case 0x6e:
    case 0x72:
    case 0x74:
      return at + 2;
    case 0x75:
      for (let i = at + 2; i < at + 6; i++) if (hexDigit(bytes[i]) < 0) throw malformed(walk, "Bad \\u escape");
      return at + 6;
    default:
      throw malformed(walk, "Unrecognized character escape");
  }
}

/** Checks one code point of two to four bytes (no overlong forms, no surrogates, none past U+10FFFF). */
function checkWide(walk: JsonWalk): number {
  const { bytes, at } = walk;
  const first = bytes[at];
  const second = bytes[at + 1];
  const continues = (offset: number) => (bytes[at + offset] & 0xc0) === 0x80;
  if (first >= 0xc2 && first <= 0xdf && continues(1)) return at + 2;
  if (first >= 0xe0 && first <= 0xef && continues(1) && continues(2)) {
    const overlong = first === 0xe0 && second < 0xa0;
    const surrogate = first === 0xed && second >= 0xa0;
    if (!overlong && !surrogate) return at + 3;
  }
  if (first >= 0xf0 && first <= 0xf4 && continues(1) && continues(2) && continues(3)) {
    const overlong = first === 0xf0 && second < 0x90;
    const beyond = first === 0xf4 && second >= 0x90;
    if (!overlong && !beyond) return at + 4;
  }
  throw malformed(walk, `Invalid UTF-8 byte 0x${first.toString(16)}`);
}

function hexDigit(byte: number): number {
  if (byte >= 0x30 && byte <= 0x39) return byte - 0x30;
  const lower = byte | 0x20;
  return lower >= 0x61 && lower <= 0x66 ? lower - 0x57 : -1;
}

const ESCAPED = new Uint8Array(256);
for (const [letter, byte] of Object.entries({
  b: 8,
  t: 9,
  n: 10,
  f: 12,
  r: 13,
  '"': QUOTE,
  "\\": BACKSLASH,
  "/": 0x2f,
})) {
  ESCAPED[letter.charCodeAt(0)] = byte;
}

/**
 * Writes the meaning of a checked raw string [start, end) at `target` (same memory, not overlapping); never longer than
 * the raw form. Lone surrogates become U+FFFD, as Lucene stores them. Returns the number of bytes.
 */
export function unescapeString(bytes: Uint8Array, start: number, end: number, target: number): number {
  let at = start;
  let to = target;
  while (at < end) {
    const byte = bytes[at++];
    if (byte !== BACKSLASH) {
      bytes[to++] = byte;
      continue;
    }
    const letter = bytes[at++];
    if (letter !== 0x75) {
      bytes[to++] = ESCAPED[letter];
      continue;
    }
    let unit = readHex(bytes, at);
    at += 4;
    if (unit >= 0xd800 && unit <= 0xdbff && bytes[at] === BACKSLASH && bytes[at + 1] === 0x75 && at < end) {
      const low = readHex(bytes, at + 2);
      if (low >= 0xdc00 && low <= 0xdfff) {
        unit = 0x10000 + ((unit - 0xd800) << 10) + (low - 0xdc00);
        at += 6;
      }
    }
    to = writeCodePoint(bytes, to, unit >= 0xd800 && unit <= 0xdfff ? 0xfffd : unit);
  }
  return to - target;
}

function readHex(bytes: Uint8Array, at: number): number {
  return (
    (hexDigit(bytes[at]) << 12) |
    (hexDigit(bytes[at + 1]) << 8) |
    (hexDigit(bytes[at + 2]) << 4) |
    hexDigit(bytes[at + 3])
  );
}

function writeCodePoint(bytes: Uint8Array, at: number, codePoint: number): number {
  let to = at;
  if (codePoint < 0x80) bytes[to++] = codePoint;
  else {
    if (codePoint < 0x800) bytes[to++] = 0xc0 | (codePoint >> 6);
    else {
      if (codePoint < 0x10000) bytes[to++] = 0xe0 | (codePoint >> 12);
      else {
        bytes[to++] = 0xf0 | (codePoint >> 18);
        bytes[to++] = 0x80 | ((codePoint >> 12) & 0x3f);
      }
      bytes[to++] = 0x80 | ((codePoint >> 6) & 0x3f);
    }
    bytes[to++] = 0x80 | (codePoint & 0x3f);
  }
  return to;
}

const isDigit = (byte: number): boolean => byte >= 0x30 && byte <= 0x39;

/** Reads the number that is next; moves behind it. */
export function readNumber(walk: JsonWalk): void {
  const { bytes } = walk;
  let { at } = walk;
  walk.numberStart = at;
  const negative = bytes[at] === MINUS;
  if (negative) at++;
  const firstDigit = at;
  let mantissa = 0;
  while (isDigit(bytes[at])) mantissa = mantissa * 10 + (bytes[at++] - 0x30);
  let digits = at - firstDigit;
  walk.at = at;
  if (digits === 0) throw unexpected(walk, "a digit");
  if (digits > 1 && bytes[firstDigit] === 0x30) throw malformed(walk, "Leading zeroes not allowed", firstDigit);
  walk.scale = 0;
  if (bytes[at] === 0x2e) {
    const point = at++;
    while (isDigit(bytes[at])) mantissa = mantissa * 10 + (bytes[at++] - 0x30);
    walk.at = at;
    walk.scale = at - point - 1;
    if (walk.scale === 0) throw unexpected(walk, "a digit");
    digits += walk.scale;
  }
  const exponent = (bytes[at] | 0x20) === 0x65;
  if (exponent) at = readExponent(walk);
  walk.exact = !exponent && digits <= 15;
  walk.mantissa = negative ? -mantissa : mantissa;
  walk.numberEnd = at;
  walk.at = at;
}

function readExponent(walk: JsonWalk): number {
  const { bytes } = walk;
  let at = walk.at + 1;
  if (bytes[at] === 0x2b || bytes[at] === MINUS) at++;
  const start = at;
  while (isDigit(bytes[at])) at++;
  walk.at = at;
  if (at === start) throw unexpected(walk, "a digit");
  return at;
}

/** Reads `true`, `false` or `null`, whose first letter is next. */
export function readLiteral(walk: JsonWalk): "true" | "false" | "null" {
  const first = walk.bytes[walk.at];
  const word = first === 0x74 ? "true" : first === 0x66 ? "false" : "null";
  for (let i = 0; i < word.length; i++) {
    if (walk.bytes[walk.at + i] !== word.charCodeAt(i)) throw unexpected(walk, "a value");
  }
  walk.at += word.length;
  return word;
}

/** The byte the value begins with; throws when no value begins there. */
export function valueStart(walk: JsonWalk): number {
  const byte = skipSpace(walk);
  const known =
    byte === QUOTE ||
    byte === OPEN_OBJECT ||
    byte === OPEN_ARRAY ||
    byte === MINUS ||
    isDigit(byte) ||
    byte === 0x74 ||
    byte === 0x66 ||
    byte === 0x6e;
  if (!known) throw unexpected(walk, "a value");
  return byte;
}

/** Moves over the colon after a key. */
export function readColon(walk: JsonWalk): void {
  if (walk.bytes[walk.at] === COLON) walk.at++;
  else if (skipSpace(walk) === COLON) walk.at++;
  else throw unexpected(walk, "':'");
}

/** Enters an object: true when a key's quote is next, false when it was empty and is left. */
export function openObject(walk: JsonWalk): boolean {
  walk.at++;
  const byte = skipSpace(walk);
  if (byte === CLOSE_OBJECT) {
    walk.at++;
    return false;
  }
  if (byte !== QUOTE) throw unexpected(walk, "a field name or '}'");
  return true;
}

/** After a value in an object: true when a further key's quote is next, false when the object is left. */
export function nextKey(walk: JsonWalk): boolean {
  const byte = skipSpace(walk);
  if (byte === CLOSE_OBJECT) {
    walk.at++;
    return false;
  }
  if (byte !== COMMA) throw unexpected(walk, "',' or '}'");
  walk.at++;
  if (skipSpace(walk) !== QUOTE) throw unexpected(walk, "a field name");
  return true;
}

/** Enters an array: true when a value is next, false when it was empty and is left. */
export function openArray(walk: JsonWalk): boolean {
  walk.at++;
  if (skipSpace(walk) !== CLOSE_ARRAY) return true;
  walk.at++;
  return false;
}

/** After a value in an array: true when a further one is next, false when the array is left. */
export function nextElement(walk: JsonWalk): boolean {
  const byte = skipSpace(walk);
  if (byte !== COMMA && byte !== CLOSE_ARRAY) throw unexpected(walk, "',' or ']'");
  walk.at++;
  return byte === COMMA;
}

/** Throws when anything but white space is left. */
export function checkEnd(walk: JsonWalk): void {
  skipSpace(walk);
  if (walk.at < walk.end) throw malformed(walk, "Found extra data after the document");
}

/** Throws when a value inside `depth` objects and arrays is too deep. */
export function checkDepth(walk: JsonWalk, depth: number): void {
  if (depth <= MAX_DEPTH) return;
  throw malformed(walk, `Document nesting depth (${depth}) exceeds the maximum allowed (${MAX_DEPTH})`);
}

/** Text of raw string bytes [start, end), escapes resolved. */
export function stringText(walk: JsonWalk, start: number, end: number, flags: number): string {
  const raw = Buffer.from(walk.bytes.buffer, walk.bytes.byteOffset + start, end - start).toString("utf8");
  return (flags & StringFlags.escapes) === 0 ? raw : (JSON.parse(`"${raw}"`) as string);
}

/** Moves over any value, checking all of it; `depth` is that of the value. Duplicate keys are refused. */
export function skipValue(walk: JsonWalk, depth: number): void {
  switch (valueStart(walk)) {
    case QUOTE:
      readString(walk);
      return;
    case OPEN_OBJECT:
      skipObject(walk, depth + 1);
      return;
    case OPEN_ARRAY:
      checkDepth(walk, depth + 1);
      for (let more = openArray(walk); more; more = nextElement(walk)) skipValue(walk, depth + 1);
      return;
    case 0x74:
    case 0x66:
    case 0x6e:
      readLiteral(walk);
      return;
    default:
      readNumber(walk);
  }
}

function skipObject(walk: JsonWalk, depth: number): void {
  checkDepth(walk, depth);
  const keys = new KeySet();
  for (let more = openObject(walk); more; more = nextKey(walk)) {
    readString(walk);
    keys.add(walk);
    readColon(walk);
    skipValue(walk, depth);
  }
}

/** Keys seen in one object; small objects compare bytes, larger ones keep a set. */
export class KeySet {
  #places: number[] = [];
  #texts: Set<string> | undefined;

  /** Remembers the string just read as a key; throws when it was there before. */
  add(walk: JsonWalk): void {
    const { stringStart, stringEnd, stringFlags } = walk;
    if (this.#texts === undefined && ((stringFlags & StringFlags.escapes) !== 0 || this.#places.length >= 16)) {
      this.#texts = new Set();
      for (let i = 0; i < this.#places.length; i += 2) {
        this.#texts.add(stringText(walk, this.#places[i], this.#places[i + 1], 0));
      }
    }
    if (this.#texts !== undefined) {
      const text = stringText(walk, stringStart, stringEnd, stringFlags);
      if (this.#texts.has(text)) throw duplicateKey(walk, text);
      this.#texts.add(text);
      return;
    }
    for (let i = 0; i < this.#places.length; i += 2) {
      if (!sameBytes(walk.bytes, this.#places[i], this.#places[i + 1], stringStart, stringEnd)) continue;
      throw duplicateKey(walk, stringText(walk, stringStart, stringEnd, 0));
    }
    this.#places.push(stringStart, stringEnd);
  }
}

function sameBytes(bytes: Uint8Array, start: number, end: number, otherStart: number, otherEnd: number): boolean {
  if (end - start !== otherEnd - otherStart) return false;
  for (let i = 0; i < end - start; i++) if (bytes[start + i] !== bytes[otherStart + i]) return false;
  return true;
}

/** The error of a key that an object has twice; the key is the string just read. */
export function duplicateKey(walk: JsonWalk, key: string): EngineError {
  return malformed(walk, `Duplicate field '${key}'`, walk.stringStart - 1);
}
