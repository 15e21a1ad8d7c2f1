/**
 * Strings of JSON between their quotes, as bytes: what they mean. Their form was checked by the walk that found them.
 */

/** What a raw string holds. */
export const StringFlags = { escapes: 1, nonAscii: 2 } as const;

const QUOTE = 0x22;
const BACKSLASH = 0x5c;

/** Value of a hexadecimal digit, or -1. */
export function hexDigit(byte: number): number {
  if (byte >= 0x30 && byte <= 0x39) return byte - 0x30;
  const lower = byte | 0x20;
  return lower >= 0x61 && lower <= 0x66 ? lower - 0x57 : -1;
}

const ESCAPED = new Uint8Array(256);
for (const [letter, byte] of Object.entries({
  b: 8,
  t: 9,
  n: 10,
  f: 12,
  r: 13,
  '"': QUOTE,
  "\\": BACKSLASH,
  "/": 0x2f,
})) {
  ESCAPED[letter.charCodeAt(0)] = byte;
}

/**
 * Writes the meaning of a checked raw string [start, end) at `target` (same memory, not overlapping); never longer than
 * the raw form. Lone surrogates become U+FFFD, as Lucene stores them. Returns the number of bytes.
 */
export function unescapeString(bytes: Uint8Array, start: number, end: number, target: number): number {
  let at = start;
  let to = target;
  while (at < end) {
    const byte = bytes[at++];
    if (byte !== BACKSLASH) {
      bytes[to++] = byte;
      continue;
    }
    const letter = bytes[at++];
    if (letter !== 0x75) {
      bytes[to++] = ESCAPED[letter];
      continue;
    }
    let unit = readHex(bytes, at);
    at += 4;
    if (unit >= 0xd800 && unit <= 0xdbff && bytes[at] === BACKSLASH && bytes[at + 1] === 0x75 && at < end) {
      const low = readHex(bytes, at + 2);
      if (low >= 0xdc00 && low <= 0xdfff) {
        unit = 0x10000 + ((unit - 0xd800) << 10) + (low - 0xdc00);
        at += 6;
      }
    }
    to = writeCodePoint(bytes, to, unit >= 0xd800 && unit <= 0xdfff ? 0xfffd : unit);
  }
  return to - target;
}

function readHex(bytes: Uint8Array, at: number): number {
  return (
    (hexDigit(bytes[at]) << 12) |
    (hexDigit(bytes[at + 1]) << 8) |
    (hexDigit(bytes[at + 2]) << 4) |
    hexDigit(bytes[at + 3])
  );
}

function writeCodePoint(bytes: Uint8Array, at: number, codePoint: number): number {
  let to = at;
  if (codePoint < 0x80) bytes[to++] = codePoint;
  else {
    if (codePoint < 0x800) bytes[to++] = 0xc0 | (codePoint >> 6);
    else {
      if (codePoint < 0x10000) bytes[to++] = 0xe0 | (codePoint >> 12);
      else {
        bytes[to++] = 0xf0 | (codePoint >> 18);
        bytes[to++] = 0x80 | ((codePoint >> 12) & 0x3f);
      }
      bytes[to++] = 0x80 | ((codePoint >> 6) & 0x3f);
    }
    bytes[to++] = 0x80 | (codePoint & 0x3f);
  }
  return to;
}

/** Text of raw string bytes [start, end), escapes resolved. */
export function stringText(bytes: Uint8Array, start: number, end: number, flags: number): string {
  const raw = Buffer.from(bytes.buffer, bytes.byteOffset + start, end - start).toString("utf8");
  return (flags & StringFlags.escapes) === 0 ? raw : (JSON.parse(`"${raw}"`) as string);
}
