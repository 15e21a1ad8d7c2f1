/**
 * Identifiers and their parts, cut as the analyzer `pinakes_code` cuts them, for what is done beside the index: choosing
 * the lines to show and proposing near names.
 */
const IDENTIFIER = /[\p{L}\p{N}_$]+/gu;
const CJK = "[[\\p{scx=Han}\\p{scx=Hiragana}\\p{scx=Katakana}\\p{scx=Hangul}]--\\p{N}]";
const PART = new RegExp(
  `\\p{Lu}+(?!\\p{Ll})|\\p{Lu}?\\p{Ll}+|\\p{N}+|\\p{Lu}|(${CJK}+)|[[^\\p{Lu}\\p{Ll}\\p{N}_$]--${CJK}]+`,
  "gv",
);

const HAS_CJK = new RegExp(CJK, "v");
const ONE_CJK = new RegExp(`^${CJK}$`, "v");

/** Whether a text is one letter of a script that is written without spaces, which the index knows in pairs only. */
export function isOneCjkLetter(text: string): boolean {
  return ONE_CJK.test(text);
}

/** Identifiers of a text in order, as written: runs of letters, digits, `_` and `$`. */
export function identifiersOf(text: string): string[] {
  return text.match(IDENTIFIER) ?? [];
}

/** Parts of an identifier in order, in lower case: `readHTTPTimeout_2` gives read, http, timeout, 2. */
export function partsOf(identifier: string): string[] {
  return placedParts(identifier).map(({ word }) => word);
}

/** Whether an identifier cannot be a word of prose: a capital or an underscore inside. */
export function isShaped(identifier: string): boolean {
  return /\p{Ll}\p{Lu}|\p{Lu}\p{Lu}\p{Ll}|[\p{L}\p{N}]_+[\p{L}\p{N}]|^_+\p{L}/u.test(identifier);
}

/**
 * The identifier of a text that has one, of several parts: `ok_after`, `readTimeout`, `sha256`. What is written without
 * blanks in Chinese, Japanese or Korean has pieces, but they are not parts that somebody named.
 */
export function compoundOf(text: string): string | undefined {
  const [identifier, ...others] = identifiersOf(text);
  if (identifier === undefined || others.length > 0 || HAS_CJK.test(identifier)) return undefined;
  return partsOf(identifier).length > 1 ? identifier : undefined;
}

/** A part or an identifier, and where it begins in the text, in UTF-16 units. */
export interface PlacedWord {
  word: string;
  at: number;
}

/** Identifiers of a text in lower case, each where it begins, and their parts likewise. */
export function placedWords(text: string): { identifiers: PlacedWord[]; parts: PlacedWord[] } {
  const identifiers = [...text.matchAll(IDENTIFIER)].map((found) => ({ word: found[0], at: found.index }));
  const parts = identifiers.flatMap(({ word, at }) =>
    placedParts(word).map((part) => ({ word: part.word, at: at + part.at })),
  );
  return { identifiers: identifiers.map(({ word, at }) => ({ word: word.toLowerCase(), at })), parts };
}

/** Parts of an identifier in lower case; of Chinese, Japanese and Korean letters each with the one behind it. */
function placedParts(identifier: string): PlacedWord[] {
  return [...identifier.matchAll(PART)].flatMap((found) => {
    const letters = found[1] === undefined ? [] : [...found[1]];
    if (letters.length < 2) return [{ word: found[0].toLowerCase(), at: found.index }];
    let at = found.index;
    return letters.slice(1).map((letter, before) => {
      const pair = { word: letters[before] + letter, at };
      at += letters[before].length;
      return pair;
    });
  });
}

/** Whether a text has anything that the index keeps: a letter or digit. */
export function hasWord(text: string): boolean {
  return /[\p{L}\p{N}]/u.test(text);
}
