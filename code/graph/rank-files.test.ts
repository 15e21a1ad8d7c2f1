import { expect, test } from "vitest";
import { rankFiles } from "./rank-files.js";

const edge = (from: string, to: string, weight = 1) => ({ from, to, weight });

test("a file that important files use matters more than one that as many unimportant ones use", () => {
  const edges = [edge("a", "hub"), edge("b", "hub"), edge("c", "hub"), edge("hub", "core"), edge("x", "leaf")];
  const ranks = rankFiles(edges);
  expect(ranks.get("core")).toBeGreaterThan(ranks.get("leaf")!);
  expect(ranks.get("hub")).toBeGreaterThan(ranks.get("leaf")!);
});

test("ranks are 1 on average, cycles and files without uses included, and the order of edges does not matter", () => {
  const edges = [edge("a", "b"), edge("b", "a"), edge("c", "a", 3), edge("c", "d"), edge("d", "d")];
  const ranks = rankFiles(edges);
  expect([...ranks.values()].reduce((sum, rank) => sum + rank, 0)).toBeCloseTo(4, 9);
  expect([...rankFiles([...edges].reverse())]).toEqual([...ranks]);
});

test("heavier uses count for more", () => {
  const ranks = rankFiles([edge("a", "b", 9), edge("a", "c", 1)]);
  expect(ranks.get("b")).toBeGreaterThan(ranks.get("c")!);
});

test("nothing has no ranks", () => {
  expect(rankFiles([]).size).toBe(0);
});
