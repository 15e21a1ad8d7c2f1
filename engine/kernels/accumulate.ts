/**
 * The write buffer's inner loop: from tokens to per-term streams of postings. All of it lies in the arena; the owner
 * (memtable/inverted.ts) allocates, kernels fill and return early when room is short.
 *
 * State, 32 bytes:
 *
 *   offset  bytes  name      meaning
 *   0       4      table     address of the hash table: slots of u32 hash, u32 term id (0xffffffff: free); linear probing
 *   4       4      mask      number of slots - 1; slots are a power of two, at most half are taken
 *   8       4      records   address of the term records, by term id
 *   12      4      count     term records in use
 *   16      4      capacity  term records there is room for
 *   20      4      slabNext  first free byte of the current slab chunk
 *   24      4      slabEnd   end of that chunk
 *   28      4      ids       address of TOKEN_BATCH u32 of scratch
 *
 * Term record, 64 bytes (one cache line):
 *
 *   0       4      hash           hash of the bytes, mixed with the field
 *   4       4      key            field ordinal << 16 | length of the term
 *   8       4      cursor         where the next byte of the stream goes
 *   12      4      limit          end of the current slice's payload (the slice's link lies there)
 *   16      4      lastDoc        -1 at first
 *   20      4      lastPosition
 *   24      4      docFreq
 *   28      4      totalTermFreq
 *   32      4      first          address of the first slice, 0: none yet
 *   36      4      level          slices taken
 *   40      24     bytes          the term; if longer than 24 bytes, its address in 4 bytes
 *
 * Stream: with positions, per document varint(gap << 1 | 1) varint(first position), then varint(delta << 1) for each
 * further position; without, varint(gap) per document. The first gap is from document -1. Varints are 7 bits a byte,
 * low bits first, top bit set on all but the last.
 * A stream is a chain of slices: 16 bytes, then twice as many each time up to 1024; the last four hold the address of
 * the next slice (Lucene's ByteBlockPool slices).
 */
import { hashBytes } from "./hash.js";
import type { MemoryViews } from "./memory.js";

export const InvertedState = {
  table: 0,
  mask: 4,
  records: 8,
  count: 12,
  capacity: 16,
  slabNext: 20,
  slabEnd: 24,
  ids: 28,
  bytes: 32,
} as const;

export const TermRecord = {
  hash: 0,
  key: 4,
  cursor: 8,
  limit: 12,
  lastDoc: 16,
  lastPosition: 20,
  docFreq: 24,
  totalTermFreq: 28,
  first: 32,
  level: 36,
  term: 40,
  bytes: 64,
} as const;

/** Terms up to this length lie in their record. */
export const INLINE_TERM_BYTES = 24;
/** Tokens that are looked up together, so that their cache misses overlap. */
export const TOKEN_BATCH = 128;
/** Largest slice, and so the room that appending one token can take. */
export const MAX_SLICE_BYTES = 1024;
export const FIRST_SLICE_BYTES = 16;

const FREE_SLOT = 0xffffffff;

/** What `accumulateTokens` is called with: token entries [from, count) of `field` in `doc`. */
export interface TokenRun {
  state: number;
  field: number;
  /** Address of the entries (16 bytes each) and of the text they point into. */
  tokens: number;
  text: number;
  from: number;
  count: number;
  doc: number;
}

/** Bytes of the slice that is taken as number `level` (from 0). */
export function sliceBytes(level: number): number {
  return level >= 6 ? MAX_SLICE_BYTES : FIRST_SLICE_BYTES << level;
}

/** Address of a term's bytes. */
export function termAddress(view: DataView, record: number): number {
  const inline = (view.getUint32(record + TermRecord.key, true) & 0xffff) <= INLINE_TERM_BYTES;
  return inline ? record + TermRecord.term : view.getUint32(record + TermRecord.term, true);
}

/** See Kernels.accumulateTokens. */
export function accumulateTokens(memory: MemoryViews, run: TokenRun): number {
  const { view } = memory;
  for (let at = run.from; at < run.count; at++) {
    const batchStart = (at - run.from) % TOKEN_BATCH === 0;
    const batch = Math.min(TOKEN_BATCH, run.count - at);
    if (batchStart && !hasRoomForTerms(view, run.state, batch)) return at;
    const entry = run.tokens + 16 * at;
    const term = {
      field: run.field,
      address: run.text + view.getUint32(entry, true),
      length: view.getUint32(entry + 4, true),
      hash: view.getUint32(entry + 12, true),
    };
    const id = findOrAdd(memory, run.state, term);
    if (id < 0 || !hasRoomForSlice(view, run.state)) return at;
    appendToken(memory, run.state, id, { doc: run.doc, position: view.getUint32(entry + 8, true) });
  }
  return run.count;
}

/** See Kernels.accumulateTerm. */
export function accumulateTerm(
  memory: MemoryViews,
  state: number,
  field: number,
  address: number,
  length: number,
  doc: number,
): number {
  const { view } = memory;
  if (!hasRoomForTerms(view, state, 1)) return -1;
  const id = findOrAdd(memory, state, { field, address, length, hash: hashBytes(memory, address, length) });
  if (id < 0 || !hasRoomForSlice(view, state)) return -1;
  const record = recordOf(view, state, id);
  const lastDoc = view.getInt32(record + TermRecord.lastDoc, true);
  if (lastDoc === doc) return id;
  count(view, record + TermRecord.docFreq);
  count(view, record + TermRecord.totalTermFreq);
  appendVarint(memory, state, record, doc - lastDoc);
  view.setInt32(record + TermRecord.lastDoc, doc, true);
  return id;
}

/** See Kernels.rebuildTermTable. */
export function rebuildTermTable(memory: MemoryViews, state: number): void {
  const { view } = memory;
  const table = view.getUint32(state + InvertedState.table, true);
  const mask = view.getUint32(state + InvertedState.mask, true);
  memory.u8.fill(0xff, table, table + 8 * (mask + 1));
  for (let id = 0; id < view.getUint32(state + InvertedState.count, true); id++) {
    const hash = view.getUint32(recordOf(view, state, id) + TermRecord.hash, true);
    let slot = hash & mask;
    while (view.getUint32(table + 8 * slot + 4, true) !== FREE_SLOT) slot = (slot + 1) & mask;
    view.setUint32(table + 8 * slot, hash, true);
    view.setUint32(table + 8 * slot + 4, id, true);
  }
}

interface Term {
  field: number;
  address: number;
  length: number;
  hash: number;
}

function recordOf(view: DataView, state: number, id: number): number {
  return view.getUint32(state + InvertedState.records, true) + TermRecord.bytes * id;
}

function hasRoomForTerms(view: DataView, state: number, more: number): boolean {
  const terms = view.getUint32(state + InvertedState.count, true) + more;
  if (terms > view.getUint32(state + InvertedState.capacity, true)) return false;
  return 2 * terms <= view.getUint32(state + InvertedState.mask, true) + 1;
}

function hasRoomForSlice(view: DataView, state: number): boolean {
  return slabRoom(view, state) >= MAX_SLICE_BYTES;
}

function slabRoom(view: DataView, state: number): number {
  return view.getUint32(state + InvertedState.slabEnd, true) - view.getUint32(state + InvertedState.slabNext, true);
}

/** The term's id, or -1 when it is new, long, and the slab has no room for its bytes. */
function findOrAdd(memory: MemoryViews, state: number, term: Term): number {
  const { view } = memory;
  const hash = (term.hash + Math.imul(term.field, 0x9e3779b1)) >>> 0;
  const table = view.getUint32(state + InvertedState.table, true);
  const mask = view.getUint32(state + InvertedState.mask, true);
  for (let slot = hash & mask; ; slot = (slot + 1) & mask) {
    const id = view.getUint32(table + 8 * slot + 4, true);
    if (id === FREE_SLOT) {
      const added = addTerm(memory, state, { ...term, hash });
      if (added < 0) return -1;
      view.setUint32(table + 8 * slot, hash, true);
      view.setUint32(table + 8 * slot + 4, added, true);
      return added;
    }
    if (view.getUint32(table + 8 * slot, true) === hash && isTerm(memory, recordOf(view, state, id), term)) return id;
  }
}

function isTerm(memory: MemoryViews, record: number, term: Term): boolean {
  const { view, u8 } = memory;
  if (view.getUint32(record + TermRecord.key, true) !== ((term.field << 16) | term.length) >>> 0) return false;
  const at = termAddress(view, record);
  for (let i = 0; i < term.length; i++) if (u8[at + i] !== u8[term.address + i]) return false;
  return true;
}

function addTerm(memory: MemoryViews, state: number, term: Term): number {
  const { view, u8 } = memory;
  const isLong = term.length > INLINE_TERM_BYTES;
  const room = (term.length + 19) & ~3;
  if (isLong && slabRoom(view, state) < room) return -1;
  const id = view.getUint32(state + InvertedState.count, true);
  view.setUint32(state + InvertedState.count, id + 1, true);
  const record = recordOf(view, state, id);
  u8.fill(0, record, record + TermRecord.bytes);
  view.setUint32(record + TermRecord.hash, term.hash, true);
  view.setUint32(record + TermRecord.key, (term.field << 16) | term.length, true);
  view.setInt32(record + TermRecord.lastDoc, -1, true);
  let at = record + TermRecord.term;
  if (isLong) {
    at = view.getUint32(state + InvertedState.slabNext, true);
    view.setUint32(record + TermRecord.term, at, true);
    view.setUint32(state + InvertedState.slabNext, at + room, true);
  }
  u8.copyWithin(at, term.address, term.address + term.length);
  return id;
}

function count(view: DataView, address: number): void {
  view.setUint32(address, view.getUint32(address, true) + 1, true);
}

function appendToken(memory: MemoryViews, state: number, id: number, at: { doc: number; position: number }): void {
  const { view } = memory;
  const record = recordOf(view, state, id);
  const lastDoc = view.getInt32(record + TermRecord.lastDoc, true);
  count(view, record + TermRecord.totalTermFreq);
  if (lastDoc === at.doc) {
    appendVarint(memory, state, record, (at.position - view.getUint32(record + TermRecord.lastPosition, true)) * 2);
  } else {
    count(view, record + TermRecord.docFreq);
    view.setInt32(record + TermRecord.lastDoc, at.doc, true);
    appendVarint(memory, state, record, (at.doc - lastDoc) * 2 + 1);
    appendVarint(memory, state, record, at.position);
  }
  view.setUint32(record + TermRecord.lastPosition, at.position, true);
}

function appendVarint(memory: MemoryViews, state: number, record: number, value: number): void {
  let rest = value;
  for (; rest > 127; rest >>>= 7) appendByte(memory, state, record, (rest & 127) | 128);
  appendByte(memory, state, record, rest);
}

function appendByte(memory: MemoryViews, state: number, record: number, byte: number): void {
  const { view } = memory;
  let cursor = view.getUint32(record + TermRecord.cursor, true);
  if (cursor === view.getUint32(record + TermRecord.limit, true)) cursor = takeSlice(view, state, record);
  memory.u8[cursor] = byte;
  view.setUint32(record + TermRecord.cursor, cursor + 1, true);
}

function takeSlice(view: DataView, state: number, record: number): number {
  const level = view.getUint32(record + TermRecord.level, true);
  const slice = view.getUint32(state + InvertedState.slabNext, true);
  const link = level === 0 ? record + TermRecord.first : view.getUint32(record + TermRecord.limit, true);
  view.setUint32(link, slice, true);
  view.setUint32(record + TermRecord.level, level + 1, true);
  view.setUint32(record + TermRecord.limit, slice + sliceBytes(level) - 4, true);
  view.setUint32(state + InvertedState.slabNext, slice + sliceBytes(level), true);
  return slice;
}
