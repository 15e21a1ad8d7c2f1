import { expect, it } from "vitest";
import { compileLinePattern } from "./line-pattern.js";
import { patternOf } from "./testing/scanner.js";

/** Length, and each place with the first and the last byte that may stand there. */
function print(pattern: string, more = {}): string {
  const { classes } = compileLinePattern(patternOf(pattern, more));
  if (classes === null) return "none";
  const bytes = Array.from({ length: 256 }, (_, byte) => byte);
  const places = classes.places.map(({ offset, low, high }) => {
    const inside = bytes.filter((byte) => (low[byte & 15] & high[byte >>> 4]) !== 0);
    const [first, last] = [inside[0], inside[inside.length - 1]].map((byte) =>
      byte > 0x20 && byte < 0x7f ? String.fromCharCode(byte) : byte.toString(16),
    );
    return `${offset}:${first}-${last}`;
  });
  return `${classes.length} ${places.join(" ")}`;
}

it.each([
  ["[0-9]{9}", "9 0:0-9 8:0-9 4:0-9"],
  ["x*[0-9]{4,}[a-z]?", "4 0:0-9 3:0-9 1:0-9"],
  ["(a|b|c)x[0-9]y", "4 3:y-y 1:x-x 2:0-9"],
  ["([0-9](,|;)){3}", "6 1:,-; 5:,-; 3:,-;"],
  // Digits of other scripts take two bytes or more.
  ["\\d{3}[A-Z]", "3 0:0-ff 2:0-ff 1:0-ff"],
  ["[\u00e4\u00f6]{2}", "3 0:c3-c3 2:c3-c3 1:80-bf"],
  ["\\p{Greek}+", "2 0:80-ff 1:80-ff"],
  ["[^\\x00-\\x7f]", "2 0:80-ff 1:80-ff"],
  // What ends a repeat stands before what follows it.
  ["[a-z]+[A-Z]{3,}[0-9]{3}", "6 3:0-9 5:0-9 4:0-9"],
  ["^[0-9]{3}$", "3 0:0-9 2:0-9 1:0-9"],
])("%s has %s", (pattern, expected) => {
  expect(print(pattern)).toBe(expected);
});

it.each([
  ["a literal is found faster", "abc[0-9]{9}"],
  ["what is frequent saves nothing", "[a-z]{20}|[a-f]{3}"],
  ["any character", "^.{400,}$"],
  ["what need not be there", "([0-9]{9})*"],
  ["alternatives", "[0-9]{9}|[A-Z]{20}"],
  ["no character at all", "[^\\x00-\\x{10FFFF}]"],
])("none: %s", (_, pattern) => {
  expect(print(pattern)).toBe("none");
});

it("none: matches that may cross lines", () => {
  expect(print("[0-9]{9}", { extent: "lines" })).toBe("none");
});

it("takes no longer for repeats of repeats than their steps", () => {
  const nested = Array.from({ length: 12 }).reduce<string>((inner) => `(?:${inner}){2,}`, "[0-9]");
  expect(print(nested)).toBe("4 0:0-9 3:0-9 1:0-9");
});
