import { describe, expect, it } from "vitest";
import { BlockCache, cacheStatistics, SLOT_BYTES } from "./block-cache.js";

const piece = (byte: number, length = 100) => new Uint8Array(length).fill(byte);

describe("the cache of cold blocks", () => {
  it("gives back what was put in, as long as it was", () => {
    const cache = new BlockCache(4 * SLOT_BYTES);
    cache.put(1, piece(1, SLOT_BYTES));
    cache.put(2, piece(2, 7));
    expect(cache.get(1)).toEqual(piece(1, SLOT_BYTES));
    expect(cache.get(2)).toEqual(piece(2, 7));
    expect(cache.get(3)).toBeUndefined();
    expect(cache.bytes).toBe(2 * SLOT_BYTES);
  });

  it("drops the piece unused for longest when it is full, and reuses its memory", () => {
    const cache = new BlockCache(2 * SLOT_BYTES);
    cache.put(1, piece(1));
    cache.put(2, piece(2));
    cache.get(1);
    cache.put(3, piece(3));
    expect(cache.get(2)).toBeUndefined();
    expect(cache.get(1)).toEqual(piece(1));
    expect(cache.get(3)).toEqual(piece(3));
    expect(cache.bytes).toBe(cache.limitBytes);
  });

  it("counts what was there and what was not, where others can read it", () => {
    const counters = new Float64Array(3);
    const cache = new BlockCache(4 * SLOT_BYTES, counters);
    cache.get(1);
    cache.put(1, piece(1));
    cache.put(2, piece(2));
    cache.get(1);
    cache.get(1);
    expect(cache.statistics).toEqual({ bytes: 2 * SLOT_BYTES, hits: 2, misses: 1 });
    expect(cacheStatistics(counters)).toEqual(cache.statistics);
    expect(cache.clear()).toBe(2 * SLOT_BYTES);
    expect(cache.statistics).toEqual({ bytes: 0, hits: 2, misses: 1 });
  });

  it("takes a newer piece of the same key", () => {
    const cache = new BlockCache(2 * SLOT_BYTES);
    cache.put(1, piece(1));
    cache.put(1, piece(9, 50));
    expect(cache.get(1)).toEqual(piece(9, 50));
    expect(cache.bytes).toBe(SLOT_BYTES);
  });

  it("leaves out pieces larger than a slot, and everything when it has no room at all", () => {
    const cache = new BlockCache(SLOT_BYTES);
    cache.put(1, piece(1, SLOT_BYTES + 1));
    expect(cache.get(1)).toBeUndefined();
    const none = new BlockCache(0);
    none.put(1, piece(1));
    expect(none.get(1)).toBeUndefined();
  });

  it("is empty after clear and works on", () => {
    const cache = new BlockCache(2 * SLOT_BYTES);
    cache.put(1, piece(1));
    expect(cache.clear()).toBe(SLOT_BYTES);
    expect(cache.get(1)).toBeUndefined();
    cache.put(2, piece(2));
    expect(cache.get(2)).toEqual(piece(2));
  });
});
