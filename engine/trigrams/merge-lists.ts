import { SectionKind, type SectionSink } from "../store/section.js";
import type { Storage } from "../store/storage.js";
import { bitmapBytes } from "./format.js";
import { GramCursor, type GramLists } from "./gram-lists.js";
import { GramsWriter } from "./grams-writer.js";

/** One segment's lists, and for each of its chunks the new number (0xffffffff: dropped), never descending. */
export interface ListsInput {
  readonly lists: GramLists;
  readonly map: Uint32Array;
}

/** A number in a list is 1: some three milliseconds between yields. */
const SLICE_WORK = 150_000;
const GRAM_WORK = 40;
/** Bytes of lists read at once. */
const WINDOW_BYTES = 128 * 1024;

/** Writes the sections of grams; `total`: chunks of the merged field. Grams whose chunks are all gone vanish. */
export function* mergeLists(
  storage: Storage,
  sink: SectionSink,
  field: number,
  { inputs, total }: { inputs: readonly ListsInput[]; total: number },
): Generator<void, void> {
  const { arena } = storage;
  const writer = new GramsWriter(storage, sink, field, total);
  const merged = arena.alloc(4 * total + 16);
  const walks: ListWalk[] = [];
  try {
    for (const input of inputs) walks.push(new ListWalk(storage, input));
    let work = 0;
    for (;;) {
      const gram = leastGram(walks);
      if (gram < 0) break;
      let count = 0;
      for (const walk of walks) {
        if (walk.entry.gram !== gram) continue;
        work += walk.entry.count + GRAM_WORK;
        count = walk.appendTo(merged, count);
      }
      if (count > 0) writer.add(gram, merged, count);
      if (work < SLICE_WORK) continue;
      work = 0;
      yield;
    }
    writer.finish();
  } finally {
    for (const walk of walks) walk.close();
    arena.free(merged);
    writer.close();
  }
}

function leastGram(walks: readonly ListWalk[]): number {
  let least = -1;
  for (const { entry } of walks) if (entry.gram >= 0 && (least < 0 || entry.gram < least)) least = entry.gram;
  return least;
}

/** Walks the lists of one segment in order, reading them window by window. */
class ListWalk {
  readonly #storage: Storage;
  readonly #lists: GramLists;
  readonly #cursor: GramCursor;
  /** The map, in the arena; the window, and the part of gramLists that is in it. */
  readonly #map: number;
  readonly #window: number;
  readonly #windowBytes: number;
  #from = 0;
  #to = 0;

  constructor(storage: Storage, { lists, map }: ListsInput) {
    const { arena } = storage;
    this.#storage = storage;
    this.#lists = lists;
    this.#windowBytes = WINDOW_BYTES + bitmapBytes(lists.total);
    const mapBytes = 8 * Math.ceil(map.length / 2);
    this.#map = arena.alloc(mapBytes + this.#windowBytes + 16);
    this.#window = this.#map + mapBytes;
    arena.u32.set(map, this.#map >>> 2);
    this.#cursor = new GramCursor(lists, 0);
    this.#cursor.next();
  }

  /** The entry to go on with; gram -1: the end. */
  get entry() {
    return this.#cursor.entry;
  }

  /** Writes the mapped chunks behind `count` numbers at `merged` and goes on; returns how many numbers there are then. */
  appendTo(merged: number, count: number): number {
    const { arena, kernels } = this.#storage;
    const { entry } = this.#cursor;
    const isInline = entry.count === 1 || entry.count === this.#lists.total;
    const chunks = this.#lists.chunks(entry, isInline ? 0 : this.#listAt(entry.offset, entry.bytes));
    let added = kernels.mapChunks(chunks, entry.count, this.#map, merged + 4 * count);
    // The last chunk of the input before may have become one with the first of this.
    const at = (merged >>> 2) + count;
    if (added > 0 && count > 0 && arena.u32[at] === arena.u32[at - 1]) {
      arena.u32.copyWithin(at, at + 1, at + added);
      added--;
    }
    this.#cursor.next();
    return count + added;
  }

  close(): void {
    this.#storage.arena.free(this.#map);
  }

  /** Address of a list in the window. */
  #listAt(offset: number, bytes: number): number {
    const length = bytes || bitmapBytes(this.#lists.total);
    if (offset < this.#from || offset + length > this.#to) {
      const { source, field } = this.#lists;
      const size = source.sectionSize(SectionKind.gramLists, field);
      this.#from = offset;
      this.#to = Math.min(size, offset + this.#windowBytes);
      const into = this.#storage.arena.bytes(this.#window, this.#to - offset);
      source.readInto(SectionKind.gramLists, field, offset, into);
    }
    return this.#window + offset - this.#from;
  }
}
