/**
 * Strings of JSON between their quotes, as bytes: how far one goes without anything that has to be looked at, and what
 * a checked one means.
 */
import type { MemoryViews } from "./memory.js";

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const LETTER_U = 0x75;

/** Value of a hexadecimal digit, or -1. */
export function hexDigit(byte: number): number {
  if (byte >= 0x30 && byte <= 0x39) return byte - 0x30;
  const lower = byte | 0x20;
  return lower >= 0x61 && lower <= 0x66 ? lower - 0x57 : -1;
}

/** What a letter behind a backslash stands for; 0: nothing, or `\u`. */
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

/** See Kernels.plainText. */
export function plainText({ u8 }: MemoryViews, address: number): number {
  let at = address;
  let escapes = 0;
  for (;;) {
    const byte = u8[at];
    if (byte === BACKSLASH && ESCAPED[u8[at + 1]] !== 0) {
      escapes = 1;
      at += 2;
    } else if (byte === QUOTE || byte === BACKSLASH || byte < 0x20 || byte >= 0x80) break;
    else at++;
  }
  return 2 * (at - address) + escapes;
}

/** See Kernels.unescapeText. */
export function unescapeText({ u8: bytes }: MemoryViews, source: number, end: number, target: number): number {
  let at = source;
  let to = target;
  while (at < end) {
    const byte = bytes[at++];
    if (byte !== BACKSLASH) {
      bytes[to++] = byte;
      continue;
    }
    const letter = bytes[at++];
    if (letter !== LETTER_U) {
      bytes[to++] = ESCAPED[letter];
      continue;
    }
    let unit = readHex(bytes, at);
    at += 4;
    if (unit >= 0xd800 && unit <= 0xdbff && at < end && bytes[at] === BACKSLASH && bytes[at + 1] === LETTER_U) {
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
