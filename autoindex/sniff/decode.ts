import { type Expected, hasFewNuls, looksText } from "./controls.js";
import { decodeLegacy, type LegacyEncoding } from "./legacy.js";
import { decodeMarkedWide, decodeUnmarkedWide, type WideEncoding } from "./wide.js";

/** A file's text, or the finding that it has none. */
export type Decoded = { kind: "text"; text: string; encoding: Encoding } | { kind: "binary" };

/** The encodings that are told apart. */
export type Encoding = "utf-8" | "utf-8 (damaged)" | "utf-8-bom" | WideEncoding | LegacyEncoding | "windows-1252";

/** Characters of several bytes for each damaged one that show that a text is UTF-8 all the same. */
const WHOLE_PER_DAMAGED = 3;

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
 * Decodes by content: byte order marks first, then NUL and control bytes mean binary (unless they are few, see
 * controls.ts; the name may promise a text) or a text of wide characters (see wide.ts), then UTF-8 if every byte
 * fits or nearly all do, else the encoding before UTF-8 that the letters speak for (see legacy.ts), else windows-1252.
 * The mark is not part of the text.
 */
export function decode(bytes: Uint8Array, expected: Expected = "anything"): Decoded {
  const marked = decodeMarked(bytes, expected);
  if (marked) return marked;
  const wide = decodeUnmarkedWide(bytes);
  if (wide) return { kind: "text", ...wide };
  if (!looksText(bytes, expected)) return { kind: "binary" };
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

function decodeMarked(bytes: Uint8Array, expected: Expected): Decoded | undefined {
  const [a, b, c] = bytes;
  if (a === 0xef && b === 0xbb && c === 0xbf) {
    const rest = bytes.subarray(3);
    if (!looksText(rest, expected)) return { kind: "binary" };
    return { kind: "text", text: new TextDecoder("utf-8", { ignoreBOM: true }).decode(rest), encoding: "utf-8-bom" };
  }
  const wide = decodeMarkedWide(bytes);
  if (!wide) return undefined;
  return hasFewNuls(wide.text) ? { kind: "text", ...wide } : { kind: "binary" };
}
