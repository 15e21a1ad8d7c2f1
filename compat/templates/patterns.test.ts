import fc from "fast-check";
import { expect, test } from "vitest";
import { matchesAny, overlap } from "./patterns.js";

test.each([
  ["a*", "a*", true],
  ["a*", "ab*", true],
  ["a*", "b*", false],
  ["*a", "a*", true],
  ["*", "", true],
  ["a*c", "ab", false],
  ["a*c", "*bc", true],
  ["logs-*-*", "logs-app", false],
  ["logs-*", "*-default", true],
  ["a", "a", true],
  ["a", "aa", false],
])("%s and %s have names in common: %s", (one, other, common) => {
  expect([overlap([one], [other]), overlap([other], [one])]).toEqual([common, common]);
});

test("patterns that match one name have names in common", () => {
  const name = fc.string({ unit: fc.constantFrom("a", "b"), maxLength: 6 });
  const pattern = fc.string({ unit: fc.constantFrom("a", "b", "*"), maxLength: 6 });
  fc.assert(
    fc.property(name, pattern, pattern, (text, one, other) => {
      fc.pre(matchesAny([one], text) && matchesAny([other], text));
      expect(overlap([one], [other])).toBe(true);
    }),
    { seed: 7, numRuns: 300 },
  );
});

test("patterns without names in common match no name both", () => {
  const names = ["", "a", "b", "aa", "ab", "ba", "bb", "aab", "aba", "bab", "abb", "bba", "aaa", "bbb"];
  const pattern = fc.string({ unit: fc.constantFrom("a", "b", "*"), maxLength: 4 });
  fc.assert(
    fc.property(pattern, pattern, (one, other) => {
      const both = names.some((name) => matchesAny([one], name) && matchesAny([other], name));
      if (!overlap([one], [other])) expect(both).toBe(false);
    }),
    { seed: 7, numRuns: 500 },
  );
});
