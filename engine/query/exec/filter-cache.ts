/**
 * Bitsets of filters that were asked for more than once, per segment. Segments never change, so an entry is true for as
 * long as its segment lives, whatever is deleted later.
 */
import type { SegmentReader } from "../../segment/types.js";

/** Bitsets kept per segment; the least recently used goes first. */
const MAX_ENTRIES = 64;
/** Filters remembered as asked for once: a filter that never comes again (`now-15m`) must not push others out. */
const MAX_SEEN = 256;

interface SegmentFilters {
  readonly bits: Map<string, Uint32Array>;
  readonly seen: Set<string>;
}

const caches = new WeakMap<SegmentReader, SegmentFilters>();

/** The bits under this name, made by `make` when they are not kept yet. The result must not be changed. */
export function cachedBits(segment: SegmentReader, key: string | null, make: () => Uint32Array): Uint32Array {
  if (key === null) return make();
  const cache = cacheOf(segment);
  const known = cache.bits.get(key);
  if (known !== undefined) {
    cache.bits.delete(key);
    cache.bits.set(key, known);
    return known;
  }
  const bits = make();
  if (cache.seen.delete(key)) keep(cache.bits, key, bits);
  else {
    if (cache.seen.size >= MAX_SEEN) cache.seen.clear();
    cache.seen.add(key);
  }
  return bits;
}

/** The bits under a name, when they are kept. */
export function knownBits(segment: SegmentReader, key: string): Uint32Array | undefined {
  return caches.get(segment)?.bits.get(key);
}

function cacheOf(segment: SegmentReader): SegmentFilters {
  let cache = caches.get(segment);
  if (cache === undefined) {
    cache = { bits: new Map(), seen: new Set() };
    caches.set(segment, cache);
  }
  return cache;
}

function keep(entries: Map<string, Uint32Array>, key: string, bits: Uint32Array): void {
  if (entries.size >= MAX_ENTRIES) {
    const [oldest] = entries.keys();
    entries.delete(oldest);
  }
  entries.set(key, bits);
}
