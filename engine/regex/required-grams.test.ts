import { expect, it } from "vitest";
import { printGramQuery } from "./gram-query.js";
import { compileLinePattern } from "./line-pattern.js";
import { patternOf } from "./testing/scanner.js";

const print = (pattern: string, more = {}) => printGramQuery(compileLinePattern(patternOf(pattern, more)).grams);

it.each([
  ["abcd", '("abc" "bcd")'],
  ["ab", "all"],
  ["a.c", "all"],
  ["abc|xyz", '("abc"|"xyz")'],
  ["abc|xy", "all"],
  ["ab[cd]e", '(("abc" "bce")|("abd" "bde"))'],
  ["foo.*bar", '("bar" "foo")'],
  ["(abc)+x", '("abc" "bcx")'],
  ["(abc)*x", "all"],
  ["a(bc)?d", "all"],
  ["ab(cd)?ef", '(("abc" "bcd" "cde" "def")|("abe" "bef"))'],
  ["a{3}", '"aaa"'],
  ["(ab){2,}", '("aba" "bab")'],
  ["[a-z]{9}", "all"],
  ["\\bfoo\\b", '"foo"'],
  ["^foo$", '"foo"'],
  ["FOO", '"foo"'],
  ["(?i)FOO", '"foo"'],
  ["ab[ \\n]c", '("ab " "b c")'],
  ["[^\\x00-\\x{10FFFF}]", "none"],
  ["foo|[^\\x00-\\x{10FFFF}]", '"foo"'],
])("%s needs %s", (pattern, expected) => {
  expect(print(pattern)).toBe(expected);
});

it("asks for all writings of letters that have one outside of ASCII", () => {
  expect(print("oks", { caseInsensitive: true }).split("|").length).toBe(4);
  expect(print("é1", { caseInsensitive: true })).toBe(print("É1"));
});
