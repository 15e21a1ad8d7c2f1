/** Whether a look holds at a place of a JavaScript string: looks.ts says the same of bytes. */
import { perlClass } from "./classes.js";
import { isWordByte } from "./looks.js";
import { hasCodePoint, type Ranges } from "./ranges.js";
import type { Look } from "./syntax.js";

let unicodeWord: Ranges | undefined;

/** Whether a look holds before the UTF-16 unit at `at`. */
export function lookHoldsIn(look: Look, text: string, at: number): boolean {
  switch (look) {
    case "text_begin":
      return at === 0;
    case "text_end":
      return at === text.length;
    case "line_begin":
      return at === 0 || text[at - 1] === "\n";
    case "line_end":
      return at === text.length || text[at] === "\n" || text.startsWith("\r\n", at);
    case "ascii_word_boundary":
      return isAsciiWord(characterBefore(text, at)) !== isAsciiWord(characterAt(text, at));
    case "no_ascii_word_boundary":
      return isAsciiWord(characterBefore(text, at)) === isAsciiWord(characterAt(text, at));
    case "word_boundary":
      return isWord(characterBefore(text, at)) !== isWord(characterAt(text, at));
    case "no_word_boundary":
      return isWord(characterBefore(text, at)) === isWord(characterAt(text, at));
    case "no_word_before":
      return !isWord(characterBefore(text, at));
    case "no_word_behind":
      return !isWord(characterAt(text, at));
  }
}

/** The code point that ends before a place; -1 at the beginning. */
export function characterBefore(text: string, at: number): number {
  if (at === 0) return -1;
  const low = text.charCodeAt(at - 1);
  if (low < 0xdc00 || low > 0xdfff || at === 1) return low;
  const whole = text.codePointAt(at - 2) as number;
  return whole > 0xffff ? whole : low;
}

function characterAt(text: string, at: number): number {
  return text.codePointAt(at) ?? -1;
}

function isAsciiWord(code: number): boolean {
  return code >= 0 && code < 0x80 && isWordByte[code] === 1;
}

function isWord(code: number): boolean {
  if (code < 0x80) return isAsciiWord(code);
  unicodeWord ??= perlClass("w", "unicode");
  return hasCodePoint(unicodeWord, code);
}
