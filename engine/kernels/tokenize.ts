/**
 * Word boundaries of UAX #29 for ASCII, as Lucene's StandardTokenizer draws them, with lower-casing.
 *
 * Letters, digits and underscores join. Between two letters one of `: . '` joins; between two digits one of
 * `, ; . '` does. A run of underscores alone is no word. A word of more than 255 bytes is cut every 255 bytes as
 * Lucene's scanner does it: the buffer ends there, so a joining character at a cut has lost a neighbour and falls out.
 */
import { hashTokens } from "./hash.js";
import type { MemoryViews } from "./memory.js";

/** Longest token in bytes (StandardAnalyzer.DEFAULT_MAX_TOKEN_LENGTH). */
export const MAX_TOKEN_BYTES = 255;

const isLetter = (byte: number): boolean => (byte | 0x20) >= 0x61 && (byte | 0x20) <= 0x7a;
const isDigit = (byte: number): boolean => byte >= 0x30 && byte <= 0x39;
const isWordByte = (byte: number): boolean => isLetter(byte) || isDigit(byte) || byte === 0x5f;
const joinsLetters = (byte: number): boolean => byte === 0x2e || byte === 0x27 || byte === 0x3a;
const joinsDigits = (byte: number): boolean => byte === 0x2e || byte === 0x27 || byte === 0x2c || byte === 0x3b;

/** See Kernels.tokenizeStandard. */
export function tokenizeStandard(
  memory: MemoryViews,
  source: number,
  length: number,
  lower: number,
  tokens: number,
  firstPosition: number,
): number {
  const { u8 } = memory;
  const text = u8.subarray(source, source + length);
  if (text.some((byte) => byte >= 0x80)) return -1;
  text.forEach((byte, at) => {
    u8[lower + at] = byte >= 0x41 && byte <= 0x5a ? byte | 0x20 : byte;
  });
  let count = 0;
  let at = 0;
  while (at < length) {
    if (!belongs(text, at)) {
      at++;
      continue;
    }
    const start = at;
    while (at < length && belongs(text, at)) at++;
    for (const [from, to] of pieces(text, start, at)) {
      writeToken(memory, tokens + 16 * count, from, to - from, firstPosition + count);
      count++;
    }
  }
  hashTokens(memory, lower, tokens, count);
  return count;
}

function belongs(text: Uint8Array, at: number): boolean {
  const byte = text[at];
  if (isWordByte(byte)) return true;
  const before = at > 0 ? text[at - 1] : 0;
  const after = at + 1 < text.length ? text[at + 1] : 0;
  if (joinsLetters(byte) && isLetter(before) && isLetter(after)) return true;
  return joinsDigits(byte) && isDigit(before) && isDigit(after);
}

/** The tokens of the run [start, end). */
function pieces(text: Uint8Array, start: number, end: number): [number, number][] {
  const found: [number, number][] = [];
  let from = start;
  while (from < end) {
    let to = Math.min(end, from + MAX_TOKEN_BYTES);
    const isWord = isWordByte(text[from]) && text.subarray(from, to).some((byte) => byte !== 0x5f);
    if (!isWord) {
      from++; // as the scanner does where no rule matches
      continue;
    }
    if (to < end && !isWordByte(text[to - 1])) to--;
    found.push([from, to]);
    from = to;
  }
  return found;
}

function writeToken(memory: MemoryViews, entry: number, start: number, length: number, position: number): void {
  const { view } = memory;
  view.setUint32(entry, start, true);
  view.setUint32(entry + 4, length, true);
  view.setUint32(entry + 8, position, true);
}
