import { expect, test } from "vitest";
import { HitError, parseHits } from "./hit.js";

const source = {
  repo: "r",
  path: "a.ts",
  language: "typescript",
  class: "source",
  blob: "b",
  kind: "function",
  name: "f",
  qualified_name: "A.f",
  signature: "f()",
  docstring: "",
  code: "f() {}",
  start_line: 3,
  end_line: 4,
  start_byte: 20,
  end_byte: 26,
  span: "s",
  locator: "l",
};

function answer(total: unknown, ...sources: unknown[]): unknown {
  return { hits: { total, hits: sources.map((_source) => ({ _id: "1", _score: 2.5, _source })) } };
}

test("a hit as the index has it", () => {
  expect(parseHits(answer({ value: 1, relation: "eq" }, source))).toEqual({
    total: 1,
    totalIs: "exact",
    hits: [
      {
        id: "1",
        score: 2.5,
        repo: "r",
        path: "a.ts",
        language: "typescript",
        class: "source",
        blob: "b",
        kind: "function",
        name: "f",
        qualifiedName: "A.f",
        signature: "f()",
        docstring: "",
        code: "f() {}",
        startLine: 3,
        endLine: 4,
        startByte: 20,
        endByte: 26,
        comment: "",
        docStartLine: 3,
        span: "s",
        locator: "l",
      },
    ],
  });
});

test("the comment above a hit, where the index keeps it", () => {
  const commented = { ...source, comment: "// says f", doc_start_line: 2 };
  expect(parseHits(answer(1, commented)).hits[0]).toMatchObject({ comment: "// says f", docStartLine: 2 });
});

test("a total that stopped counting is a lower bound", () => {
  expect(parseHits(answer({ value: 10_000, relation: "gte" }))).toMatchObject({ total: 10_000, totalIs: "at least" });
  expect(parseHits(answer(7))).toMatchObject({ total: 7, totalIs: "exact" });
});

test.each([
  [null, /the answer is not an object/],
  [{ hits: { total: 1 } }, /no list of hits/],
  [{ hits: { hits: [] } }, /no total/],
  [answer(1, { ...source, start_line: "3" }), /hit 1 has no number "start_line".*another version/],
  [answer(1, { repo: "r" }), /hit 1 has no string "path"/],
])("another shape is refused by name: %j", (response, reason) => {
  expect(() => parseHits(response)).toThrow(HitError);
  expect(() => parseHits(response)).toThrow(reason);
});
