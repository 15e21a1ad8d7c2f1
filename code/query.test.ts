import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { parseQuery, printQuery, QueryError, type QueryTerm, wantedTexts } from "./query.js";
import { QUERY_KEYS } from "./query-keys.js";

/** One line per term: `+word timeout`, `-class test`. */
function shown(term: QueryTerm): string {
  const sign = term.negated ? "-" : "+";
  return term.type === "key" ? `${sign}${term.key} ${term.values.join("|")}` : `${sign}${term.type} ${term.text}`;
}

describe("a query reads as", () => {
  test.each([
    ["timeout handler", ["+word timeout", "+word handler"]],
    ['"read only" x', ["+phrase read only", "+word x"]],
    ['"say \\"hi\\" \\\\ \\n"', ['+phrase say "hi" \\ \\n']],
    ["def:Server.start lang:ts,js", ["+def Server.start", "+lang ts|js"]],
    ["def:std::vector", ["+def std::vector"]],
    ['path:"my dir/a,b.ts"', ["+path my dir/a,b.ts"]],
    ["-class:test -foo", ["-class test", "-word foo"]],
    ['-"a b"', ["-phrase a b"]],
    ["LANG:go", ["+lang go"]],
    ["std::vector http://x/y", ["+word std::vector", "+word http://x/y"]],
    ["TODO: fix", ["+word TODO:", "+word fix"]],
    ["x -1 ->y a-b", ["+word x", "+word -1", "+word ->y", "+word a-b"]],
    ['"foo:bar"', ["+phrase foo:bar"]],
    ['printf("%d")', ['+word printf("%d")']],
    ["größe 設定", ["+word größe", "+word 設定"]],
  ])("%j", (text, terms) => {
    expect(parseQuery(text).terms.map(shown)).toEqual(terms);
  });

  test("punctuation alone is set aside, by name", () => {
    expect(parseQuery('a && b - "=="')).toMatchObject({
      terms: [{ text: "a" }, { text: "b" }],
      ignored: ["&&", "-", "=="],
    });
  });
});

describe("a query is refused", () => {
  test.each([
    ["", 1, /nothing to search for/],
    ["&&", 1, /nothing to search for/],
    ["x foo:bar", 3, /no key "foo:".*class: def: kind: lang: path: repo: sym:.*quote it: "foo:bar"/],
    ["pth:src", 1, /did you mean path: \?/],
    ["a lang:", 3, /lang: needs a value, such as lang:typescript/],
    ["lang:,", 1, /needs a value/],
    ['a "b c', 3, /never closed/],
    ["kind:functon", 6, /cannot be "functon"; did you mean function\?.*one of function, method/],
    ["class:tests", 7, /did you mean test\?/],
    ["w ".repeat(101), 201, /at most 100 words/],
    ["&& ".repeat(101), 301, /at most 100 words/],
    [`lang:${"a,".repeat(101)}`, 1, /at most 100 words/],
    ["x".repeat(10_001), 10_001, /at most 10000 characters, this one has 10001/],
  ])("%j at column %d", (text, column, reason) => {
    const thrown = (() => {
      try {
        parseQuery(text);
      } catch (error) {
        return error;
      }
      return undefined;
    })();
    expect(thrown).toBeInstanceOf(QueryError);
    expect((thrown as QueryError).column).toBe(column);
    expect((thrown as QueryError).message).toMatch(reason);
  });
});

test("a printed query reads back as the same terms", () => {
  const piece = fc.constantFrom(
    "a",
    "Foo::bar",
    '"',
    "\\",
    " ",
    "-",
    "path:",
    "lang:",
    "x,y",
    "*",
    "://",
    "kind:class",
  );
  fc.assert(
    fc.property(fc.array(fc.oneof(piece, fc.string({ maxLength: 4 })), { maxLength: 8 }), (pieces) => {
      const query = parsed(pieces.join(""));
      if (query === undefined) return;
      expect(parseQuery(printQuery(query)).terms).toEqual(query.terms);
    }),
    { numRuns: 500 },
  );
});

function parsed(text: string) {
  try {
    return parseQuery(text);
  } catch (error) {
    if (error instanceof QueryError) return undefined;
    throw error;
  }
}

test("wanted texts are what may be seen on a line", () => {
  expect(wantedTexts(parseQuery('a "b c" -d def:E.f sym:g* lang:go'))).toEqual(["a", "b c", "f", "g"]);
  expect(wantedTexts(parseQuery("def:A::b sym:x. def:C.*"))).toEqual(["b", "x.", "C."]);
});

test("the keys are sorted, without doubles", () => {
  const keys = QUERY_KEYS.map(({ key }) => key);
  expect(keys).toEqual([...new Set(keys)].sort());
});
