/** Whether a look holds at a place of a text. */
import { perlClass } from "./classes.js";
import { hasCodePoint, type Ranges } from "./ranges.js";
import type { Look } from "./syntax.js";

const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;

/** ASCII's \w, by byte. */
export const isWordByte: Uint8Array = Uint8Array.from({ length: 256 }, (_, byte) => {
  const character = String.fromCharCode(byte);
  return byte < 0x80 && /\w/.test(character) ? 1 : 0;
});

let unicodeWord: Ranges | undefined;

/** The part of some bytes that is matched as if there were nothing around it: a line, or a whole value. */
export interface TextSpan {
  readonly bytes: Uint8Array;
  readonly begin: number;
  readonly end: number;
}

/** Whether a look holds before the byte at `at`, begin <= at <= end. */
export function lookHolds(look: Look, text: TextSpan, at: number): boolean {
  switch (look) {
    case "text_begin":
      return at === text.begin;
    case "text_end":
      return at === text.end;
    case "line_begin":
      return at === text.begin || text.bytes[at - 1] === LINE_FEED;
    case "line_end":
      return endsLine(text, at);
    case "ascii_word_boundary":
      return !insideCharacter(text, at) && asciiBoundary(text, at);
    case "no_ascii_word_boundary":
      return !insideCharacter(text, at) && !asciiBoundary(text, at);
    case "word_boundary":
      return !insideCharacter(text, at) && unicodeBoundary(text, at);
    case "no_word_boundary":
      return !insideCharacter(text, at) && !unicodeBoundary(text, at);
    case "no_word_before":
      return !insideCharacter(text, at) && !isWord(characterBefore(text, at));
    case "no_word_behind":
      return !insideCharacter(text, at) && !isWord(characterAt(text, at));
  }
}

/** Whether the byte at `at` goes on with a character: no match begins there, and words have no say. */
export function insideCharacter({ bytes, begin, end }: TextSpan, at: number): boolean {
  return at > begin && at < end && (bytes[at] & 0xc0) === 0x80;
}

/** Before a line feed, before the carriage return that belongs to it, and at the end. */
function endsLine({ bytes, end }: TextSpan, at: number): boolean {
  if (at === end || bytes[at] === LINE_FEED) return true;
  return bytes[at] === CARRIAGE_RETURN && at + 1 < end && bytes[at + 1] === LINE_FEED;
}

function asciiBoundary({ bytes, begin, end }: TextSpan, at: number): boolean {
  const before = at > begin && isWordByte[bytes[at - 1]] === 1;
  const after = at < end && isWordByte[bytes[at]] === 1;
  return before !== after;
}

function unicodeBoundary(text: TextSpan, at: number): boolean {
  return isWord(characterBefore(text, at)) !== isWord(characterAt(text, at));
}

/** -1, which is no character, at an end or where the bytes are no UTF-8. */
function isWord(code: number): boolean {
  if (code < 0x80) return code >= 0 && isWordByte[code] === 1;
  unicodeWord ??= perlClass("w", "unicode");
  return hasCodePoint(unicodeWord, code);
}

function characterBefore(text: TextSpan, at: number): number {
  let first = at - 1;
  while (first > text.begin && at - first < 4 && (text.bytes[first] & 0xc0) === 0x80) first--;
  if (first < text.begin) return -1;
  return first + width(text.bytes[first]) === at ? characterAt(text, first) : -1;
}

function characterAt({ bytes, end }: TextSpan, at: number): number {
  if (at >= end) return -1;
  const first = bytes[at];
  const count = width(first);
  if (count === 1) return first < 0x80 ? first : -1;
  if (at + count > end) return -1;
  let code = first & (0xff >> (count + 1));
  for (let i = 1; i < count; i++) {
    if ((bytes[at + i] & 0xc0) !== 0x80) return -1;
    code = (code << 6) | (bytes[at + i] & 0x3f);
  }
  return code;
}

/** Bytes of the character that begins with this one; 1 for a byte that begins none. */
function width(first: number): number {
  if (first < 0xc2 || first > 0xf4) return 1;
  return first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4;
}
