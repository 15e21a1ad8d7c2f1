import { EngineError } from "../errors.js";
import { hexDigit } from "../kernels/json-text.js";
import type { Kernels } from "../kernels/kernels.js";
import { StringFlags } from "./json-strings.js";

/**
 * Walks a JSON document (RFC 8259) byte by byte, without a tree and without strings: whoever reads a value gets where
 * it lies. Everything is checked on the way: grammar, UTF-8 (RFC 3629), escapes, depth, and that nothing follows.
 */
export interface JsonWalk {
  /** The memory; the byte at `end` must be zero, so that no loop needs a bound, and 64 behind it readable. */
  bytes: Uint8Array;
  /** On the same memory. */
  kernels: Pick<Kernels, "plainText">;
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

/** A walk over nothing; `startWalk` points it at a document. */
export function createWalk(bytes: Uint8Array, kernels: JsonWalk["kernels"]): JsonWalk {
  return {
    bytes,
    kernels,
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
  const { bytes, kernels } = walk;
  let at = walk.at + 1;
  walk.stringStart = at;
  let flags = 0;
  for (;;) {
    const plain = kernels.plainText(at);
    at += plain >>> 1;
    flags |= plain & StringFlags.escapes;
    const byte = bytes[at];
    if (byte === QUOTE) break;
    walk.at = at;
    if (byte === BACKSLASH) {
      flags |= StringFlags.escapes | StringFlags.codeUnits;
      at = checkCodeUnit(walk);
    } else if (byte >= 0x80) {
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

/** Checks the escape at `at`, which is none of the short ones; returns where it ends. */
function checkCodeUnit(walk: JsonWalk): number {
  const { bytes, at } = walk;
  if (bytes[at + 1] !== 0x75) throw malformed(walk, "Unrecognized character escape");
  for (let i = at + 2; i < at + 6; i++) if (hexDigit(bytes[i]) < 0) throw malformed(walk, "Bad \\u escape");
  return at + 6;
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
