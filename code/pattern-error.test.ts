import { expect, test } from "vitest";
import { patternError } from "./pattern-error.js";

const refusal = (pattern: string, column: number) =>
  `all shards failed: failed to create query: regular expression [${pattern}]: there is no ) for the ( at column ${column}`;

test.each([
  ["/(/", "(", 1, "/(/\n ^"],
  ["foo /a(b/ -bar", "a(b", 2, "foo /a(b/ -bar\n      ^"],
  // A slash was written with a backslash, which the pattern does not have.
  ["/a\\/b\\/(/", "a/b/(", 5, "/a\\/b\\/(/\n       ^"],
  ["x path:/[a/](/", "[a/](", 5, "x path:/[a/](/\n            ^"],
])("the caret stands below the trouble: %s", (query, pattern, column, pointed) => {
  expect(patternError(query, refusal(pattern, column))?.pointed()).toBe(pointed);
});

test("what is about no pattern of the query stays what it is", () => {
  expect(patternError("/(/", "no such index [x]")).toBeUndefined();
  expect(patternError("/a/", refusal("(", 1))).toBeUndefined();
});
