/**
 * What is computed once for a reader and kept with it: ordinals that hold over segments, document frequencies of live
 * documents, ranges of blocks. Charged to the `fielddata` breaker, which is what Elasticsearch calls this; when the
 * breaker has no room, what was unused for longest goes first, whatever reader it belongs to.
 */
import type { Breakers } from "./breakers.js";
import type { ReaderCacheStats } from "./cache-stats.js";

/** What a kept value costs and belongs to. */
export interface CacheCost {
  readonly bytes: number;
  /** Path of the field it was made of. */
  readonly field?: string;
}

/** The values of one reader. A Map will do where nothing is charged. */
export interface ReaderCache {
  get(key: string): unknown;
  set(key: string, value: unknown, cost?: CacheCost): unknown;
}

/** An entry's own bookkeeping, which is all that a number costs. */
const ENTRY_BYTES = 128;

interface Entry {
  readonly owner: OwnCache;
  readonly key: string;
  readonly value: unknown;
  readonly bytes: number;
  readonly field: string | undefined;
}

/** The caches of all readers of a node. */
export class ReaderCaches {
  /** Entries in the order of their last use. */
  readonly #entries = new Set<Entry>();
  readonly #evictions = new Map<string, number>();
  readonly #open = new Set<OwnCache>();
  #bytes = 0;

  constructor(private readonly breakers: Breakers) {}

  /** Bytes of all values kept. */
  get bytes(): number {
    return this.#bytes;
  }

  /** The cache of a new reader of an index. */
  open(index: string): ReaderCache {
    const cache = new OwnCache(this, index);
    this.#open.add(cache);
    return cache;
  }

  /** A reader is gone; anything but a cache from `open` is left alone. */
  close(cache: ReaderCache): void {
    if (!(cache instanceof OwnCache) || !this.#open.delete(cache)) return;
    for (const entry of cache.entries.values()) this.#forget(entry);
    cache.entries.clear();
  }

  /** An index is gone, with what was counted for it. */
  forgetIndex(index: string): void {
    this.#evictions.delete(index);
  }

  /** Drops what is kept for these indices (none named: all), or for one field; returns how many bytes that was. */
  clear(indices?: ReadonlySet<string>, field?: string): number {
    let freed = 0;
    for (const entry of [...this.#entries]) {
      if (indices !== undefined && !indices.has(entry.owner.index)) continue;
      if (field !== undefined && entry.field !== field) continue;
      freed += entry.bytes;
      this.#drop(entry);
    }
    return freed;
  }

  /** Drops what was unused for longest until `bytes` are free; returns how many are. */
  evict(bytes: number): number {
    let freed = 0;
    for (const entry of this.#entries) {
      if (freed >= bytes) break;
      freed += entry.bytes;
      this.#drop(entry);
      const { index } = entry.owner;
      this.#evictions.set(index, (this.#evictions.get(index) ?? 0) + 1);
    }
    return freed;
  }

  stats(index: string): ReaderCacheStats {
    const byField: Record<string, number> = {};
    let bytes = 0;
    for (const cache of this.#open) {
      if (cache.index !== index) continue;
      bytes += cache.bytes;
      for (const [field, own] of cache.byField) byField[field] = (byField[field] ?? 0) + own;
    }
    return { bytes, evictions: this.#evictions.get(index) ?? 0, byField };
  }

  /** Used by the caches themselves. */
  touch(entry: Entry): void {
    this.#entries.delete(entry);
    this.#entries.add(entry);
  }

  /** Used by the caches themselves. Throws `circuit_breaking`. */
  keep(entry: Entry): void {
    this.evict(this.breakers.shortBy("fielddata", entry.bytes));
    this.breakers.charge("fielddata", entry.bytes, entry.field ?? entry.key);
    this.#entries.add(entry);
    this.#bytes += entry.bytes;
    entry.owner.count(entry, 1);
  }

  #drop(entry: Entry): void {
    entry.owner.entries.delete(entry.key);
    this.#forget(entry);
  }

  #forget(entry: Entry): void {
    if (!this.#entries.delete(entry)) return;
    this.#bytes -= entry.bytes;
    entry.owner.count(entry, -1);
    this.breakers.release("fielddata", entry.bytes);
  }
}

class OwnCache implements ReaderCache {
  readonly entries = new Map<string, Entry>();
  readonly byField = new Map<string, number>();
  bytes = 0;

  constructor(
    private readonly caches: ReaderCaches,
    readonly index: string,
  ) {}

  /** An entry comes (1) or goes (-1). */
  count({ bytes, field }: Entry, times: 1 | -1): void {
    this.bytes += times * bytes;
    if (field !== undefined) this.byField.set(field, (this.byField.get(field) ?? 0) + times * bytes);
  }

  get(key: string): unknown {
    const entry = this.entries.get(key);
    if (entry === undefined) return undefined;
    this.caches.touch(entry);
    return entry.value;
  }

  set(key: string, value: unknown, cost: CacheCost = { bytes: 0 }): void {
    if (this.entries.has(key)) return;
    const bytes = ENTRY_BYTES + 2 * key.length + cost.bytes;
    const entry: Entry = { owner: this, key, value, bytes, field: cost.field };
    this.caches.keep(entry);
    this.entries.set(key, entry);
  }
}
