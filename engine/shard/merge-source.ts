/**
 * Merges a partial document into a document's source, as Elasticsearch's update does (XContentHelper.update): objects
 * recursively, everything else replaced. Values that are not touched keep their bytes, so that numbers which a
 * JavaScript number can't hold survive an update of something else; so do the bytes of new values that come as text.
 */
import { InternalError } from "../errors.js";
import type { JsonDocument } from "../write.js";

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

/** `current` is a valid JSON object in UTF-8, `doc` too, or plain JSON values (bigint counts as a number). */
export function mergeSource(current: Uint8Array, doc: JsonDocument): MergedSource {
  const text = decode(current);
  const change = doc instanceof Uint8Array ? decode(doc) : encode(doc);
  const parts: string[] = [];
  const changed = mergeObject({ text, at: skipSpace(text, 0) }, { text: change, at: skipSpace(change, 0) }, parts);
  return { source: Buffer.from(parts.join("")), changed };
}

/** A document as JSON bytes: as it is, or printed from plain values; bigint prints its digits. */
export function encodeSource(document: JsonDocument): Uint8Array {
  return document instanceof Uint8Array ? document : Buffer.from(encode(document));
}

function decode(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("utf8");
}

/** A place in JSON text. */
interface Place {
  readonly text: string;
  readonly at: number;
}

/** Appends the object at `current` merged with the one at `doc`; says whether anything differs. */
function mergeObject(current: Place, doc: Place, parts: string[]): boolean {
  const changes = new Map(readMembers(doc.text, doc.at).map((member) => [member.key, member]));
  let changed = false;
  let separator = "{";
  for (const { key, start, end } of readMembers(current.text, current.at)) {
    parts.push(separator, JSON.stringify(key), ":");
    separator = ",";
    const change = changes.get(key);
    changes.delete(key);
    if (change === undefined) {
      parts.push(current.text.slice(start, end));
    } else if (isObjectAt(current.text, start) && isObjectAt(doc.text, change.start)) {
      changed = mergeObject({ ...current, at: start }, { ...doc, at: change.start }, parts) || changed;
    } else {
      const value = doc.text.slice(change.start, change.end);
      parts.push(value);
      changed ||= !sameJson(current.text.slice(start, end), value);
    }
  }
  for (const { key, start, end } of changes.values()) {
    parts.push(separator, JSON.stringify(key), ":", doc.text.slice(start, end));
    separator = ",";
    changed = true;
  }
  parts.push(separator === "{" ? "{}" : "}");
  return changed;
}

function isObjectAt(text: string, at: number): boolean {
  return text.charCodeAt(at) === OPEN_OBJECT;
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

/** The values of an array as text. */
function readElements(text: string): string[] {
  const elements: string[] = [];
  let at = skipSpace(text, expect(text, 0, OPEN_ARRAY));
  while (text.charCodeAt(at) !== CLOSE_ARRAY) {
    const end = skipValue(text, at);
    elements.push(text.slice(at, end));
    at = skipSpace(text, end);
    if (text.charCodeAt(at) === COMMA) at = skipSpace(text, at + 1);
  }
  return elements;
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

/** Whether two JSON texts without spaces around them say the same to Elasticsearch: 2 and 2.0 are different numbers. */
function sameJson(a: string, b: string): boolean {
  if (a === b) return true;
  const kind = a.charCodeAt(0);
  if (kind === OPEN_OBJECT && isObjectAt(b, 0)) return sameObject(a, b);
  if (kind === OPEN_ARRAY && b.charCodeAt(0) === OPEN_ARRAY) {
    const [elements, others] = [readElements(a), readElements(b)];
    return elements.length === others.length && elements.every((element, i) => sameJson(element, others[i]));
  }
  if (kind === QUOTE && b.charCodeAt(0) === QUOTE) return JSON.parse(a) === JSON.parse(b);
  if (!NUMBER.test(a) || !NUMBER.test(b)) return false;
  const fractions = [FRACTION.test(a), FRACTION.test(b)];
  if (fractions[0] !== fractions[1]) return false;
  return fractions[0] ? Number(a) === Number(b) : BigInt(a) === BigInt(b);
}

const NUMBER = /^-?[0-9]/;
const FRACTION = /[.eE]/;

function sameObject(a: string, b: string): boolean {
  const members = readMembers(a, 0);
  const others = new Map(readMembers(b, 0).map(({ key, start, end }) => [key, b.slice(start, end)]));
  return (
    members.length === others.size &&
    members.every(({ key, start, end }) => {
      const other = others.get(key);
      return other !== undefined && sameJson(a.slice(start, end), other);
    })
  );
}
