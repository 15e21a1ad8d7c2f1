import { RECORD_HEADER_BYTES, RecordKind } from "../memtable/prepared.js";
import type { Arena } from "../store/arena.js";
import { allocateFor, type CurrentDocument, checkSize } from "./prepare-room.js";

/**
 * Where records (engine/memtable/prepared.ts) are written before a batch is cut to size: a region of the arena that
 * grows and is used again and again. Addresses inside are absolute and change when it grows.
 */
export interface RecordOutput {
  readonly arena: Arena;
  /** Start of the region; 0: none yet. */
  base: number;
  /** Next byte to write, a multiple of 4. */
  at: number;
  /** End of the region, 16 readable bytes kept back. */
  limit: number;
  readonly document: CurrentDocument;
}

const FIRST_BYTES = 1 << 20;
const SLACK = 32;

const double = new Float64Array(1);
const doubleWords = new Uint32Array(double.buffer);
const long = new BigInt64Array(1);
const longWords = new Uint32Array(long.buffer);
const TWO_32 = 4294967296;

/** An output without memory; the first record allocates it. */
export function createOutput(arena: Arena): RecordOutput {
  return { arena, base: 0, at: 0, limit: 0, document: { start: 0, source: 0 } };
}

/**
 * Makes room for so many bytes at `at`. Throws overloaded when the arena has none, document_malformed when the current
 * document never finds any.
 */
export function ensureRoom(output: RecordOutput, bytes: number): void {
  if (output.at + bytes > output.limit) grow(output, bytes);
}

function grow(output: RecordOutput, bytes: number): void {
  const { arena, document } = output;
  const used = output.at - output.base;
  const own = used - document.start;
  checkSize(arena, document, own);
  const needed = used + bytes + SLACK;
  const doubled = Math.max(FIRST_BYTES, 2 * (output.limit - output.base), needed);
  const base = arena.tryAlloc(doubled) || allocateFor(arena, document, needed, own + bytes);
  output.arena.u8.copyWithin(base, output.base, output.at);
  if (output.base !== 0) output.arena.free(output.base);
  output.base = base;
  output.at = base + used;
  output.limit = base + output.arena.sizeOf(base) - SLACK;
}

/** Empties the output, with room for so many bytes if the arena has it: growing copies all that was written. */
export function beginOutput(output: RecordOutput, bytes: number): void {
  if (output.limit - output.base < bytes) {
    closeOutput(output);
    const base = output.arena.tryAlloc(bytes + SLACK);
    if (base !== 0) {
      output.base = base;
      output.limit = base + output.arena.sizeOf(base) - SLACK;
    }
  }
  output.at = output.base;
}

/** The region, cut to what was written and 16 bytes more, as an allocation of the caller's; the output has none any more. */
export function handOver(output: RecordOutput): number {
  const { arena, base, at } = output;
  arena.shrink(base, at - base + 16);
  output.base = 0;
  closeOutput(output);
  return base;
}

/** Gives the region back. */
export function closeOutput(output: RecordOutput): void {
  if (output.base !== 0) output.arena.free(output.base);
  output.base = 0;
  output.at = 0;
  output.limit = 0;
}

/** Writes the head of a record with so many payload bytes; returns where the payload goes. There must be room. */
export function beginRecord(output: RecordOutput, ordinal: number, kind: number, payloadBytes: number): number {
  const size = RECORD_HEADER_BYTES + ((payloadBytes + 3) & ~3);
  const { at } = output;
  const { u32 } = output.arena;
  u32[at >>> 2] = (ordinal << 8) | kind;
  u32[(at >>> 2) + 1] = size;
  output.at = at + size;
  return at + RECORD_HEADER_BYTES;
}

/** A LONG record of a safe whole number. */
export function writeLong(output: RecordOutput, ordinal: number, value: number): void {
  ensureRoom(output, 16);
  const payload = beginRecord(output, ordinal, RecordKind.long, 8) >>> 2;
  const { u32 } = output.arena;
  u32[payload] = value;
  u32[payload + 1] = Math.floor(value / TWO_32);
}

/** A LONG record of any 64-bit number. */
export function writeBigLong(output: RecordOutput, ordinal: number, value: bigint): void {
  ensureRoom(output, 16);
  const payload = beginRecord(output, ordinal, RecordKind.long, 8) >>> 2;
  long[0] = value;
  output.arena.u32[payload] = longWords[0];
  output.arena.u32[payload + 1] = longWords[1];
}

/** A DOUBLE record. */
export function writeDouble(output: RecordOutput, ordinal: number, value: number): void {
  ensureRoom(output, 16);
  const payload = beginRecord(output, ordinal, RecordKind.double, 8) >>> 2;
  // Not the f64 view: payloads are aligned to 4 only. Adding zero makes -0 and 0 one value, as queries take them.
  double[0] = value + 0;
  output.arena.u32[payload] = doubleWords[0];
  output.arena.u32[payload + 1] = doubleWords[1];
}

/** A TERM record of bytes in the arena. */
export function writeTermAt(output: RecordOutput, ordinal: number, start: number, length: number): void {
  writeBytesAt(output, { ordinal, kind: RecordKind.term }, start, length);
}

/** A TEXT record of bytes in the arena. */
export function writeTextAt(output: RecordOutput, ordinal: number, start: number, length: number): void {
  writeBytesAt(output, { ordinal, kind: RecordKind.text }, start, length);
}

function writeBytesAt(
  output: RecordOutput,
  { ordinal, kind }: { ordinal: number; kind: number },
  start: number,
  length: number,
): void {
  ensureRoom(output, 16 + length);
  const payload = beginRecord(output, ordinal, kind, 4 + length);
  const { u8, u32 } = output.arena;
  u32[payload >>> 2] = length;
  const to = payload + 4;
  if (length > 64) u8.copyWithin(to, start, start + length);
  else for (let i = 0; i < length; i++) u8[to + i] = u8[start + i];
}

/** A TERM record of bytes from elsewhere. */
export function writeTermBytes(output: RecordOutput, ordinal: number, bytes: Uint8Array): void {
  ensureRoom(output, 16 + bytes.length);
  const payload = beginRecord(output, ordinal, RecordKind.term, 4 + bytes.length);
  output.arena.u32[payload >>> 2] = bytes.length;
  output.arena.u8.set(bytes, payload + 4);
}

/** An EXISTS record. */
export function writeExists(output: RecordOutput, ordinal: number): void {
  ensureRoom(output, RECORD_HEADER_BYTES);
  beginRecord(output, ordinal, RecordKind.exists, 0);
}

/** A VECTOR record. */
export function writeVector(output: RecordOutput, ordinal: number, values: readonly number[]): void {
  ensureRoom(output, RECORD_HEADER_BYTES + 4 * values.length);
  const payload = beginRecord(output, ordinal, RecordKind.vector, 4 * values.length) >>> 2;
  const { f32 } = output.arena;
  for (let i = 0; i < values.length; i++) f32[payload + i] = values[i];
}
