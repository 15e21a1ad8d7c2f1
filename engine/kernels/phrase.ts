/**
 * How often an exact phrase occurs in documents that have all its words. Positions are read where they lie (bytes:
 * postings/format.ts), a group at a time, and never copied out: each word of the phrase has a cursor over its stream of
 * positions, and all are moved on together.
 *
 * Cursor, CURSOR_BYTES, u32 unless said:
 *
 *   offset  bytes  name        meaning
 *   0       4      freqs       address of the frequencies of the documents of the word's current block
 *   4       4      places      address of the places in that block of the documents asked for, ascending
 *   8       4      offset      of the word in the phrase
 *   12      4      group       a group of positions whose address is known, not behind those of the block
 *   16      4      groupAt     its address
 *   20      4      fullGroups  groups of 128; what is left over is the last group
 *   24      4      rest        positions of the last group
 *   28      4      before      positions of the word before document `summed` of the block
 *   32      4      summed
 *   36      4      decoded     group in `deltas`, NOT_DECODED: none
 *   40      12     next, end, position   of the document looked at: numbers of positions in the stream, and the current one
 *   64      512    deltas      128 of them
 */
import { decodePositions } from "./decode-postings.js";
import type { MemoryViews } from "./memory.js";

export const CURSOR_BYTES = 64 + 512;
/** Places in a cursor. */
export const Cursor = {
  freqs: 0,
  places: 4,
  offset: 8,
  group: 12,
  groupAt: 16,
  fullGroups: 20,
  rest: 24,
  before: 28,
  summed: 32,
  decoded: 36,
  next: 40,
  end: 44,
  position: 48,
  deltas: 64,
} as const;
export const NOT_DECODED = 0xffffffff;

const GROUP = 128;

/** What `phraseMatches` is called with. */
export interface Phrase {
  /** Address of the cursors, in the order of the words. */
  cursors: number;
  /** Words of the phrase. */
  words: number;
  /** Documents looked at. */
  count: number;
  /** Where the numbers of those that have the phrase go, and how often each has it; room for `count` u32. */
  kept: number;
  freqs: number;
}

/** See Kernels.phraseMatches. */
export function phraseMatches(memory: MemoryViews, phrase: Phrase): number {
  const { view } = memory;
  let found = 0;
  for (let number = 0; number < phrase.count; number++) {
    const freq = frequency(memory, phrase, number);
    if (freq === 0) continue;
    view.setUint32(phrase.kept + 4 * found, number, true);
    view.setUint32(phrase.freqs + 4 * found, freq, true);
    found++;
  }
  return found;
}

/** Starts at which all words stand; of a position that a word has twice each counts for itself. */
function frequency(memory: MemoryViews, { cursors, words }: Phrase, number: number): number {
  const starts = Array.from({ length: words }, (_, word) => startsOf(memory, cursors + CURSOR_BYTES * word, number));
  let common = starts[0];
  for (const others of starts.slice(1)) {
    const left = [...others];
    common = common.filter((start) => {
      const at = left.indexOf(start);
      if (at >= 0) left.splice(0, at + 1);
      return at >= 0;
    });
  }
  return common.length;
}

/** Where the phrase would begin for each occurrence of a word in a document. */
function startsOf(memory: MemoryViews, cursor: number, number: number): number[] {
  const { view, u32 } = memory;
  const get = (field: number): number => view.getUint32(cursor + field, true);
  const set = (field: number, value: number): void => view.setUint32(cursor + field, value, true);
  const freqs = get(Cursor.freqs) >>> 2;
  const place = u32[(get(Cursor.places) >>> 2) + number];
  for (; get(Cursor.summed) < place; set(Cursor.summed, get(Cursor.summed) + 1)) {
    set(Cursor.before, get(Cursor.before) + u32[freqs + get(Cursor.summed)]);
  }
  const starts: number[] = [];
  let position = 0;
  for (let at = get(Cursor.before); at < get(Cursor.before) + u32[freqs + place]; at++) {
    decodeGroup(memory, cursor, Math.floor(at / GROUP));
    position += u32[((cursor + Cursor.deltas) >>> 2) + (at % GROUP)];
    starts.push(position - get(Cursor.offset));
  }
  return starts;
}

function decodeGroup(memory: MemoryViews, cursor: number, group: number): void {
  const { view, u8 } = memory;
  const get = (field: number): number => view.getUint32(cursor + field, true);
  if (get(Cursor.decoded) === group) return;
  for (; get(Cursor.group) < group; view.setUint32(cursor + Cursor.group, get(Cursor.group) + 1, true)) {
    view.setUint32(cursor + Cursor.groupAt, get(Cursor.groupAt) + 1 + 16 * u8[get(Cursor.groupAt)], true);
  }
  const count = group < get(Cursor.fullGroups) ? GROUP : get(Cursor.rest);
  decodePositions(memory, get(Cursor.groupAt), count, cursor + Cursor.deltas);
  view.setUint32(cursor + Cursor.decoded, group, true);
}
