import { describe, expect, it } from "vitest";
import { random } from "../testing/random.js";
import { regexp } from "./regexp.js";

describe("regular expressions", () => {
  it.each([
    ["fo+", "foo", "f"],
    ["fo{2,3}", "fooo", "foooo"],
    ["fo{2}", "foo", "fo"],
    ["fo{2,}", "fooooo", "fo"],
    ["(foo|bar).*", "bars", "sbar"],
    ["[a-c-]+", "a-b", "a_b"],
    ["[^a]", "é", "a"],
    ["\\w+\\d", "ab_1", "ab1_"],
    ["\\S+", "a.b", "a b"],
    ['"a.b"', "a.b", "axb"],
    ["a\\.b", "a.b", "axb"],
    ["@b", "aaab", "aba"],
    ["~(foo.*)", "bar", "food"],
    ["f.*&.*o", "foo", "foox"],
    ["", "", "a"],
    ["().", "😀", ""],
    ["*a", "*a", "a"],
    ["fo**", "fooo", "o"],
  ])("in Lucene's syntax: %s matches %s whole and not %s", (pattern, yes, no) => {
    expect(regexp(pattern).matches(yes)).toBe(true);
    expect(regexp(pattern).matches(no)).toBe(false);
  });

  it.each([
    ["foo|", "unexpected end-of-string"],
    ["(", "unexpected end-of-string"],
    ["(a", "expected ')' at position 2"],
    ["[", "unexpected end-of-string"],
    ["fo{3", "expected '}' at position 4"],
    ["fo{}", "integer expected at position 3"],
    ['a"b', "expected '\"' at position 3"],
    ["[f-a]", "invalid range: from (102) cannot be > to (97)"],
    ["foo)", "end-of-string expected at position 3"],
    ["<1-5>", "not supported"],
    ["a".repeat(1001), "The length of regex [1001]"],
  ])("that are none are refused in Lucene's words: %s", (pattern, message) => {
    expect(() => regexp(pattern)).toThrow(message);
  });

  it("that make backtracking explode cost no more than others", () => {
    const text = `${"a".repeat(5000)}b`;
    expect(regexp("(a*)*c").matches(text)).toBe(false);
    expect(regexp("(a|aa)+c").matches(text)).toBe(false);
    expect(regexp("(x+x+)+y").matches("x".repeat(5000))).toBe(false);
    expect(regexp("(a?){50}a{50}").matches("a".repeat(50))).toBe(true);
  });

  it("agree with JavaScript's where the syntax is the same", () => {
    const r = random();
    const expression = (depth: number): string => {
      if (depth === 0) return r.pick(["a", "b", ".", "[ab]", "[^a]"]);
      const [x, y] = [expression(depth - 1), expression(depth - 1)];
      return r.pick([`${x}${y}`, `(${x}|${y})`, `(${x})*`, `(${x})?`, `(${x}){1,2}`, `(${x})+`]);
    };
    for (let i = 0; i < 2000; i++) {
      const pattern = expression(r.below(4));
      const text = Array.from({ length: r.below(7) }, () => r.pick(["a", "b", "c"])).join("");
      expect(regexp(pattern).matches(text), `PINAKES_SEED=${r.seed} ${pattern} ${text}`).toBe(
        new RegExp(`^(?:${pattern})$`, "su").test(text),
      );
    }
  });
});
