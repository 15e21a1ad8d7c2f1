import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { INDEX, isFileHit, parseQuery, toSearchRequest } from "../code/index.js";
import { currentFile } from "./current-file.js";
import { findHits } from "./find-hits.js";
import { runRequest } from "./run-request.js";
import type { CodeFolder } from "./testing/code-folder.js";
import { Session } from "./testing/session.js";
import { Workspace } from "./workspace.js";

const TEXT = "let a = poll_one();\nlet b = 2;\nlet c = poll_two();\n";

let session: Session;
let folder: CodeFolder;

beforeEach(async () => {
  session = await Session.start();
  folder = session.folder("app");
  folder.add("src/a.ts", TEXT);
  folder.finish();
});
afterEach(() => session.stop());

type Reindex = (root: string, path: string) => Promise<void>;

/** What the search for a pattern finds, each file as it is now: its state and lines. */
async function current(text: string, reindexFile?: Reindex) {
  const workspace = await Workspace.open({ client: session.client, reindexFile });
  const query = parseQuery(text);
  const request = toSearchRequest(query, { from: 0, size: 10, words: "all" });
  const { hits } = await runRequest(session.client, request, query);
  const files = await Promise.all(hits.filter(isFileHit).map((hit) => currentFile(workspace, { query, request }, hit)));
  return files.map((file) => ({
    state: file.state,
    lines: file.hit.lines.lines.map(({ line, text, ranges }) => [line, text, ...ranges]),
    ...("reason" in file ? { reason: file.reason } : {}),
    ...("verified" in file ? { verified: file.verified } : {}),
  }));
}

const BOTH = [
  [1, "let a = poll_one();", [8, 16]],
  [3, "let c = poll_two();", [8, 16]],
];

describe("a file that patterns found", () => {
  test("is as the index says where its bytes are the same", async () => {
    expect(await current("/poll_\\w+/")).toEqual([{ state: "exact", verified: true, lines: BOTH }]);
  });

  test("is indexed and asked again when it has changed", async () => {
    const changed = `// new\n${TEXT}`;
    folder.write("src/a.ts", changed);
    const reindex: Reindex = async (_root, path) => folder.index(path, changed);
    const moved = BOTH.map(([line, ...rest]) => [Number(line) + 1, ...rest]);
    expect(await current("/poll_\\w+/", reindex)).toEqual([{ state: "exact", verified: true, lines: moved }]);
  });

  test("is told of when it changed and is no longer found", async () => {
    folder.write("src/a.ts", "let b = 2;\n");
    const reindex: Reindex = async (_root, path) => folder.index(path, "let b = 2;\n");
    expect(await current("/poll_\\w+/", reindex)).toMatchObject([{ state: "gone", reason: /no longer found/ }]);
  });

  test("has its lines found here where nothing can index it, and says so", async () => {
    folder.write("src/a.ts", `// poll_x\n${TEXT}`);
    expect(await current("/poll_\\w+/")).toEqual([
      {
        state: "changed",
        lines: [
          [1, "// poll_x", [3, 9]],
          [2, "let a = poll_one();", [8, 16]],
        ],
      },
    ]);
  });

  test("is not shown where it changed and can be checked in no way", async () => {
    folder.write("src/a.ts", `// new\n${TEXT}`);
    expect(await current("/poll_\\w+/m")).toMatchObject([{ state: "gone", reason: /could not be indexed again/ }]);
    folder.write("src/a.ts", "nothing\n");
    expect(await current("/poll_\\w+/")).toMatchObject([{ state: "gone", reason: /no longer has such a line/ }]);
    folder.delete("src/a.ts");
    expect(await current("/poll_\\w+/")).toMatchObject([{ state: "gone", reason: /there is no src\/a.ts any more/ }]);
  });

  test("is as it was committed where only another branch has it", async () => {
    const [, source] = [...(session.node.indices.get(INDEX.files) ?? [])][0];
    const other = { path: "src/other.ts", body: "poll_dev", in_tree: false, branches: "dev" };
    session.node.put(INDEX.files, "other", { ...source, ...other });
    const asCommitted = { state: "exact", verified: true, lines: [[1, "poll_dev", [0, 8]]] };
    expect(await current("/poll_dev/ branch:dev")).toEqual([asCommitted]);
    expect(await current("/poll_dev/")).toEqual([]);
  });
});

describe("a search of lines among the hits of tools", () => {
  test("gives the file with its lines, and its first line in the shape of a declaration", async () => {
    const workspace = await Workspace.open({ client: session.client });
    const { hits, queries } = await findHits(workspace, ["/poll_\\w+/"], { offset: 0, limit: 10 });
    expect(queries[0].total).toBe(1);
    expect(hits[0].file?.lines.total).toBe(2);
    expect(hits[0].wanted).toEqual(["poll_one", "poll_two"]);
    expect(hits[0].hit).toMatchObject({ kind: "window", startLine: 1, endLine: 1, code: "let a = poll_one();" });
    const shown = await session.call("search", { query: "/poll_\\w+/" });
    expect(shown.text).toContain("src/a.ts (2 lines match)\n1: let a = poll_one();\n3: let c = poll_two();\n");
  });

  test("keeps the lines of each query apart", async () => {
    const workspace = await Workspace.open({ client: session.client });
    const { hits } = await findHits(workspace, ["/poll_one/", "/poll_two/"], { offset: 0, limit: 10 });
    expect(hits.map(({ hit, foundBy }) => [hit.startLine, foundBy])).toEqual([
      [1, [0]],
      [3, [1]],
    ]);
  });

  test("says when nothing is found which lines were searched, and what another case would find", async () => {
    const { text } = await session.call("search", { query: "/Poll_one/" });
    expect(text).toContain("searched the lines of 1 file in app");
    expect(text).toContain("whatever the case: 1 hits for /Poll_one/ case:no");
  });
});

describe("a cluster that does not know matching_lines", () => {
  test("is asked by its wildcard field, and the lines are found here", async () => {
    session.node.knowsLines = false;
    expect(await current("/poll_[a-z]+/")).toEqual([{ state: "exact", verified: true, lines: BOTH }]);
    expect(await current('content:"b = 2"')).toEqual([
      { state: "exact", verified: true, lines: [[2, "let b = 2;", [4, 9]]] },
    ]);
  });

  test("refuses by name what cannot be asked so", async () => {
    session.node.knowsLines = false;
    await expect(current("/^let/")).rejects.toThrow(/does not know matching_lines, and \/\^let\//);
  });
});
