import { describe, expect, test } from "vitest";
import { GlobError, globPatterns } from "./path-glob.js";

describe("a glob", () => {
  test.each([
    ["src/http", undefined],
    ["app/[id].ts", undefined],
    ["a{b}c", undefined],
    ["src/*", ["src/*"]],
    ["src/**", ["src/*"]],
    ["*.ts", ["*.ts"]],
    ["test_*.py", ["test_*.py", "*/test_*.py"]],
    ["src/**/*.ts", ["src/*.ts"]],
    ["src/**/a/b.ts", ["src/a/b.ts", "src/*/a/b.ts"]],
    ["**/a/**/b*", ["a/b*", "*/a/b*", "a/*/b*", "*/a/*/b*"]],
    ["*.{ts,tsx}", ["*.ts", "*.tsx"]],
    ["{a,b}/c", ["a/c", "b/c"]],
    ["a**/b", ["a*/b"]],
  ])("%s", (glob, patterns) => {
    expect(globPatterns(glob)?.sort()).toEqual(patterns?.sort());
  });

  test("is refused by name where it stands for too many", () => {
    expect(() => globPatterns("{a,b}".repeat(40))).toThrow(GlobError);
    expect(() => globPatterns("**/a".repeat(10))).toThrow(/more than 64 patterns/);
  });
});
