import { describe, expect, it } from "vitest";
import type { SearchReader } from "./query/exec/context.js";
import type { Bool, MatchingLines, Query } from "./query/query.js";
import type { Hit, SearchRequest, SearchResult } from "./search.js";
import { joined, partOf, splitRanges } from "./split-search.js";

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

describe("which searches are split", () => {
  const bool = (parts: Partial<Bool>): Bool => ({
    kind: "bool",
    must: [],
    should: [],
    filter: [],
    mustNot: [],
    boost: 1,
    ...parts,
  });
  const term: Query = { kind: "term", field: "path", value: "a", caseInsensitive: false, boost: 1 };
  const byDocument = { field: "_doc", order: "asc", missing: "_last" } as const;
  const reader = {
    reader: { leaves: [{ segment: { docCount: 7 } }, { segment: { docCount: 4 } }], fields: new Map() },
  };
  const ranges = (query: Query, more: Partial<SearchRequest> = {}) => {
    const plain = { aggs: {}, sort: [], knn: [], terminateAfter: 0, profile: false, size: 5000 };
    return splitRanges([reader as never as SearchReader], request({ ...plain, query, ...more }), 2);
  };
  const HALVES = [
    { from: 0, to: 5 },
    { from: 5, to: 11 },
  ];

  it("lines, alone or among conditions, in the order of documents", () => {
    expect(ranges(LINES)).toEqual(HALVES);
    expect(ranges(LINES, { sort: [byDocument] })).toEqual(HALVES);
    expect(ranges(bool({ filter: [term, LINES], mustNot: [term] }))).toEqual(HALVES);
    expect(ranges(bool({ must: [LINES], filter: [term] }))).toEqual(HALVES);
  });

  it("each part has as much text that may match", () => {
    const body = { path: "body", type: "wildcard", trigrams: true };
    const bounds = (chunks: number[]) => {
      const leaves = chunks.map((estimate) => ({
        segment: {
          docCount: 100,
          beginUse() {},
          endUse() {},
          trigrams: () => ({ estimate: () => estimate, knownChunks() {} }),
        },
      }));
      const weighed = { reader: { leaves, fields: new Map([["body", body]]) } };
      const plain = { aggs: {}, sort: [], knn: [], terminateAfter: 0, profile: false, size: 5000 };
      const parts = splitRanges([weighed as never as SearchReader], request({ ...plain }), 3);
      return parts?.map(({ from, to }) => `${from}-${to}`).join(" ");
    };
    expect(bounds([30, 30, 30])).toBe("0-100 100-200 200-300");
    expect(bounds([0, 9, 0, 0])).toBe("0-133 133-166 166-400");
    expect(bounds([1, 0, 5])).toBe("0-220 220-260 260-300");
    expect(bounds([0, 0])).toBe("0-200 200-200 200-200");
    expect(bounds([])).toBe("0-0 0-0 0-0");
  });

  it("within a leaf, too, where its chunks are known", () => {
    const body = { path: "body", type: "wildcard", trigrams: true };
    const chunks = Uint32Array.of(10, 180, 181, 190);
    const text = {
      estimate: () => chunks.length,
      knownChunks: () => chunks,
      pieces: (chunk: number, into: object[]) => into.push({ doc: chunk >>> 1 }),
    };
    const segment = { docCount: 100, beginUse() {}, endUse() {}, trigrams: () => text };
    const weighed = { reader: { leaves: [{ segment }], fields: new Map([["body", body]]) } };
    const plain = { aggs: {}, sort: [], knn: [], terminateAfter: 0, profile: false, size: 5000 };
    expect(splitRanges([weighed as never as SearchReader], request({ ...plain }), 2)).toEqual([
      { from: 0, to: 90 },
      { from: 90, to: 100 },
    ]);
  });

  it("none that has another order, or lines that need not be there", () => {
    expect(ranges(LINES, { sort: [{ ...byDocument, order: "desc" }] })).toBeNull();
    expect(ranges(LINES, { sort: [{ ...byDocument, field: "size" }] })).toBeNull();
    expect(ranges(bool({ must: [term], filter: [LINES] }))).toBeNull();
    expect(ranges(bool({ should: [LINES], filter: [LINES] }))).toBeNull();
    expect(ranges(bool({ filter: [term], mustNot: [LINES] }))).toBeNull();
    expect(ranges(bool({ filter: [bool({ should: [LINES] })] }))).toBeNull();
  });
});
