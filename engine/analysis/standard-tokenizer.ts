import { MAX_TOKEN_LENGTH, type Token } from "./token.js";
import { WordClass, wordClass } from "./word-classes.js";

/**
 * Words of UAX #29 as Lucene's StandardTokenizer cuts them: letters and digits join, ideographs and Hiragana stand one by
 * one, runs of Katakana, Hangul and South-East Asian letters are tokens, emoji sequences are tokens.
 * For pure ASCII the kernel `tokenizeStandard` gives the same tokens; this is the whole rule.
 */
const ZERO_WIDTH_JOINER = 0x200d;
const KEYCAP = 0x20e3;
const EMOJI_STYLE = 0xfe0f;

/** A run being read: where it is, and what stood there last, marks not counted. */
interface Cursor {
  readonly text: string;
  /** Words end here at the latest. */
  limit: number;
  at: number;
}

/** Tokens of a text, as written (lower-casing is a filter's work); words longer than `maxLength` are cut. */
export function standardTokens(text: string, maxLength: number = MAX_TOKEN_LENGTH): Token[] {
  const tokens: Token[] = [];
  const cursor: Cursor = { text, limit: text.length, at: 0 };
  while (cursor.at < text.length) {
    const start = cursor.at;
    cursor.limit = Math.min(text.length, start + maxLength);
    const type = readToken(cursor);
    if (type === undefined) continue;
    tokens.push({
      term: text.slice(start, cursor.at),
      start,
      end: cursor.at,
      position: tokens.length,
      positionLength: 1,
      type,
    });
  }
  return tokens;
}

/** Moves past a token, or one character that begins none; returns the token's type. */
function readToken(cursor: Cursor): string | undefined {
  const first = cursor.text.codePointAt(cursor.at)!;
  const kind = wordClass(first);
  if (readEmoji(cursor, first, kind)) return "<EMOJI>";
  switch (kind) {
    case WordClass.letter:
    case WordClass.hebrew:
    case WordClass.hangul:
    case WordClass.number:
    case WordClass.katakana:
    case WordClass.connector:
      return readWord(cursor);
    case WordClass.han:
      step(cursor);
      return "<IDEOGRAPHIC>";
    case WordClass.hiragana:
      step(cursor);
      return "<HIRAGANA>";
    case WordClass.southeastAsian:
      while (cursor.at < cursor.limit && classAt(cursor) === WordClass.southeastAsian) step(cursor);
      return "<SOUTHEAST_ASIAN>";
    default:
      cursor.at += width(first);
      return undefined;
  }
}

function width(codePoint: number): number {
  return codePoint > 0xffff ? 2 : 1;
}

/** Class of what stands at an offset; 0 at the end. */
function classAt(cursor: Cursor, at: number = cursor.at): number {
  if (at >= cursor.limit) return 0;
  const codePoint = cursor.text.codePointAt(at)!;
  return at + width(codePoint) > cursor.limit ? 0 : wordClass(codePoint);
}

/** Offset behind a character and the marks that belong to it. */
function behind(cursor: Cursor, at: number): number {
  let end = at + width(cursor.text.codePointAt(at) ?? 0);
  while (classAt(cursor, end) === WordClass.extend) end += width(cursor.text.codePointAt(end)!);
  return end;
}

function step(cursor: Cursor): void {
  cursor.at = behind(cursor, cursor.at);
}

/** What a word has been made of so far. */
interface Seen {
  letters: boolean;
  hangul: boolean;
  katakana: boolean;
  numbers: boolean;
}

function readWord(cursor: Cursor): string | undefined {
  const seen: Seen = { letters: false, hangul: false, katakana: false, numbers: false };
  let last = classAt(cursor);
  note(seen, last);
  step(cursor);
  for (;;) {
    const next = classAt(cursor);
    if (next === 0) break;
    if (joins(last, next)) {
      note(seen, next);
      last = next;
      step(cursor);
    } else if (last === WordClass.hebrew && next === WordClass.singleQuote) {
      step(cursor);
      // A quote after a Hebrew letter belongs to the word; what follows must be a letter or digit to go on.
      if (!isLetter(classAt(cursor))) break;
      last = WordClass.hebrew;
    } else if (joinsAcross(last, next, classAt(cursor, behind(cursor, cursor.at)))) {
      step(cursor);
    } else break;
  }
  return typeOf(seen);
}

function note(seen: Seen, kind: number): void {
  if (kind === WordClass.letter || kind === WordClass.hebrew) seen.letters = true;
  else if (kind === WordClass.hangul) seen.hangul = true;
  else if (kind === WordClass.katakana) seen.katakana = true;
  else if (kind === WordClass.number) seen.numbers = true;
}

function typeOf(seen: Seen): string | undefined {
  const kinds = Number(seen.letters) + Number(seen.hangul) + Number(seen.katakana) + Number(seen.numbers);
  if (kinds === 0) return undefined;
  if (kinds > 1 || seen.letters) return "<ALPHANUM>";
  return seen.hangul ? "<HANGUL>" : seen.katakana ? "<KATAKANA>" : "<NUM>";
}

function isLetter(kind: number): boolean {
  return kind === WordClass.letter || kind === WordClass.hebrew || kind === WordClass.hangul;
}

/** Rules WB5, WB8 to WB10, WB13: whether two neighbours belong together. */
function joins(left: number, right: number): boolean {
  if (left === WordClass.connector || right === WordClass.connector) {
    const other = left === WordClass.connector ? right : left;
    return (
      isLetter(other) || other === WordClass.number || other === WordClass.katakana || other === WordClass.connector
    );
  }
  if (left === WordClass.katakana || right === WordClass.katakana) return left === right;
  const joinable = (kind: number) => isLetter(kind) || kind === WordClass.number;
  return joinable(left) && joinable(right);
}

/** Rules WB6, WB7, WB11, WB12: whether a mark joins what stands on both sides of it. */
function joinsAcross(left: number, mark: number, right: number): boolean {
  const both = mark === WordClass.midBoth || mark === WordClass.singleQuote;
  if (isLetter(left) && isLetter(right)) {
    if (mark === WordClass.doubleQuote) return left === WordClass.hebrew && right === WordClass.hebrew;
    return both || mark === WordClass.midLetter;
  }
  return left === WordClass.number && right === WordClass.number && (both || mark === WordClass.midNumber);
}

/** Reads an emoji sequence (Unicode Technical Standard #51): keycap, flag, or pictographs joined by ZWJ. */
function readEmoji(cursor: Cursor, first: number, kind: number): boolean {
  const { text, at } = cursor;
  if (kind === WordClass.number || first === 0x23 || first === 0x2a) {
    const styled = text.charCodeAt(at + 1) === EMOJI_STYLE ? 1 : 0;
    if (first > 0x39 || text.charCodeAt(at + 1 + styled) !== KEYCAP) return false;
    cursor.at = at + 2 + styled;
    return true;
  }
  if (kind === WordClass.regionalIndicator) {
    if (classAt(cursor, at + 2) !== WordClass.regionalIndicator) return false;
    cursor.at = behind(cursor, at + 2);
    return true;
  }
  if (kind !== WordClass.pictograph) return false;
  step(cursor);
  while (text.charCodeAt(cursor.at - 1) === ZERO_WIDTH_JOINER && classAt(cursor) === WordClass.pictograph) step(cursor);
  return true;
}
