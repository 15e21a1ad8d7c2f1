import { expect, it } from "vitest";
import { compileLinePattern } from "./line-pattern.js";
import { patternOf } from "./testing/scanner.js";

it("a pattern whose repeats come to too many steps is refused with a column and a reason", () => {
  expect(() => compileLinePattern(patternOf("(a{1000}){51}"))).toThrow(
    "regular expression [(a{1000}){51}]: it is too large: its repeats come to more than 50000 steps at column 1",
  );
});
