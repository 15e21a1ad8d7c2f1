/**
 * Identifiers and their parts, cut as the analyzer `pinakes_code` cuts them, for what is done beside the index: choosing
 * the lines to show and proposing near names.
 */
const IDENTIFIER = /[\p{L}\p{N}_$]+/gu;
const PART = /\p{Lu}+(?!\p{Ll})|\p{Lu}?\p{Ll}+|\p{N}+|\p{Lu}|[^\p{Lu}\p{Ll}\p{N}_$]+/gu;

/** Identifiers of a text in order, as written: runs of letters, digits, `_` and `$`. */
export function identifiersOf(text: string): string[] {
  return text.match(IDENTIFIER) ?? [];
}

/** Parts of an identifier in order, in lower case: `readHTTPTimeout_2` gives read, http, timeout, 2. */
export function partsOf(identifier: string): string[] {
  return (identifier.match(PART) ?? []).map((part) => part.toLowerCase());
}

/** Whether an identifier cannot be a word of prose: a capital or an underscore inside. */
export function isShaped(identifier: string): boolean {
  return /\p{Ll}\p{Lu}|\p{Lu}\p{Lu}\p{Ll}|[\p{L}\p{N}]_+[\p{L}\p{N}]|^_+\p{L}/u.test(identifier);
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
    [...word.matchAll(PART)].map((found) => ({ word: found[0].toLowerCase(), at: at + found.index })),
  );
  return { identifiers: identifiers.map(({ word, at }) => ({ word: word.toLowerCase(), at })), parts };
}

/** Whether a text has anything that the index keeps: a letter or digit. */
export function hasWord(text: string): boolean {
  return /[\p{L}\p{N}]/u.test(text);
}
