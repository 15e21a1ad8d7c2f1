import { EngineError } from "../errors.js";
import { lowerCase } from "./lower-case.js";
import { type Parameters, readBoolean, readNumber, readPattern, readStrings } from "./parameters.js";
import { standardTokens } from "./standard-tokenizer.js";
import { MAX_TOKEN_LENGTH, makeToken, type Token, type Tokenizer } from "./token.js";

/** Runs of characters that match, cut every `maxLength` (Lucene's CharTokenizer). */
function runs(text: string, pattern: RegExp, maxLength: number): Token[] {
  const tokens: Token[] = [];
  for (const match of text.matchAll(pattern)) {
    for (let from = 0; from < match[0].length; from += maxLength) {
      tokens.push(makeToken(match[0].slice(from, from + maxLength), match.index + from, tokens.length));
    }
  }
  return tokens;
}

/** Java's Character.isWhitespace: no-break spaces do not count. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: separators among them count as white space
const WHITESPACE_RUNS = /[^\t-\r\u001c-\u0020\u1680\u2000-\u2006\u2008-\u200a\u2028\u2029\u205f\u3000]+/gu;
const LETTER_RUNS = /\p{L}+/gu;

/** Words between white space. */
export const whitespaceTokens = (text: string, maxLength: number = MAX_TOKEN_LENGTH): Token[] =>
  runs(text, WHITESPACE_RUNS, maxLength);

/** Runs of letters. */
export const letterTokens: Tokenizer = (text) => runs(text, LETTER_RUNS, MAX_TOKEN_LENGTH);

/** Runs of letters, in lower case. */
export const lowercaseTokens: Tokenizer = (text) =>
  letterTokens(text).map((token) => ({ ...token, term: lowerCase(token.term) }));

/** The whole text as one token, be it empty. */
export const keywordTokens: Tokenizer = (text) => [makeToken(text, 0, 0)];

/** Splits at matches of a pattern, or takes the matches (their `group`) as tokens. */
function patternTokenizer(pattern: RegExp, group: number): Tokenizer {
  return (text) => {
    const tokens: Token[] = [];
    const add = (term: string, start: number) => {
      if (term !== "") tokens.push(makeToken(term, start, tokens.length));
    };
    let last = 0;
    for (const match of text.matchAll(pattern)) {
      if (group < 0) add(text.slice(last, match.index), last);
      else if (group === 0) add(match[0], match.index);
      else if (match[group] !== undefined) add(match[group], match.index + match[0].indexOf(match[group]));
      last = match.index + match[0].length;
    }
    if (group < 0) add(text.slice(last), last);
    return tokens;
  };
}

/** What `tokenize_on_chars` and `token_chars` may name. */
const CHAR_CLASSES: Readonly<Record<string, string>> = {
  letter: "\\p{L}",
  digit: "\\p{Nd}",
  whitespace: "\\s",
  punctuation: "\\p{P}",
  symbol: "\\p{S}",
};

function charGroupTokenizer(parameters: Parameters): Tokenizer {
  const groups = readStrings(parameters, "tokenize_on_chars", []);
  const maxLength = readNumber(parameters, "max_token_length", MAX_TOKEN_LENGTH);
  if (groups.length === 0) return (text) => runs(text, /[\s\S]+/gu, maxLength);
  const inside = groups.map((group) => CHAR_CLASSES[group] ?? escapeForClass(singleChar(group))).join("");
  const pattern = new RegExp(`[^${inside}]+`, "gu");
  return (text) => runs(text, pattern, maxLength);
}

function singleChar(group: string): string {
  const escapes: Readonly<Record<string, string>> = { "\\n": "\n", "\\t": "\t", "\\r": "\r", "\\\\": "\\" };
  const char = escapes[group] ?? group;
  if ([...char].length === 1) return char;
  throw new EngineError("invalid_value", `Invalid escaped char in [${group}]`, { value: group });
}

function escapeForClass(char: string): string {
  return `\\u{${char.codePointAt(0)!.toString(16)}}`;
}

/** Characters that grams may hold; null: any. */
function tokenChars(parameters: Parameters): RegExp | null {
  const groups = readStrings(parameters, "token_chars", []);
  if (groups.length === 0) return null;
  const classes = groups.map((group) => {
    if (group === "custom") return [...String(parameters.custom_token_chars ?? "")].map(escapeForClass).join("");
    const found = CHAR_CLASSES[group];
    if (found !== undefined) return found;
    throw new EngineError(
      "invalid_value",
      `Unknown token type: '${group}', must be one of ${Object.keys(CHAR_CLASSES).join(", ")}`,
      { value: group },
    );
  });
  return new RegExp(`[${classes.join("")}]+`, "gu");
}

/** Grams of every run of allowed characters; `edge`: those at its beginning only. Order: by start, then by length. */
function gramTokenizer(parameters: Parameters, edge: boolean): Tokenizer {
  const min = readNumber(parameters, "min_gram", 1);
  const max = readNumber(parameters, "max_gram", 2);
  if (min < 1 || max < min) {
    throw new EngineError(
      "invalid_value",
      `min_gram must be at least 1 and at most max_gram, but got [${min}] and [${max}]`,
    );
  }
  const allowed = tokenChars(parameters);
  return (text) => {
    const tokens: Token[] = [];
    const stretches: [string, number][] = allowed === null ? [[text, 0]] : matchesOf(text, allowed);
    for (const [stretch, offset] of stretches) {
      const bounds = codePointBounds(stretch);
      const starts = edge ? Math.min(1, bounds.length - 1) : bounds.length - 1;
      for (let i = 0; i < starts; i++) {
        for (let n = min; n <= max && i + n < bounds.length; n++) {
          tokens.push(makeToken(stretch.slice(bounds[i], bounds[i + n]), offset + bounds[i], tokens.length));
        }
      }
    }
    return tokens;
  };
}

function matchesOf(text: string, pattern: RegExp): [string, number][] {
  return [...text.matchAll(pattern)].map((match) => [match[0], match.index]);
}

/** Offsets of all code points, and the end. */
export function codePointBounds(text: string): number[] {
  const bounds = [0];
  for (const char of text) bounds.push(bounds[bounds.length - 1] + char.length);
  return bounds;
}

/** Tokenizers by type; each reads its parameters. */
export const TOKENIZERS: Readonly<Record<string, (parameters: Parameters) => Tokenizer>> = {
  standard: (parameters) => {
    const maxLength = readNumber(parameters, "max_token_length", MAX_TOKEN_LENGTH);
    return (text) => standardTokens(text, maxLength);
  },
  whitespace: (parameters) => {
    const maxLength = readNumber(parameters, "max_token_length", MAX_TOKEN_LENGTH);
    return (text) => whitespaceTokens(text, maxLength);
  },
  keyword: () => keywordTokens,
  letter: () => letterTokens,
  lowercase: () => lowercaseTokens,
  pattern: (parameters) => patternTokenizer(readPattern(parameters, "\\W+", "g"), readNumber(parameters, "group", -1)),
  char_group: charGroupTokenizer,
  ngram: (parameters) => gramTokenizer(parameters, false),
  edge_ngram: (parameters) => gramTokenizer(parameters, true),
};

/** Parameters that each tokenizer knows. */
export const TOKENIZER_PARAMETERS: Readonly<Record<string, readonly string[]>> = {
  standard: ["max_token_length"],
  whitespace: ["max_token_length"],
  keyword: ["buffer_size"],
  letter: [],
  lowercase: [],
  pattern: ["pattern", "flags", "group"],
  char_group: ["tokenize_on_chars", "max_token_length"],
  ngram: ["min_gram", "max_gram", "token_chars", "custom_token_chars"],
  edge_ngram: ["min_gram", "max_gram", "token_chars", "custom_token_chars"],
};

/** Whether a pattern tokenizer's `lowercase` is wanted (the `pattern` analyzer's parameter). */
export function wantsLowercase(parameters: Parameters): boolean {
  return readBoolean(parameters, "lowercase", true);
}
