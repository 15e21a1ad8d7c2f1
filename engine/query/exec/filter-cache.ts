/**
 * Bitsets of filters that were asked for more than once, per segment. Segments never change, so an entry is true for as
 * long as its segment lives, whatever is deleted later. All of a node share one bound in bytes; the least recently used
 * goes first.
 */
import type { FilterCacheStats } from "../../memory/index.js";
import type { SegmentReader } from "../../segment/types.js";

/** Filters remembered as asked for once: a filter that never comes again (`now-15m`) must not push others out. */
const MAX_SEEN = 256;
/** An entry beside its bits. */
const ENTRY_BYTES = 200;

/** Where a filter is evaluated: a leaf of a search has both. */
export interface FilterPlace {
  readonly segment: SegmentReader;
  readonly context: { readonly reader: { readonly index: string } };
}

interface Entry {
  readonly owner: SegmentFilters;
  readonly key: string;
  readonly bits: Uint32Array;
  readonly bytes: number;
}

interface SegmentFilters {
  readonly index: string;
  readonly entries: Map<string, Entry>;
  readonly seen: Set<string>;
}

interface IndexCounts {
  bytes: number;
  entries: number;
  kept: number;
  hits: number;
  misses: number;
}

const NOTHING: FilterCacheStats = { bytes: 0, entries: 0, kept: 0, hits: 0, misses: 0 };

/** The filters of a node, or of one of its threads. */
export class FilterCache {
  readonly #segments = new WeakMap<SegmentReader, SegmentFilters>();
  /** All entries in the order of their last use. */
  readonly #order = new Set<Entry>();
  readonly #counts = new Map<string, IndexCounts>();
  #bytes = 0;

  constructor(readonly limitBytes: number) {}

  get bytes(): number {
    return this.#bytes;
  }

  /** The bits under this name, made by `make` when they are not kept yet. The result must not be changed. */
  bits(place: FilterPlace, key: string | null, make: () => Uint32Array): Uint32Array {
    if (key === null) return make();
    const known = this.known(place, key);
    if (known !== undefined) return known;
    const filters = this.#filtersOf(place);
    this.#countsOf(filters.index).misses++;
    const bits = make();
    if (filters.seen.delete(key)) this.#keep(filters, key, bits);
    else {
      if (filters.seen.size >= MAX_SEEN) filters.seen.clear();
      filters.seen.add(key);
    }
    return bits;
  }

  /** The bits under a name, when they are kept. */
  known(place: FilterPlace, key: string): Uint32Array | undefined {
    const entry = this.#segments.get(place.segment)?.entries.get(key);
    if (entry === undefined) return undefined;
    this.#order.delete(entry);
    this.#order.add(entry);
    this.#countsOf(entry.owner.index).hits++;
    return entry.bits;
  }

  /** A segment is closed: nobody asks for its filters again. */
  segmentClosed(segment: SegmentReader): void {
    const filters = this.#segments.get(segment);
    if (filters === undefined) return;
    for (const entry of filters.entries.values()) this.#forget(entry);
    this.#segments.delete(segment);
  }

  /** An index is gone, with what was counted for it. */
  forgetIndex(index: string): void {
    this.clear(new Set([index]));
    this.#counts.delete(index);
  }

  /** Drops the filters of these indices (none named: all); returns how many bytes that was. */
  clear(indices?: ReadonlySet<string>): number {
    let freed = 0;
    for (const entry of [...this.#order]) {
      if (indices === undefined || indices.has(entry.owner.index)) freed += this.#drop(entry);
    }
    return freed;
  }

  /** Drops the least recently used until `bytes` are free; returns how many are. */
  evict(bytes: number): number {
    let freed = 0;
    for (const entry of this.#order) {
      if (freed >= bytes) break;
      freed += this.#drop(entry);
    }
    return freed;
  }

  stats(index: string): FilterCacheStats {
    return { ...(this.#counts.get(index) ?? NOTHING) };
  }

  #keep(owner: SegmentFilters, key: string, bits: Uint32Array): void {
    const entry: Entry = { owner, key, bits, bytes: bits.byteLength + 2 * key.length + ENTRY_BYTES };
    if (entry.bytes > this.limitBytes) return;
    this.evict(this.#bytes + entry.bytes - this.limitBytes);
    owner.entries.set(key, entry);
    this.#order.add(entry);
    this.#bytes += entry.bytes;
    const counts = this.#countsOf(owner.index);
    counts.bytes += entry.bytes;
    counts.entries++;
    counts.kept++;
  }

  #drop(entry: Entry): number {
    entry.owner.entries.delete(entry.key);
    this.#forget(entry);
    return entry.bytes;
  }

  #forget(entry: Entry): void {
    this.#order.delete(entry);
    this.#bytes -= entry.bytes;
    const counts = this.#countsOf(entry.owner.index);
    counts.bytes -= entry.bytes;
    counts.entries--;
  }

  #filtersOf({ segment, context }: FilterPlace): SegmentFilters {
    let filters = this.#segments.get(segment);
    if (filters === undefined) {
      filters = { index: context.reader.index, entries: new Map(), seen: new Set() };
      this.#segments.set(segment, filters);
    }
    return filters;
  }

  #countsOf(index: string): IndexCounts {
    let counts = this.#counts.get(index);
    if (counts === undefined) {
      counts = { bytes: 0, entries: 0, kept: 0, hits: 0, misses: 0 };
      this.#counts.set(index, counts);
    }
    return counts;
  }
}
