// biome-ignore lint/suspicious/noControlCharactersInRegex: the class is ASCII
const ASCII_ONLY = /^[\x00-\x7f]*$/;

/**
 * Lower case as Lucene's LowerCaseFilter makes it: each code point by itself by its simple mapping, so a final sigma
 * is a sigma and a dotted capital I is an i.
 */
export function lowerCase(text: string): string {
  return ASCII_ONLY.test(text) ? text.toLowerCase() : mapCodePoints(text, lowerCodePoint);
}

/** Upper case as Lucene's UpperCaseFilter makes it: code points whose upper case is several stay as they are. */
export function upperCase(text: string): string {
  return ASCII_ONLY.test(text) ? text.toUpperCase() : mapCodePoints(text, upperCodePoint);
}

function mapCodePoints(text: string, map: (char: string) => string): string {
  let out = "";
  for (const char of text) out += map(char);
  return out;
}

function lowerCodePoint(char: string): string {
  return char === "\u0130" ? "i" : char.toLowerCase();
}

function upperCodePoint(char: string): string {
  const upper = char.toUpperCase();
  const size = char.length;
  return upper.length > size || (size === 1 && upper.length !== 1) ? char : upper;
}
