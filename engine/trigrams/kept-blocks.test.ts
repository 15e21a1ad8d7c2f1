import { beforeEach, expect, test } from "vitest";
import { Arena } from "../store/arena.js";
import { KeptBlocks } from "./kept-blocks.js";

const BLOCK = 16_000;
let arena: Arena;
let blocks: KeptBlocks;

beforeEach(() => {
  arena = Arena.create(64 << 20);
  blocks = new KeptBlocks(arena);
});

test("a block is kept from its second reading on", () => {
  expect(blocks.room(1, BLOCK)).toBe(0);
  expect(blocks.find(1)).toBe(0);
  const address = blocks.room(1, BLOCK);
  expect(address).toBeGreaterThan(0);
  expect(blocks.find(1)).toBe(address);
});

test("the least recently used make room: no more than a part of the arena is taken", () => {
  const before = arena.used;
  for (let key = 0; key < 200; key++) for (let time = 0; time < 2; time++) blocks.room(key, BLOCK);
  expect(arena.used - before).toBeLessThanOrEqual(arena.capacity / 64 + 2 * BLOCK);
  expect(blocks.find(0)).toBe(0);
  expect(blocks.find(199)).toBeGreaterThan(0);
});

test("what reads more than can be kept, again and again, keeps nothing", () => {
  for (let time = 0; time < 3; time++) for (let key = 0; key < 5000; key++) expect(blocks.room(key, BLOCK)).toBe(0);
});

test("a block that could not be unpacked is forgotten, and its memory is free", () => {
  blocks.room(1, BLOCK);
  const before = arena.used;
  blocks.room(1, BLOCK);
  blocks.drop(1);
  expect([blocks.find(1), arena.used]).toEqual([0, before]);
});

test("when memory is short all are given back but the one that was used last", () => {
  for (const key of [1, 2, 3]) for (let time = 0; time < 2; time++) blocks.room(key, BLOCK);
  blocks.find(2);
  const held: number[] = [];
  for (let address = arena.tryAlloc(1 << 20); address !== 0; address = arena.tryAlloc(1 << 20)) held.push(address);
  expect([1, 2, 3].map((key) => blocks.find(key) > 0)).toEqual([false, true, false]);
});
