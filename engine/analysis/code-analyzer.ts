/**
 * The analyzer `pinakes_code`. An identifier is a run of letters, digits, `_` and `$`; everything else separates. It gives
 * its whole in lower case, and from the whole's position on its parts: cut at camelCase, between letters and digits, and
 * at `_` and `$`.
 *
 *   readTimeoutHandler   readtimeouthandler@0 read@0 timeout@1 handler@2
 *   HTTPServer2          httpserver2@0 http@0 server@1 2@2
 *   std::vector          std@0 vector@1
 *
 * An identifier that is its own only part is given once. One of more than 255 bytes (data, not a name) is given by its
 * parts alone, each cut every 255 bytes.
 *
 * Chinese, Japanese and Korean are written without blanks, or with endings that are no word's own: a part of their letters
 * is given by its bigrams, as Lucene's CJKBigramFilter does by default; a single letter stands for itself.
 *
 *   東京タワー             東京タワー@0 東京@0 京タ@1 タワ@2 ワー@3
 *
 * `codeTokens` is the meaning, on strings; `analyzeCode` is the same on bytes for the write path, by a kernel.
 */
import { endOfIdentifier, MAX_WORD_BYTES as MAX_BYTES } from "../kernels/code-words.js";
import type { Kernels } from "../kernels/kernels.js";
import { lowerCase } from "./lower-case.js";
import type { Token } from "./token.js";

/** Bytes of an entry (engine/memtable/prepared.ts). */
const TOKEN_BYTES = 16;

const IDENTIFIER = /[\p{L}\p{N}_$]+/gu;
/** Letters of Chinese, Japanese and Korean, the marks that go on with them (`々`, `ー`) among them. */
const CJK = "[[\\p{scx=Han}\\p{scx=Hiragana}\\p{scx=Katakana}\\p{scx=Hangul}]--\\p{N}]";
const PART = new RegExp(
  `\\p{Lu}+(?!\\p{Ll})|\\p{Lu}?\\p{Ll}+|\\p{N}+|\\p{Lu}|(${CJK}+)|[[^\\p{Lu}\\p{Ll}\\p{N}_$]--${CJK}]+`,
  "gv",
);

/** Tokens of a text, in lower case. */
export function codeTokens(text: string): Token[] {
  const tokens: Token[] = [];
  let position = 0;
  for (const { 0: identifier, index: start } of text.matchAll(IDENTIFIER)) {
    const parts = [...identifier.matchAll(PART)].flatMap((part) => {
      const cut = part[1] === undefined ? pieces(part[0]) : bigrams(part[0]);
      return cut.map(([piece, offset]): [string, number] => [piece, part.index + offset]);
    });
    if (parts.length === 0) continue;
    const whole = codeToken(identifier, start, position, parts.length);
    if (parts[0][0] !== identifier && Buffer.byteLength(whole.term) <= MAX_BYTES) tokens.push(whole);
    for (const [piece, offset] of parts) tokens.push(codeToken(piece, start + offset, position++, 1));
  }
  return tokens;
}

function codeToken(written: string, start: number, position: number, positionLength: number): Token {
  const end = start + written.length;
  return { term: lowerCase(written), start, end, position, positionLength, type: "word" };
}

/** Each letter with the one behind it, and where that begins; a single letter alone. */
function bigrams(part: string): [string, number][] {
  const letters = [...part];
  if (letters.length === 1) return [[part, 0]];
  let at = 0;
  return letters.slice(1).map((letter, before) => {
    const found: [string, number] = [letters[before] + letter, at];
    at += letters[before].length;
    return found;
  });
}

/** A part cut so that no piece is longer than MAX_BYTES in UTF-8, with the piece's offset. */
function pieces(part: string): [string, number][] {
  if (part.length * 3 <= MAX_BYTES || Buffer.byteLength(lowerCase(part)) <= MAX_BYTES) return [[part, 0]];
  const found: [string, number][] = [];
  let from = 0;
  let bytes = 0;
  let at = 0;
  for (const char of part) {
    const size = Buffer.byteLength(lowerCase(char));
    if (bytes + size > MAX_BYTES) {
      found.push([part.slice(from, at), from]);
      from = at;
      bytes = 0;
    }
    bytes += size;
    at += char.length;
  }
  found.push([part.slice(from), from]);
  return found;
}

/**
 * Where tokens of the write path go: entries as engine/memtable/prepared.ts lays them out, and the text they point into. The parts of an identifier point into the bytes of its whole.
 */
export interface TokenSink {
  readonly bytes: Uint8Array;
  readonly words: Uint32Array;
  /** Address of entry 0, a multiple of 4. */
  tokens: number;
  /** Entries that fit. */
  capacity: number;
  /** Entries written so far. */
  count: number;
  /** Address of the text that entries count from. */
  text: number;
  /** Bytes of text written so far, and how many fit. */
  textBytes: number;
  textRoom: number;
  /** Position of the next token. */
  position: number;
  /** Address of a CodeWordsDone, for the kernel. */
  done: number;
}

/**
 * Analyses UTF-8 bytes [start, end) of the sink's memory into the sink, whose text must have room for as many bytes and 16
 * more. Hashes are filled. Returns `end`, or, when entries or text ran out, where to go on once there is more room: an
 * identifier with letters beyond ASCII wants WIDE_TEXT bytes for each of its own.
 */
export function analyzeCode(kernels: Kernels, sink: TokenSink, start: number, end: number): number {
  const { words } = sink;
  let at = start;
  while (at < end) {
    at = kernels.codeWords({
      source: at,
      end,
      text: sink.text,
      textBytes: sink.textBytes,
      tokens: sink.tokens + TOKEN_BYTES * sink.count,
      capacity: sink.capacity - sink.count,
      position: sink.position,
      done: sink.done,
    });
    const done = sink.done >>> 2;
    sink.count += words[done];
    sink.textBytes = words[done + 1];
    sink.position = words[done + 2];
    if (at === end) break;
    const stop = endOfIdentifier(sink.bytes, at, end);
    // At most a token per byte, and the whole.
    if (sink.count + (stop - at) + 1 > sink.capacity) return at;
    if (sink.textBytes + WIDE_TEXT * (stop - at) + (end - stop) + 16 > sink.textRoom) return at;
    analyzeWide(kernels, sink, at, stop);
    at = stop;
  }
  return end;
}

/** Bytes of text that a byte of a wide identifier gives at most: in its whole and its parts, half as long again in lower case; in its whole and two bigrams. */
export const WIDE_TEXT = 3;

function addEntry(sink: TokenSink, start: number, length: number, position: number): void {
  const entry = (sink.tokens >>> 2) + 4 * sink.count++;
  const { words } = sink;
  words[entry] = start;
  words[entry + 1] = length;
  words[entry + 2] = position;
}

/** An identifier with code points beyond ASCII: rare, so by way of strings. */
function analyzeWide(kernels: Kernels, sink: TokenSink, from: number, end: number): void {
  const text = Buffer.from(sink.bytes.buffer, sink.bytes.byteOffset + from, end - from).toString("utf8");
  const first = sink.position;
  const count = sink.count;
  for (const token of codeTokens(text)) {
    writeTerm(sink, token.term, first + token.position);
    sink.position = first + token.position + 1;
  }
  kernels.hashTokens(sink.text, sink.tokens + TOKEN_BYTES * count, sink.count - count);
}

/** Appends one term to the sink as an entry of its own. There must be room for both. */
export function writeTerm(sink: TokenSink, term: string, position: number): void {
  const { bytes } = sink;
  const memory = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const length = memory.write(term, sink.text + sink.textBytes, "utf8");
  addEntry(sink, sink.textBytes, length, position);
  sink.textBytes += length;
}
