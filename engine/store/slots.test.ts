import { describe, expect, it } from "vitest";
import { ARENA_PAGE } from "./arena.js";
import { nodeFiles } from "./files.js";
import { slotAddress } from "./slot-slabs.js";
import { attachStorage, detachStorage, releaseThread, type Storage } from "./storage.js";
import { testStorage } from "./testing.js";

/** Two threads' storages on one arena, both driven by this thread so that their steps can be put in any order. */
function twoThreads(): { one: Storage; two: Storage; slot: number } {
  const one = testStorage(4 * 2 ** 20);
  const two = attachStorage(nodeFiles, one.arena.memory, { thread: 7 });
  return { one, two, slot: slotAddress(one.extents.slabs.take(3), 1) };
}

/** Loads a piece of so many pages into a slot, as SegmentFile does; returns its address. */
function load({ arena, extents }: Storage, slot: number, pages = 2): number {
  expect(extents.slots.pin(slot, extents.now())).toBe(0);
  const address = arena.alloc(pages * ARENA_PAGE);
  expect(extents.slots.publish(slot, address)).toBe(true);
  return address;
}

describe("a slot", () => {
  it("shows all threads one piece, which stays while one of them keeps it", () => {
    const { one, two, slot } = twoThreads();
    const address = load(one, slot);
    expect(two.extents.slots.pin(slot, 1)).toBe(address);
    expect(one.extents.slots.pinnedBy(slot)).toBe(0b1000_0001);
    one.extents.slots.unpin(slot);
    expect(one.extents.evict(1)).toBe(0);
    expect(two.extents.evict(1)).toBe(0);
    two.extents.slots.unpin(slot);
    expect(one.extents.slots.peek(slot)).toBe(address);
    expect(two.extents.evict(1)).toBe(2 * ARENA_PAGE);
    expect(one.extents.slots.peek(slot)).toBe(0);
    expect(one.arena.sizeOf(address)).toBe(0);
  });

  it("takes the copy of the thread that was quicker", () => {
    const { one, two, slot } = twoThreads();
    expect(two.extents.slots.pin(slot, 1)).toBe(0);
    const late = two.arena.alloc(1);
    const address = load(one, slot);
    expect(two.extents.slots.publish(slot, late)).toBe(false);
    two.arena.free(late);
    expect(two.extents.slots.pin(slot, 2)).toBe(address);
    expect(one.extents.statistics()).toMatchObject({ loads: 1, loadedBytes: 2 * ARENA_PAGE });
  });

  it("that is being evicted is put back by who pins it then, and the evictor leaves it alone", () => {
    const { one, two, slot } = twoThreads();
    const address = load(one, slot);
    one.extents.slots.unpin(slot);
    let pinned = 0;
    // Between the evictor's mark and its last look at the pins, or after that look.
    for (const moment of [1, 2]) {
      let looks = 0;
      const original = one.extents.slots.pinnedBy.bind(one.extents.slots);
      one.extents.slots.pinnedBy = (of) => {
        if (++looks === 2 && moment === 1) pinned = two.extents.slots.pin(of, 5);
        const found = original(of);
        if (looks === 2 && moment === 2) pinned = two.extents.slots.pin(of, 5);
        return found;
      };
      expect(one.extents.slots.evict(slot)).toBe(0);
      expect(looks).toBe(2);
      one.extents.slots.pinnedBy = original;
      expect(pinned).toBe(address);
      expect(one.extents.slots.peek(slot)).toBe(address);
      expect(one.arena.sizeOf(address)).toBe(2 * ARENA_PAGE);
      two.extents.slots.unpin(slot);
    }
    expect(one.extents.slots.evict(slot)).toBe(2 * ARENA_PAGE);
  });

  it("is not evicted by a thread whose mark was put back and set anew by another one meanwhile", () => {
    const { one, two, slot } = twoThreads();
    const three = attachStorage(nodeFiles, one.arena.memory, { thread: 8 });
    const address = load(one, slot);
    one.extents.slots.unpin(slot);
    const look = one.extents.slots.pinnedBy.bind(one.extents.slots);
    let looks = 0;
    three.extents.slots.pinnedBy = (of) => {
      // Marks the piece that was pinned after the first look, and gets no further for now.
      if (++looks === 2) throw new Error("suspended");
      const found = look(of);
      two.extents.slots.pin(of, 7);
      return found;
    };
    let ownLooks = 0;
    one.extents.slots.pinnedBy = (of) => {
      const found = look(of);
      if (++ownLooks < 2) return found;
      two.extents.slots.pin(of, 6);
      two.extents.slots.unpin(of);
      expect(() => three.extents.slots.evict(of)).toThrow("suspended");
      return found;
    };
    expect(one.extents.slots.evict(slot)).toBe(0);
    expect([looks, ownLooks]).toEqual([2, 2]);
    expect(look(slot)).toBe(2 ** 7);
    expect(two.extents.slots.pin(slot, 8)).toBe(address);
    expect(one.arena.sizeOf(address)).toBe(2 * ARENA_PAGE);
  });

  it("of a dead thread that was about to evict is like any other", () => {
    const { one, two, slot } = twoThreads();
    const address = load(one, slot);
    one.extents.slots.unpin(slot);
    const dying = two.extents.slots;
    const original = dying.pinnedBy.bind(dying);
    let looks = 0;
    dying.pinnedBy = (of) => {
      if (++looks === 2) throw new Error("dies here");
      return original(of);
    };
    expect(() => dying.evict(slot)).toThrow("dies here");
    expect(one.extents.slots.peek(slot)).toBe(address);
    expect(one.extents.slots.pin(slot, 3)).toBe(address);
    one.extents.slots.unpin(slot);
    expect(() => {
      looks = 0;
      dying.evict(slot);
    }).toThrow("dies here");
    expect(one.extents.evict(1)).toBe(2 * ARENA_PAGE);
  });

  it("is found by threads that did not make it, however many files there are", () => {
    const { one, two } = twoThreads();
    const used = one.arena.used;
    const runs = Array.from({ length: 10_000 }, () => one.extents.slabs.take(1));
    expect(one.arena.used - used).toBeLessThan(400_000);
    const own = two.extents.slabs.take(700);
    const slots = [...runs.map((run) => slotAddress(run, 0)), slotAddress(own, 699)];
    expect(new Set(slots).size).toBe(10_001);
    for (const { extents } of [one, two]) {
      const found = new Set(extents.slabs.all());
      expect(slots.every((slot) => found.has(slot))).toBe(true);
    }
    for (const run of runs) one.extents.slabs.give(run);
    const before = one.arena.used;
    for (let i = 0; i < 10_000; i++) one.extents.slabs.take(1);
    expect(one.arena.used).toBe(before);
  });

  it("of a closed file is refused, also when another file has it", () => {
    const { one, two } = twoThreads();
    const run = one.extents.slabs.take(4);
    const posted = structuredClone(run);
    two.extents.slabs.check(posted);
    one.extents.slabs.give(run);
    expect(() => two.extents.slabs.check(posted)).toThrow(/has closed it/);
    expect(one.extents.slabs.take(4).address).toBe(run.address);
    expect(() => two.extents.slabs.check(posted)).toThrow(/has closed it/);
    expect(() => one.extents.slabs.give(run)).toThrow(/has closed it/);
  });

  it("of a dead thread is cleared of its pins alone, and its number is free again", () => {
    const { one, two, slot } = twoThreads();
    load(one, slot);
    two.extents.slots.pin(slot, 1);
    expect(one.extents.releasePinsOf(7)).toBe(1);
    expect(one.extents.releasePinsOf(7)).toBe(0);
    expect(one.extents.slots.pinnedBy(slot)).toBe(1);
    expect(() => one.extents.releasePinsOf(0)).toThrow(/declares itself dead/);
    expect(() => attachStorage(nodeFiles, one.arena.memory, { thread: 7 })).toThrow(/as number 7/);
    two.extents.slots.pin(slot, 1);
    two.arena.alloc(1);
    expect(releaseThread(one, 7, "reclaim")).toEqual({ pins: 1, bytes: ARENA_PAGE });
    detachStorage(attachStorage(nodeFiles, one.arena.memory, { thread: 7 }));
    attachStorage(nodeFiles, one.arena.memory, { thread: 7 });
    expect(releaseThread(one, 7, "leave")).toEqual({ pins: 0, bytes: 0 });
  });
});
