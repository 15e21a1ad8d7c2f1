import { describe, expect, it } from "vitest";
import { compileLinePattern } from "./line-pattern.js";
import { OrderedSearch } from "./ordered-search.js";
import { patternOf } from "./testing/scanner.js";

function ranges(pattern: string, text: string, more = {}): string[] {
  const bytes = Buffer.from(text);
  const search = new OrderedSearch(compileLinePattern(patternOf(pattern, more)).program);
  return Array.from(search.findAll({ bytes, begin: 0, end: bytes.length }), ([start, end]) =>
    bytes.subarray(start, end).toString(),
  );
}

describe("syntax", () => {
  it.each([
    ["a|ab", "ab", ["a"]],
    ["a+?", "aaa", ["a", "a", "a"]],
    ["(?U)a+b??", "aab", ["a", "ab"]],
    ["a{2,3}", "aaaaa", ["aaa", "aa"]],
    ["a{,2}", "a{,2}", ["a{,2}"]],
    ["x*", "axb", ["", "x", ""]],
    ["[]a-]+", "a]-b", ["a]-"]],
    ["[^]a]", "]ab", ["b"]],
    ["[a\\-z]+", "a-z b", ["a-z"]],
    ["[[:digit:][:^alnum:]]+", "1-a", ["1-"]],
    ["\\pN+", "1Ⅷa", ["1Ⅷ"]],
    ["\\p{Greek}+|\\P{L}", "αβa1", ["αβ", "1"]],
    ["\\p{^Lu}", "Aa", ["a"]],
    ["\\x41\\x{1F600}\\101", "A😀A", ["A😀A"]],
    ["\\Qa.b\\E.", "a.bc", ["a.bc"]],
    ["(?P<word>\\w+) (?<next>\\w+)", "ab cd", ["ab cd"]],
    ["(?i)straSSe", "STRAſSE", ["STRAſSE"]],
    ["(?i:A)b", "ab aB", ["ab"]],
    ["a(?i)b|c", "aB C", ["aB", "C"]],
    ["(?i)[^k]", "K\u212ax", ["x"]],
    ["日.", "日本", ["日本"]],
    ["\\d+", "12", ["12"]],
  ])("%s in %s", (pattern, text, expected) => {
    expect(ranges(pattern, text)).toEqual(expected);
  });

  it("lets a match cross lines where that was asked for", () => {
    expect(ranges("a\\sb", "a\nb", { extent: "lines" })).toEqual(["a\nb"]);
    expect(ranges("a.b|c$\\n^d", "a\nb c\nd", { extent: "lines" })).toEqual(["c\nd"]);
    expect(ranges("\\Aa|b\\z", "a\na\nb\nb", { extent: "lines" })).toEqual(["a", "b"]);
  });
});

describe("a pattern that is none says where and why", () => {
  it.each([
    ["a(b", 2, "there is no ) for the ("],
    ["a)b", 2, "there is no ( for this )"],
    ["é[b", 2, "there is no ] for the ["],
    ["*a", 1, "nothing before this to repeat"],
    ["(|+)", 3, "nothing before this to repeat"],
    ["a**", 3, "a repeat of a repeat"],
    ["a{1001}", 2, "a repeat may count to 1000"],
    ["a{3,2}", 2, "ends before it begins"],
    ["[b-a]", 2, "the range ends before it begins"],
    ["x(?=y)", 2, "looking ahead or behind is not supported"],
    ["x(?<!y)", 2, "looking ahead or behind is not supported"],
    ["(a)\\1", 4, "references to groups are not supported"],
    ["\\y", 1, "\\y means nothing"],
    ["a\\", 3, "ends too early"],
    ["\\C", 1, "any byte"],
    ["\\p{Nope}", 1, "no class of characters called [Nope]"],
    ["[[:nope:]]", 2, "no class of characters called [:nope:]"],
    ["\\x{110000}", 1, "up to 10FFFF"],
    ["(?z)a", 3, "no flag [z]"],
    ["(?P<a>x)(?P<a>y)", 9, "two groups are called [a]"],
    ["a\\nb", 2, "a line has no \\n"],
    ["a\nb", 2, "a line has no \\n"],
    [`${"(".repeat(501)}${")".repeat(501)}`, 501, "more than 500 brackets"],
  ])("%s: column %i, %s", (pattern, column, reason) => {
    const compile = () => compileLinePattern(patternOf(pattern));
    expect(compile).toThrow(reason);
    expect(compile).toThrow(`at column ${column}`);
  });

  it("bounds what repeats of repeats come to", () => {
    expect(() => compileLinePattern(patternOf("((a{100}){100}){100}"))).toThrow("too large");
    expect(() => compileLinePattern(patternOf("\\w{1000}"))).toThrow("too large");
    expect(() => compileLinePattern(patternOf("[a-z]{1000}"))).not.toThrow();
  });
});
