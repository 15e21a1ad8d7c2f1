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
 * `codeTokens` is the meaning, on strings; `analyzeCode` is the same on bytes for the write path, twenty times as fast.
 */
import { lowerCase } from "./lower-case.js";
import type { Token } from "./token.js";

/** Longest token in bytes. */
const MAX_BYTES = 255;

const IDENTIFIER = /[\p{L}\p{N}_$]+/gu;
const PART = /\p{Lu}+(?!\p{Ll})|\p{Lu}?\p{Ll}+|\p{N}+|\p{Lu}|[^\p{Lu}\p{Ll}\p{N}_$]+/gu;

/** Tokens of a text, in lower case. */
export function codeTokens(text: string): Token[] {
  const tokens: Token[] = [];
  let position = 0;
  for (const { 0: identifier, index: start } of text.matchAll(IDENTIFIER)) {
    const parts = [...identifier.matchAll(PART)];
    if (parts.length === 0) continue;
    const whole = codeToken(identifier, start, position, parts.length);
    if (parts[0][0] !== identifier && Buffer.byteLength(whole.term) <= MAX_BYTES) tokens.push(whole);
    for (const part of parts) {
      for (const [piece, offset] of pieces(part[0])) {
        tokens.push(codeToken(piece, start + part.index + offset, position++, 1));
      }
    }
  }
  return tokens;
}

function codeToken(written: string, start: number, position: number, positionLength: number): Token {
  const end = start + written.length;
  return { term: lowerCase(written), start, end, position, positionLength, type: "word" };
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

/** Classes of bytes. */
const SEPARATOR = 0;
const LOWER = 1;
const UPPER = 2;
const DIGIT = 3;
/** `_` and `$`: in the whole, in no part. */
const JOINER = 4;
/** Part of a code point that needs decoding. */
const WIDE = 5;

const CLASS = new Uint8Array(256);
const LOWERED = new Uint8Array(256);
for (let byte = 0; byte < 256; byte++) {
  const upper = byte >= 0x41 && byte <= 0x5a;
  LOWERED[byte] = upper ? byte + 32 : byte;
  if (upper) CLASS[byte] = UPPER;
  else if (byte >= 0x61 && byte <= 0x7a) CLASS[byte] = LOWER;
  else if (byte >= 0x30 && byte <= 0x39) CLASS[byte] = DIGIT;
  else if (byte === 0x5f || byte === 0x24) CLASS[byte] = JOINER;
  else if (byte >= 0x80) CLASS[byte] = WIDE;
}

/**
 * Where tokens of the write path go: entries as engine/memtable/prepared.ts lays them out (hashes are left open), and
 * the text they point into. The parts of an identifier point into the bytes of its whole.
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
  /** Bytes of text written so far. */
  textBytes: number;
  /** Position of the next token. */
  position: number;
}

/**
 * Analyses UTF-8 bytes [start, end) of the sink's memory into the sink, whose text must have room for three bytes for
 * every two read. Returns `end`, or, when entries ran out, where to go on once there is more room.
 */
export function analyzeCode(sink: TokenSink, start: number, end: number): number {
  const { bytes } = sink;
  let at = start;
  while (at < end) {
    let kind = CLASS[bytes[at]];
    if (kind === SEPARATOR) {
      at++;
      continue;
    }
    const from = at;
    const target = sink.text + sink.textBytes - from;
    let kinds = 0;
    do {
      kinds |= 1 << kind;
      bytes[target + at] = LOWERED[bytes[at]];
      at++;
      if (at === end) break;
      kind = CLASS[bytes[at]];
    } while (kind !== SEPARATOR);
    // At most a token per byte, and the whole.
    if (sink.count + (at - from) + 1 > sink.capacity) return from;
    if ((kinds & (1 << WIDE)) !== 0) analyzeWide(sink, from, at);
    else if (kinds !== 1 << JOINER) analyzeIdentifier(sink, from, at);
  }
  return end;
}

/** One ASCII identifier, already lower-cased at the end of the sink's text. */
function analyzeIdentifier(sink: TokenSink, from: number, end: number): void {
  const { bytes } = sink;
  const textStart = sink.textBytes;
  let at = from;
  while (CLASS[bytes[at]] === JOINER) at++;
  let partEnd = endOfPart(bytes, at, end);
  if (partEnd - at !== end - from && end - from <= MAX_BYTES) addEntry(sink, textStart, end - from, sink.position);
  for (;;) {
    for (let piece = at; piece < partEnd; piece += MAX_BYTES) {
      addEntry(sink, textStart + piece - from, Math.min(MAX_BYTES, partEnd - piece), sink.position++);
    }
    at = partEnd;
    while (at < end && CLASS[bytes[at]] === JOINER) at++;
    if (at === end) break;
    partEnd = endOfPart(bytes, at, end);
  }
  sink.textBytes = textStart + end - from;
}

/** End of the part that begins at `at`: a run of digits, of capitals, or of small letters with a capital before them. */
function endOfPart(bytes: Uint8Array, at: number, end: number): number {
  const kind = CLASS[bytes[at]];
  let stop = at + 1;
  while (stop < end && CLASS[bytes[stop]] === kind) stop++;
  if (kind !== UPPER || stop === end || CLASS[bytes[stop]] !== LOWER) return stop;
  // The last capital of a run belongs to the word that follows it.
  if (stop - at > 1) return stop - 1;
  while (stop < end && CLASS[bytes[stop]] === LOWER) stop++;
  return stop;
}

function addEntry(sink: TokenSink, start: number, length: number, position: number): void {
  const entry = (sink.tokens >>> 2) + 4 * sink.count++;
  const { words } = sink;
  words[entry] = start;
  words[entry + 1] = length;
  words[entry + 2] = position;
}

/** A run with code points beyond ASCII: rare, so by way of strings. */
function analyzeWide(sink: TokenSink, from: number, end: number): void {
  const text = Buffer.from(sink.bytes.buffer, sink.bytes.byteOffset + from, end - from).toString("utf8");
  const first = sink.position;
  for (const token of codeTokens(text)) {
    writeTerm(sink, token.term, first + token.position);
    sink.position = first + token.position + 1;
  }
}

/** Appends one term to the sink as an entry of its own. There must be room for both. */
export function writeTerm(sink: TokenSink, term: string, position: number): void {
  const { bytes } = sink;
  const memory = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const length = memory.write(term, sink.text + sink.textBytes, "utf8");
  addEntry(sink, sink.textBytes, length, position);
  sink.textBytes += length;
}
