import { rmSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import type { Client } from "../../client/index.js";
import type { FakeNode } from "../testing/fake-node.js";
import { fakeNodeForEach } from "../testing/fake-node-each.js";
import { folderWith, write } from "../testing/folder.js";
import { autoindex } from "./autoindex.js";
import { planFolder } from "./plan-folder.js";

let node: FakeNode;
let client: Client;
fakeNodeForEach((made) => {
  ({ node, client } = made);
});

const options = (folder: string) => ({ client, folder, globalIgnore: "none", workers: 1 }) as const;
const writing = () =>
  node.calls.filter(({ method, path }) => method !== "GET" && method !== "HEAD" && !path.endsWith("_search"));

describe("what a run would do", () => {
  it("is told of a folder that is new, by content, and nothing is written", async () => {
    const root = folderWith({ "a.py": "def f(): pass\n", "b.csv": "x,y\n1,2\n", "c.bin": "\0", ".d": "" });
    expect(await planFolder(options(root))).toMatchObject({
      root,
      index: [
        { path: "a.py", change: "new", language: "python", declarations: 1 },
        { path: "b.csv", change: "new", records: 1 },
      ],
      remove: [],
      skip: [
        { path: ".d", reason: "hidden" },
        { path: "c.bin", reason: "binary" },
      ],
      unchanged: 0,
    });
    expect(writing()).toEqual([]);
  });

  it("is told of one that is known: what changed, what goes, what stays", async () => {
    const root = folderWith({
      "a.py": "def f(): pass\n",
      "b.py": "def g(): pass\n",
      "c.py": "def h(): pass\n",
      "d.py": "x = 1\n",
    });
    await autoindex(options(root));
    node.calls.length = 0;
    write(root, "a.py", "def f2(): pass\n", 1_700_000_100);
    rmSync(path.join(root, "b.py"));
    write(root, "d.py", "\0", 1_700_000_100);
    expect(await planFolder(options(root))).toMatchObject({
      index: [{ path: "a.py", change: "changed" }],
      remove: ["b.py", "d.py"],
      skip: [{ path: "d.py", reason: "binary" }],
      unchanged: 1,
    });
    expect(writing()).toEqual([]);
  });
});
