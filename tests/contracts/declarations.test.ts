import { expect, test } from "vitest";
import { complaintsOf } from "./declarations.js";

const HEALTH = { type: "CatHealthResponse" };
const COUNT = { count: 3, _shards: { total: 1, successful: 1, failed: 0 } };

test("what is declared, with more that is not, has its type; what is missing or of another type is said", () => {
  const [right, more, missing, wrong, deep, list] = complaintsOf([
    { type: "CountResponse", answer: COUNT },
    { type: "CountResponse", answer: { ...COUNT, extra: { deeper: [1] } } },
    { type: "CountResponse", answer: { _shards: COUNT._shards } },
    { type: "CountResponse", answer: { ...COUNT, count: "3" } },
    { type: "CountResponse", answer: { ...COUNT, _shards: { total: 1, successful: 1 } } },
    { ...HEALTH, answer: { status: "green" } },
  ]);
  expect([right, more]).toEqual([[], []]);
  expect(missing.join()).toContain("'count' is missing");
  expect(wrong.join()).toContain("'string' is not assignable to type 'number'");
  expect(deep.join()).toContain("'failed' is missing");
  expect(list).not.toEqual([]);
});

test("a word must be one of those that are declared", () => {
  const hit = (relation: string) => ({
    took: 1,
    timed_out: false,
    _shards: COUNT._shards,
    hits: { total: { value: 1, relation }, hits: [] },
  });
  const [right, wrong] = complaintsOf([
    { type: "SearchResponse", answer: hit("eq") },
    { type: "SearchResponse", answer: hit("about") },
  ]);
  expect(right).toEqual([]);
  expect(wrong).not.toEqual([]);
});
