import { rmSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import type { Client } from "../../client/index.js";
import { INDEX } from "../../code/index.js";
import { zip } from "../testing/document-fixtures.js";
import type { FakeNode } from "../testing/fake-node.js";
import { fakeNodeForEach } from "../testing/fake-node-each.js";
import { folderWith, write } from "../testing/folder.js";
import { autoindex } from "./autoindex.js";
import { explainPath } from "./explain-path.js";

let node: FakeNode;
let client: Client;
fakeNodeForEach((made) => {
  ({ node, client } = made);
});

const index = (folder: string) => autoindex({ client, folder, globalIgnore: "none", workers: 1 });
const paths = (name: string) => [...new Set([...node.documents(name).values()].map((source) => source.path))].sort();

describe("an archive in a folder", () => {
  it("takes all documents of what was inside with it when it is replaced, and when it goes", async () => {
    const root = folderWith({ "a.zip": zip({ "one.py": "def one(): f()\n", "two.txt": "2" }), "b.txt": "beside" });
    await index(root);
    expect(paths(INDEX.files)).toEqual(["a.zip", "a.zip!/one.py", "a.zip!/two.txt", "b.txt"]);
    expect(paths(INDEX.references)).toEqual(["a.zip!/one.py"]);

    write(root, "a.zip", zip({ "three.py": "def three(): pass\n" }), 1_700_000_100);
    await index(root);
    expect(paths(INDEX.files)).toEqual(["a.zip", "a.zip!/three.py", "b.txt"]);
    expect(paths(INDEX.declarations)).toEqual(["a.zip", "a.zip!/three.py", "b.txt"]);
    expect(paths(INDEX.references)).toEqual([]);

    rmSync(path.join(root, "a.zip"));
    await index(root);
    for (const name of [INDEX.files, INDEX.declarations]) expect(paths(name)).toEqual(["b.txt"]);
  });

  it("is one file: nothing of it is taken for a leftover after a run was cut off", async () => {
    const root = folderWith({ "a.zip": zip({ "one.py": "def one(): pass\n" }), "b.txt": "beside" });
    await index(root);
    write(root, "b.txt", "changed", 1_700_000_100);
    let bulks = 0;
    node.before = ({ path: target }) => (target.startsWith("/_bulk") && ++bulks === 2 ? "break" : "serve");
    await expect(index(root)).rejects.toThrow();
    node.before = () => "serve";
    const summary = await index(root);
    expect(summary).toMatchObject({ removed: 0, unchanged: 1 });
    expect(paths(INDEX.files)).toEqual(["a.zip", "a.zip!/one.py", "b.txt"]);
  });

  it("is explained with what was left out of it, and so is each path inside", async () => {
    const root = folderWith({
      "a.zip": zip({ "one.py": "def one(): pass\n", "../up.txt": "x" }),
      "p.png": "\x89PNG\0",
    });
    await index(root);
    const explained = async (given: string) => {
      const { status, explanation, detail, decidedBy } = await explainPath(client, root, given);
      return { status, explanation, detail, decidedBy };
    };
    const left = "1 member left out: a path that leads out of the archive (../up.txt)";
    expect(await explained("a.zip")).toMatchObject({ status: "indexed", detail: left });
    expect(await explained("a.zip!/one.py")).toMatchObject({ status: "indexed", decidedBy: "a.zip" });
    expect(await explained("a.zip!/up.txt")).toEqual({
      status: "unknown",
      explanation: "The archive was read; no file of this path was read out of it.",
      detail: left,
      decidedBy: "a.zip",
    });
    expect(await explained("p.png")).toMatchObject({ status: "binary", explanation: "The content is binary." });
  });
});
