import { describe, expect, it } from "vitest";
import { GroupPattern } from "./group-pattern.js";

const java = (pattern: string) => new GroupPattern(pattern, { dialect: "java", caseInsensitive: false });
const ruby = (pattern: string) => new GroupPattern(pattern, { dialect: "ruby", caseInsensitive: false });

describe("groups of the leftmost match", () => {
  it.each([
    ["(a+)(b*)", "xaab", ["aab", "aa", "b"]],
    ["(a+?)(a*)", "aaa", ["aaa", "a", "aa"]],
    ["(a)|(b)", "b", ["b", undefined, "b"]],
    ["(?:(a)|b)*", "ab", ["ab", "a"]],
    ["(a|ab)(c|bcd)(d*)", "abcd", ["abcd", "a", "bcd", ""]],
    ["(x*)*y", "xxy", ["xxy", "xx"]],
    ["(\\d{2,3})-(\\w+)", "tel 1234-ab", ["234-ab", "234", "ab"]],
    ["^(.*)$", "one\ntwo", null],
    ["(?<year>\\d{4})", "in 2024", ["2024", "2024"]],
    ["(?i)(straße)", "STRAßE", ["STRAßE", "STRAßE"]],
    ["(.)(.)", "😀é", ["😀é", "😀", "é"]],
    ["\\bcat\\b", "concat cat", ["cat"]],
    ["(?>a+)b", "aab", ["aab"]],
    ["a++b", "aab", ["aab"]],
    ["(a*)+", "b", ["", ""]],
  ])("%s in %s", (pattern, text, groups) => {
    expect(java(pattern).find(text)?.groups ?? null).toEqual(groups);
  });

  it("names groups by their number", () => {
    expect(java("(?<a>x)(y)(?P<b>z)").names).toEqual([undefined, "a", undefined, "b"]);
  });
});

describe("looking around", () => {
  it.each([
    ["(?<![0-9])[0-9]{2}(?![0-9])", "123 45 6", "45"],
    ["foo(?=bar)", "foo foobar", "foo"],
    ["(?<=\\$)\\d+", "12 $34", "34"],
    ["(?<=ab|c)d", "xd abd", "d"],
    ["(?<!é)x", "éx 😀x", "x"],
    ["(?=(?!b)\\w)\\w+", "ba", "a"],
  ])("%s in %s", (pattern, text, found) => {
    expect(java(pattern).find(text)?.groups[0]).toBe(found);
  });

  it("has a bound", () => {
    expect(() => java("(?=.*x)y")).toThrow("looking ahead or behind further than 255 characters is not supported");
    expect(() => java("(a)\\1")).toThrow("references to groups are not supported");
  });
});

it("Ruby's ^ and $ are about lines, and its (?m) lets the dot match line feeds", () => {
  expect(ruby("^two$").find("one\ntwo\nthree")?.groups[0]).toBe("two");
  expect(ruby("(?m)e.t").find("one\ntwo")?.groups[0]).toBe("e\nt");
  expect(ruby("e.t").find("one\ntwo")).toBeNull();
});

it("all matches, the empty ones too, never inside of a character", () => {
  const all = (pattern: string, text: string) => [...java(pattern).findAll(text)].map(({ begin, end }) => [begin, end]);
  expect(all("a*", "baac")).toEqual([
    [0, 0],
    [1, 3],
    [3, 3],
    [4, 4],
  ]); // prettier-ignore
  expect(all("", "😀")).toEqual([
    [0, 0],
    [2, 2],
  ]); // prettier-ignore
  expect(all("x", "axbx")).toEqual([
    [1, 2],
    [3, 4],
  ]); // prettier-ignore
});

/** Deterministic: a linear congruential generator. */
function random(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fffffff;
    return (state >>> 8) % below;
  };
}

function randomPattern(next: (below: number) => number, depth: number): string {
  const kind = next(depth === 0 ? 3 : 8);
  if (kind < 2) return "abc"[next(3)];
  if (kind === 2) return ["[ab]", "[^a]", "."][next(3)];
  if (kind === 3) return `(${randomPattern(next, depth - 1)})`;
  if (kind === 4) return `(?:${randomPattern(next, depth - 1)}|${randomPattern(next, depth - 1)})`;
  if (kind === 5) return repeated(next, randomPattern(next, depth - 1));
  if (kind === 6) return `[ab]${["*", "+", "*?", "+?"][next(4)]}`;
  return randomPattern(next, depth - 1) + randomPattern(next, depth - 1);
}

/** JavaScript alone lets no optional round of a repeat be empty. */
function repeated(next: (below: number) => number, inner: string): string {
  if (new RegExp(`^(?:${inner})$`).test("")) return inner;
  return `(?:${inner})${["?", "{1,2}", "{2}"][next(3)]}${["", "?"][next(2)]}`;
}

it("finds what a backtracking engine finds, groups included", () => {
  const next = random(7);
  for (let round = 0; round < 3_000; round++) {
    const pattern = randomPattern(next, 4);
    const text = Array.from({ length: next(12) }, () => "abc"[next(3)]).join("");
    const wanted = new RegExp(pattern).exec(text);
    const found = java(pattern).find(text);
    expect(found?.begin ?? -1, `${pattern} in ${text}`).toBe(wanted?.index ?? -1);
    // A group within a repeat keeps its last text in Java and Ruby, and loses it in JavaScript.
    if (wanted !== null && !/[{?]/.test(pattern)) expect(found?.groups, `${pattern} in ${text}`).toEqual([...wanted]);
    if (wanted !== null) expect(found?.groups[0], `${pattern} in ${text}`).toBe(wanted[0]);
  }
});

it("a pattern that takes a backtracking engine longer than the sun will shine ends", () => {
  expect(java("(a+)+b").find("a".repeat(5_000))).toBeNull();
  expect(java("(x+x+)+y").find("x".repeat(5_000))).toBeNull();
  expect([...java("(a|a)*b|a").findAll("a".repeat(2_000))]).toHaveLength(2_000);
});
