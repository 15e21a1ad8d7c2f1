/** What docs/queries.md says is so: its examples are read, its errors are those given, its keys are all keys. */
import fs from "node:fs";
import path from "node:path";
import { describe, expect, it, test } from "vitest";
import { parseQuery, QUERY_KEYS, QueryError, toSearchRequest } from "../code/index.js";
import { ROOT } from "./import-graph.js";

const page = fs.readFileSync(path.join(ROOT, "docs/queries.md"), "utf8");

/** Lines of the page's blocks of one kind. */
function linesOf(kind: string): string[] {
  const blocks = [...page.matchAll(new RegExp(`^\`\`\`${kind}\\n([\\s\\S]*?)^\`\`\``, "gm"))];
  return blocks.flatMap(([, text]) => text!.trimEnd().split("\n"));
}

describe("an example of the page can be asked", () => {
  const examples = linesOf("query").map((line) => line.split(/ {2,}/)[0]!);
  expect(examples.length).toBeGreaterThan(20);
  test.each(examples)("%s", (example) => {
    const { ignored } = parseQuery(example);
    expect(ignored).toEqual([]);
    const request = toSearchRequest(parseQuery(example), { from: 0, size: 10, words: "all" });
    expect(request.index).toMatch(/^pinakes-(files|decls)$/);
  });
});

describe("an error of the page is given at its column", () => {
  test.each(linesOf("error").map((line) => line.split(/ {2,}/)))("%s", (query, column, reason) => {
    expect(() => parseQuery(query!)).toThrow(QueryError);
    try {
      parseQuery(query!);
    } catch (error) {
      expect((error as QueryError).column).toBe(Number(column));
      expect((error as QueryError).message).toContain(reason);
    }
  });
});

it("lists every key, and no other", () => {
  const listed = [...page.matchAll(/^\| `(\w+):` +\| `(\w+):/gm)].map(([, key, example]) => [key, example]);
  expect(listed).toEqual(QUERY_KEYS.map(({ key }) => [key, key]));
});
