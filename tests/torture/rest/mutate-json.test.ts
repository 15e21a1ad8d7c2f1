import { expect, test } from "vitest";
import { chanceOf } from "../../../engine/store/testing/chance.js";
import { readJson } from "../../conformance/read-json.js";
import { printValue, type Value } from "../../conformance/values.js";
import type { Corpus } from "./corpus.js";
import { mutateJson } from "./mutate-json.js";

const BODY = '{"query":{"bool":{"filter":[{"term":{"a":1}},{"range":{"b":{"gte":1.5}}}]}},"size":10}';
const corpus = { keys: ["query", "size"], valueOf: (): Value => "another" } as unknown as Corpus;

test("a seed says all of a change, and what is changed is a copy", () => {
  const body = readJson(BODY);
  const texts = Array.from({ length: 200 }, (_, seed) =>
    printValue(mutateJson(body, { chance: chanceOf(seed), corpus })),
  );
  const again = Array.from({ length: 200 }, (_, seed) =>
    printValue(mutateJson(body, { chance: chanceOf(seed), corpus })),
  );
  expect(again).toEqual(texts);
  expect(printValue(body)).toBe(printValue(readJson(BODY)));
  expect(new Set(texts).size).toBeGreaterThan(100);
});
