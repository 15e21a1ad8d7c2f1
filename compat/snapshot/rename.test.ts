import { expect, test } from "vitest";
import { renameAll } from "./rename.js";

// What Java's Matcher.replaceAll gives.
test.each([
  ["logs-2024", "(.+)", "restored_$1", "restored_logs-2024"],
  ["logs-2024", "logs-(\\d+)", "old-$1-x", "old-2024-x"],
  ["logs-2024", "o", "00", "l00gs-2024"],
  ["logs-2024", "(l)(o)", "$2$1", "olgs-2024"],
  ["logs-2024", "(l)", "$12", "l2ogs-2024"],
  ["logs-2024", "(?<year>20\\d\\d)", "\u0024{year}a", "logs-2024a"],
  ["logs-2024", "(x)?logs", "[$1]", "[]-2024"],
  ["logs-2024", "logs", "\\$1", "$1-2024"],
  ["logs-2024", "x*", "-", "-l-o-g-s---2-0-2-4-"],
  ["logs-2024", "nothing", "x", "logs-2024"],
])("%s by %s and %s is %s", (name, pattern, replacement, expected) => {
  expect(renameAll([name], pattern, replacement)).toEqual([expected]);
});

test.each([
  ["a", "$"],
  ["a", "$x"],
  ["a", "\u0024{no}"],
  ["a", "$1"],
  ["a", "x\\"],
])("%s and %s is no replacement", (pattern, replacement) => {
  expect(() => renameAll(["a"], pattern, replacement)).toThrow();
});
