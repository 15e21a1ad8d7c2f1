/**
 * JSON text to values. JSON.parse is not used for requests because it rounds whole numbers beyond 2^53, lets a repeated
 * key win silently, has no depth limit, and does not say where an error is in a form that fits Elasticsearch's texts.
 * Documents do not come through here: the engine parses those.
 */
import { type Json, type JsonObject, setMember } from "./value.js";

/** Deepest nesting that is read (Jackson's StreamReadConstraints, which Elasticsearch uses). */
export const MAX_DEPTH = 1_000;

/** Text that is not JSON; line and column count from 1. */
export class JsonSyntaxError extends Error {
  constructor(
    message: string,
    readonly line: number,
    readonly column: number,
  ) {
    super(message);
    this.name = "JsonSyntaxError";
  }
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const COLON = 0x3a;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;
const OPEN_BRACKET = 0x5b;
const CLOSE_BRACKET = 0x5d;
const NUMBER = /-?(?:0|[1-9][0-9]*)(\.[0-9]+)?([eE][-+]?[0-9]+)?/y;
const CONTROL = /[^\u0020-\u{10ffff}]/u;

interface Cursor {
  readonly text: string;
  /** What a whole number written as a double (`1.0`, `1e3`) becomes. */
  readonly wholeDouble: ((value: number) => Json) | undefined;
  at: number;
  depth: number;
}

/**
 * Parses one JSON value; anything but white space after it is an error. `wholeDouble` makes what `1.0` becomes for those
 * to whom it is another value than `1`. Throws JsonSyntaxError.
 */
export function parseJson(text: string, wholeDouble?: (value: number) => Json): Json {
  const cursor: Cursor = { text, wholeDouble, at: 0, depth: 0 };
  const value = readValue(cursor);
  skipSpace(cursor);
  if (cursor.at < text.length) fail(cursor, `Unexpected character ${shown(cursor)} after the end of the value`);
  return value;
}

/** Line and column, both from 1, of an offset in UTF-16 units. */
export function position(text: string, at: number): { line: number; column: number } {
  const before = text.slice(0, at);
  const lastBreak = before.lastIndexOf("\n");
  return { line: before.split("\n").length, column: at - lastBreak };
}

function readValue(cursor: Cursor): Json {
  skipSpace(cursor);
  const code = cursor.text.charCodeAt(cursor.at);
  if (code === QUOTE) return readString(cursor);
  if (code === OPEN_BRACE) return readObject(cursor);
  if (code === OPEN_BRACKET) return readArray(cursor);
  if (code === 0x2d || (code >= 0x30 && code <= 0x39)) return readNumber(cursor);
  return readWord(cursor);
}

function readObject(cursor: Cursor): JsonObject {
  enter(cursor);
  const object: JsonObject = {};
  for (let first = true; ; first = false) {
    skipSpace(cursor);
    if (first && peek(cursor, CLOSE_BRACE)) break;
    if (cursor.text.charCodeAt(cursor.at) !== QUOTE) fail(cursor, `${unexpected(cursor)}: was expecting a field name`);
    const start = cursor.at;
    const key = readString(cursor);
    if (Object.hasOwn(object, key)) fail({ ...cursor, at: start }, `Duplicate field '${key}'`);
    skipSpace(cursor);
    expect(cursor, COLON, "a colon to separate field name and value");
    setMember(object, key, readValue(cursor));
    skipSpace(cursor);
    if (peek(cursor, CLOSE_BRACE)) break;
    expect(cursor, COMMA, "comma to separate Object entries");
  }
  cursor.depth--;
  return object;
}

function readArray(cursor: Cursor): Json[] {
  enter(cursor);
  const array: Json[] = [];
  for (let first = true; ; first = false) {
    skipSpace(cursor);
    if (first && peek(cursor, CLOSE_BRACKET)) break;
    array.push(readValue(cursor));
    skipSpace(cursor);
    if (peek(cursor, CLOSE_BRACKET)) break;
    expect(cursor, COMMA, "comma to separate Array entries");
  }
  cursor.depth--;
  return array;
}

function enter(cursor: Cursor): void {
  cursor.depth++;
  if (cursor.depth > MAX_DEPTH) {
    fail(cursor, `Document nesting depth (${cursor.depth}) exceeds the maximum allowed (${MAX_DEPTH})`);
  }
  cursor.at++;
}

/** A string without escapes is a slice; only the others are decoded, by JSON.parse, which also checks the escapes. */
function readString(cursor: Cursor): string {
  const start = cursor.at;
  const end = stringEnd(cursor);
  const raw = cursor.text.slice(start + 1, end);
  cursor.at = end + 1;
  if (CONTROL.test(raw)) fail({ ...cursor, at: start }, "Illegal unquoted control character in a string");
  if (!raw.includes("\\")) return raw;
  try {
    return JSON.parse(`"${raw}"`) as string;
  } catch {
    return fail({ ...cursor, at: start }, "Unrecognized character escape in a string");
  }
}

function stringEnd(cursor: Cursor): number {
  for (let end = cursor.text.indexOf('"', cursor.at + 1); end !== -1; end = cursor.text.indexOf('"', end + 1)) {
    let slashes = 0;
    while (cursor.text.charCodeAt(end - 1 - slashes) === BACKSLASH) slashes++;
    if (slashes % 2 === 0) return end;
  }
  return fail({ ...cursor, at: cursor.text.length }, "Unexpected end-of-input in a string");
}

function readNumber(cursor: Cursor): Json {
  NUMBER.lastIndex = cursor.at;
  const match = NUMBER.exec(cursor.text);
  if (match === null) return fail(cursor, `${unexpected(cursor)} in a number`);
  const next = cursor.text.charCodeAt(cursor.at + match[0].length);
  if (next >= 0x30 && next <= 0x39) fail(cursor, "Invalid numeric value: Leading zeroes not allowed");
  cursor.at += match[0].length;
  const value = Number(match[0]);
  const whole = match[1] === undefined && match[2] === undefined;
  if (!whole && cursor.wholeDouble !== undefined && Number.isInteger(value)) return cursor.wholeDouble(value);
  return whole && !Number.isSafeInteger(value) ? BigInt(match[0]) : value;
}

const WORDS: readonly (readonly [string, Json])[] = [
  ["true", true],
  ["false", false],
  ["null", null],
];

function readWord(cursor: Cursor): Json {
  for (const [word, value] of WORDS) {
    if (cursor.text.startsWith(word, cursor.at)) {
      cursor.at += word.length;
      return value;
    }
  }
  return fail(
    cursor,
    `${unexpected(cursor)}: expected a valid value (JSON String, Number, Array, Object or token 'null', 'true' or 'false')`,
  );
}

function skipSpace(cursor: Cursor): void {
  for (; ; cursor.at++) {
    const code = cursor.text.charCodeAt(cursor.at);
    if (code !== 0x20 && code !== 0x0a && code !== 0x0d && code !== 0x09) return;
  }
}

function peek(cursor: Cursor, code: number): boolean {
  if (cursor.text.charCodeAt(cursor.at) !== code) return false;
  cursor.at++;
  return true;
}

function expect(cursor: Cursor, code: number, what: string): void {
  if (!peek(cursor, code)) fail(cursor, `${unexpected(cursor)}: was expecting ${what}`);
}

function unexpected(cursor: Cursor): string {
  return cursor.at >= cursor.text.length ? "Unexpected end-of-input" : `Unexpected character ${shown(cursor)}`;
}

function shown(cursor: Cursor): string {
  const code = cursor.text.codePointAt(cursor.at) ?? 0;
  return `('${String.fromCodePoint(code)}' (code ${code}))`;
}

function fail(cursor: Cursor, message: string): never {
  const { line, column } = position(cursor.text, cursor.at);
  throw new JsonSyntaxError(message, line, column);
}
