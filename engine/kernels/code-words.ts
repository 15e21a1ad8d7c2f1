/**
 * The words of code, as bytes: identifiers and their parts, lower-cased. What they are and why is said by
 * engine/analysis/code-analyzer.ts, whose `codeTokens` is the same on strings.
 *
 * An identifier is a run of letters, digits, `_`, `$` and bytes of longer code points. One with such bytes is not read
 * here: the kernel stops at it. Its bytes, in lower case, go behind the text so far, and its parts point into them.
 */
import { hashBytes } from "./hash.js";
import type { MemoryViews } from "./memory.js";

/** What to read and where the words go. The text must have room for `end - source` bytes and 16 more. */
export interface CodeWords {
  /** Bytes [source, end); 64 bytes behind them must be readable. */
  source: number;
  end: number;
  /** Address that entries count from, and the bytes of text that are there already. */
  text: number;
  textBytes: number;
  /** Address of the next entry (16 bytes: start, length, position, hash), and how many fit. */
  tokens: number;
  capacity: number;
  /** Position of the next word. */
  position: number;
  /** Where it is told what was written: one CodeWordsDone. */
  done: number;
}

/** Three u32: entries written, bytes of text that are there now, position of the next word. */
export const CodeWordsDone = { count: 0, textBytes: 4, position: 8, bytes: 12 } as const;

/** Longest word in bytes. */
export const MAX_WORD_BYTES = 255;

/** Classes of bytes. */
const SEPARATOR = 0;
const LOWER = 1;
const UPPER = 2;
const DIGIT = 3;
/** `_` and `$`: in the whole, in no part. */
const JOINER = 4;
/** Part of a code point beyond ASCII. */
const WIDE = 5;

function classOf(byte: number): number {
  if (byte >= 0x61 && byte <= 0x7a) return LOWER;
  if (byte >= 0x41 && byte <= 0x5a) return UPPER;
  if (byte >= 0x30 && byte <= 0x39) return DIGIT;
  if (byte === 0x5f || byte === 0x24) return JOINER;
  return byte >= 0x80 ? WIDE : SEPARATOR;
}

/** End of the identifier that goes on at `at`. */
export function endOfIdentifier(bytes: Uint8Array, at: number, end: number): number {
  let stop = at;
  while (stop < end && classOf(bytes[stop]) !== SEPARATOR) stop++;
  return stop;
}

/** See Kernels.codeWords. */
export function codeWords(memory: MemoryViews, run: CodeWords): number {
  const { u8, view } = memory;
  const state = { ...run, memory, count: 0 };
  let at = run.source;
  while (at < run.end) {
    const stop = endOfIdentifier(u8, at, run.end);
    const classes = new Set(Array.from(u8.subarray(at, stop), classOf));
    // At most a word per byte, and the whole.
    if (classes.has(WIDE) || (stop > at && state.count + (stop - at) + 1 > run.capacity)) break;
    if ([...classes].some((kind) => kind !== JOINER)) readIdentifier(state, at, stop);
    at = stop === at ? at + 1 : stop;
  }
  view.setUint32(run.done + CodeWordsDone.count, state.count, true);
  view.setUint32(run.done + CodeWordsDone.textBytes, state.textBytes, true);
  view.setUint32(run.done + CodeWordsDone.position, state.position, true);
  return at;
}

interface State extends CodeWords {
  readonly memory: MemoryViews;
  count: number;
}

function readIdentifier(state: State, from: number, end: number): void {
  const { u8 } = state.memory;
  const shift = state.textBytes - from;
  for (let at = from; at < end; at++) {
    u8[state.text + shift + at] = classOf(u8[at]) === UPPER ? u8[at] + 32 : u8[at];
  }
  let at = from;
  while (classOf(u8[at]) === JOINER) at++;
  let partEnd = endOfPart(u8, at, end);
  if (partEnd - at !== end - from && end - from <= MAX_WORD_BYTES) addEntry(state, shift + from, end - from);
  for (;;) {
    for (let piece = at; piece < partEnd; piece += MAX_WORD_BYTES) {
      addEntry(state, shift + piece, Math.min(MAX_WORD_BYTES, partEnd - piece));
      state.position++;
    }
    at = partEnd;
    while (at < end && classOf(u8[at]) === JOINER) at++;
    if (at === end) break;
    partEnd = endOfPart(u8, at, end);
  }
  state.textBytes += end - from;
}

/** End of the part that begins at `at`: a run of digits, of capitals, or of small letters with a capital before them. */
function endOfPart(bytes: Uint8Array, at: number, end: number): number {
  const kind = classOf(bytes[at]);
  let stop = at + 1;
  while (stop < end && classOf(bytes[stop]) === kind) stop++;
  if (kind !== UPPER || stop === end || classOf(bytes[stop]) !== LOWER) return stop;
  // The last capital of a run belongs to the word that follows it.
  if (stop - at > 1) return stop - 1;
  while (stop < end && classOf(bytes[stop]) === LOWER) stop++;
  return stop;
}

function addEntry(state: State, start: number, length: number): void {
  const { view } = state.memory;
  const entry = state.tokens + 16 * state.count++;
  view.setUint32(entry, start, true);
  view.setUint32(entry + 4, length, true);
  view.setUint32(entry + 8, state.position, true);
  view.setUint32(entry + 12, hashBytes(state.memory, state.text + start, length), true);
}
