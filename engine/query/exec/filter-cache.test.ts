import { expect, it } from "vitest";
import type { SegmentReader } from "../../segment/types.js";
import { FilterCache } from "./filter-cache.js";

function place(index: string) {
  return { segment: {} as SegmentReader, context: { reader: { index } } };
}

const bits = (words: number) => () => new Uint32Array(words);

it("keeps what is asked for twice, and counts hits and misses by index", () => {
  const cache = new FilterCache(1 << 20);
  const leaf = place("a");
  const first = cache.bits(leaf, "k", bits(10));
  const second = cache.bits(leaf, "k", bits(10));
  expect(second).not.toBe(first);
  expect(cache.bits(leaf, "k", bits(10))).toBe(second);
  expect(cache.stats("a")).toMatchObject({ entries: 1, kept: 1, hits: 1, misses: 2 });
  expect(cache.stats("b")).toMatchObject({ entries: 0, hits: 0, misses: 0 });
  expect(cache.bits(leaf, null, bits(3)).length).toBe(3);
});

it("stays within its bound over all segments: the least recently used goes", () => {
  const cache = new FilterCache(3_000);
  const [one, two] = [place("a"), place("b")];
  for (const leaf of [one, two]) for (let i = 0; i < 2; i++) cache.bits(leaf, "k", bits(250));
  cache.bits(one, "k", bits(250));
  for (let i = 0; i < 2; i++) cache.bits(two, "other", bits(250));
  expect(cache.bytes).toBeLessThanOrEqual(3_000);
  expect(cache.known(one, "k")).toBeDefined();
  expect(cache.known(two, "k")).toBeUndefined();
  expect(cache.stats("b")).toMatchObject({ entries: 1, kept: 2 });
});

it("what alone is larger than the bound is not kept", () => {
  const cache = new FilterCache(100);
  const leaf = place("a");
  for (let i = 0; i < 3; i++) cache.bits(leaf, "k", bits(250));
  expect(cache.bytes).toBe(0);
});

it("forgets closed segments, and drops indices when asked", () => {
  const cache = new FilterCache(1 << 20);
  const [one, two] = [place("a"), place("b")];
  for (const leaf of [one, two]) for (let i = 0; i < 2; i++) cache.bits(leaf, "k", bits(250));
  cache.segmentClosed(one.segment);
  expect(cache.stats("a")).toMatchObject({ bytes: 0, entries: 0, kept: 1 });
  expect(cache.clear(new Set(["b"]))).toBeGreaterThan(1000);
  expect(cache.bytes).toBe(0);
  expect(cache.known(two, "k")).toBeUndefined();
});
