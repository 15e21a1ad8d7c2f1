import { type Analyzer, analyzeCode, endPosition, type TokenSink, WIDE_TEXT, writeTerm } from "../analysis/index.js";
import { endOfIdentifier } from "../kernels/code-words.js";
import type { Kernels } from "../kernels/kernels.js";
import {
  MAX_TERM_BYTES,
  RECORD_HEADER_BYTES,
  RecordKind,
  TOKEN_ENTRY_BYTES,
  TOKENS_HEADER_BYTES,
} from "../memtable/prepared.js";
import type { Arena } from "../store/arena.js";
import { beginRecord, ensureRoom, type RecordOutput, writeExists } from "./prepare-output.js";
import type { FieldNode } from "./prepare-plan.js";
import { allocateFor } from "./prepare-room.js";

/**
 * The texts of one document, by field, and their analysis into TOKENS records. The values of a field are collected
 * while the document is walked and analysed at its end, because they may come from several places but make one record.
 */
export interface TextCollector {
  readonly arena: Arena;
  readonly kernels: Kernels;
  readonly output: RecordOutput;
  /** Four numbers per value: address, bytes, 1 if ASCII, place of the field's next value (-1: none). */
  texts: Float64Array;
  count: number;
  /** Fields with texts in the current document; the first `fieldCount` count. */
  readonly fields: FieldNode[];
  fieldCount: number;
  /** Number of the current document. */
  document: number;
  /** Region for analysed text before it is put behind the tokens. */
  textBase: number;
  textLimit: number;
  readonly sink: TokenSink;
}

/** Longer ASCII values go through the kernel in pieces of about this many bytes, cut where no word can be. */
const PIECE_BYTES = 1 << 16;
const VALUE_NUMBERS = 4;
/** Bytes behind the region for analysed text. */
const TEXT_SLACK = 64;

/** A collector without memory; the first text allocates it. */
export function createTextCollector(arena: Arena, kernels: Kernels, output: RecordOutput): TextCollector {
  return {
    arena,
    kernels,
    output,
    texts: new Float64Array(VALUE_NUMBERS * 64),
    count: 0,
    fields: [],
    fieldCount: 0,
    document: 0,
    textBase: 0,
    textLimit: 0,
    sink: {
      bytes: arena.u8,
      words: arena.u32,
      tokens: 0,
      capacity: 0,
      count: 0,
      text: 0,
      textBytes: 0,
      textRoom: 0,
      position: 0,
      done: 0,
    },
  };
}

/** Gives the collector's memory back. */
export function closeTextCollector(collector: TextCollector): void {
  if (collector.textBase !== 0) collector.arena.free(collector.textBase);
  collector.textBase = 0;
  collector.textLimit = 0;
}

/** Forgets the texts of the document before. */
export function beginTexts(collector: TextCollector): void {
  collector.document++;
  collector.count = 0;
  collector.fieldCount = 0;
}

/** Notes one value of a text field; its bytes must stay where they are until the document's end. */
export function addText(
  collector: TextCollector,
  node: FieldNode,
  start: number,
  length: number,
  ascii: boolean,
): void {
  const place = collector.count++;
  if ((place + 1) * VALUE_NUMBERS > collector.texts.length) {
    const larger = new Float64Array(collector.texts.length * 2);
    larger.set(collector.texts);
    collector.texts = larger;
  }
  const at = place * VALUE_NUMBERS;
  const { texts } = collector;
  texts[at] = start;
  texts[at + 1] = length;
  texts[at + 2] = ascii ? 1 : 0;
  texts[at + 3] = -1;
  if (node.textDocument === collector.document) texts[node.lastText * VALUE_NUMBERS + 3] = place;
  else {
    node.textDocument = collector.document;
    node.firstText = place;
    collector.fields[collector.fieldCount++] = node;
  }
  node.lastText = place;
}

/** Analyses all texts of the document and writes their records. */
export function writeTexts(collector: TextCollector): void {
  for (let i = 0; i < collector.fieldCount; i++) writeField(collector, collector.fields[i]);
}

function writeField(collector: TextCollector, node: FieldNode): void {
  if (!node.field.inverted) return;
  const { output, sink, texts } = collector;
  ensureTextRoom(collector, node);
  sink.count = 0;
  sink.textBytes = 0;
  sink.position = 0;
  sink.text = collector.textBase;
  ensureTokens(collector, 32);
  let overlaps = 0;
  for (let place = node.firstText; place >= 0; place = texts[place * VALUE_NUMBERS + 3]) {
    // Lucene adds the gap before every value but the first, tokens or not.
    if (place !== node.firstText) sink.position += node.gap;
    const { count, position } = sink;
    const at = place * VALUE_NUMBERS;
    analyzeValue(collector, node.analyzer!, texts[at], texts[at + 1], texts[at + 2] === 1);
    overlaps += overlapsSince(sink, { count, position }, node.analyzer!);
  }
  if (sink.count === 0) writeExists(output, node.field.ordinal);
  else finishRecord(collector, node.field.ordinal, sink.count - overlaps);
}

/**
 * Tokens that share their position with the one before: they don't count for the field's length. `before`: the sink as it
 * was when the value began.
 */
function overlapsSince(sink: TokenSink, before: Pick<TokenSink, "count" | "position">, analyzer: Analyzer): number {
  if (analyzer.path === "standard") return 0;
  // Parts of identifiers take a position each, wholes lie on that of their first part.
  if (analyzer.path === "code") return sink.count - before.count - (sink.position - before.position);
  const { words } = sink;
  let overlaps = 0;
  let at = (sink.tokens >>> 2) + 4 * before.count + 2;
  for (let i = before.count + 1; i < sink.count; i++) {
    if (words[at] === words[at + 4]) overlaps++;
    at += 4;
  }
  return overlaps;
}

function finishRecord(collector: TextCollector, ordinal: number, length: number): void {
  const { output, sink } = collector;
  const tokenBytes = sink.count * TOKEN_ENTRY_BYTES;
  ensureTokens(collector, 0, sink.textBytes + 16);
  const payloadBytes = TOKENS_HEADER_BYTES + tokenBytes + sink.textBytes;
  const payload = beginRecord(output, ordinal, RecordKind.tokens, payloadBytes);
  const { u8, u32 } = output.arena;
  u32[payload >>> 2] = sink.count;
  u32[(payload >>> 2) + 1] = length;
  u32[(payload >>> 2) + 2] = sink.textBytes;
  u32[(payload >>> 2) + 3] = 0;
  const textAt = payload + TOKENS_HEADER_BYTES + tokenBytes;
  copyWords(u8, u32, sink, textAt);
}

/** Copies the text behind the tokens; both places are aligned to 4 and have room behind them. */
function copyWords(u8: Uint8Array, u32: Uint32Array, sink: TokenSink, target: number): void {
  if (sink.textBytes > 256) {
    u8.copyWithin(target, sink.text, sink.text + sink.textBytes);
    return;
  }
  const words = (sink.textBytes + 3) >>> 2;
  const from = sink.text >>> 2;
  const to = target >>> 2;
  for (let i = 0; i < words; i++) u32[to + i] = u32[from + i];
}

/** Room in the text region for all values of a field: analysis makes at most three bytes of two, or one term over. */
function ensureTextRoom(collector: TextCollector, node: FieldNode): void {
  const { texts } = collector;
  let bytes = 0;
  for (let place = node.firstText; place >= 0; place = texts[place * VALUE_NUMBERS + 3]) {
    bytes += texts[place * VALUE_NUMBERS + 1];
  }
  growText(collector, Math.ceil(bytes * 1.5) + 64);
}

function growText(collector: TextCollector, bytes: number): void {
  const { arena, sink } = collector;
  if (collector.textBase + bytes <= collector.textLimit) return;
  const used = sink.text === collector.textBase ? sink.textBytes : 0;
  const { document, at, base: outputBase } = collector.output;
  const own = at - outputBase - document.start + sink.count * TOKEN_ENTRY_BYTES;
  const base = allocateFor(arena, document, Math.max(PIECE_BYTES, bytes * 1.25) + TEXT_SLACK, own + used);
  arena.u8.copyWithin(base, collector.textBase, collector.textBase + used);
  if (collector.textBase !== 0) arena.free(collector.textBase);
  collector.textBase = base;
  collector.textLimit = base + arena.sizeOf(base) - TEXT_SLACK;
  // Kernels write up to 16 bytes behind the text.
  sink.done = collector.textLimit + 32;
  sink.text = base;
  sink.textRoom = collector.textLimit - base;
}

/** Room for so many further tokens, and for `textBytes` behind them; points the sink at the record being written. */
function ensureTokens(collector: TextCollector, tokens: number, textBytes = 0): void {
  const { output, sink } = collector;
  const head = RECORD_HEADER_BYTES + TOKENS_HEADER_BYTES;
  // The record is written only at its end: until then its bytes are room that the output does not count.
  const written = head + sink.count * TOKEN_ENTRY_BYTES;
  const wanted = written + tokens * TOKEN_ENTRY_BYTES + textBytes;
  if (output.at + wanted > output.limit) {
    output.at += written;
    ensureRoom(output, wanted - written);
    output.at -= written;
  }
  sink.tokens = output.at + head;
  sink.capacity = Math.floor((output.limit - sink.tokens) / TOKEN_ENTRY_BYTES);
}

function analyzeValue(
  collector: TextCollector,
  analyzer: Analyzer,
  start: number,
  length: number,
  ascii: boolean,
): void {
  if (analyzer.path === "code") analyzeCodeText(collector, start, start + length);
  else if (analyzer.path === "strings") analyzeString(collector, analyzer, start, length);
  else if (ascii) analyzeAscii(collector, start, start + length);
  else analyzeMixed(collector, analyzer, start, start + length);
}

/** Stretches of ASCII go through the kernel, the words around other characters by way of strings; white space parts them. */
function analyzeMixed(collector: TextCollector, analyzer: Analyzer, start: number, end: number): void {
  const { bytes } = collector.sink;
  let from = start;
  while (from < end) {
    let wide = from;
    while (wide < end && bytes[wide] < 0x80) wide++;
    let word = wide;
    while (wide < end && word > from && !isSpace(bytes[word - 1])) word--;
    if (word > from) analyzeAscii(collector, from, word);
    let to = wide;
    while (to < end && !isSpace(bytes[to])) to++;
    if (to > word) analyzeString(collector, analyzer, word, to - word);
    from = to;
  }
}

function isSpace(byte: number): boolean {
  return byte === 0x20 || byte === 0x0a;
}

function analyzeAscii(collector: TextCollector, start: number, end: number): void {
  const { kernels, sink } = collector;
  for (let from = start; from < end; ) {
    const to = pieceEnd(sink.bytes, from, end);
    // A word takes at least one byte and one that parts it from the next.
    const bound = ((to - from) >>> 1) + 2;
    if (sink.count + bound > sink.capacity) ensureTokens(collector, bound);
    const first = sink.count;
    const base = sink.textBytes;
    const tokens = sink.tokens + first * TOKEN_ENTRY_BYTES;
    const made = kernels.tokenizeStandard(from, to - from, sink.text + base, tokens, sink.position);
    if (base > 0) shiftStarts(sink, first, made, base);
    sink.count += made;
    sink.position += made;
    sink.textBytes += to - from;
    from = to;
  }
}

/** End of a piece: behind a byte that neither belongs to words nor joins them. */
function pieceEnd(bytes: Uint8Array, from: number, end: number): number {
  if (end - from <= PIECE_BYTES) return end;
  let at = from + PIECE_BYTES;
  while (at < end && bytes[at] !== 0x20 && bytes[at] !== 0x0a && bytes[at] !== 0x28 && bytes[at] !== 0x2f) at++;
  return at < end ? at + 1 : end;
}

function shiftStarts(sink: TokenSink, first: number, count: number, by: number): void {
  let at = (sink.tokens >>> 2) + 4 * first;
  for (let i = 0; i < count; i++, at += 4) sink.words[at] += by;
}

function analyzeCodeText(collector: TextCollector, start: number, end: number): void {
  const { kernels, sink } = collector;
  growText(collector, sink.textBytes + (end - start) + 64);
  let at = analyzeCode(kernels, sink, start, end);
  while (at < end) {
    // One more than there is room for: the region then doubles.
    ensureTokens(collector, sink.capacity - sink.count + 64);
    const stop = endOfIdentifier(sink.bytes, at, end);
    growText(collector, sink.textBytes + WIDE_TEXT * (stop - at) + (end - stop) + 64);
    at = analyzeCode(kernels, sink, at, end);
  }
}

function analyzeString(collector: TextCollector, analyzer: Analyzer, start: number, length: number): void {
  const { kernels, sink } = collector;
  const text = Buffer.from(sink.bytes.buffer, start, length).toString("utf8");
  const first = sink.count;
  const firstPosition = sink.position;
  const tokens = analyzer.tokens(text);
  if (sink.count + tokens.length > sink.capacity) ensureTokens(collector, tokens.length);
  for (const token of tokens) {
    const term = token.term.length * 3 <= MAX_TERM_BYTES ? token.term : cutTerm(token.term);
    growText(collector, sink.textBytes + term.length * 3 + 64);
    writeTerm(sink, term, firstPosition + token.position);
  }
  sink.position = firstPosition + endPosition(tokens);
  kernels.hashTokens(sink.text, sink.tokens + first * TOKEN_ENTRY_BYTES, sink.count - first);
}

/** A term cut to what a dictionary can hold. */
function cutTerm(term: string): string {
  const bytes = Buffer.from(term, "utf8");
  if (bytes.length <= MAX_TERM_BYTES) return term;
  let end = MAX_TERM_BYTES;
  while ((bytes[end] & 0xc0) === 0x80) end--;
  return bytes.toString("utf8", 0, end);
}
