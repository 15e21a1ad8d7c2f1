/**
 * A code query as people and agents write it:
 *
 *     timeout handler "read only" def:Server.start lang:ts,js path:src/* -class:test
 *
 * Words and "phrases" must all be there; keys narrow; `-` takes away. A list `a,b` means any of them. `*` stands for any
 * characters, `/` too. `std::vector` and `http://x` are words; any other `key:value` that should be a word is quoted.
 */
import { nearest } from "./edit-distance.js";
import { hasWord } from "./identifier.js";
import { ownName } from "./own-name.js";
import { QUERY_KEYS, type QueryKey, queryKey } from "./query-keys.js";

/** Most words, phrases and values of keys in one query: each is a clause of the search. */
export const MOST_TERMS = 100;
/** Longest query in UTF-16 units. */
export const LONGEST_QUERY = 10_000;

/** One part of a query. */
export type QueryTerm =
  | { type: "word"; text: string; negated: boolean }
  | { type: "phrase"; text: string; negated: boolean }
  | { type: "key"; key: QueryKey; values: string[]; negated: boolean };

/** A query as typed terms, in the order they were written. */
export interface CodeQuery {
  terms: QueryTerm[];
  /** Punctuation standing alone, which no index keeps: not part of the search, to be named in the answer. */
  ignored: string[];
}

/** A query that cannot be read; `column` is the 1-based place of the trouble. */
export class QueryError extends Error {
  constructor(
    reason: string,
    readonly column: number,
  ) {
    super(`column ${column}: ${reason}`);
    this.name = "QueryError";
  }
}

/** Reads a query. Throws QueryError for an unknown key or value, an unclosed quote, a key without value, nothing, or too much. */
export function parseQuery(text: string): CodeQuery {
  const query: CodeQuery = { terms: [], ignored: [] };
  const cursor = { text, at: 0 };
  if (text.length > LONGEST_QUERY) {
    const reason = `a query has at most ${LONGEST_QUERY} characters, this one has ${text.length}`;
    throw new QueryError(`${reason}: search for its rarest words`, LONGEST_QUERY + 1);
  }
  while (skipSpace(cursor)) {
    const column = cursor.at + 1;
    const term = readTerm(cursor);
    if (term.type === "key" || hasWord(term.text)) query.terms.push(term);
    else query.ignored.push(term.text);
    if (countTerms(query) > MOST_TERMS) {
      throw new QueryError(`a query has at most ${MOST_TERMS} words and values: search for its rarest words`, column);
    }
  }
  if (query.terms.length === 0) {
    throw new QueryError(`nothing to search for: give a word, a "phrase" or a key (${keyList()})`, 1);
  }
  return query;
}

function countTerms({ terms, ignored }: CodeQuery): number {
  return terms.reduce((sum, term) => sum + (term.type === "key" ? term.values.length : 1), ignored.length);
}

/** Writes a query so that it reads back the same, `ignored` apart. */
export function printQuery(query: CodeQuery): string {
  return query.terms.map((term) => (term.negated ? "-" : "") + printTerm(term)).join(" ");
}

/**
 * Texts of the words and phrases that must be there, for choosing lines. Names asked for by `sym:` and `def:` count, but
 * not their containers: these stand on other lines.
 */
export function wantedTexts(query: CodeQuery): string[] {
  return query.terms.flatMap((term) => {
    if (term.negated) return [];
    if (term.type !== "key") return [term.text];
    return term.key === "sym" || term.key === "def"
      ? term.values.map((value) => ownName(value.replaceAll("*", "")))
      : [];
  });
}

interface Cursor {
  readonly text: string;
  at: number;
}

const SPACE = /\s*/y;
const BARE = /\S+/y;
// `a::b` and `scheme://` are how code and addresses are written, so they are not keys.
const KEY = /([A-Za-z][A-Za-z_-]*):(?!:|\/\/)/y;
// A minus before a digit, an arrow or a space is text.
const MINUS = /-(?=[\p{L}_$"@./])/uy;

function take(cursor: Cursor, pattern: RegExp): RegExpExecArray | null {
  pattern.lastIndex = cursor.at;
  const found = pattern.exec(cursor.text);
  if (found !== null) cursor.at += found[0].length;
  return found;
}

function skipSpace(cursor: Cursor): boolean {
  take(cursor, SPACE);
  return cursor.at < cursor.text.length;
}

function readTerm(cursor: Cursor): QueryTerm {
  const negated = take(cursor, MINUS) !== null;
  if (cursor.text[cursor.at] === '"') return { type: "phrase", text: readQuoted(cursor), negated };
  const start = cursor.at;
  const written = take(cursor, KEY)?.[1];
  if (written !== undefined) {
    const term = readKey(cursor, { written, start, negated });
    if (term !== undefined) return term;
    cursor.at = start;
  }
  return { type: "word", text: take(cursor, BARE)?.[0] ?? "", negated };
}

/** The term of a key whose name was just read; undefined when it is a word that ends in a colon, such as `TODO:`. */
function readKey(cursor: Cursor, key: { written: string; start: number; negated: boolean }): QueryTerm | undefined {
  const known = queryKey(key.written.toLowerCase());
  const valueAt = cursor.at;
  const ended = cursor.at >= cursor.text.length || /\s/.test(cursor.text[cursor.at]);
  if (known === undefined) {
    if (ended) return undefined;
    throw new QueryError(unknownKey(key.written, take(cursor, BARE)?.[0] ?? ""), key.start + 1);
  }
  if (ended) throw new QueryError(`${known.key}: needs a value, such as ${known.key}:${known.example}`, key.start + 1);
  const quoted = cursor.text[cursor.at] === '"';
  const values = quoted
    ? [readQuoted(cursor)]
    : (take(cursor, BARE)?.[0] ?? "").split(",").filter((value) => value !== "");
  if (values.length === 0 || values[0] === "") throw new QueryError(`${known.key}: needs a value`, key.start + 1);
  const allowed: readonly string[] | undefined = known.values;
  for (const value of values) {
    if (allowed !== undefined && !allowed.includes(value))
      throw new QueryError(unknownValue(known.key, value, allowed), valueAt + 1);
  }
  return { type: "key", key: known.key, values, negated: key.negated };
}

function readQuoted(cursor: Cursor): string {
  const start = cursor.at;
  let text = "";
  for (cursor.at++; cursor.at < cursor.text.length; cursor.at++) {
    const character = cursor.text[cursor.at];
    if (character === '"') {
      cursor.at++;
      return text;
    }
    const escaped = character === "\\" && /["\\]/.test(cursor.text[cursor.at + 1] ?? "");
    text += escaped ? cursor.text[++cursor.at] : character;
  }
  throw new QueryError(`the quote opened here is never closed; write \\" for a quote inside quotes`, start + 1);
}

function unknownKey(written: string, rest: string): string {
  const near = nearest(
    written,
    QUERY_KEYS.map(({ key }) => key),
    1,
  )[0];
  const meant = near === undefined ? "" : `; did you mean ${near}: ?`;
  return `there is no key "${written}:"${meant} Known keys: ${keyList()}. To search for the text itself, quote it: "${written}:${rest}"`;
}

function unknownValue(key: string, value: string, allowed: readonly string[]): string {
  const near = nearest(value, allowed, 1)[0];
  const meant = near === undefined ? "" : `; did you mean ${near}?`;
  return `${key}: cannot be "${value}"${meant} It is one of ${allowed.join(", ")}`;
}

function keyList(): string {
  return QUERY_KEYS.map(({ key }) => `${key}:`).join(" ");
}

function quote(text: string): string {
  return `"${text.replace(/(["\\])/g, "\\$1")}"`;
}

function printTerm(term: QueryTerm): string {
  if (term.type === "word") return term.text;
  if (term.type === "phrase") return quote(term.text);
  const [first] = term.values;
  const plain = term.values.every((value) => /^[^\s",][^\s,]*$/.test(value));
  return `${term.key}:${plain ? term.values.join(",") : quote(first)}`;
}
