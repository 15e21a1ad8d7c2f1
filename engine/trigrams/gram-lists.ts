import { InternalError } from "../errors.js";
import { type CellSource, SectionKind, type SectionSource } from "../store/section.js";
import type { Storage } from "../store/storage.js";
import { bitmapBytes, GRAMS_PER_GROUP, INDEX_GROUP_BYTES, INDEX_HEADER_BYTES } from "./format.js";
import { WarmSection } from "./warm-section.js";

/** Entries that are remembered. */
const MOST_FOUND = 1024;

/** Where the list of a gram is. */
export interface GramEntry {
  gram: number;
  /** Chunks that have it. */
  count: number;
  /** The only chunk, where it is one of several. */
  chunk: number;
  /** The list in gramLists; bytes 0: a bitmap. Meaningless where all or one have it. */
  offset: number;
  bytes: number;
}

/** Walks the entries of gramData from one place on. */
export class GramCursor {
  readonly entry: GramEntry = { gram: 0, count: 0, chunk: 0, offset: 0, bytes: 0 };
  #next: number;
  #nextOffset = 0;
  #rank: number;

  constructor(
    private readonly lists: GramLists,
    group: number,
  ) {
    this.#rank = group * GRAMS_PER_GROUP;
    this.#next = 0;
    this.entry.gram = -1;
  }

  /** Goes to the next entry; false: there is none, and `entry.gram` is -1. */
  next(): boolean {
    const { lists, entry } = this;
    if (this.#rank >= lists.size) {
      entry.gram = -1;
      return false;
    }
    if (this.#rank % GRAMS_PER_GROUP === 0) {
      const group = this.#rank / GRAMS_PER_GROUP;
      entry.gram = lists.groupGram(group);
      this.#next = lists.groupData(group);
      this.#nextOffset = lists.groupOffset(group);
    }
    this.#rank++;
    entry.gram += this.#varint();
    entry.count = this.#varint();
    entry.offset = this.#nextOffset;
    if (entry.count === lists.total) return true;
    if (entry.count === 1) {
      entry.chunk = this.#varint();
      return true;
    }
    entry.bytes = this.#varint();
    this.#nextOffset += entry.bytes || bitmapBytes(lists.total);
    return true;
  }

  #varint(): number {
    const { u8 } = this.lists.storage.arena;
    let value = 0;
    for (let shift = 0; ; shift += 7) {
      const byte = u8[this.lists.data + this.#next++];
      value |= (byte & 127) << shift;
      if (byte < 128) return value >>> 0;
    }
  }
}

/** The index of grams of one field of a segment. Holds views of the arena: valid while the segment is in use. */
export class GramLists {
  /** Grams there are. */
  readonly size: number;
  /** Address of gramData. */
  readonly data: number;
  readonly #data: WarmSection;
  /** Entries that were looked up lately: an estimate is followed by a search. */
  readonly #found = new Map<number, GramEntry | null>();
  readonly #groups: number;
  /** Address of the first group. */
  readonly #index: number;

  /** `total`: chunks there are. */
  constructor(
    readonly source: SectionSource,
    cells: CellSource,
    readonly storage: Storage,
    readonly field: number,
    readonly total: number,
  ) {
    this.#data = new WarmSection(cells, storage, { kind: SectionKind.gramLists, field });
    const index = source.pin(SectionKind.gramIndex, field);
    const data = source.pin(SectionKind.gramData, field);
    if (index === null || data === null) throw new InternalError(`field ${field} has text without grams`);
    this.size = storage.arena.u32[index.address >>> 2];
    this.#groups = storage.arena.u32[(index.address >>> 2) + 1];
    this.#index = index.address + INDEX_HEADER_BYTES;
    this.data = data.address;
  }

  /** The entry of a gram, not to be changed; null: no chunk has it. */
  find(gram: number): GramEntry | null {
    let entry = this.#found.get(gram);
    if (entry === undefined) {
      entry = this.#find(gram);
      if (this.#found.size >= MOST_FOUND) this.#found.clear();
      this.#found.set(gram, entry);
    }
    return entry;
  }

  #find(gram: number): GramEntry | null {
    let [low, high] = [-1, this.#groups];
    while (high - low > 1) {
      const middle = (low + high) >>> 1;
      if (this.groupGram(middle) <= gram) low = middle;
      else high = middle;
    }
    if (low < 0) return null;
    const cursor = new GramCursor(this, low);
    for (let i = 0; i < GRAMS_PER_GROUP && cursor.next(); i++) {
      if (cursor.entry.gram >= gram) return cursor.entry.gram === gram ? cursor.entry : null;
    }
    return null;
  }

  /**
   * The chunks of an entry, ascending: address of `count` u32. Valid until the next call. `list`: address of the list, where
   * the caller has loaded it.
   */
  chunks(entry: GramEntry, list = 0): number {
    const { arena, kernels, scratch } = this.storage;
    const { count } = entry;
    const out = scratch.region("chunks", 4 * Math.max(this.total, 64));
    if (count === this.total) for (let i = 0; i < count; i++) arena.u32[(out >>> 2) + i] = i;
    else if (count === 1) arena.u32[out >>> 2] = entry.chunk;
    else {
      const at = list || this.#data.at(entry.offset, entry.bytes || bitmapBytes(this.total));
      if (entry.bytes > 0) kernels.decodeChunks(at, count, out);
      else kernels.bitmapChunks(at, this.total, out);
    }
    return out;
  }

  groupGram(group: number): number {
    return this.storage.arena.u32[(this.#index + INDEX_GROUP_BYTES * group) >>> 2];
  }

  groupData(group: number): number {
    return this.storage.arena.u32[(this.#index + INDEX_GROUP_BYTES * group + 4) >>> 2];
  }

  groupOffset(group: number): number {
    return this.storage.arena.view.getFloat64(this.#index + INDEX_GROUP_BYTES * group + 8, true);
  }
}
