/** A text whose characters take two or four bytes, with or without a byte order mark. */
export interface WideText {
  text: string;
  encoding: WideEncoding;
}

/** UTF-16 and UTF-32 by the order of their bytes. */
export type WideEncoding = "utf-16le" | "utf-16be" | "utf-32le" | "utf-32be";

/** Byte order marks, the longer ones first: that of UTF-32 begins as that of UTF-16. */
const MARKS: readonly [bytes: readonly number[], encoding: WideEncoding][] = [
  [[0xff, 0xfe, 0, 0], "utf-32le"],
  [[0, 0, 0xfe, 0xff], "utf-32be"],
  [[0xff, 0xfe], "utf-16le"],
  [[0xfe, 0xff], "utf-16be"],
];

/** Bytes that are looked at where there is no mark. */
const SAMPLE = 16 * 1024;
/** Characters that a text without a mark must have, and how many of them must be ASCII: line ends, blanks, names. */
const MIN_LENGTH = 4;
const MIN_ASCII_SHARE = 0.03;
/** Of its characters, those that texts are made of. */
const MIN_READABLE_SHARE = 0.98;
const READABLE =
  /[\t\n\r -~\u00a0-\u024f\u0370-\u052f\u05d0-\u05ea\u0600-\u06ff\u0900-\u097f\u0e00-\u0e7f\u1e00-\u1eff\u2010-\u203a\u20a0-\u20bf\u2190-\u22ff\u2500-\u25ff\u3000-\u30ff\u3400-\u9fff\uac00-\ud7a3\uff01-\uffee]|[\u0300-\u036f]|[\ud83c-\ud83e][\udc00-\udfff]/g;

/** The text after a byte order mark; the mark is not part of it. */
export function decodeMarkedWide(bytes: Uint8Array): WideText | undefined {
  const row = MARKS.find(([mark]) => mark.every((byte, at) => bytes[at] === byte));
  if (!row) return undefined;
  const [mark, encoding] = row;
  const text = decodeWide(bytes.subarray(mark.length), encoding);
  if (text !== undefined) return { text, encoding };
  // Two NULs behind the mark of UTF-16 are no mark of UTF-32.
  return encoding === "utf-32le"
    ? { text: decodeWide(bytes.subarray(2), "utf-16le") ?? "\0", encoding: "utf-16le" }
    : undefined;
}

/**
 * A text without a mark, told by how it reads: nearly all of its characters are ones that texts are made of, some of
 * them ASCII. In the wrong byte order, ASCII becomes rare ideographs. A text of ideographs alone cannot be told.
 */
export function decodeUnmarkedWide(bytes: Uint8Array): WideText | undefined {
  // Wide ASCII is half NULs; a text without any is not looked at.
  if (!bytes.subarray(0, SAMPLE).includes(0)) return undefined;
  for (const encoding of ["utf-32le", "utf-32be", "utf-16le", "utf-16be"] as const) {
    if (bytes.length % widthOf(encoding) !== 0) continue;
    const sample = decodeWide(bytes.subarray(0, SAMPLE), encoding);
    if (sample === undefined || !isReadable(sample)) continue;
    const text = decodeWide(bytes, encoding);
    if (text !== undefined && !text.includes("\0")) return { text, encoding };
  }
  return undefined;
}

function isReadable(text: string): boolean {
  if (text.length < MIN_LENGTH) return false;
  const ascii = text.match(/[\t\n\r -~]/g)?.length ?? 0;
  const readable = text.match(READABLE)?.join("").length ?? 0;
  return ascii >= text.length * MIN_ASCII_SHARE && readable >= text.length * MIN_READABLE_SHARE;
}

function widthOf(encoding: WideEncoding): 2 | 4 {
  return encoding.startsWith("utf-16") ? 2 : 4;
}

/** Nothing when the bytes are not of the encoding. A text may be cut in its last character. */
function decodeWide(bytes: Uint8Array, encoding: WideEncoding): string | undefined {
  if (encoding === "utf-16le" || encoding === "utf-16be")
    return new TextDecoder(encoding, { ignoreBOM: true }).decode(bytes);
  return decodeFourBytes(bytes, encoding === "utf-32le");
}

/** Code points to the text; Node has no decoder for them. */
function decodeFourBytes(bytes: Uint8Array, isLittleEndian: boolean): string | undefined {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  const pieces: string[] = [];
  const points: number[] = [];
  for (let at = 0; at + 4 <= bytes.length; at += 4) {
    const point = view.getUint32(at, isLittleEndian);
    if (point > 0x10ffff || (point >= 0xd800 && point < 0xe000)) return undefined;
    points.push(point);
    if (points.length === 1024) pieces.push(String.fromCodePoint(...points.splice(0)));
  }
  pieces.push(String.fromCodePoint(...points));
  return pieces.join("");
}
