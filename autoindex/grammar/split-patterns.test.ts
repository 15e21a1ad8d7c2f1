import { expect, it } from "vitest";
import { splitPatterns } from "./split-patterns.js";

it("splits a query into patterns with their captures and predicates", () => {
  const query = `
(a (b) @name) @function
[(c) (d)] @ref.call
((e) @x (#eq? @x ")("))
(f "(" @g)`;
  expect(splitPatterns(query)).toEqual([
    "(a (b) @name) @function",
    "[(c) (d)] @ref.call",
    '((e) @x (#eq? @x ")("))',
    '(f "(" @g)',
  ]);
  expect(splitPatterns("")).toEqual([]);
});
