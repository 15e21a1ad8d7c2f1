/**
 * Finds where pieces of a JSON document end, without checking them: the document was parsed when it was prepared. -1:
 * this is no JSON, or has a byte that must not be kept in a slot.
 */
const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const OPEN_ARRAY = 0x5b;
const CLOSE_ARRAY = 0x5d;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;
const COMMA = 0x2c;
const BLANK = 0x20;

/** First byte that is no white space. */
export function skipBlanks(source: Uint8Array, from: number): number {
  let at = from;
  while (at < source.length) {
    const byte = source[at];
    if (byte !== BLANK && byte !== 0x0a && byte !== 0x0d && byte !== 0x09) break;
    at++;
  }
  return at;
}

/** The quote that ends the string whose inside begins at `from`. */
export function stringEnd(source: Uint8Array, from: number): number {
  const { length } = source;
  for (let at = from; at < length; at++) {
    const byte = source[at];
    if (byte === QUOTE) return at;
    if (byte < BLANK) return -1;
    if (byte === BACKSLASH) at++;
  }
  return -1;
}

/** Behind the value that begins at `from`. */
export function valueEnd(source: Uint8Array, from: number): number {
  const byte = source[from];
  if (byte === QUOTE) {
    const end = stringEnd(source, from + 1);
    return end < 0 ? -1 : end + 1;
  }
  if (byte === OPEN_OBJECT || byte === OPEN_ARRAY) {
    const end = closing(source, from + 1);
    return end < 0 ? -1 : end + 1;
  }
  let at = from;
  for (; at < source.length; at++) {
    const next = source[at];
    if (next <= BLANK || next === COMMA || next === CLOSE_OBJECT || next === CLOSE_ARRAY) break;
  }
  return at === from ? -1 : at;
}

/** The bracket or brace that closes what was opened before `from`. */
export function closing(source: Uint8Array, from: number): number {
  let depth = 1;
  for (let at = from; at < source.length; at++) {
    const byte = source[at];
    if (byte === QUOTE) {
      at = stringEnd(source, at + 1);
      if (at < 0) return -1;
    } else if (byte === OPEN_OBJECT || byte === OPEN_ARRAY) depth++;
    else if (byte === CLOSE_OBJECT || byte === CLOSE_ARRAY) {
      if (--depth === 0) return at;
    } else if (byte === 0) return -1;
  }
  return -1;
}
