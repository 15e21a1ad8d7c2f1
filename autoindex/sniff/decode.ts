import { decodeLegacy, type LegacyEncoding } from "./legacy.js";

/** A file's text, or the finding that it has none. */
export type Decoded = { kind: "text"; text: string; encoding: Encoding } | { kind: "binary" };

/** The encodings that are told apart. */
export type Encoding =
  | "utf-8"
  | "utf-8 (damaged)"
  | "utf-8-bom"
  | "utf-16le"
  | "utf-16be"
  | LegacyEncoding
  | "windows-1252";

/** Characters of several bytes for each damaged one that show that a text is UTF-8 all the same. */
const WHOLE_PER_DAMAGED = 3;

/** How much of a file is looked at for bytes that no text has. */
const SNIFFED = 32 * 1024;

/** Control characters that text files do have: tab, line feed, form feed, carriage return, backspace, escape. */
const HARMLESS = new Set([8, 9, 10, 12, 13, 27]);

const strict = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
const lenient = new TextDecoder("utf-8", { ignoreBOM: true });

/**
 * windows-1252 for the bytes 0x80 to 0x9f, where it differs from Latin-1. Our own table, because some releases of
 * Node 20 decode that label as plain Latin-1.
 */
const WESTERN =
  "\u20ac\x81\u201a\u0192\u201e\u2026\u2020\u2021\u02c6\u2030\u0160\u2039\u0152\x8d\u017d\x8f" +
  "\x90\u2018\u2019\u201c\u201d\u2022\u2013\u2014\u02dc\u2122\u0161\u203a\u0153\x9d\u017e\u0178";

/**
 * Decodes by content alone: byte order marks first, then NUL and control bytes mean binary, then UTF-8 if every byte
 * fits or nearly all do, else the encoding before UTF-8 that the letters speak for (see legacy.ts), else windows-1252.
 * The mark is not part of the text.
 */
export function decode(bytes: Uint8Array): Decoded {
  const marked = decodeMarked(bytes);
  if (marked) return marked;
  if (looksBinary(bytes)) return { kind: "binary" };
  try {
    return { kind: "text", text: strict.decode(bytes), encoding: "utf-8" };
  } catch {
    // Not all of it is UTF-8.
  }
  const damaged = decodeDamaged(bytes);
  if (damaged !== undefined) return { kind: "text", text: damaged, encoding: "utf-8 (damaged)" };
  const legacy = decodeLegacy(bytes);
  if (legacy) return { kind: "text", ...legacy };
  return { kind: "text", text: decodeWestern(bytes), encoding: "windows-1252" };
}

/** UTF-8 with a few bytes that are none, each read as U+FFFD: a cut, a stray byte, a line pasted from elsewhere. */
function decodeDamaged(bytes: Uint8Array): string | undefined {
  const text = lenient.decode(bytes);
  let damaged = 0;
  let whole = 0;
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    if (unit === 0xfffd) damaged++;
    else if (unit >= 0x80 && !(unit >= 0xdc00 && unit < 0xe000)) whole++;
  }
  return whole >= damaged * WHOLE_PER_DAMAGED ? text : undefined;
}

function decodeWestern(bytes: Uint8Array): string {
  const latin = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString("latin1");
  return latin.replace(/[\x80-\x9f]/g, (char) => WESTERN[char.charCodeAt(0) - 0x80]!);
}

function decodeMarked(bytes: Uint8Array): Decoded | undefined {
  const [a, b, c] = bytes;
  if (a === 0xef && b === 0xbb && c === 0xbf) {
    const rest = bytes.subarray(3);
    if (looksBinary(rest)) return { kind: "binary" };
    return { kind: "text", text: new TextDecoder("utf-8", { ignoreBOM: true }).decode(rest), encoding: "utf-8-bom" };
  }
  if (a === 0xff && b === 0xfe) return wide(bytes, "utf-16le");
  if (a === 0xfe && b === 0xff) return wide(bytes, "utf-16be");
  return undefined;
}

function wide(bytes: Uint8Array, encoding: "utf-16le" | "utf-16be"): Decoded {
  const text = new TextDecoder(encoding, { ignoreBOM: true }).decode(bytes.subarray(2));
  return text.slice(0, SNIFFED).includes("\0") ? { kind: "binary" } : { kind: "text", text, encoding };
}

/** NUL anywhere, or more than one in thirty of the first bytes a control character. */
function looksBinary(bytes: Uint8Array): boolean {
  if (bytes.includes(0)) return true;
  const head = bytes.subarray(0, SNIFFED);
  let odd = 0;
  for (const byte of head) if ((byte < 32 && !HARMLESS.has(byte)) || byte === 127) odd++;
  return odd * 30 > head.length;
}
