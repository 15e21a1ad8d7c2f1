import { describe, expect, it } from "vitest";
import type { MatchingLines } from "./query/query.js";
import type { Hit, SearchRequest, SearchResult } from "./search.js";
import { joined, partOf } from "./split-search.js";

const LINES: MatchingLines = {
  kind: "matching_lines",
  field: "body",
  pattern: "x",
  syntax: "regex",
  caseInsensitive: false,
  wholeWord: false,
  multiline: false,
  boost: 1,
};

const request = (more: Partial<SearchRequest> = {}) =>
  ({ query: LINES, from: 0, size: 10, trackTotal: 10_000, ...more }) as SearchRequest;

const part = (ids: string[], more: Partial<SearchResult> = {}): SearchResult => ({
  total: { value: ids.length, relation: "eq" },
  maxScore: ids.length > 0 ? 1 : null,
  hits: ids.map((id) => ({ id }) as Hit),
  aggregations: {},
  terminatedEarly: false,
  ...more,
});

const ids = ({ hits }: SearchResult) => hits.map(({ id }) => id).join("");

describe("a search in parts", () => {
  it("asks each part for all up to the page's end", () => {
    expect(partOf(request({ from: 20, size: 10 }))).toMatchObject({ from: 0, size: 30 });
    expect(partOf(request({ from: 20, size: 0 }))).toMatchObject({ from: 0, size: 0 });
  });

  it("has the parts' hits in their order, cut to the page", () => {
    const parts = [part(["a", "b"]), part([]), part(["c", "d"])];
    expect(ids(joined(parts, request()))).toBe("abcd");
    expect(ids(joined(parts, request({ from: 1, size: 2 })))).toBe("bc");
    expect(joined(parts, request()).maxScore).toBe(1);
    expect(joined([part([]), part([])], request()).maxScore).toBeNull();
  });

  it("counts as one search does: exactly, up to a limit, not at all", () => {
    const many = part([], { total: { value: 6, relation: "eq" } });
    const more = part([], { total: { value: 10, relation: "gte" } });
    const total = (parts: SearchResult[], trackTotal: number) => joined(parts, request({ trackTotal })).total;
    expect(total([many, many], Number.POSITIVE_INFINITY)).toEqual({ value: 12, relation: "eq" });
    expect(total([many, many], 12)).toEqual({ value: 12, relation: "eq" });
    expect(total([many, many], 10)).toEqual({ value: 10, relation: "gte" });
    expect(total([more, part([])], 10)).toEqual({ value: 10, relation: "gte" });
    expect(total([many, many], 0)).toBeUndefined();
  });

  it("adds up lines where they are counted", () => {
    const parts = [3, 4].map((lines) => part([], { matchingLines: { lines, documents: 1 } }));
    const matchingLines = { size: 1, before: 0, after: 0, maxLineBytes: 10, totals: true };
    expect(joined(parts, request({ matchingLines })).matchingLines).toEqual({ lines: 7, documents: 2 });
    expect(joined(parts, request()).matchingLines).toBeUndefined();
  });
});
