// Kernel of accumulate.ts, where state, term record and stream are described. Differs: a batch of tokens is first probed,
// then verified, then appended, so that the cache misses of a batch overlap (3x plain TypeScript on source code).
//
//   accumulateTokens  state, field, tokens, text, from, count, doc. Returns the index of the first token not done.
//   accumulateTerm    state, field, address, length, doc. Returns the term id, -1: room is short.
//   rebuildTermTable  state
import { hashBytes, loadUpTo8 } from "./hash.as";

// State
const TABLE: usize = 0, MASK: usize = 4, RECORDS: usize = 8, COUNT: usize = 12, CAPACITY: usize = 16;
const SLAB_NEXT: usize = 20, SLAB_END: usize = 24, IDS: usize = 28;
// Term record
const HASH: usize = 0, KEY: usize = 4, CURSOR: usize = 8, LIMIT: usize = 12, LAST_DOC: usize = 16, LAST_POSITION: usize = 20;
const DOC_FREQ: usize = 24, TOTAL_TERM_FREQ: usize = 28, FIRST: usize = 32, LEVEL: usize = 36, TERM: usize = 40;
const RECORD_SHIFT: usize = 6;

const INLINE_TERM_BYTES: u32 = 24;
const TOKEN_BATCH: u32 = 128;
const MAX_SLICE_BYTES: u32 = 1024;
const FREE_SLOT: i32 = -1;

// @ts-ignore: decorator
@inline
function recordOf(state: usize, id: u32): usize {
  return <usize>load<u32>(state, RECORDS) + (<usize>id << RECORD_SHIFT);
}
// @ts-ignore: decorator
@inline
function mix(hash: u32, field: u32): u32 {
  return hash + field * 0x9e3779b1;
}
// @ts-ignore: decorator
@inline
function hasRoomForTerms(state: usize, more: u32): bool {
  const terms = load<u32>(state, COUNT) + more;
  return terms <= load<u32>(state, CAPACITY) && terms << 1 <= load<u32>(state, MASK) + 1;
}
// @ts-ignore: decorator
@inline
function slabRoom(state: usize): u32 {
  return load<u32>(state, SLAB_END) - load<u32>(state, SLAB_NEXT);
}

/** Whether a record holds this term; compares eight bytes at a time. */
// @ts-ignore: decorator
@inline
function isTerm(record: usize, key: u32, address: usize, length: u32): bool {
  if (load<u32>(record, KEY) != key) return false;
  let at = length <= INLINE_TERM_BYTES ? record + TERM : <usize>load<u32>(record, TERM);
  let rest = <i32>length;
  while (rest > 0) {
    if (loadUpTo8(at, rest) != loadUpTo8(address, rest)) return false;
    at += 8;
    address += 8;
    rest -= 8;
  }
  return true;
}

function findOrAdd(state: usize, hash: u32, key: u32, address: usize): i32 {
  const table = <usize>load<u32>(state, TABLE);
  const mask = load<u32>(state, MASK);
  const length = key & 0xffff;
  let slot = hash & mask;
  while (true) {
    const entry = table + (<usize>slot << 3);
    const id = load<i32>(entry, 4);
    if (id == FREE_SLOT) {
      const added = addTerm(state, hash, key, address);
      if (added >= 0) {
        store<u32>(entry, hash);
        store<i32>(entry, added, 4);
      }
      return added;
    }
    if (load<u32>(entry) == hash && isTerm(recordOf(state, id), key, address, length)) return id;
    slot = (slot + 1) & mask;
  }
}

function addTerm(state: usize, hash: u32, key: u32, address: usize): i32 {
  const length = key & 0xffff;
  const isLong = length > INLINE_TERM_BYTES;
  const room = (length + 19) & ~3;
  if (isLong && slabRoom(state) < room) return -1;
  const id = load<u32>(state, COUNT);
  store<u32>(state, id + 1, COUNT);
  const record = recordOf(state, id);
  memory.fill(record, 0, 64);
  store<u32>(record, hash, HASH);
  store<u32>(record, key, KEY);
  store<i32>(record, -1, LAST_DOC);
  let at = record + TERM;
  if (isLong) {
    at = <usize>load<u32>(state, SLAB_NEXT);
    store<u32>(record, <u32>at, TERM);
    store<u32>(state, <u32>at + room, SLAB_NEXT);
  }
  memory.copy(at, address, length);
  return <i32>id;
}

function takeSlice(state: usize, record: usize): usize {
  const level = load<u32>(record, LEVEL);
  const slice = load<u32>(state, SLAB_NEXT);
  const bytes: u32 = level >= 6 ? MAX_SLICE_BYTES : <u32>16 << level;
  store<u32>(level == 0 ? record + FIRST : <usize>load<u32>(record, LIMIT), slice);
  store<u32>(record, level + 1, LEVEL);
  store<u32>(record, slice + bytes - 4, LIMIT);
  store<u32>(state, slice + bytes, SLAB_NEXT);
  return <usize>slice;
}

/** Appends at `cursor`, returns the new one; the record's own cursor is the caller's to set. */
// @ts-ignore: decorator
@inline
function appendByte(state: usize, record: usize, cursor: usize, byte: u32): usize {
  if (cursor == <usize>load<u32>(record, LIMIT)) cursor = takeSlice(state, record);
  store<u8>(cursor, <u8>byte);
  return cursor + 1;
}
// @ts-ignore: decorator
@inline
function appendVarint(state: usize, record: usize, cursor: usize, value: u32): usize {
  while (value > 127) {
    cursor = appendByte(state, record, cursor, value | 128);
    value >>= 7;
  }
  return appendByte(state, record, cursor, value);
}

function appendToken(state: usize, record: usize, doc: i32, position: u32): void {
  let cursor = <usize>load<u32>(record, CURSOR);
  const lastDoc = load<i32>(record, LAST_DOC);
  store<u32>(record, load<u32>(record, TOTAL_TERM_FREQ) + 1, TOTAL_TERM_FREQ);
  if (lastDoc == doc) {
    cursor = appendVarint(state, record, cursor, (position - load<u32>(record, LAST_POSITION)) << 1);
  } else {
    store<u32>(record, load<u32>(record, DOC_FREQ) + 1, DOC_FREQ);
    store<i32>(record, doc, LAST_DOC);
    cursor = appendVarint(state, record, cursor, (<u32>(doc - lastDoc) << 1) | 1);
    cursor = appendVarint(state, record, cursor, position);
  }
  store<u32>(record, position, LAST_POSITION);
  store<u32>(record, <u32>cursor, CURSOR);
}

export function accumulateTokens(
  state: usize, field: u32, tokens: usize, text: usize, from: u32, count: u32, doc: i32,
): u32 {
  const ids = <usize>load<u32>(state, IDS);
  while (from < count) {
    const batch = min(count - from, TOKEN_BATCH);
    if (!hasRoomForTerms(state, batch)) return from;
    const entries = tokens + (<usize>from << 4);
    probe(state, field, entries, batch, ids);
    if (!verify(state, field, entries, text, batch, ids)) return from;
    for (let i: u32 = 0; i < batch; i++) {
      if (slabRoom(state) < MAX_SLICE_BYTES) return from + i;
      const record = recordOf(state, load<u32>(ids + (<usize>i << 2)));
      appendToken(state, record, doc, load<u32>(entries + (<usize>i << 4), 8));
    }
    from += batch;
  }
  return count;
}

/** Guesses ids: what the first slot says, if its hash is right. */
// @ts-ignore: decorator
@inline
function probe(state: usize, field: u32, entries: usize, batch: u32, ids: usize): void {
  const table = <usize>load<u32>(state, TABLE);
  const mask = load<u32>(state, MASK);
  for (let i: u32 = 0; i < batch; i++) {
    const hash = mix(load<u32>(entries + (<usize>i << 4), 12), field);
    const slot = load<u64>(table + (<usize>(hash & mask) << 3));
    store<i32>(ids + (<usize>i << 2), <u32>slot == hash ? <i32>(slot >> 32) : -1);
  }
}

/** Makes the guesses sure; false: room for a long new term is short. */
// @ts-ignore: decorator
@inline
function verify(state: usize, field: u32, entries: usize, text: usize, batch: u32, ids: usize): bool {
  for (let i: u32 = 0; i < batch; i++) {
    const entry = entries + (<usize>i << 4);
    const address = text + <usize>load<u32>(entry);
    const length = load<u32>(entry, 4);
    const key = (field << 16) | length;
    const guess = load<i32>(ids + (<usize>i << 2));
    if (guess >= 0 && isTerm(recordOf(state, guess), key, address, length)) continue;
    const id = findOrAdd(state, mix(load<u32>(entry, 12), field), key, address);
    if (id < 0) return false;
    store<i32>(ids + (<usize>i << 2), id);
  }
  return true;
}

export function accumulateTerm(state: usize, field: u32, address: usize, length: u32, doc: i32): i32 {
  if (!hasRoomForTerms(state, 1)) return -1;
  const id = findOrAdd(state, mix(hashBytes(address, length), field), (field << 16) | length, address);
  if (id < 0 || slabRoom(state) < MAX_SLICE_BYTES) return -1;
  const record = recordOf(state, id);
  const lastDoc = load<i32>(record, LAST_DOC);
  if (lastDoc == doc) return id;
  store<u32>(record, load<u32>(record, DOC_FREQ) + 1, DOC_FREQ);
  store<u32>(record, load<u32>(record, TOTAL_TERM_FREQ) + 1, TOTAL_TERM_FREQ);
  store<u32>(record, <u32>appendVarint(state, record, <usize>load<u32>(record, CURSOR), <u32>(doc - lastDoc)), CURSOR);
  store<i32>(record, doc, LAST_DOC);
  return id;
}

export function rebuildTermTable(state: usize): void {
  const table = <usize>load<u32>(state, TABLE);
  const mask = load<u32>(state, MASK);
  const count = load<u32>(state, COUNT);
  memory.fill(table, 0xff, (<usize>mask + 1) << 3);
  for (let id: u32 = 0; id < count; id++) {
    const hash = load<u32>(recordOf(state, id), HASH);
    let slot = hash & mask;
    while (load<i32>(table + (<usize>slot << 3), 4) != FREE_SLOT) slot = (slot + 1) & mask;
    store<u32>(table + (<usize>slot << 3), hash);
    store<u32>(table + (<usize>slot << 3), id, 4);
  }
}
