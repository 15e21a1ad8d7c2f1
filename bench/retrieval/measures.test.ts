import { expect, test } from "vitest";
import { foundAt, ndcgAt10, ranksOf, reciprocalRank } from "./measures.js";

test("ranks are counted from 1, each wanted thing at its first place", () => {
  expect(ranksOf(["a", "b", "a", "c"], (key) => key !== "b")).toEqual([1, 4]);
  expect(ranksOf(["a"], () => false)).toEqual([]);
});

test("measures of nothing found are 0", () => {
  expect([foundAt([], 5), reciprocalRank([]), ndcgAt10([], 2)]).toEqual([0, 0, 0]);
});

test("the first rank decides recall and reciprocal rank", () => {
  expect([foundAt([5, 9], 1), foundAt([5, 9], 5), reciprocalRank([5, 9])]).toEqual([0, 1, 0.2]);
});

test("nDCG is 1 when all that is wanted stands at the top, and looks no further than ten", () => {
  expect(ndcgAt10([1, 2], 2)).toBeCloseTo(1);
  expect(ndcgAt10([2], 1)).toBeCloseTo(1 / Math.log2(3));
  expect(ndcgAt10([11], 1)).toBe(0);
});
