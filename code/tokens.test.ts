import { expect, test } from "vitest";
import { countTokens } from "./tokens.js";

test.each([
  ["", 0],
  ["a", 1],
  ["abc", 1],
  ["abcd", 2],
  ["ü", 1],
  ["🗂", 2],
])("%j is %d tokens: UTF-8 bytes by three, rounded up", (text, tokens) => {
  expect(countTokens(text)).toBe(tokens);
});
