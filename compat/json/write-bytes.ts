/** Numbers and texts written into a buffer byte by byte, where there are so many of them that strings would be dear. */

const BACKSLASH = 0x5c;
const ZERO = 0x30;
const HEX = Buffer.from("0123456789abcdef");

/** Letters behind the backslash; 1: as a code unit (`\u001f`); 0: as it is. */
const ESCAPES = new Uint8Array(256).fill(1, 0, 0x20);
for (const [byte, letter] of Object.entries({ 8: "b", 9: "t", 10: "n", 12: "f", 13: "r", 34: '"', 92: "\\" })) {
  ESCAPES[Number(byte)] = letter.charCodeAt(0);
}

/** Numbers up to here are written digit by digit. */
const SMALL = 2 ** 31;

/** Writes a whole number that is not negative; returns where it ends. At most 16 bytes. */
export function writeWhole(buffer: Buffer, at: number, value: number): number {
  if (value < 10) {
    buffer[at] = ZERO + value;
    return at + 1;
  }
  if (value >= SMALL) return at + buffer.write(String(value), at, "latin1");
  let end = at + 1;
  for (let rest = value; rest >= 10; rest = (rest / 10) | 0) end++;
  let rest = value | 0;
  for (let place = end - 1; place >= at; place--) {
    const tens = (rest / 10) | 0;
    buffer[place] = ZERO + rest - 10 * tens;
    rest = tens;
  }
  return end;
}

/**
 * Writes bytes [begin, end) of a text in ASCII as they stand between the quotes of a string, as `JSON.stringify` escapes them;
 * returns where they end. At most 6 bytes for each.
 */
export function writeEscaped(
  buffer: Buffer,
  at: number,
  text: Uint8Array,
  { begin, end }: { readonly begin: number; readonly end: number },
): number {
  let to = at;
  for (let i = begin; i < end; i++) {
    const byte = text[i];
    const letter = ESCAPES[byte];
    if (letter === 0) {
      buffer[to++] = byte;
      continue;
    }
    buffer[to++] = BACKSLASH;
    if (letter !== 1) {
      buffer[to++] = letter;
      continue;
    }
    buffer[to++] = 0x75; // u
    buffer[to++] = ZERO;
    buffer[to++] = ZERO;
    buffer[to++] = HEX[byte >>> 4];
    buffer[to++] = HEX[byte & 15];
  }
  return to;
}

/** The same as text where bytes beyond ASCII must be looked at (what is no UTF-8 becomes U+FFFD); null: there are none. */
export function escapedText(text: Uint8Array, begin: number, end: number): string | null {
  for (let i = begin; i < end; i++) {
    if (text[i] < 0x80) continue;
    const decoded = Buffer.from(text.buffer, text.byteOffset + begin, end - begin).toString("utf8");
    return JSON.stringify(decoded).slice(1, -1);
  }
  return null;
}
