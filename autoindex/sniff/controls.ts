/** What a file's name promises: a text of a known language, or nothing. */
export type Expected = "text" | "anything";

/** How much of a file is looked at for bytes that no text has. */
const SNIFFED = 32 * 1024;

/** Control characters that text files do have: backspace, tab, line feed, vertical tab, form feed, return, escape. */
const HARMLESS = [8, 9, 10, 11, 12, 13, 27];
/** By byte: 1 for control characters that they have not. NUL is counted apart. */
const ODD = Uint8Array.from({ length: 256 }, (_, byte) => {
  return (byte > 0 && byte < 32 && !HARMLESS.includes(byte)) || byte === 127 ? 1 : 0;
});

/** One control character in so many bytes is the most that a text has; where the name promises a text it may be damaged more. */
const BYTES_PER_CONTROL: Readonly<Record<Expected, number>> = { anything: 30, text: 8 };
/** The same for NUL, which no text has by intent: a slip of an editor, a disk, a tool in a language of strings with NULs. */
const BYTES_PER_NUL: Readonly<Record<Expected, number>> = { anything: 1024, text: 24 };
/** Text that must stand before a padding of NULs where the name promises nothing. */
const MIN_PADDED = 32;

const strict = new TextDecoder("utf-8", { fatal: true });

/**
 * Whether bytes are those of a text but for a few that no text has: control characters among them are rare, NULs rarer,
 * and what has NULs inside is UTF-8 throughout, as chance hardly makes it. NULs at the end are a padding: a file
 * that was made long before it was written, a block of a disk that was never filled. Nearly all binaries fail on each count.
 */
export function looksText(bytes: Uint8Array, expected: Expected): boolean {
  const firstNul = bytes.indexOf(0);
  if (firstNul < 0) return hasFewControls(bytes, expected);
  const content = withoutPadding(bytes);
  if (content.length === 0 || !hasFewControls(content, expected)) return false;
  if (firstNul >= content.length) return expected === "text" || isLines(content);
  return countNuls(content, firstNul) * BYTES_PER_NUL[expected] <= content.length && isUtf8(content);
}

/** The same of characters: a text of two or four bytes each. */
export function hasFewNuls(text: string): boolean {
  const first = text.indexOf("\0");
  if (first < 0) return true;
  const content = text.replace(/\0+$/, "");
  return content !== "" && content.split("\0", 100).length - 1 <= content.length / BYTES_PER_NUL.anything;
}

function hasFewControls(bytes: Uint8Array, expected: Expected): boolean {
  const length = Math.min(bytes.length, SNIFFED);
  let odd = 0;
  for (let at = 0; at < length; at++) odd += ODD[bytes[at]!]!;
  return odd * BYTES_PER_CONTROL[expected] <= length;
}

function withoutPadding(bytes: Uint8Array): Uint8Array {
  let end = bytes.length;
  while (end > 0 && bytes[end - 1] === 0) end--;
  return bytes.subarray(0, end);
}

function isLines(bytes: Uint8Array): boolean {
  return bytes.length >= MIN_PADDED && bytes.includes(10) && isUtf8(bytes);
}

function countNuls(bytes: Uint8Array, first: number): number {
  let count = 0;
  for (let at = first; at >= 0; at = bytes.indexOf(0, at + 1)) count++;
  return count;
}

function isUtf8(bytes: Uint8Array): boolean {
  try {
    strict.decode(bytes);
    return true;
  } catch {
    return false;
  }
}
