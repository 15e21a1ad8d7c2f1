import { expect, test } from "vitest";
import { isSensitiveByItself } from "./smart-case.js";

// What ripgrep does with `-S`: insensitive where the pattern has a literal character and none that is a capital.
test.each([
  ["err", false],
  ["Err", true],
  ["É", true],
  ["[[:upper:]]{5}", true],
  ["\\p{Lu}{5}", true],
  ["\\pL+", true],
  ["[\\p{Lu}]{12}", true],
  ["\\w+\\s\\D", true],
  ["\\p{Lu}_", false],
  ["[[:upper:]x]", false],
  ["[[:upper:]]x\\W", false],
  ["\\x41", true],
  ["\\x61", false],
  ["\\x{41}", true],
  ["\\u{41}", true],
  ["\\u0041", true],
  ["\\101", true],
  ["\\x4a", true],
  ["\\x{4F}[[:alpha:]]", true],
  ["[a-z]", false],
  ["[A-Z]", true],
  ["[^a]B", true],
  ["(?P<Name>a)", false],
  ["(?<Name>\\w)", true],
  ["(?U:a)", false],
  ["\\bfoo\\B", false],
  ["\\Qa.B\\E", true],
  ["\\n", false],
  ["^$", true],
  ["", true],
])("the expression %s is sensitive by itself: %s", (pattern, isSensitive) => {
  expect(isSensitiveByItself(pattern, true)).toBe(isSensitive);
});

test("a text that is looked for as it is has no signs", () => {
  expect(["\\W", "[[:upper:]]", "\\p{l}"].map((text) => isSensitiveByItself(text, false))).toEqual([
    true,
    false,
    false,
  ]);
});
