import { describe, expect, it } from "vitest";
import { ARENA_PAGE, Arena } from "./arena.js";

describe("Arena", () => {
  it("hands out aligned, disjoint memory and takes it back", () => {
    const arena = Arena.create(1 << 20);
    const before = arena.used;
    const a = arena.alloc(100);
    const b = arena.alloc(3 * ARENA_PAGE);
    expect(a % 64).toBe(0);
    expect(arena.sizeOf(a)).toBe(ARENA_PAGE);
    expect(Math.abs(a - b)).toBeGreaterThanOrEqual(ARENA_PAGE);
    expect(arena.used).toBe(before + 4 * ARENA_PAGE);
    arena.free(a);
    arena.free(b);
    expect(arena.used).toBe(before);
  });

  it("keeps the first 64 KiB for the kernels' tables", () => {
    const arena = Arena.create(256 * 1024);
    for (let i = 0; i < 20; i++) expect(arena.alloc(1)).toBeGreaterThan(65_536);
  });

  it("reuses what was freed before it touches new memory", () => {
    const arena = Arena.create(4 << 20);
    const first = arena.alloc(5 * ARENA_PAGE);
    arena.alloc(ARENA_PAGE);
    arena.free(first);
    expect(arena.alloc(2 * ARENA_PAGE)).toBe(first);
    expect(arena.alloc(2 * ARENA_PAGE)).toBe(first + 2 * ARENA_PAGE);
  });

  it("asks for memory back under pressure, then refuses with `overloaded`", () => {
    const arena = Arena.create(1 << 20);
    const held: number[] = [];
    for (let address = arena.tryAlloc(ARENA_PAGE); address !== 0; address = arena.tryAlloc(ARENA_PAGE))
      held.push(address);
    const asked: number[] = [];
    const stop = arena.onPressure((bytes) => {
      asked.push(bytes);
      const address = held.pop();
      if (address === undefined) return 0;
      arena.free(address);
      return ARENA_PAGE;
    });
    expect(arena.alloc(10 * ARENA_PAGE)).toBeGreaterThan(0);
    expect(asked.length).toBeGreaterThanOrEqual(10);
    stop();
    expect(() => arena.alloc(2 << 20)).toThrow(/the arena is full/);
    expect(() => arena.alloc(2 << 20)).toThrow(expect.objectContaining({ code: "overloaded" }));
  });

  it("gives back the end of an allocation that shrinks, and what is left keeps its owner", () => {
    const arena = Arena.create(1 << 20);
    const used = arena.used;
    const attached = Arena.attach(arena.memory, 1);
    const address = attached.alloc(5 * ARENA_PAGE);
    attached.shrink(address, ARENA_PAGE + 1);
    expect(attached.sizeOf(address)).toBe(2 * ARENA_PAGE);
    expect(arena.used).toBe(used + 2 * ARENA_PAGE);
    expect(arena.alloc(3 * ARENA_PAGE)).toBe(address + 2 * ARENA_PAGE);
    attached.shrink(address, 2 * ARENA_PAGE); // nothing to give
    attached.shrink(address, 0); // never all of it
    expect(attached.sizeOf(address)).toBe(ARENA_PAGE);
    expect(arena.reclaim(1)).toBe(ARENA_PAGE);
    expect(() => arena.shrink(address, 1)).toThrow(/not allocated/);
  });

  it("refuses to free what is not allocated", () => {
    const arena = Arena.create(1 << 20);
    const a = arena.alloc(1);
    arena.free(a);
    expect(() => arena.free(a)).toThrow(/not allocated/);
    expect(() => arena.free(a + 1)).toThrow(/not allocated/);
  });

  it("serves two views of the same memory, as workers have them", () => {
    const arena = Arena.create(1 << 20);
    const other = Arena.attach(arena.memory, 1);
    const a = arena.alloc(ARENA_PAGE);
    const b = other.alloc(ARENA_PAGE);
    expect(b).not.toBe(a);
    arena.u8[b] = 7;
    expect(other.u8[b]).toBe(7);
    other.free(a);
    expect(arena.used).toBe(other.used);
  });

  it("gives a number to one living thread at a time", () => {
    const arena = Arena.create(1 << 20);
    Arena.attach(arena.memory, 31);
    expect(() => Arena.attach(arena.memory, 31)).toThrow(/as number 31/);
    for (const wrong of [0, 32, -1, 1.5]) expect(() => Arena.attach(arena.memory, wrong)).toThrow(/from 1 to 31/);
    arena.detach(31);
    Arena.attach(arena.memory, 31);
    const memory = new WebAssembly.Memory({ initial: 8, maximum: 8, shared: true });
    expect(() => Arena.attach(memory, 1)).toThrow(/not an arena/);
  });

  it("frees what a dead thread has left, but not what it freed or handed over", () => {
    const arena = Arena.create(1 << 20);
    const used = arena.used;
    const dead = Arena.attach(arena.memory, 2);
    const living = Arena.attach(arena.memory, 3);
    dead.alloc(5 * ARENA_PAGE);
    dead.free(dead.alloc(ARENA_PAGE));
    const mine = living.alloc(2 * ARENA_PAGE);
    const handedOver = dead.alloc(3 * ARENA_PAGE);
    dead.handOver(handedOver);
    dead.alloc(1);
    expect(arena.reclaim(2)).toBe(6 * ARENA_PAGE);
    expect(arena.reclaim(2)).toBe(0);
    expect(arena.used).toBe(used + 5 * ARENA_PAGE);
    expect([arena.sizeOf(mine), arena.sizeOf(handedOver)]).toEqual([2 * ARENA_PAGE, 3 * ARENA_PAGE]);
    arena.free(mine);
    arena.free(handedOver);
    expect(() => arena.reclaim(0)).toThrow(/reclaimed/);
    expect(arena.used).toBe(used);
  });

  it("never overlaps two allocations (random sizes)", () => {
    const seed = Math.floor(Math.random() * 2 ** 31);
    let state = seed;
    const random = (n: number) => {
      state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
      return state % n;
    };
    const arena = Arena.create(8 << 20);
    const used = arena.used;
    const live = new Map<number, number>();
    for (let i = 0; i < 3000; i++) {
      if (random(2) === 0 && live.size > 0) {
        const address = [...live.keys()][random(live.size)];
        expect(arena.u32[address / 4], `seed ${seed}`).toBe(live.get(address));
        expect(arena.u32[(address + arena.sizeOf(address) - 4) / 4], `seed ${seed}`).toBe(live.get(address));
        arena.free(address);
        live.delete(address);
      } else {
        const address = arena.tryAlloc(1 + random(20 * ARENA_PAGE));
        if (address === 0) continue;
        arena.u32[address / 4] = i;
        arena.u32[(address + arena.sizeOf(address) - 4) / 4] = i;
        live.set(address, i);
      }
    }
    for (const address of live.keys()) arena.free(address);
    expect(arena.used, `seed ${seed}`).toBe(used);
  });
});
