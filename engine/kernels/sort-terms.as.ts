// Kernel of sort-terms.ts. Differs: sorts by eight bytes at a time (radix, least significant byte first, bytes that are
// the same everywhere left out), then each run of equal ones by the next eight; short runs by insertion.
//
//   sortTerms  records (accumulate.ts), ids (u32, in place), count, scratch (1024 + 32 * count bytes)
//
// An entry is 16 bytes: u64 key, the eight bytes as a big-endian number; u32 term id; 4 unused.
import { loadUpTo8 } from "./hash.as";

const KEY: usize = 4, TERM: usize = 40;
const INLINE_TERM_BYTES: u32 = 24;
const COUNTERS_BYTES: usize = 1024;
const FEW: u32 = 16;

export function sortTerms(records: usize, ids: usize, count: u32, scratch: usize): void {
  const entries = scratch + COUNTERS_BYTES;
  for (let i: u32 = 0; i < count; i++) store<u32>(entries + (<usize>i << 4), load<u32>(ids + (<usize>i << 2)), 8);
  sortRun(records, entries, entries + (<usize>count << 4), count, 0, scratch);
  for (let i: u32 = 0; i < count; i++) store<u32>(ids + (<usize>i << 2), load<u32>(entries + (<usize>i << 4), 8));
}

// @ts-ignore: decorator
@inline
function lengthOf(record: usize): u32 {
  return load<u32>(record, KEY) & 0xffff;
}
// @ts-ignore: decorator
@inline
function bytesOf(record: usize): usize {
  return lengthOf(record) <= INLINE_TERM_BYTES ? record + TERM : <usize>load<u32>(record, TERM);
}
// @ts-ignore: decorator
@inline
function keyAt(record: usize, depth: u32): u64 {
  const length = lengthOf(record);
  return depth >= length ? 0 : bswap<u64>(loadUpTo8(bytesOf(record) + depth, <i32>(length - depth)));
}

/** Sorts entries whose terms agree in their first `depth` bytes; `spare` is as large as they are. */
function sortRun(records: usize, entries: usize, spare: usize, count: u32, depth: u32, counters: usize): void {
  while (count > FEW && reachesBehind(records, entries, count, depth)) {
    const differing = setKeys(records, entries, count, depth);
    depth += 8;
    if (differing != 0) {
      radixSort(entries, spare, count, differing, counters);
      sortTies(records, entries, spare, count, depth, counters);
      return;
    }
  }
  insertionSort(records, entries, count, depth);
}

/** Whether any term is longer than `depth`; if none is, they differ in length alone (zero bytes look like the padding). */
function reachesBehind(records: usize, entries: usize, count: u32, depth: u32): bool {
  for (let i: u32 = 0; i < count; i++) {
    if (lengthOf(records + (<usize>load<u32>(entries + (<usize>i << 4), 8) << 6)) > depth) return true;
  }
  return false;
}

/** Sets all keys; returns the bits in which they differ. */
function setKeys(records: usize, entries: usize, count: u32, depth: u32): u64 {
  let ones: u64 = 0;
  let all: u64 = ~<u64>0;
  for (let i: u32 = 0; i < count; i++) {
    const entry = entries + (<usize>i << 4);
    const key = keyAt(records + (<usize>load<u32>(entry, 8) << 6), depth);
    store<u64>(entry, key);
    ones |= key;
    all &= key;
  }
  return ones ^ all;
}

function radixSort(entries: usize, spare: usize, count: u32, differing: u64, counters: usize): void {
  let from = entries;
  let to = spare;
  for (let shift: u64 = 0; shift < 64; shift += 8) {
    if (((differing >> shift) & 0xff) == 0) continue;
    distribute(from, to, count, shift, counters);
    const sorted = to;
    to = from;
    from = sorted;
  }
  if (from != entries) memory.copy(entries, spare, <usize>count << 4);
}

/** One stable pass by the byte at `shift`. */
function distribute(from: usize, to: usize, count: u32, shift: u64, counters: usize): void {
  memory.fill(counters, 0, COUNTERS_BYTES);
  for (let i: u32 = 0; i < count; i++) {
    const counter = counters + (<usize>((load<u64>(from + (<usize>i << 4)) >> shift) & 0xff) << 2);
    store<u32>(counter, load<u32>(counter) + 1);
  }
  let place: u32 = 0;
  for (let digit: usize = 0; digit < COUNTERS_BYTES; digit += 4) {
    const many = load<u32>(counters + digit);
    store<u32>(counters + digit, place);
    place += many;
  }
  for (let i: u32 = 0; i < count; i++) {
    const entry = from + (<usize>i << 4);
    const counter = counters + (<usize>((load<u64>(entry) >> shift) & 0xff) << 2);
    const at = load<u32>(counter);
    store<u32>(counter, at + 1);
    v128.store(to + (<usize>at << 4), v128.load(entry));
  }
}

function sortTies(records: usize, entries: usize, spare: usize, count: u32, depth: u32, counters: usize): void {
  let start: u32 = 0;
  while (start < count) {
    const key = load<u64>(entries + (<usize>start << 4));
    let end = start + 1;
    while (end < count && load<u64>(entries + (<usize>end << 4)) == key) end++;
    const offset = <usize>start << 4;
    if (end - start > 1) sortRun(records, entries + offset, spare + offset, end - start, depth, counters);
    start = end;
  }
}

/** Whether term `a` sorts behind term `b`, given that they agree up to `depth`. Terms are distinct. */
function isBehind(a: usize, b: usize, depth: u32): bool {
  const shorter = min(lengthOf(a), lengthOf(b));
  for (; depth < shorter; depth += 8) {
    const x = keyAt(a, depth);
    const y = keyAt(b, depth);
    if (x != y) return x > y;
  }
  return lengthOf(a) > lengthOf(b);
}

function insertionSort(records: usize, entries: usize, count: u32, depth: u32): void {
  for (let i: u32 = 1; i < count; i++) {
    const id = load<u32>(entries + (<usize>i << 4), 8);
    const record = records + (<usize>id << 6);
    let at = i;
    while (at > 0) {
      const before = load<u32>(entries + (<usize>(at - 1) << 4), 8);
      if (!isBehind(records + (<usize>before << 6), record, depth)) break;
      store<u32>(entries + (<usize>at << 4), before, 8);
      at--;
    }
    store<u32>(entries + (<usize>at << 4), id, 8);
  }
}
