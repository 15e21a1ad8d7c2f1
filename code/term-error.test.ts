import { expect, test } from "vitest";
import { readQuery } from "./ranking/read-query.js";
import { toSearchRequest } from "./search-request.js";
import { termError } from "./term-error.js";

const MANY = "{a,b}".repeat(9);

function refusal(text: string) {
  try {
    toSearchRequest(readQuery(text), { from: 0, size: 1, words: "all" });
  } catch (error) {
    return termError(text, error);
  }
  return undefined;
}

test.each([
  [`path:${MANY}`, 6, /^column 6: path:.*more than 64 patterns/],
  [`x path:src,/${MANY}/`, 13, /more than 64 patterns/],
  [`a or (b -path:"${MANY}")`, 16, /more than 64 patterns/],
  [`how is the delay of a retry computed path:${MANY}`, 43, /more than 64 patterns/],
  ["x since:2020-13-45", 9, /^column 9: since:2020-13-45: .*no date from 1970 to 2099/],
  ["type:commit since:v1,v2", 19, /since:v1: it needs the folders/],
  ['x SINCE:"2026-01-01 25:00" y', 10, /no date/],
  ["changed: all", 1, /changed:all: it needs the folders/],
])("%s: the column of the value", (text, column, reason) => {
  expect(refusal(text)).toMatchObject({ column, message: expect.stringMatching(reason) });
});

test("of other errors, and of keys that the query does not have, nothing is told", () => {
  expect(termError("x", new Error("path:a: no"))).toBeUndefined();
  expect(refusal("x path:src")).toBeUndefined();
});
