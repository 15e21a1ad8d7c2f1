// Kernel of phrase.ts. Differs: positions are not listed; the cursors leapfrog, and stop when one has no more.
//
//   phraseMatches  cursors, words; count; kept (u32), freqs (u32). Returns how many documents have the phrase.
import { decodePositions } from "./decode-postings.as";

// A cursor; see phrase.ts.
const CURSOR_BYTES: usize = 576;
const FREQS: usize = 0, PLACES: usize = 4, OFFSET: usize = 8;
const GROUP: usize = 12, GROUP_AT: usize = 16, FULL_GROUPS: usize = 20, REST: usize = 24;
const BEFORE: usize = 28, SUMMED: usize = 32, DECODED: usize = 36;
const NEXT: usize = 40, END: usize = 44, POSITION: usize = 48, DELTAS: usize = 64;

export function phraseMatches(cursors: usize, words: u32, count: u32, kept: usize, freqs: usize): u32 {
  let found: usize = 0;
  for (let number: u32 = 0; number < count; number++) {
    const freq = frequency(cursors, cursors + CURSOR_BYTES * <usize>words, number);
    if (freq == 0) continue;
    store<u32>(kept + found, number);
    store<u32>(freqs + found, freq);
    found += 4;
  }
  return <u32>(found >> 2);
}

function frequency(first: usize, end: usize, number: u32): u32 {
  for (let cursor = first; cursor < end; cursor += CURSOR_BYTES) begin(cursor, number);
  let freq: u32 = 0;
  // Where the phrase would begin; a word that stands further on raises it for all.
  let start = startOf(first);
  let agreed = first;
  let cursor = first;
  while (true) {
    cursor += CURSOR_BYTES;
    if (cursor == end) cursor = first;
    if (cursor == agreed) {
      freq++;
      for (let one = first; one < end; one += CURSOR_BYTES) if (!advance(one)) return freq;
      start = startOf(first);
      agreed = first;
      cursor = first;
      continue;
    }
    while (startOf(cursor) < start) if (!advance(cursor)) return freq;
    if (startOf(cursor) > start) {
      start = startOf(cursor);
      agreed = cursor;
    }
  }
  // Unreachable, but the compiler asks for it.
  return freq;
}

// @ts-ignore: decorator
@inline
function startOf(cursor: usize): i32 {
  return <i32>load<u32>(cursor, POSITION) - <i32>load<u32>(cursor, OFFSET);
}

// Puts a cursor on the first position in a document.
function begin(cursor: usize, number: u32): void {
  const place = load<u32>(<usize>load<u32>(cursor, PLACES) + (<usize>number << 2));
  const freqs = <usize>load<u32>(cursor, FREQS);
  let before = load<u32>(cursor, BEFORE);
  for (let i = load<u32>(cursor, SUMMED); i < place; i++) before += load<u32>(freqs + (<usize>i << 2));
  store<u32>(cursor, before, BEFORE);
  store<u32>(cursor, place, SUMMED);
  store<u32>(cursor, before, NEXT);
  store<u32>(cursor, before + load<u32>(freqs + (<usize>place << 2)), END);
  store<u32>(cursor, 0, POSITION);
  advance(cursor);
}

// Goes to the next position; false: there is none.
// @ts-ignore: decorator
@inline
function advance(cursor: usize): bool {
  const next = load<u32>(cursor, NEXT);
  if (next == load<u32>(cursor, END)) return false;
  const group = next >> 7;
  if (group != load<u32>(cursor, DECODED)) decodeGroup(cursor, group);
  const delta = load<u32>(cursor + (<usize>(next & 127) << 2), DELTAS);
  store<u32>(cursor, load<u32>(cursor, POSITION) + delta, POSITION);
  store<u32>(cursor, next + 1, NEXT);
  return true;
}

function decodeGroup(cursor: usize, group: u32): void {
  let at = <usize>load<u32>(cursor, GROUP_AT);
  for (let known = load<u32>(cursor, GROUP); known < group; known++) at += 1 + (<usize>load<u8>(at) << 4);
  store<u32>(cursor, group, GROUP);
  store<u32>(cursor, <u32>at, GROUP_AT);
  store<u32>(cursor, group, DECODED);
  decodePositions(at, group < load<u32>(cursor, FULL_GROUPS) ? 128 : load<u32>(cursor, REST), cursor + DELTAS);
}
