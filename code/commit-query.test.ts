import { describe, expect, test } from "vitest";
import { commitLine, commitLinesWith, parseCommits } from "./commit-hit.js";
import { isCommitQuery, toCommitSearch } from "./commit-query.js";
import { parseQuery } from "./query.js";

const body = (text: string) => toCommitSearch(parseQuery(text), { from: 0, size: 10 });
const bool = (text: string) => (body(text).query as { bool: Record<string, unknown[]> }).bool;

test("commits are asked for by type:, author: and diff:", () => {
  const texts = ["type:commit x", "author:ada", "diff:added x", "type:code x", "x -author:ada", "x"];
  expect(texts.map((text) => isCommitQuery(parseQuery(text)))).toEqual([true, true, true, false, false, false]);
});

describe("a query for commits", () => {
  test("looks for words in message, author and files, for the beginning of an id too", () => {
    const fields = ["subject^3", "body", "author.text^2", "author_email.text", "files.text"];
    expect(bool("type:commit timeout").must).toEqual([
      { multi_match: { query: "timeout", type: "best_fields", fields, operator: "and" } },
    ]);
    expect(bool("type:commit 1A2b3c4").must).toMatchObject([
      {
        bool: {
          should: [
            { bool: { should: [{ multi_match: { query: "1A2b3c4", type: "phrase" } }, {}] } },
            { prefix: { sha: "1a2b3c4" } },
          ],
        },
      },
    ]);
  });

  test("looks for words in lines alone when diff: says which, and gives those lines", () => {
    expect(bool('diff:added,removed "read timeout"').must).toMatchObject([
      { multi_match: { type: "phrase", fields: ["added", "removed"] } },
    ]);
    expect(bool("diff:added x").filter).toEqual([{ exists: { field: "added" } }]);
    expect(body("diff:added x")._source).toContain("added");
    expect(body("type:commit x")._source).not.toContain("added");
  });

  test("narrows by path, branch, repository and author", () => {
    expect(bool("type:commit path:src/*.ts branch:main repo:a author:ada").filter).toEqual([
      { match_all: {} },
      { wildcard: { files: { value: "src/*.ts" } } },
      { term: { branches: "main" } },
      { term: { repo: "a" } },
      {
        multi_match: {
          query: "ada",
          fields: ["author.text", "author_email.text"],
          operator: "and",
          type: "best_fields",
        },
      },
    ]);
    expect(JSON.stringify(bool("type:commit path:src").filter)).toContain('{"term":{"files":"src"}}');
    expect(JSON.stringify(bool("type:commit path:src").filter)).toContain('"files.text"');
  });

  test("refuses what means nothing of a commit, by name", () => {
    expect(() => body("type:commit kind:class")).toThrow(
      "kind:class means nothing of a commit; keys for commits are author: branch: diff: path: repo: since: type:",
    );
    expect(() => body("type:commit changed:")).toThrow(/changed:all means nothing/);
    expect(() => body("type:commit since:v1")).toThrow(/since:v1: it needs the folders/);
  });
});

test("a commit is one line, and its lines are those with the words", () => {
  const source = {
    ...{ sha: "1234567890abcdef", commit_date: "2024-01-31T10:00:00Z", author: "Ada", subject: "Fix it" },
    ...{
      files_count: 2,
      insertions: 3,
      deletions: 1,
      added: "  readTimeout();\nother\n",
      removed: "old readtimeout\n",
    },
  };
  const [hit] = parseCommits({ hits: { total: { value: 1 }, hits: [{ _source: source }] } }).hits;
  expect(commitLine(hit)).toBe("1234567890ab 2024-01-31 Ada: Fix it (2 files, +3 -1)");
  expect(commitLinesWith(hit, ["readTimeout"], 2)).toEqual(["- old readtimeout", "+ readTimeout();"]);
  expect(() => parseCommits({})).toThrow(/no list of commits/);
});
