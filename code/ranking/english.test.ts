import { expect, test } from "vitest";
import { formsOf } from "./english.js";

test.each([
  ["computed", ["compute", "computes", "computing"]],
  ["planned", ["plan", "plans", "planer"]],
  ["validation", ["validate", "validated"]],
  ["redirects", ["redirect", "redirected", "redirection"]],
  ["proxies", ["proxy"]],
  ["merge", ["merges", "merged", "merging"]],
])("other forms of %s", (word, some) => {
  const forms = formsOf(word);
  expect(forms).toEqual(expect.arrayContaining(some));
  expect(forms).not.toContain(word);
});

test.each(["tcp", "utf8", "größe"])("%s has none", (word) => {
  expect(formsOf(word)).toEqual([]);
});
