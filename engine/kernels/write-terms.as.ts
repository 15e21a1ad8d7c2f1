// Kernel of write-terms.ts, where out and row are described. Differs: compares eight bytes at a time, so behind a term
// eight more must be readable.
//
//   writeTerms  out, records, ids, rows, from, count. Returns the index of the first term not done: room is short.
//   writeTerm   out, address, length, row. Returns 1, or 0: room is short.
import { loadUpTo8 } from "./hash.as";
import { writeVarint } from "./varint.as";

// TermsOut
const DATA_NEXT: usize = 0, DATA_END: usize = 4, DATA_BASE: usize = 8, STATES_NEXT: usize = 12, STATES_END: usize = 16;
const STATES_BASE: usize = 20, INDEX_NEXT: usize = 24, INDEX_END: usize = 28, WITH_FREQS: usize = 32, COUNT: usize = 36;
const LAST: usize = 40, LAST_LENGTH: usize = 44, POSTINGS: usize = 48, HEADERS: usize = 52, POSITIONS: usize = 56;
const SUM_TOTAL_TERM_FREQ: usize = 64;
// TermRow
const DOC_FREQ: usize = 0, TOTAL_TERM_FREQ: usize = 4, SINGLETON_DOC: usize = 8, HEADER_BYTES: usize = 12;
const DATA_BYTES: usize = 16, POSITION_BYTES: usize = 20;
// Term record
const KEY: usize = 4, TERM: usize = 40;

const INLINE_TERM_BYTES: u32 = 24;
const ROW_BYTES: usize = 24;
const TERMS_PER_BLOCK: u32 = 16;
const DATA_ROOM: u32 = 33000;
const STATES_ROOM: u32 = 64;
const INDEX_ROOM: u32 = 16;
const NO_SINGLETON: u32 = 0xffffffff;

export function writeTerms(out: usize, records: usize, ids: usize, rows: usize, from: u32, count: u32): u32 {
  for (let i = from; i < count; i++) {
    const record = records + (<usize>load<u32>(ids + (<usize>i << 2)) << 6);
    const length = load<u32>(record, KEY) & 0xffff;
    const address = length <= INLINE_TERM_BYTES ? record + TERM : <usize>load<u32>(record, TERM);
    if (!writeTerm(out, address, length, rows + <usize>i * ROW_BYTES)) return i;
  }
  return count;
}

export function writeTerm(out: usize, address: usize, length: u32, row: usize): u32 {
  let next = <usize>load<u32>(out, DATA_NEXT);
  if (load<u32>(out, DATA_END) - <u32>next < DATA_ROOM) return 0;
  if (load<u32>(out, STATES_END) - load<u32>(out, STATES_NEXT) < STATES_ROOM) return 0;
  if (load<u32>(out, INDEX_END) - load<u32>(out, INDEX_NEXT) < INDEX_ROOM) return 0;
  const count = load<u32>(out, COUNT);
  let shared: u32 = 0;
  if (count % TERMS_PER_BLOCK == 0) beginBlock(out, address, length);
  else shared = commonBytes(address, <usize>load<u32>(out, LAST), min(length, load<u32>(out, LAST_LENGTH)));
  const rest = length - shared;
  next = writeVarint(next, shared);
  next = writeVarint(next, rest);
  memory.copy(next, address + shared, rest);
  store<u32>(out, <u32>next + rest, DATA_NEXT);
  store<u32>(out, <u32>address, LAST);
  store<u32>(out, length, LAST_LENGTH);
  store<u32>(out, count + 1, COUNT);
  writeState(out, row);
  return 1;
}

/** How many of the first `most` bytes are the same. */
// @ts-ignore: decorator
@inline
function commonBytes(a: usize, b: usize, most: u32): u32 {
  for (let at: u32 = 0; at < most; at += 8) {
    const differing = load<u64>(a + at) ^ load<u64>(b + at);
    if (differing != 0) return min(most, at + <u32>(ctz(differing) >> 3));
  }
  return most;
}

function beginBlock(out: usize, address: usize, length: u32): void {
  const entry = <usize>load<u32>(out, INDEX_NEXT);
  const key = length == 0 ? 0 : bswap<u64>(loadUpTo8(address, <i32>length));
  let next = <usize>load<u32>(out, STATES_NEXT);
  store<u32>(entry, <u32>(key >> 32));
  store<u32>(entry, <u32>key, 4);
  store<u32>(entry, load<u32>(out, DATA_NEXT) + load<u32>(out, DATA_BASE), 8);
  store<u32>(entry, <u32>next + load<u32>(out, STATES_BASE), 12);
  store<u32>(out, <u32>entry + 16, INDEX_NEXT);
  next = writeVarint(next, load<u32>(out, POSTINGS));
  next = writeVarint(next, load<u32>(out, HEADERS));
  store<u32>(out, <u32>writeVarint(next, load<u32>(out, POSITIONS)), STATES_NEXT);
}

// @ts-ignore: decorator
@inline
function writeState(out: usize, row: usize): void {
  const docFreq = load<u32>(row, DOC_FREQ);
  const totalTermFreq = load<u32>(row, TOTAL_TERM_FREQ);
  const singleton = load<u32>(row, SINGLETON_DOC);
  const dataBytes = load<u32>(row, DATA_BYTES);
  const positionBytes = load<u32>(row, POSITION_BYTES);
  const withFreqs = load<u32>(out, WITH_FREQS);
  let next = <usize>load<u32>(out, STATES_NEXT);
  if (withFreqs) {
    next = writeVarint(next, ((docFreq - 1) << 1) | <u32>(totalTermFreq == docFreq));
    if (totalTermFreq != docFreq) next = writeVarint(next, totalTermFreq - docFreq - 1);
  } else {
    next = writeVarint(next, docFreq - 1);
  }
  next = writeVarint(next, singleton == NO_SINGLETON ? dataBytes : singleton);
  if (withFreqs) next = writeVarint(next, positionBytes);
  store<u32>(out, <u32>next, STATES_NEXT);
  store<u32>(out, load<u32>(out, POSTINGS) + dataBytes, POSTINGS);
  store<u32>(out, load<u32>(out, HEADERS) + load<u32>(row, HEADER_BYTES), HEADERS);
  store<u32>(out, load<u32>(out, POSITIONS) + positionBytes, POSITIONS);
  store<f64>(out, load<f64>(out, SUM_TOTAL_TERM_FREQ) + <f64>totalTermFreq, SUM_TOTAL_TERM_FREQ);
}
