/**
 * How a text that somebody typed or pasted is meant: as a query in the query language, or as prose (a question, an error
 * message, a stack trace, a whole bug report).
 *
 * It is prose when it has several lines, more characters than a query may have, or a frame of a stack trace; else, where
 * nothing in it is the query language's (a key, a /regex/, a minus before a word, a group with `or`, all of it one quoted
 * phrase), when it has more than eight words, begins with a question word and has four, or has five words of which two are
 * function words (`the`, `is`, `to`; not `or`). Keys at its beginning or end (`lang:go`) stay keys either way. What is one
 * quoted thing, or begins with a key and a quote, is a query on several lines too; a long text that is keys, one /regex/ or
 * one word is a query that is too long, and refused as such.
 */
import { isCommitQuery } from "../commit-query.js";
import { hasWord } from "../identifier.js";
import { type CodeQuery, LONGEST_QUERY, parseQuery } from "../query.js";
import { QueryError } from "../query-error.js";
import { queryKey } from "../query-keys.js";
import { isFunctionWord, isQuestionWord } from "./english.js";
import { framesOf } from "./frames.js";

/** Most words of a line that are all looked for. */
const MOST_WORDS = 8;
const SHORTEST_QUESTION = 4;
const SHORTEST_SENTENCE = 5;
const FUNCTION_WORDS_OF_SENTENCE = 2;

/** Reads a text either way. Throws QueryError for a query that cannot be read; prose can always be read. */
export function readQuery(text: string): CodeQuery {
  const { keys, rest } = withoutKeys(text);
  if (isMarked(rest) || (text.length > LONGEST_QUERY && !isLongProse(rest))) return parseQuery(text);
  if (!isProse(rest)) return isProse(text) ? (parsedKeys(text) ?? asProse(text)) : parseQuery(text);
  const query = keys === "" ? undefined : parsedKeys(keys);
  if (query !== undefined && isCommitQuery(query)) return parseQuery(text);
  // What looks like keys and cannot be read is text.
  return query === undefined ? asProse(text) : { terms: query.terms, ignored: [], prose: rest };
}

function asProse(text: string): CodeQuery {
  return { terms: [], ignored: [], prose: text };
}

/** Whether a text without its keys is to be understood as prose. */
export function isProse(text: string): boolean {
  if (!hasWord(text)) return false;
  if (text.trim().includes("\n") || text.length > LONGEST_QUERY) return true;
  const tokens = text.split(/\s+/).filter((token) => token !== "");
  if (!isQuoted(text) && !tokens.some(isQuotedKey) && framesOf(text).length > 0) return true;
  if (isQuoted(text) || PATTERN.test(text) || tokens.some(isSyntax) || isGroup(tokens)) return false;
  const words = tokens.filter(hasWord);
  return words.length > MOST_WORDS || isEnglish(words);
}

/** Written as a query, whatever the number of its lines: all of it one quoted thing, or a key with a quote or a slash first. */
function isMarked(text: string): boolean {
  return isQuoted(text) || isQuotedKey(text.trimStart());
}

/** Whether a text, longer than a query with its keys, is prose: not what is left of long keys, a pattern or a single word. */
function isLongProse(text: string): boolean {
  const pattern = OPENING_PATTERN.exec(text)?.[0];
  if (pattern !== undefined) return isProse(text.slice(pattern.length));
  return isProse(text) && /\S\s+\S/.test(text);
}

const OPENING_PATTERN = /^\s*\/(?=[^\s/])(?:[^/\\\n]|\\.)+\/[a-z]*(?=\s|$)/;

/** A regular expression between slashes, with spaces perhaps; not `and/or`, not a path. */
const PATTERN = /(?:^|\s)\/(?=[^\s/])(?:[^/\\\n]|\\.)+\/[a-z]*(?=\s|$)/;

function isQuoted(text: string): boolean {
  return /^\s*"[^"]*"\s*$/.test(text);
}

/** A minus before a word, a known key with a value. */
function isSyntax(token: string): boolean {
  if (/^-[\p{L}_$"@(]/u.test(token)) return true;
  const key = /^\(*([A-Za-z]+):[^\s:/]/.exec(token)?.[1];
  return key !== undefined && queryKey(key.toLowerCase()) !== undefined;
}

/** `content:"a.c:12"`: a frame that stands in quotes behind a key is looked for as it is written. */
function isQuotedKey(token: string): boolean {
  const key = /^[-(]*([A-Za-z]+):["/]/.exec(token)?.[1];
  return key !== undefined && queryKey(key.toLowerCase()) !== undefined;
}

function isGroup(tokens: readonly string[]): boolean {
  return tokens.includes("or") && tokens.some((token) => token.startsWith("("));
}

function isEnglish(tokens: readonly string[]): boolean {
  const words = tokens.map((token) => token.toLowerCase().replace(/^[^\p{L}]+|[^\p{L}]+$/gu, ""));
  if (isQuestionWord(words[0] ?? "") && words.length >= SHORTEST_QUESTION) return true;
  return (
    words.length >= SHORTEST_SENTENCE &&
    words.filter((word) => word !== "or" && isFunctionWord(word)).length >= FUNCTION_WORDS_OF_SENTENCE
  );
}

/** Keys with a value at the beginning and at the end of a text, and what stands between them. */
function withoutKeys(text: string): { keys: string; rest: string } {
  const trimmed = text.trim();
  const tokens = [...trimmed.matchAll(/\S+/g)].map((found) => ({ text: found[0], at: found.index }));
  const first = tokens.findIndex((token) => !isKey(token.text));
  if (first === -1) return { keys: trimmed, rest: "" };
  const last = tokens.findLastIndex((token) => !isKey(token.text));
  const keys = [...tokens.slice(0, first), ...tokens.slice(last + 1)].map((token) => token.text);
  if (keys.length === 0) return { keys: "", rest: text };
  const end = (tokens[last]?.at ?? 0) + (tokens[last]?.text.length ?? 0);
  return { keys: keys.join(" "), rest: trimmed.slice(tokens[first]?.at, end) };
}

/** A known key with a value, without quotes. */
function isKey(token: string): boolean {
  const key = /^-?([A-Za-z]+):[^\s":/][^\s"]*$/.exec(token)?.[1];
  return key !== undefined && queryKey(key.toLowerCase()) !== undefined;
}

function parsedKeys(keys: string): CodeQuery | undefined {
  try {
    return parseQuery(keys);
  } catch (error) {
    if (error instanceof QueryError) return undefined;
    throw error;
  }
}
