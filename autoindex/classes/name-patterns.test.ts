import { expect, it } from "vitest";
import { NamePatterns } from "./name-patterns.js";
import { PATH_RULES } from "./path-rules.js";

const patterns = ["*.min.js", "test_*.c", "gradlew", "*.gen.*", "*.g4.*", "makefile.[ch]", ".x", "a?b.go", "*_test"];

it.each([
  ["a.min.js", true],
  ["a.MIN.Js", true],
  ["a.js", false],
  ["test_x.c", true],
  ["xtest_x.c", false],
  ["gradlew", true],
  ["gradlew.bat", false],
  ["a.gen.whatever", true],
  ["makefile.h", true],
  ["makefile.x", false],
  [".x", true],
  ["b.x", false],
  ["a+b.go", true],
  ["one_test", true],
  [`a.gen.${"x".repeat(100)}`, true],
])("%s fits: %s", (name, fits) => {
  const named = new NamePatterns(patterns, "any");
  expect(named.test(name)).toBe(fits);
  expect(named.test(name)).toBe(fits);
});

it("capitals count where they are to", () => {
  const named = new NamePatterns(["*Test.java"], "exact");
  expect(["FooTest.java", "contest.java", "FooTest.JAVA"].map((name) => named.test(name))).toEqual([
    true,
    false,
    false,
  ]);
});

it("a name made from each pattern of the rules fits it, as one expression says", () => {
  for (const { names = [], letters } of PATH_RULES) {
    const named = new NamePatterns(names, letters ?? "any");
    for (const pattern of names) {
      const name = pattern
        .replaceAll("*", "x")
        .replaceAll("?", "y")
        .replace(/\[(.)[^\]]*\]/g, "$1");
      expect(named.test(name), name).toBe(true);
    }
  }
});
