import { describe, expect, test } from "vitest";
import {
  forOtherCluster,
  type LinePattern,
  linesIn,
  OtherClusterError,
  parseQuery,
  toSearchRequest,
} from "../code/index.js";
import { lineMatcher } from "./line-matcher.js";

async function found(pattern: LinePattern, line: string) {
  return (await lineMatcher([pattern]))?.(line);
}

describe("a pattern tried here finds", () => {
  test.each<[LinePattern, string, [number, number][]]>([
    [
      { pattern: "poll_\\w+" },
      "fn poll_a(poll_b)",
      [
        [3, 9],
        [10, 16],
      ],
    ],
    [{ pattern: "^é+" }, "ééa", [[0, 4]]],
    [{ pattern: "a.b", syntax: "literal" }, "a.b axb", [[0, 3]]],
    [
      { pattern: "foo|foobar", whole_word: true },
      "foobar foo xfoo foo",
      [
        [0, 6],
        [7, 10],
        [16, 19],
      ],
    ],
    [{ pattern: "STRASSE", case_insensitive: true }, "die strasse", [[4, 11]]],
    [
      { pattern: "x*" },
      "ab",
      [
        [0, 0],
        [1, 1],
        [2, 2],
      ],
    ],
    [{ pattern: "z" }, "ab", []],
  ])("%j in %j", async (pattern, line, ranges) => {
    expect(await found(pattern, line)).toEqual(ranges);
  });

  test("nothing it can vouch for where a pattern crosses lines", async () => {
    expect(await lineMatcher([{ pattern: "a\\nb", multiline: true }])).toBeUndefined();
  });
});

test("lines of a text are counted and numbered as a node does it, ends apart", async () => {
  const matcher = await lineMatcher([{ pattern: "a" }]);
  expect(linesIn("a\r\nö\nba\n", matcher ?? (() => []), 1)).toEqual({
    total: 2,
    lines: [{ line: 1, byte: 0, text: "a", ranges: [[0, 1]], cutBytes: 0 }],
  });
  expect(linesIn("é\r\nxa", matcher ?? (() => []), 9).lines).toMatchObject([{ line: 2, byte: 4, ranges: [[1, 2]] }]);
});

describe("for a cluster without matching_lines", () => {
  const rewritten = (text: string) => {
    const request = toSearchRequest(parseQuery(text), { from: 0, size: 1, words: "all" });
    const { body } = forOtherCluster(request);
    const { filter } = (body.query as { bool: { filter: Record<string, unknown>[] } }).bool;
    return { clause: filter[0], body };
  };

  test.each([
    ['content:"a*b?"', { wildcard: { "body.lines": { value: "*a\\*b\\?*", case_insensitive: true } } }],
    ["/Fn [a-z]+_(?:x|y)*?/", { regexp: { "body.lines": { value: ".*(Fn [a-z]+_(x|y)*).*", flags: "NONE" } } }],
    [
      "/a.b\\(\\d{2}[^c]/",
      { regexp: { "body.lines": { value: ".*(a[^\n]b\\([0-9]{2}[^\nc]).*", flags: "NONE", case_insensitive: true } } },
    ],
  ])("%s is asked of the whole value", (text, clause) => {
    expect(rewritten(text).clause).toEqual(clause);
    expect(rewritten(text).body).toMatchObject({ _source: expect.arrayContaining(["path", "body"]) });
    expect(rewritten(text).body.ext).toBeUndefined();
  });

  test.each(["/^a/", "/a\\b/", "/a\\pL/", "/a/m", "/(?i)a/", "word:yes a", "/a/ kind:class"])(
    "%s is refused by name",
    (text) => {
      expect(() => rewritten(text)).toThrow(OtherClusterError);
    },
  );
});
