import { describe, expect, test } from "vitest";
import { parseQuery } from "./query.js";
import { readQuery } from "./ranking/read-query.js";
import { toSearchRequest } from "./search-request.js";
import type { LineSearchOptions } from "./to-line-search.js";

function request(text: string, options: Partial<LineSearchOptions> = {}) {
  return toSearchRequest(parseQuery(text), { from: 0, size: 10, words: "all", ...options });
}

interface Bool {
  must?: unknown[];
  filter?: unknown[];
  must_not?: unknown[];
  should?: unknown[];
}

function bool(text: string): Bool {
  return (request(text).body.query as { bool: Bool }).bool;
}

const lines = (pattern: object) => ({ matching_lines: { "body.lines": pattern } });

describe("which index answers", () => {
  test.each([
    ["timeout", "pinakes-decls"],
    ["timeout lang:go or class:test", "pinakes-decls"],
    ["/x/", "pinakes-files"],
    ["timeout /x/", "pinakes-files"],
    ["content:x", "pinakes-files"],
    ["case:yes Timeout", "pinakes-files"],
    ["case:no timeout", "pinakes-decls"],
    ["word:yes timeout", "pinakes-files"],
    ["/x/ kind:class", "pinakes-decls"],
    ["case:yes Timeout (def:a or def:b)", "pinakes-decls"],
    ["/x/ calls:y", "pinakes-decls"],
    ["/x/ sym:/^y/", "pinakes-decls"],
    ["/x/ path:/^y/", "pinakes-files"],
    ["path:/^y/", "pinakes-decls"],
    ["-/x/", "pinakes-files"],
    ["-(/x/ or content:y) lang:go", "pinakes-files"],
    ["timeout -/x/", "pinakes-decls"],
    ["type:commit timeout", "pinakes-commits"],
    ["diff:added timeout", "pinakes-commits"],
  ])("%s: %s", (text, index) => {
    expect(request(text).index).toBe(index);
  });
});

describe("a pattern becomes", () => {
  test.each([
    ["/fn poll/", { pattern: "fn poll", case_insensitive: true }],
    ["/fn Poll/", { pattern: "fn Poll" }],
    [
      "/\\W\\pL\\x{6F}[[:alpha:]](?P<Name>a)/",
      { pattern: "\\W\\pL\\x{6F}[[:alpha:]](?P<Name>a)", case_insensitive: true },
    ],
    ["/Fn/i", { pattern: "Fn", case_insensitive: true }],
    ["/fn/ case:yes", { pattern: "fn" }],
    ["/Fn/ case:no", { pattern: "Fn", case_insensitive: true }],
    ["/fn/i case:yes", { pattern: "fn", case_insensitive: true }],
    ["/a\\s+b/m", { pattern: "a\\s+b", case_insensitive: true, multiline: true }],
    ["content:a.b(c)", { pattern: "a.b(c)", syntax: "literal", case_insensitive: true }],
    ["content:Ab word:yes", { pattern: "Ab", syntax: "literal", whole_word: true }],
    ["case:yes ab", { pattern: "ab", syntax: "literal" }],
    ['case:yes "a b"', { pattern: "a b", syntax: "literal" }],
    ["case:yes &&", { pattern: "&&", syntax: "literal" }],
  ])("%s", (text, pattern) => {
    expect(bool(text).filter).toEqual([lines(pattern)]);
  });
});

describe("everything composes", () => {
  test("an `or` of patterns and keys, a group taken away, words that count", () => {
    const made = bool("timeout (/A/ or lang:zig /B/) -(class:test path:x/*)");
    expect(made.must).toMatchObject([{ multi_match: { query: "timeout" } }]);
    expect(made.filter).toEqual([
      {
        bool: {
          should: [
            { bool: { filter: [lines({ pattern: "A" })] } },
            { bool: { filter: [{ terms: { language: ["zig"] } }, lines({ pattern: "B" })] } },
          ],
          minimum_should_match: 1,
        },
      },
    ]);
    expect(made.must_not).toEqual([
      { bool: { filter: [{ term: { class: "test" } }, { prefix: { path: "x/" } }] } },
      { term: { in_tree: false } },
    ]);
  });

  test("words in groups of declarations count, and each side is ordered as if it were asked alone", () => {
    const made = bool("(def:a or def:b) (retry or back off)");
    expect(made.must).toMatchObject([{ bool: { should: [{ multi_match: {} }, { bool: { must: [{}, {}] } }] } }]);
    const named = JSON.stringify(made.should);
    for (const name of ["retry", "back", "a", "b"]) expect(named).toContain(`"${name}"`);
    const clauses = made.should?.map((clause) => JSON.stringify(clause));
    expect(new Set(clauses).size).toBe(clauses?.length);
  });

  test("a branch asked for in a group lets in what no folder has", () => {
    expect(bool("x (branch:dev or lang:go)").must_not).toBeUndefined();
    expect(bool("x -(branch:dev lang:go)").must_not).toContainEqual({ term: { in_tree: false } });
  });

  test("patterns on declarations are tried on their code", () => {
    expect(bool("/x/ kind:class").filter).toEqual([
      { matching_lines: { code: { pattern: "x", case_insensitive: true } } },
      { term: { kind: "class" } },
    ]);
    expect(request("/x/ kind:class").body.ext).toMatchObject({ matching_lines: {} });
    expect(request("kind:class").body.ext).toBeUndefined();
  });

  test("patterns on paths, repositories and names", () => {
    const pattern = { pattern: "^a", case_insensitive: true };
    expect(bool("path:/^a/ repo:/^a/").filter).toEqual([
      { matching_lines: { path: pattern } },
      { matching_lines: { repo: pattern } },
    ]);
    expect(JSON.stringify(bool("sym:/^a/").filter)).toContain('{"matching_lines":{"qualified_name":{"pattern":"^a"');
  });

  test("uses of a name", () => {
    expect(bool("calls:Server.start").filter).toEqual([{ term: { calls: "start" } }]);
    expect(bool("ref:Ser*").filter?.[0]).toMatchObject({
      bool: { should: [{ prefix: { calls: "Ser" } }, { prefix: { uses: "Ser" } }, { prefix: { supers: "Ser" } }] },
    });
  });
});

describe("the order of files", () => {
  test("best first, as the index meets them, or by path from a place on", () => {
    expect(request("/x/").body).toMatchObject({ sort: [{ _score: {} }, { path: {} }, { repo: {} }, { blob: {} }] });
    expect(request("/x/", { order: "first" }).body).toMatchObject({ sort: ["_doc"], track_total_hits: false });
    expect(request("/x/", { order: "path", after: ["a", "r", "b"] }).body).toMatchObject({
      sort: [{ path: {} }, { repo: {} }, { blob: {} }],
      search_after: ["a", "r", "b"],
    });
  });

  test("the lines asked for", () => {
    const asked = { size: 5, before: 1, after: 2, maxLineBytes: 80 };
    expect(request("/x/", { lines: asked }).body.ext).toEqual({
      matching_lines: { size: 5, before: 1, after: 2, max_line_bytes: 80 },
    });
    expect(request("-/x/").body.ext).toBeUndefined();
  });
});

test("what is looked for on lines is refused of commits by name", () => {
  expect(() => request("type:commit /x/")).toThrow("/x/ is looked for on lines of code");
  expect(() => request("author:ada content:x")).toThrow('content:"x" is looked for on lines of code');
  expect(request("type:commit (path:a/* or fix) -(wip draft)").body.query).toMatchObject({
    bool: { must: [{ bool: { should: [{}, {}] } }], must_not: [{ bool: { must: [{}, {}] } }] },
  });
});

test("a pattern that reads like a sentence is a pattern", () => {
  expect(readQuery("/this is what the code is/").terms).toMatchObject([{ type: "regex" }]);
  expect(readQuery("where is the code of /usr").prose).toBeDefined();
});
