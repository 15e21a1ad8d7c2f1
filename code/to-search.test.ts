import { describe, expect, test } from "vitest";
import { parseQuery } from "./query.js";
import { type ScopeFinding, scopesOf } from "./scope.js";
import { HIT_FIELDS, toSearch } from "./to-search.js";

interface Bool {
  must: unknown[];
  filter?: unknown[];
  must_not?: unknown[];
  should: unknown[];
}

function bool(text: string, words: "all" | "most" = "all"): Bool {
  const { query } = toSearch(parseQuery(text), { from: 0, size: 10, words });
  return (query as { bool: Bool }).bool;
}

const MULTI = { type: "best_fields", operator: "and", tie_breaker: 0.3 };

describe("what must hold", () => {
  test("every word, in some field", () => {
    expect(bool("timeout handler").must).toMatchObject([
      { multi_match: { query: "timeout", ...MULTI } },
      { multi_match: { query: "handler", ...MULTI } },
    ]);
  });

  test("or most of the words", () => {
    expect(bool("a b c d", "most").must).toMatchObject([{ bool: { minimum_should_match: 2, should: { length: 4 } } }]);
    expect(bool("a", "most").must).toMatchObject([{ multi_match: { query: "a" } }]);
  });

  test("an identifier whole or its parts in a row, everywhere a word is looked for", () => {
    const row = { multi_match: { query: "readTimeout", type: "phrase", tie_breaker: 0.3 } };
    const whole = { multi_match: { query: "readtimeout read_timeout", analyzer: "whitespace" } };
    const found = { bool: { should: [row, { constant_score: { filter: whole } }], minimum_should_match: 1 } };
    expect(bool("-readTimeout").must_not?.[0]).toMatchObject(found);
    expect(bool("readTimeout").must[0]).toMatchObject({ bool: { should: [found, { constant_score: {} }] } });
    expect(bool("sha256").must).toMatchObject([{ bool: { should: [{ multi_match: { type: "phrase" } }, {}] } }]);
    expect(bool("Server.readTimeout").must).toMatchObject([{ multi_match: MULTI }]);
    expect(bool("設定読込").must).toMatchObject([{ multi_match: MULTI }]);
  });

  test("without words everything, so that no `should` becomes required", () => {
    expect(bool("lang:go").must).toEqual([{ match_all: {} }]);
    expect(bool("-x").must).toEqual([{ match_all: {} }]);
  });

  test("negated terms in must_not, keys in filter", () => {
    const made = bool('x -"a b" -class:test kind:class,enum');
    expect(made.must_not).toMatchObject([
      { bool: { minimum_should_match: 1 } },
      { term: { class: "test" } },
      { term: { in_tree: false } },
    ]);
    expect(made.filter).toEqual([
      { bool: { should: [{ term: { kind: "class" } }, { term: { kind: "enum" } }], minimum_should_match: 1 } },
    ]);
  });
});

describe("what no folder has", () => {
  test("is left out unless a branch is asked for", () => {
    expect(bool("x").must_not).toEqual([{ term: { in_tree: false } }]);
    expect(bool("x -branch:dev").must_not).toEqual([{ term: { branches: "dev" } }, { term: { in_tree: false } }]);
    expect(bool("x branch:dev,release/*")).toMatchObject({
      filter: [
        {
          bool: {
            should: [{ term: { branches: "dev" } }, { prefix: { branches: "release/" } }],
            minimum_should_match: 1,
          },
        },
      ],
    });
    expect(bool("x branch:dev").must_not).toBeUndefined();
  });
});

describe("what only git can answer", () => {
  const options = { from: 0, size: 10, words: "all" as const };
  const finding = (key: "changed" | "since", value: string, files: ScopeFinding["files"]): ScopeFinding => {
    return { key, value, files, commits: [], after: undefined };
  };
  const filterOf = (text: string, scopes: ScopeFinding[]) => {
    return (toSearch(parseQuery(text), { ...options, scopes }).query as { bool: Bool }).bool.filter;
  };

  test("is listed for the caller, each clause once", () => {
    expect(scopesOf(parseQuery("changed: since:v1,v2 x -since:v1"))).toEqual([
      { key: "changed", value: "all" },
      { key: "since", value: "v1" },
      { key: "since", value: "v2" },
    ]);
  });

  test("becomes the files of each repository, and nothing where none has changed", () => {
    const files = [
      { repo: "a", paths: ["x.ts", "y.ts"] },
      { repo: "b", paths: [] },
    ];
    expect(filterOf("x changed:", [finding("changed", "all", files)])).toEqual([
      { bool: { filter: [{ term: { repo: "a" } }, { terms: { path: ["x.ts", "y.ts"] } }] } },
    ]);
    const nothing = { bool: { must_not: [{ match_all: {} }] } };
    expect(filterOf("x since:v1", [finding("since", "v1", [])])).toEqual([nothing]);
  });

  test("is refused by name without a finding, and when it names too much", () => {
    expect(() => filterOf("x since:v1", [])).toThrow("since:v1: it needs the folders and their git");
    const many = [{ repo: "a", paths: Array.from({ length: 50_001 }, (_, at) => `${at}`) }];
    expect(() => filterOf("changed:", [finding("changed", "all", many)])).toThrow(
      /changed:all: it names more than 50000/,
    );
  });
});

test("keys of commits are refused by name where code is asked for", () => {
  expect(() => bool("x -author:ada")).toThrow(/-author: is for commits/);
  expect(() => bool("x -type:commit")).toThrow(/-type: cannot be taken away/);
  expect(bool("x type:code").filter).toBeUndefined();
});

describe("a key becomes", () => {
  const only = (text: string) => bool(text).filter?.[0];
  const notWindow = [{ term: { kind: "window" } }];
  const notText = [{ terms: { kind: ["section", "window"] } }];

  test("lang: all names of the language", () => {
    expect(only("lang:TS")).toEqual({ terms: { language: ["typescript", "ts", "tsx"] } });
    expect(only("lang:zig")).toEqual({ terms: { language: ["zig"] } });
  });

  test("repo: equal, prefix, wildcard or exists, whichever is enough", () => {
    expect(only("repo:a")).toEqual({ term: { repo: "a" } });
    expect(only("repo:a*")).toEqual({ prefix: { repo: "a" } });
    expect(only("repo:*a?")).toEqual({ wildcard: { repo: { value: "*a\\?" } } });
    expect(only("repo:*")).toEqual({ exists: { field: "repo" } });
  });

  test("path: a pattern for all of it, or a piece anywhere", () => {
    expect(only("path:src/**")).toEqual({ prefix: { path: "src/" } });
    expect(only("path:*.test.ts")).toEqual({ wildcard: { path: { value: "*.test.ts" } } });
    expect(only("path:./src/http/")).toEqual({
      bool: {
        should: [
          { term: { path: "src/http" } },
          { prefix: { path: "src/http/" } },
          { match_phrase: { "path.text": { query: "src/http" } } },
        ],
        minimum_should_match: 1,
      },
    });
  });

  test("def: exactly the name, or the end of a container path", () => {
    expect(only("def:start")).toEqual({
      bool: {
        filter: [
          {
            bool: {
              should: [{ term: { name: "start" } }, { term: { qualified_name: "start" } }],
              minimum_should_match: 1,
            },
          },
        ],
        must_not: notText,
      },
    });
    expect(JSON.stringify(only("def:Server::start"))).toContain(
      '{"term":{"name":"start"}},{"match":{"qualified_name.text":{"query":"Server.start","operator":"and"}}}',
    );
  });

  test("sym: words in the name, or a pattern", () => {
    expect(only("sym:timeout")).toMatchObject({
      bool: {
        filter: [{ bool: { should: [{ match: { "name.text": { query: "timeout" } } }, {}] } }],
        must_not: notWindow,
      },
    });
  });

  test("def: and sym: a pattern is for the name, and for the container path only where it has one", () => {
    for (const key of ["def", "sym"]) {
      expect(only(`${key}:read*`)).toMatchObject({ bool: { filter: [{ prefix: { name: "read" } }] } });
      expect(JSON.stringify(only(`${key}:Server::st*`))).toContain('{"prefix":{"qualified_name":"Server.st"}}');
    }
  });
});

test("names written as separate words are looked for joined", () => {
  expect(JSON.stringify(bool("read HTTP timeout").should)).toContain(
    JSON.stringify({
      terms: {
        name: ["readHttpTimeout", "ReadHttpTimeout", "read_http_timeout", "READ_HTTP_TIMEOUT", "read-http-timeout"],
      },
    }),
  );
});

test("a call or a path of containers is looked for by its name", () => {
  const should = JSON.stringify(bool("std::vector() Server.start").should);
  expect(should).toContain('{"terms":{"name":["std::vector()","Server.start","vector","start"]}}');
  expect(should).toContain('{"terms":{"qualified_name":["std.vector","Server.start"]}}');
});

test("the page, its order with ties by place, and the fields of a hit", () => {
  const body = toSearch(parseQuery("x"), { from: 20, size: 5, words: "all" });
  expect(body).toMatchObject({ from: 20, size: 5, _source: HIT_FIELDS });
  expect(body.sort.map((key) => Object.keys(key)[0])).toEqual(["_score", "path", "start_byte", "end_byte", "repo"]);
});

test("only query kinds that every node has", () => {
  const known = new Set(
    "match_all term terms match match_phrase multi_match bool exists prefix constant_score wildcard".split(" "),
  );
  const kinds = new Set<string>();
  const collect = (clause: unknown): void => {
    if (Array.isArray(clause)) {
      for (const each of clause) collect(each);
      return;
    }
    const [kind, inner] = Object.entries(clause as Record<string, unknown>)[0];
    kinds.add(kind);
    const parts = inner as Record<string, unknown>;
    if (kind === "bool") for (const key of ["must", "should", "filter", "must_not"]) collect(parts[key] ?? []);
    if (kind === "constant_score") collect(parts.filter);
  };
  collect(
    toSearch(parseQuery('a b "c d" def:X.y* sym:z path:a/b lang:go repo:* -q'), { from: 0, size: 1, words: "most" })
      .query,
  );
  expect([...kinds].filter((kind) => !known.has(kind))).toEqual([]);
  expect(kinds.size).toBeGreaterThan(8);
});
