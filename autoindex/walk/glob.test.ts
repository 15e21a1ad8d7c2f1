import { describe, expect, it } from "vitest";
import { processorMs } from "../testing/processor-time.js";
import { IgnoreFile } from "./rules.js";

const file = (pattern: string, path: string) => new IgnoreFile("i", pattern).judge(path.split("/"), "file")?.ignored;

describe("ignore patterns", () => {
  const cases: [pattern: string, path: string, ignored: boolean | undefined][] = [
    ["*.log", "a.log", true],
    ["*.log", "deep/er/a.log", true],
    ["*.log", "a.log.txt", undefined],
    ["/a.log", "a.log", true],
    ["/a.log", "b/a.log", undefined],
    ["a/b", "a/b", true],
    ["a/b", "x/a/b", undefined],
    ["**/b", "x/y/b", true],
    ["a/**/b", "a/b", true],
    ["a/**/b", "a/x/y/b", true],
    ["a/**", "a/x/y", true],
    ["a/**", "a", undefined],
    ["build/", "build", undefined],
    ["!keep", "keep", false],
    ["#x", "#x", undefined],
    ["\\#x", "#x", true],
    ["\\!x", "!x", true],
    ["a\\ ", "a ", true],
    ["a  ", "a", true],
    ["[a-c]x", "bx", true],
    ["[!a-c]x", "bx", undefined],
    ["[]]x", "]x", true],
    ["[[:digit:]]x", "7x", true],
    ["[ab", "[ab", undefined],
    ["*[", "a[", undefined],
    ["\\[ab", "[ab", true],
    ["[[:punct:]]x", "-x", true],
    ["[[:constructor:]]x", "ox", undefined],
    ["[[:constructor:]", "o", undefined],
    ["a?c", "abc", true],
    ["a?c", "a/c", undefined],
    ["größe*", "größe🙂.txt", true],
  ];
  it.each(cases)("%s on %s", (pattern, path, ignored) => {
    expect(file(pattern, path)).toBe(ignored);
  });

  it("lets the last matching rule of a file win and names it", () => {
    const rules = new IgnoreFile("sub/.gitignore", "*.log\n!b.log\n");
    expect(rules.judge(["b.log"], "file")).toEqual({ ignored: false, why: "sub/.gitignore:2: !b.log" });
  });

  it("stays quick on a pattern made to backtrack", async () => {
    const spent = await processorMs(() => expect(file(`${"a*".repeat(60)}b`, "a".repeat(250))).toBeUndefined());
    expect(spent).toBeLessThan(200);
  });
});
