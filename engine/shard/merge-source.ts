/**
 * Merges a partial document into a document's source, as Elasticsearch's update does (XContentHelper.update): objects
 * recursively, everything else replaced. Values that are not touched keep their bytes, so that numbers which a
 * JavaScript number can't hold survive an update of something else.
 */
import { InternalError } from "../errors.js";

/** The result of a merge. */
export interface MergedSource {
  source: Uint8Array;
  /** False: the result says the same as before. */
  changed: boolean;
}

/** One member of an object in JSON text: its value is text [start, end). */
interface Member {
  key: string;
  start: number;
  end: number;
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;
const OPEN_ARRAY = 0x5b;
const CLOSE_ARRAY = 0x5d;
const COMMA = 0x2c;
const COLON = 0x3a;

/** `current` is a valid JSON object in UTF-8; `doc` is plain JSON values (bigint counts as a number). */
export function mergeSource(current: Uint8Array, doc: Record<string, unknown>): MergedSource {
  const text = Buffer.from(current.buffer, current.byteOffset, current.byteLength).toString("utf8");
  const parts: string[] = [];
  const changed = mergeObject(text, skipSpace(text, 0), doc, parts);
  return { source: Buffer.from(parts.join("")), changed };
}

/** Plain values as JSON bytes; bigint prints its digits. */
export function encodeSource(value: Record<string, unknown>): Uint8Array {
  return Buffer.from(encode(value));
}

/** Appends the merged object that begins at `at`; says whether anything differs. */
function mergeObject(text: string, at: number, doc: Record<string, unknown>, parts: string[]): boolean {
  const members = readMembers(text, at);
  let changed = false;
  let separator = "{";
  for (const { key, start, end } of members) {
    parts.push(separator, JSON.stringify(key), ":");
    separator = ",";
    if (!Object.hasOwn(doc, key)) {
      parts.push(text.slice(start, end));
    } else if (text.charCodeAt(start) === OPEN_OBJECT && isObject(doc[key])) {
      changed = mergeObject(text, start, doc[key], parts) || changed;
    } else {
      parts.push(encode(doc[key]));
      changed ||= !sameJson(JSON.parse(text.slice(start, end)), doc[key]);
    }
  }
  const known = new Set(members.map((member) => member.key));
  for (const key of Object.keys(doc)) {
    if (known.has(key)) continue;
    parts.push(separator, JSON.stringify(key), ":", encode(doc[key]));
    separator = ",";
    changed = true;
  }
  parts.push(separator === "{" ? "{}" : "}");
  return changed;
}

function readMembers(text: string, open: number): Member[] {
  const members: Member[] = [];
  let at = skipSpace(text, expect(text, open, OPEN_OBJECT));
  if (text.charCodeAt(at) === CLOSE_OBJECT) return members;
  for (;;) {
    const keyEnd = skipString(text, at);
    const key = JSON.parse(text.slice(at, keyEnd)) as string;
    const start = skipSpace(text, expect(text, skipSpace(text, keyEnd), COLON));
    const end = skipValue(text, start);
    members.push({ key, start, end });
    at = skipSpace(text, end);
    if (text.charCodeAt(at) === CLOSE_OBJECT) return members;
    at = skipSpace(text, expect(text, at, COMMA));
  }
}

function skipValue(text: string, start: number): number {
  const first = text.charCodeAt(start);
  if (first === QUOTE) return skipString(text, start);
  if (first === OPEN_OBJECT || first === OPEN_ARRAY) return skipNested(text, start);
  let at = start;
  while (at < text.length && !endsScalar(text.charCodeAt(at))) at++;
  return at;
}

function skipNested(text: string, start: number): number {
  let depth = 0;
  for (let at = start; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) at = skipString(text, at) - 1;
    else if (code === OPEN_OBJECT || code === OPEN_ARRAY) depth++;
    else if ((code === CLOSE_OBJECT || code === CLOSE_ARRAY) && --depth === 0) return at + 1;
  }
  throw unreadable(text, start);
}

function skipString(text: string, start: number): number {
  for (let at = expect(text, start, QUOTE); at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === BACKSLASH) at++;
    else if (code === QUOTE) return at + 1;
  }
  throw unreadable(text, start);
}

function endsScalar(code: number): boolean {
  return code === COMMA || code === CLOSE_OBJECT || code === CLOSE_ARRAY || code <= 0x20;
}

function skipSpace(text: string, start: number): number {
  let at = start;
  while (text.charCodeAt(at) <= 0x20) at++;
  return at;
}

function expect(text: string, at: number, code: number): number {
  if (text.charCodeAt(at) !== code) throw unreadable(text, at);
  return at + 1;
}

/** Sources are checked when they are written: one that can't be walked is our fault. */
function unreadable(text: string, at: number): InternalError {
  return new InternalError(`a stored source is not a JSON object at character ${at}: ${text.slice(at, at + 40)}`);
}

function encode(value: unknown): string {
  if (typeof value === "bigint") return value.toString();
  if (Array.isArray(value)) return `[${value.map(encode).join(",")}]`;
  if (isObject(value)) {
    const members = Object.entries(value).filter(([, member]) => member !== undefined);
    return `{${members.map(([key, member]) => `${JSON.stringify(key)}:${encode(member)}`).join(",")}}`;
  }
  return JSON.stringify(value) ?? "null";
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function sameJson(a: unknown, b: unknown): boolean {
  if (Array.isArray(a) && Array.isArray(b)) {
    return a.length === b.length && a.every((value, i) => sameJson(value, b[i]));
  }
  if (isObject(a) && isObject(b)) {
    const keys = Object.keys(a);
    return keys.length === Object.keys(b).length && keys.every((key) => key in b && sameJson(a[key], b[key]));
  }
  // A bigint equals the number that says the same.
  return typeof a === "number" && typeof b === "bigint" ? Number.isInteger(a) && BigInt(a) === b : a === b;
}
