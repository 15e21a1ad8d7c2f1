import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { Client } from "../client/index.js";
import { INDEX } from "../code/index.js";
import { runSearch } from "./search-tool.js";
import { FakeNode } from "./testing/fake-node.js";

let node: FakeNode;
let client: Client;
beforeEach(async () => {
  node = new FakeNode();
  client = new Client({ url: await node.start() });
});
afterEach(async () => {
  client.close();
  await node.stop();
});

function commit(at: number, more: object = {}): object {
  const id = String(at).padStart(2, "0");
  const dates = { author_date: "2024-01-01T00:00:00Z", commit_date: `2024-01-${id}T00:00:00Z` };
  const counts = { files_count: 1, insertions: 1, deletions: 0, is_cut: false };
  return {
    repo: "lib",
    sha: id.repeat(20),
    author: "Ada",
    subject: `Change ${id}`,
    body: "",
    ...dates,
    ...counts,
    ...more,
  };
}

const search = (query: string, more: { limit?: number; max_tokens?: number; continuation?: string } = {}) =>
  runSearch({ client }, { query, limit: 10, max_tokens: 2000, ...more });

describe("a search of commits", () => {
  it("gives one line a commit, its files, and the lines that were asked for", async () => {
    node.put(
      INDEX.commits,
      "a",
      commit(1, { subject: "Fix the timeout", changes: ["M src/a.ts"], branches: ["main"] }),
    );
    node.put(INDEX.commits, "b", commit(2, { added: "  readTimeout();\nother();\n", changes: ["A src/b.ts"] }));
    expect(await search("type:commit timeout")).toBe(
      "1 commit for type:commit timeout\n010101010101 2024-01-01 Ada: Fix the timeout (1 file, +1 -0)\n  M src/a.ts\n",
    );
    expect(await search("diff:added readTimeout")).toContain("  A src/b.ts\n  + readTimeout();\n");
  });

  it("keeps to its budget, and its continuations show every commit once", async () => {
    for (let at = 1; at <= 25; at++)
      node.put(INDEX.commits, `${at}`, commit(at, { changes: [`M ${"long/".repeat(9)}${at}`] }));
    const seen: string[] = [];
    for (let call: { continuation?: string } = {}; ; ) {
      const text = await search("type:commit", { limit: 20, max_tokens: 300, ...call });
      expect(Buffer.byteLength(text)).toBeLessThanOrEqual(900);
      seen.push(...[...text.matchAll(/Change (\d+)/g)].map((found) => found[1]!));
      const next = /"continuation":"([^"]+)"/.exec(text)?.[1];
      if (!next) break;
      call = { continuation: next };
    }
    expect(seen).toEqual(Array.from({ length: 25 }, (_, at) => String(25 - at).padStart(2, "0")));
  });

  it("is not mixed with searches of code, and says what it needs", async () => {
    const both = runSearch({ client }, { query: ["type:commit x", "y"], limit: 10, max_tokens: 2000 });
    await expect(both).rejects.toThrow(/asked alone/);
    await expect(search("type:commit since:v1")).rejects.toThrow(/since:v1: it needs the folders/);
    await expect(search("changed: x")).rejects.toThrow(/changed:all: it needs the folders/);
    expect(await search("type:commit nothing")).toBe("0 commits for type:commit nothing\n");
  });
});
