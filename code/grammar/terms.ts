/** Reading one term that holds no others: a word, a phrase, a regular expression, a key with its values. */
import { nearest } from "../edit-distance.js";
import { keyElsewhere, keyNear, QUERY_KEYS, type QueryKey, type QueryKeyRow, queryKey } from "../query-keys.js";
import type { QueryLeaf } from "../query-terms.js";
import {
  type Cursor,
  fault,
  isAtEnd,
  peek,
  take,
  takeBare,
  takeQuoted,
  takeRegex,
  unclosedBrace,
  unopenedParenthesis,
} from "./cursor.js";

/** `a::b` and `scheme://` are how code and addresses are written, so they are not keys. */
export const KEY = /([A-Za-z][A-Za-z_-]*):(?!:|\/\/)/y;

/** Reads the term that begins here. Throws QueryError. */
export function readLeaf(cursor: Cursor): QueryLeaf {
  const negated = false;
  if (cursor.text[cursor.at] === '"') return { type: "phrase", text: takeQuoted(cursor), negated };
  const regex = takeRegex(cursor);
  if (regex !== undefined) return { type: "regex", on: "lines", ...regex, negated };
  const start = cursor.at;
  const written = take(cursor, KEY)?.[1];
  if (written !== undefined) {
    const term = readKey(cursor, written, start);
    if (term !== undefined) return term;
    cursor.at = start;
  }
  return { type: "word", text: readWord(cursor), negated };
}

/** `)` may end a word, as in `foo)`, but not begin one, unless it closes what a word before it opened. */
function readWord(cursor: Cursor): string {
  if (cursor.text[cursor.at] === ")" && cursor.open === 0)
    throw fault(cursor, 'the parenthesis closed here was never opened; to search for it, quote it: ")"');
  const text = takeBare(cursor);
  cursor.open = Math.max(0, cursor.open + text.split("(").length - text.split(")").length);
  return text;
}

type KnownKey = QueryKeyRow & { key: QueryKey };

/** The term of a key whose name was just read; undefined when it is a word that ends in a colon, such as `TODO:`. */
function readKey(cursor: Cursor, written: string, start: number): QueryLeaf | undefined {
  const known = queryKey(written.toLowerCase());
  const isEnded = isAtEnd(cursor);
  if (known === undefined) {
    if (isEnded) return undefined;
    throw fault(cursor, unknownKey(written, takeBare(cursor)), start);
  }
  const { key } = known;
  checkPlace(cursor, known, start);
  if (isEnded && known.alone !== undefined) return { type: "key", key, values: [known.alone], negated: false };
  if (isEnded) throw fault(cursor, `${key}: needs a value, such as ${key}:${known.example}`, start);
  if (known.takes === "text") return readLiteral(cursor, known, start);
  const regex = known.regex ? takeRegex(cursor) : undefined;
  if (regex !== undefined) return { type: "regex", on: key as "path" | "repo" | "sym", ...regex, negated: false };
  if (!known.regex && known.values === undefined) refuseRegex(cursor, key);
  refuseGroup(cursor, key);
  const values = readValues(cursor, known);
  if (values.length === 0) throw fault(cursor, `${key}: needs a value, such as ${key}:${known.example}`, start);
  return { type: "key", key, values, negated: false };
}

function readLiteral(cursor: Cursor, { key, example }: KnownKey, start: number): QueryLeaf {
  const text = cursor.text[cursor.at] === '"' ? takeQuoted(cursor) : takeBare(cursor);
  if (text === "") throw fault(cursor, `${key}: needs a value, such as ${key}:${example}`, start);
  if (/[\r\n]/.test(text)) throw fault(cursor, `${key}: is a piece of one line; write a line end as /a\\nb/m`, start);
  return { type: "literal", text, negated: false };
}

/** `a,b,"c d"`; commas inside braces, as in `*.{ts,tsx}`, belong to the value. */
function readValues(cursor: Cursor, known: KnownKey): string[] {
  const values: string[] = [];
  do {
    const at = cursor.at;
    const value = cursor.text[at] === '"' ? takeQuoted(cursor) : readBareValue(cursor);
    if (known.values !== undefined && value !== "" && !known.values.includes(value))
      throw fault(cursor, unknownValue(known.key, value, known.values), at);
    if (value !== "") values.push(value);
  } while (take(cursor, /,/y) !== null);
  return values;
}

/** What is written as a regular expression behind a key that takes none would be looked for with its slashes. */
function refuseRegex(cursor: Cursor, key: QueryKey): void {
  const ahead = { ...cursor };
  if (takeRegex(ahead) === undefined) return;
  const written = cursor.text.slice(cursor.at, ahead.at);
  const instead = key === "def" ? `; sym:${written} takes one` : "";
  throw fault(cursor, `${key}: takes no /regex/${instead}; for the text itself, quote it: ${key}:"${written}"`);
}

/** Values that are alternatives are a list: what begins with a parenthesis and goes on behind a space is no value. */
function refuseGroup(cursor: Cursor, key: QueryKey): void {
  const group = /\(([^()"\n]*)\)?/y;
  const inside = peek(cursor, group)?.[1] ?? "";
  const values = inside.split(/[\s,|]+/).filter((word) => word !== "" && !/^or$/i.test(word));
  if (!/\s/.test(inside.trim()) || values.length === 0) return;
  const list = values.slice(0, 10).join(",");
  throw fault(cursor, `${key}: takes no parentheses; for any of several values: ${key}:${list}`);
}

function readBareValue(cursor: Cursor): string {
  const start = cursor.at;
  const value = takeBare(cursor, ",");
  const closing = cursor.depth === 0 ? unopenedParenthesis(value) : undefined;
  if (closing !== undefined) {
    const reason = `the parenthesis closed here was never opened; to search for it, quote the value: "${value}"`;
    throw fault(cursor, reason, start + closing);
  }
  const brace = unclosedBrace(value);
  if (brace === undefined) return value;
  const reason = `the brace opened here is never closed; to search for it, quote the value: "${value}"`;
  throw fault(cursor, reason, start + brace);
}

function checkPlace(cursor: Cursor, { key, place }: KnownKey, start: number): void {
  if (cursor.depth > 0 && place !== undefined && place !== "anywhere")
    throw fault(cursor, `${key}: is for the whole query: write it outside the parentheses`, start);
}

function unknownKey(written: string, rest: string): string {
  const near = keyElsewhere(written) ?? keyNear(written);
  const meant = near === undefined ? "." : `; did you mean ${near}: ?`;
  return `there is no key "${written}:"${meant} Known keys: ${keyList()}. To search for the text itself, quote it: "${written}:${rest}"`;
}

function unknownValue(key: string, value: string, allowed: readonly string[]): string {
  const near = nearest(value, allowed, 1)[0];
  const meant = near === undefined ? "." : `; did you mean ${near}?`;
  return `${key}: cannot be "${value}"${meant} It is one of ${allowed.join(", ")}`;
}

/** All keys, as errors name them. */
export function keyList(): string {
  return QUERY_KEYS.map(({ key }) => `${key}:`).join(" ");
}
