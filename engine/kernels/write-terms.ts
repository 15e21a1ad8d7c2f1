/**
 * From terms and the rows of their postings to the dictionary of a field: termData, termStates and the entries of
 * termIndex, as text/format.ts has them. The bytes go to three windows; who owns them empties them when one is short.
 */
import { TermRecord, termAddress } from "./accumulate.js";
import { NO_SINGLETON, TermRow } from "./encode-postings.js";
import type { MemoryViews } from "./memory.js";
import { writeVarint } from "./varint.js";

/** Terms of a block of the dictionary. */
export const TERMS_PER_BLOCK = 16;
/** Most bytes that one term takes in termData, in termStates, and in termIndex. */
export const TermRoom = { data: 33_000, states: 64, index: 16 } as const;

/**
 * Where a dictionary is written and how far it is; u32 each but for the last, an f64. `next` and `end` of a window are
 * addresses; a `base` added to the address of a byte (modulo 2^32) gives its place in the whole section.
 */
export const TermsOut = {
  dataNext: 0,
  dataEnd: 4,
  dataBase: 8,
  statesNext: 12,
  statesEnd: 16,
  statesBase: 20,
  indexNext: 24,
  indexEnd: 28,
  /** 1: frequencies and positions are kept. */
  withFreqs: 32,
  /** Terms so far. */
  count: 36,
  /** The term before: address, which must stay as it is, and bytes. */
  last: 40,
  lastLength: 44,
  /** Bytes of postingData, postingHeaders and positionData of all terms so far. */
  postings: 48,
  headers: 52,
  positions: 56,
  sumTotalTermFreq: 64,
  bytes: 72,
} as const;

/** What `writeTerms` is called with: term ids [from, count) at `ids`, a row for each at `rows`. */
export interface TermsRun {
  readonly out: number;
  readonly records: number;
  readonly ids: number;
  readonly rows: number;
  from: number;
  readonly count: number;
}

/** See Kernels.writeTerms. */
export function writeTerms(memory: MemoryViews, { out, records, ids, rows, from, count }: TermsRun): number {
  const { view } = memory;
  for (let i = from; i < count; i++) {
    const record = records + TermRecord.bytes * view.getUint32(ids + 4 * i, true);
    const length = view.getUint32(record + TermRecord.key, true) & 0xffff;
    if (writeTerm(memory, out, { address: termAddress(view, record), length, row: rows + TermRow.bytes * i }) === 0) {
      return i;
    }
  }
  return count;
}

/** A term, and the row of its postings. */
export interface WrittenTerm {
  readonly address: number;
  readonly length: number;
  readonly row: number;
}

/** See Kernels.writeTerm. */
export function writeTerm(memory: MemoryViews, out: number, { address, length, row }: WrittenTerm): number {
  const { u8, view } = memory;
  const get = (offset: number) => view.getUint32(out + offset, true);
  const set = (offset: number, value: number) => view.setUint32(out + offset, value, true);
  if (get(TermsOut.dataEnd) - get(TermsOut.dataNext) < TermRoom.data) return 0;
  if (get(TermsOut.statesEnd) - get(TermsOut.statesNext) < TermRoom.states) return 0;
  if (get(TermsOut.indexEnd) - get(TermsOut.indexNext) < TermRoom.index) return 0;
  const isFirst = get(TermsOut.count) % TERMS_PER_BLOCK === 0;
  if (isFirst) beginBlock(memory, out, address, length);
  const last = get(TermsOut.last);
  const most = isFirst ? 0 : Math.min(length, get(TermsOut.lastLength));
  let shared = 0;
  while (shared < most && u8[address + shared] === u8[last + shared]) shared++;
  let next = writeVarint(u8, get(TermsOut.dataNext), shared);
  next = writeVarint(u8, next, length - shared);
  u8.copyWithin(next, address + shared, address + length);
  set(TermsOut.dataNext, next + length - shared);
  set(TermsOut.last, address);
  set(TermsOut.lastLength, length);
  set(TermsOut.count, get(TermsOut.count) + 1);
  writeState(memory, out, row);
  return 1;
}

function beginBlock(memory: MemoryViews, out: number, address: number, length: number): void {
  const { u8, view } = memory;
  const get = (offset: number) => view.getUint32(out + offset, true);
  const entry = get(TermsOut.indexNext);
  view.setUint32(entry, bigEndian(u8, address, length), true);
  view.setUint32(entry + 4, bigEndian(u8, address + 4, length - 4), true);
  view.setUint32(entry + 8, get(TermsOut.dataNext) + get(TermsOut.dataBase), true);
  view.setUint32(entry + 12, get(TermsOut.statesNext) + get(TermsOut.statesBase), true);
  view.setUint32(out + TermsOut.indexNext, entry + 16, true);
  let next = writeVarint(u8, get(TermsOut.statesNext), get(TermsOut.postings));
  next = writeVarint(u8, next, get(TermsOut.headers));
  view.setUint32(out + TermsOut.statesNext, writeVarint(u8, next, get(TermsOut.positions)), true);
}

/** Four bytes as a number, big-endian, zero behind `length`. */
export function bigEndian(bytes: Uint8Array, from: number, length: number): number {
  let value = 0;
  for (let i = 0; i < 4; i++) value = (value << 8) | (i < length ? bytes[from + i] : 0);
  return value >>> 0;
}

function writeState({ u8, view }: MemoryViews, out: number, row: number): void {
  const get = (offset: number) => view.getUint32(out + offset, true);
  const of = (name: Exclude<keyof typeof TermRow, "bytes">) => view.getUint32(row + TermRow[name], true);
  const add = (offset: number, more: number) => view.setUint32(out + offset, get(offset) + more, true);
  const withFreqs = get(TermsOut.withFreqs) === 1;
  const docFreq = of("docFreq");
  const repeated = of("totalTermFreq") - docFreq;
  let next = get(TermsOut.statesNext);
  next = writeVarint(u8, next, withFreqs ? 2 * (docFreq - 1) + (repeated === 0 ? 1 : 0) : docFreq - 1);
  if (withFreqs && repeated !== 0) next = writeVarint(u8, next, repeated - 1);
  next = writeVarint(u8, next, of("singletonDoc") === NO_SINGLETON ? of("dataBytes") : of("singletonDoc"));
  if (withFreqs) next = writeVarint(u8, next, of("positionBytes"));
  view.setUint32(out + TermsOut.statesNext, next, true);
  add(TermsOut.postings, of("dataBytes"));
  add(TermsOut.headers, of("headerBytes"));
  add(TermsOut.positions, of("positionBytes"));
  const sum = out + TermsOut.sumTotalTermFreq;
  view.setFloat64(sum, view.getFloat64(sum, true) + of("totalTermFreq"), true);
}
