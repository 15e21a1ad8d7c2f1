import { expect, test } from "vitest";
import { asRecorded } from "./why.js";

test.each([
  ["caf\uFFFD.py", "src/caf\\xE9.py", "caf\\xE9.py"],
  ["./a/../d\uFFFD/caf\uFFFD.py", "d\\xE8/caf\\xE9.py", "./a/../d\\xE8/caf\\xE9.py"],
  ["plain.py", "src/plain.py", "plain.py"],
  // A name that really has the replacement character.
  ["src/a\uFFFD.py", "src/a\uFFFD.py", "src/a\uFFFD.py"],
  ["x/caf\uFFFD.py", "other.py", "x/caf\uFFFD.py"],
])("%j, in the catalog as %j, is shown as %j", (given, recorded, shown) => {
  expect(asRecorded(given, recorded)).toBe(shown);
});
