import { describe, expect, it } from "vitest";
import { Arena } from "../../store/arena.js";
import { giveScratch, takeScratch } from "./scratch-pool.js";

describe("working memory of searches", () => {
  it("is used again by the next search, and is another one's while two run", () => {
    const arena = Arena.create(4 << 20);
    const first = takeScratch(arena);
    const second = takeScratch(arena);
    expect(second.address).not.toBe(first.address);
    giveScratch(arena, first, "clean");
    const used = arena.used;
    expect(takeScratch(arena)).toBe(first);
    expect(arena.used).toBe(used);
  });

  it("is not used again after a search that ended in the middle of its work", () => {
    const arena = Arena.create(4 << 20);
    const before = arena.used;
    const scratch = takeScratch(arena);
    arena.f64[scratch.accumulators >>> 3] = 7;
    giveScratch(arena, scratch, "dirty");
    expect(arena.used).toBe(before);
    expect(arena.f64[takeScratch(arena).accumulators >>> 3]).toBe(0);
  });

  it("is given back when memory is short, and not hoarded", () => {
    const arena = Arena.create(2 << 20);
    const before = arena.used;
    const taken = Array.from({ length: 6 }, () => takeScratch(arena));
    const each = (arena.used - before) / 6;
    for (const scratch of taken) giveScratch(arena, scratch, "clean");
    expect(arena.used - before).toBe(4 * each);
    const all = arena.alloc(arena.capacity - before - 4096);
    expect(arena.used).toBeGreaterThan(arena.capacity - 2 * 4096);
    arena.free(all);
  });
});
