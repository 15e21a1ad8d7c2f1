import { describe, expect, test } from "vitest";
import { readQuery } from "./read-query.js";

describe("a text is prose", () => {
  test.each([
    ["a question", "where is the retry delay computed"],
    ["a question without function words behind its first", "how parse tokens fast"],
    ["an error message", 'Error: Failed to lookup view "index" in views directory "/app/views"'],
    ["more words than anybody looks for at once", "retry backoff delay timeout connection pool adapter session close"],
    ["a stack trace of one line", 'File "a/b.py", line 3, in run'],
    ["the innermost frame alone", "at Foo.bar (src/x.ts:12:5)"],
    ["what a compiler prints before its message", "src/main.c:12:5"],
    ["several lines", "crash\nwith foo: bar"],
    ["a text longer than a query may be", `${"x ".repeat(6000)}`],
    ["an unclosed quote among many words", 'the parser says "unexpected token when the file is empty'],
  ])("%s", (_what, text) => {
    expect(readQuery(text)).toEqual({ terms: [], ignored: [], prose: text });
  });
});

describe("a text is a query", () => {
  test.each([
    ["a name", "readTimeoutHandler"],
    ["some words", "read timeout handler"],
    ["a quoted sentence", '"the name of the file is not there"'],
    ["a word taken away", "is the name in -test or of the file"],
    ["a key in the middle", "where is lang:go the retry delay"],
    ["a regular expression that reads like a sentence", "/return is the error in/ of"],
    ["a frame in quotes", '"at Foo.bar (src/x.ts:12:5)"'],
    ["a frame that is a piece of a line", 'content:"src/x.ts:12"'],
    ["an address of a host", "example.com:8080 retry"],
    ["a time", "12:30:15 start"],
    ["a name with its container", "std::vector<int>"],
    ["a group", "(is or the) of in at name"],
  ])("%s", (_what, text) => {
    expect(readQuery(text).prose).toBeUndefined();
  });
});

describe("a query that is too long or broken is refused, not read as prose", () => {
  const long = "needle".repeat(1700);
  test.each([
    ["a long piece of a line", `content:${long}`, /at most 10000 characters/],
    ["a long piece of a line in quotes", `content:"${long} ${long}"`, /at most 10000 characters/],
    ["a long piece beside words", `content:${long} lang:go foo bar`, /at most 10000 characters/],
    ["a long regular expression", `/${"a".repeat(10_001)}/`, /at most 10000 characters/],
    ["one with spaces, and a key", `/${"a ".repeat(6000)}b/i lang:go`, /at most 10000 characters/],
    ["a long quoted thing", `"${"x ".repeat(6000)}"`, /at most 10000 characters/],
    ["a long word", long, /at most 10000 characters/],
    ["a piece of a line that is two", 'content:"needle\nx"', /piece of one line/],
    ["the same beside keys", 'lang:go content:"needle\nx" case:no', /piece of one line/],
  ])("%s", (_what, text, reason) => {
    expect(() => readQuery(text)).toThrow(reason);
  });

  test("a long report stays prose, though it begins with a path", () => {
    const text = `/usr/lib is where it fails ${"again and ".repeat(1200)}`;
    expect(readQuery(text).prose).toBe(text);
    expect(readQuery(`lang:go ${text}`).prose).toBe(text.trim());
  });
});

describe("keys beside prose", () => {
  test("filter, at the beginning and at the end", () => {
    const query = readQuery("repo:app -class:test where is the retry delay computed lang:go");
    expect(query.prose).toBe("where is the retry delay computed");
    expect(query.terms).toMatchObject([
      { type: "key", key: "repo", values: ["app"], negated: false },
      { type: "key", key: "class", values: ["test"], negated: true },
      { type: "key", key: "lang", values: ["go"], negated: false },
    ]);
  });

  test("on several lines are a query, with nothing between them or a few words", () => {
    for (const text of ["def:parseQuery\nkind:function", "lang:go\nparse query"]) {
      expect(readQuery(text)).toEqual(readQuery(text.replace("\n", " ")));
    }
  });

  test("that cannot be read are text", () => {
    const text = "kind:nonsense\nof the many";
    expect(readQuery(text)).toEqual({ terms: [], ignored: [], prose: text });
  });

  test("that ask for commits make it a query for commits", () => {
    expect(readQuery("type:commit why is the retry delay not computed").prose).toBeUndefined();
  });
});

test("what is pasted never fails", () => {
  const pasted = ['unclosed " quote\nkey: value', "foo:bar baz:qux\n)(", "\u0000\n\ufffd x", "a\n".repeat(50_000)];
  for (const text of pasted) expect(readQuery(text).prose).toBe(text);
});
