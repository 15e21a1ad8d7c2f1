import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { parseQuery, printQuery, QueryError, type QueryTerm, wantedTexts } from "./query.js";
import { QUERY_KEYS } from "./query-keys.js";

/** One line per term: `+word timeout`, `-class test`, `+(+word a | +word b)`. */
function shown(term: QueryTerm): string {
  const sign = term.negated ? "-" : "+";
  if (term.type === "group") return `${sign}(${term.any.map((branch) => branch.map(shown).join(" ")).join(" | ")})`;
  if (term.type === "key") return `${sign}${term.key} ${term.values.join("|")}`;
  if (term.type !== "regex") return `${sign}${term.type} ${term.text}`;
  const flags = `${term.ignoreCase ? " i" : ""}${term.multiline ? " m" : ""}`;
  return `${sign}${term.on} regex ${term.pattern}${flags}`;
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
    ["changed: x changed:staged", ["+changed all", "+word x", "+changed staged"]],
    ['since:"2 weeks ago" since:HEAD~3', ["+since 2 weeks ago", "+since HEAD~3"]],
    ["TODO: fix", ["+word TODO:", "+word fix"]],
    ["x -1 ->y a-b", ["+word x", "+word -1", "+word ->y", "+word a-b"]],
    ['"foo:bar"', ["+phrase foo:bar"]],
    ['printf("%d")', ['+word printf("%d")']],
    ["größe 設定", ["+word größe", "+word 設定"]],
    ['lang:ts,"a b",js path:*.{ts,tsx},src/*', ["+lang ts|a b|js", "+path *.{ts,tsx}|src/*"]],
    ["a b or c", ["+(+word a +word b | +word c)"]],
    ["(a or b) c", ["+(+word a | +word b)", "+word c"]],
    ["a (b (c)) OR (d or e)", ["+(+word a +word b +word c | +word d | +word e)"]],
    ["-(a b) -(c or d) -(-e)", ["-(+word a +word b)", "-(+word c | +word d)", "+word e"]],
    ["(lang:go or path:/x$/) -(kind:class)", ["+(+lang go | +path regex x$)", "-kind class"]],
    ["a AND b NOT c not class:test not(d)", ["+word a", "+word b", "-word c", "-class test", "-word d"]],
    ["does not work and or_else", ["+word does", "+word not", "+word work", "+word and", "+word or_else"]],
    [
      'not "a b" not /c/ not http://x not TODO: x',
      ["-phrase a b", "-lines regex c", "+word not", "+word http://x", "+word not", "+word TODO:", "+word x"],
    ],
    ["main() f(a,b) (g(x) h)", ["+word main()", "+word f(a,b)", "+word g(x)", "+word h"]],
    ["foo) bar", ["+word foo)", "+word bar"]],
    ["foo( a ) b", ["+word foo(", "+word a", "+word b"]],
    ['case:yes f( g( x )) ")"', ["+case yes", "+word f(", "+word g(", "+word x", "+word ))", "+phrase )"]],
    ["path:app/(shop)/page.tsx def:f()", ["+path app/(shop)/page.tsx", "+def f()"]],
    ["path:(shop)/x (lang:go)", ["+path (shop)/x", "+lang go"]],
    ['path:"{a,b",src/{a,b}', ["+path {a,b|src/{a,b}"]],
    ['content:a,b(c) content:"x \\"y\\"" -content:/z/', ["+literal a,b(c)", '+literal x "y"', "-literal /z/"]],
    ["a or b case:yes or type:code", ["+(+word a | +word b)", "+case yes", "+type code"]],
    ["case:yes x == y", ["+case yes", "+word x", "+word ==", "+word y"]],
  ])("%j", (text, terms) => {
    expect(parseQuery(text).terms.map(shown)).toEqual(terms);
  });

  // The rule is beside `takeRegex`.
  test.each([
    ["/fn \\w+/", "+lines regex fn \\w+"],
    ["/a/i", "+lines regex a i"],
    ["/a\\s+b/im", "+lines regex a\\s+b i m"],
    ["/a\\/b[/]\\\\/", "+lines regex a/b[/]\\\\"],
    ["-/a|b/", "-lines regex a|b"],
    ["(/a(b)/)", "+lines regex a(b)"],
    ["sym:/^get[A-Z]/i", "+sym regex ^get[A-Z] i"],
    ["/tmp/", "+lines regex tmp"],
    ["/usr/lib/x", "+word /usr/lib/x"],
    ["/users/:id", "+word /users/:id"],
    ["/a/g", "+word /a/g"],
    ["/a/ii", "+word /a/ii"],
    ["//x/", "+word //x/"],
    ['def:"/users/"', "+def /users/"],
    ["def:/users/:id", "+def /users/:id"],
    ["calls:/usr/lib", "+calls /usr/lib"],
    ['path:"/src/"', "+path /src/"],
    ["path:/src/x", "+path /src/x"],
  ])("%j, a regular expression or not", (text, term) => {
    expect(parseQuery(text).terms.map(shown)).toEqual([term]);
  });

  test("a slash that nothing closes, or that stands beside a space, is a word", () => {
    const words = ["/users and /posts", "GET /users /", "a / b / c", "/* x */"];
    for (const text of words) expect(parseQuery(text).terms.map(({ type }) => type)).not.toContain("regex");
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
    [
      "x foo:bar",
      3,
      /no key "foo:".*author: branch: calls: case: changed: class: content: def: diff: kind: lang: path: ref: repo: since: sym: type: word:.*quote it: "foo:bar"/,
    ],
    // Names that every object of the language has are no keys, and nearest to none.
    ["constructor:x", 1, /^column 1: there is no key "constructor:"(\.|; did you mean [a-z]+: \?) Known keys/],
    ["toString:x", 1, /^column 1: there is no key "toString:"(\.|; did you mean [a-z]+: \?) Known keys/],
    ["hasOwnProperty:x", 1, /^column 1: there is no key "hasOwnProperty:"(\.|; did you mean [a-z]+: \?) Known keys/],
    ["pth:src", 1, /did you mean path: \?/],
    ["langauge:go", 1, /did you mean lang: \?/],
    ["x lagnuage:go", 3, /did you mean lang: \?/],
    ["filname:a.ts", 1, /did you mean path: \?/],
    ["repositry:x", 1, /did you mean repo: \?/],
    ["refernces:x", 1, /did you mean ref: \?/],
    ["lang:(go or rust)", 6, /lang: takes no parentheses; for any of several values: lang:go,rust$/],
    ["x -path:( src/** | lib/** )", 9, /path: takes no parentheses; .*: path:src\/\*\*,lib\/\*\*$/],
    ["(a kind:(class or function))", 9, /kind: takes no parentheses; .*: kind:class,function$/],
    ["lang:(go or", 6, /lang: takes no parentheses/],
    ["lang:go) x", 8, /parenthesis closed here was never opened; .*quote the value: "go\)"/],
    ["path:a,b) x", 9, /never opened/],
    // Characters are counted, not the units of UTF-16.
    ["😀😀 foo:bar", 4, /no key "foo:"/],
    ["日本 a )", 6, /never opened/],
    ["a lang:", 3, /lang: needs a value, such as lang:typescript/],
    ["lang:,", 1, /needs a value/],
    ['a "b c', 3, /never closed/],
    ["kind:functon", 6, /cannot be "functon"; did you mean function\?.*one of function, method/],
    ["class:tests", 7, /did you mean test\?/],
    ["w ".repeat(101), 201, /at most 100 words/],
    ["&& ".repeat(101), 301, /at most 100 words/],
    [`lang:${"a,".repeat(101)}`, 1, /at most 100 words/],
    ["a (b", 3, /parenthesis opened here is never closed/],
    [")", 1, /parenthesis closed here was never opened; .*quote it: "\)"/],
    ["a )", 3, /never opened/],
    ["a ) b", 3, /never opened/],
    ["(a) ) b", 5, /never opened/],
    ["foo( a ) )", 10, /never opened/],
    ["a or )", 6, /never opened/],
    ["case:yes )", 10, /never opened/],
    ["def:/users/", 5, /def: takes no \/regex\/; sym:\/users\/ takes one; .*quote it: def:"\/users\/"/],
    ["x calls:/a b/i", 9, /calls: takes no \/regex\/; for the text itself, quote it: calls:"\/a b\/i"/],
    ["(x -ref:/x/)", 9, /ref: takes no \/regex\//],
    ["lang:/^py/ author:x", 6, /lang: takes no \/regex\//],
    ["path:{a,b", 6, /brace opened here is never closed; .*quote the value: "\{a,b"/],
    ["x path:src/*.{ts,{a,b} y", 14, /brace opened here/],
    ["path:src/{a,b},lib/{c", 20, /brace opened here/],
    ["(a or ) b", 4, /nothing stands behind or; .*quote it: "or"/],
    ["or a", 1, /nothing stands before or/],
    ["a or or b", 3, /nothing stands behind or/],
    ["a AND", 3, /nothing stands behind AND/],
    ["a NOT", 3, /nothing stands behind NOT/],
    [`${"(".repeat(21)}a`, 21, /at most 20 deep/],
    ["a (case:yes b)", 4, /case: is for the whole query/],
    ["a -case:yes", 4, /case: cannot be taken away/],
    ["a case:yes b case:no", 14, /give it once/],
    ["lang:go word:yes", 9, /word: is for words.*there are none/],
    ["case:maybe x", 6, /cannot be "maybe".*one of yes, no, auto/],
    ["x language:go", 3, /did you mean lang: \?/],
    ['x content:"" y', 3, /content: needs a value/],
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
    "(",
    ")",
    " or ",
    " NOT ",
    "/a/",
    "path:/x\\/y/i",
    "/\\/",
    "content:",
    "case:yes ",
    "{a,b}",
    ",",
  );
  fc.assert(
    fc.property(fc.array(fc.oneof(piece, fc.string({ maxLength: 4 })), { maxLength: 8 }), (pieces) => {
      const query = parsed(pieces.join(""));
      if (query === undefined) return;
      expect(parseQuery(printQuery(query)).terms).toEqual(query.terms);
    }),
    { numRuns: 3000 },
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

test("the trouble is pointed at, in a long query too", () => {
  const error = refusal("foo\tclass:tests");
  expect(error.pointed()).toBe(`foo class:tests\n${" ".repeat(10)}^`);
  const [query, caret] = refusal(`${"word ".repeat(60)}pth:x ${"word ".repeat(60)}`)
    .pointed()
    .split("\n");
  expect(query.slice(caret.length - 1)).toMatch(/^pth:x word/);
  expect(query.length).toBeLessThan(130);
});

function refusal(text: string): QueryError {
  try {
    parseQuery(text);
  } catch (error) {
    if (error instanceof QueryError) return error;
  }
  throw new Error(`${text} is read`);
}

test("wanted texts are what may be seen on a line", () => {
  expect(wantedTexts(parseQuery('a "b c" -d def:E.f sym:g* lang:go'))).toEqual(["a", "b c", "f", "g"]);
  expect(wantedTexts(parseQuery('def:/a/:id sym:"GET /b.txt"'))).toEqual(["/a/:id", "GET /b.txt"]);
  expect(wantedTexts(parseQuery("def:A::b sym:x. def:C.*"))).toEqual(["b", "x.", "C."]);
});

test("the keys are sorted, without doubles", () => {
  const keys = QUERY_KEYS.map(({ key }) => key);
  expect(keys).toEqual([...new Set(keys)].sort());
});
