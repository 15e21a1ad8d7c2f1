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

/** Whether a text has anything that the index keeps: a letter or digit. */
export function hasWord(text: string): boolean {
  return /[\p{L}\p{N}]/u.test(text);
}
