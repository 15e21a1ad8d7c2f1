import { describe, expect, test } from "vitest";
import { unknownValues } from "./known-values.js";
import { parseQuery } from "./query.js";
import type { ValuesSearch } from "./values-search.js";

/** A node that has files of these values. */
function nodeWith(fields: Readonly<Record<string, readonly string[]>>, asked: string[] = []): ValuesSearch {
  return async (index, body) => {
    asked.push(index);
    const aggs = body.aggs as { values: { terms: { field: string } } } | undefined;
    if (aggs !== undefined) {
      const keys = fields[aggs.values.terms.field] ?? [];
      return { hits: { total: 0 }, aggregations: { values: { buckets: keys.map((key) => ({ key })) } } };
    }
    const clause = JSON.stringify((body.query as { bool: { filter: unknown[] } }).bool.filter[0]);
    const has = Object.values(fields).flat();
    const isThere = has.some((value) => clause.includes(`"${value}"`)) || clause.includes("prefix");
    return { hits: { total: { value: isThere ? 1 : 0 } } };
  };
}

const node = { repo: ["vite", "rails", "prometheus"], language: ["go", "ruby"], branches: ["main"] };
const said = (query: string, fields: Readonly<Record<string, readonly string[]>> = node) =>
  unknownValues(parseQuery(query), nodeWith(fields));

describe("what a query names and the index has nothing of is told", () => {
  test.each([
    ["x repo:vit", "no file of repository vit (did you mean vite?); there are: vite, rails, prometheus"],
    [
      "x repo:vitejs/vite",
      "no file of repository vitejs/vite (did you mean vite?); there are: vite, rails, prometheus",
    ],
    ["x branch:dev", "no file of branch dev; there are: main"],
    ["x lang:pyhton", "no file of language pyhton (did you mean python?); there are: go, ruby"],
    ["x lang:c#", "no file of language c# (did you mean csharp?); there are: go, ruby"],
    ["x lang:C++", "no file of language C++ (did you mean cpp?); there are: go, ruby"],
    ["x lang:objective-c", "no file of language objective-c (did you mean objc?); there are: go, ruby"],
    ["x lang:csharp", "no file of language csharp; there are: go, ruby"],
    ["x -repo:other", "no file of repository other; there are: vite, rails, prometheus"],
    [
      "x (repo:vite or repo:rials)",
      "no file of repository rials (did you mean rails?); there are: vite, rails, prometheus",
    ],
    ["x repo:/^zoo/", "no file of repository /^zoo/; there are: vite, rails, prometheus"],
    [
      "type:commit x repo:vite2",
      "no commit of repository vite2 (did you mean vite?); there are: vite, rails, prometheus",
    ],
  ])("%s", async (query, note) => {
    expect(await said(query)).toEqual([note]);
  });

  test("each value once, of a list those alone that are missing", async () => {
    expect(await said("x repo:vite,nope (lang:go or repo:nope)")).toEqual([
      "no file of repository nope; there are: vite, rails, prometheus",
    ]);
  });

  test("with a dozen of many", async () => {
    const repo = Array.from({ length: 30 }, (_, at) => `repo${at + 10}`);
    const [note = ""] = await said("x repo:other", { repo });
    expect(note).toMatch(/^no file of repository other; there are: repo10, .*, repo21 and 18 more$/);
  });
});

describe("nothing is told", () => {
  test.each(["x", "x repo:vite lang:go branch:main", "x repo:vi*", "x lang:rb"])("of %s", async (query) => {
    expect(await said(query)).toEqual([]);
  });

  test("where the index is empty or not there", async () => {
    expect(await said("x repo:vite", {})).toEqual([]);
    expect(await unknownValues(parseQuery("x repo:vite"), async () => undefined)).toEqual([]);
  });

  test("and nothing is asked, of a query that names nothing", async () => {
    const asked: string[] = [];
    await unknownValues(parseQuery("x kind:class path:src"), nodeWith(node, asked));
    expect(asked).toEqual([]);
  });
});
