import { expect, test } from "vitest";
import { DEEPEST_YAML, isDeepYaml } from "./yaml-depth.js";

const stairs = (levels: number, line: string) =>
  Array.from({ length: levels }, (_, at) => `${" ".repeat(at)}${line}\n`).join("");

test.each<[what: string, (levels: number) => string]>([
  ["dashes in one line", (levels) => `${"- ".repeat(levels - 1)}x\n`],
  ["marks of keys", (levels) => `${"? ".repeat(levels - 1)}x\n`],
  ["keys below keys", (levels) => stairs(levels, "a:")],
  ["dashes below dashes", (levels) => stairs(levels, "-")],
  ["a deep place in the middle", (levels) => `a: 1\n${stairs(levels, "b:")}c: 1\n`],
])("%s count", (_, text) => {
  expect(isDeepYaml(text(DEEPEST_YAML))).toBe(false);
  expect(isDeepYaml(text(DEEPEST_YAML + 1))).toBe(true);
});

test.each([
  ["many entries side by side", "- a: 1\n  b: - 2\n".repeat(10_000)],
  ["many keys", "key: value\n".repeat(10_000)],
  ["a long line far to the right", `a:\n${" ".repeat(5_000)}b: 1\n`],
  ["a rule of dashes", `${"-".repeat(3_000)}\n`],
  ["flow collections", `${"[".repeat(1_000)}${"]".repeat(1_000)}\n`],
])("%s do not nest", (_, text) => {
  expect(isDeepYaml(text)).toBe(false);
});
