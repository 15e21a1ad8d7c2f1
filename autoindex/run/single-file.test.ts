import { rmSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import type { Client } from "../../client/index.js";
import { INDEX } from "../../code/index.js";
import type { FakeNode } from "../testing/fake-node.js";
import { fakeNodeForEach } from "../testing/fake-node-each.js";
import { folderWith, write } from "../testing/folder.js";
import { autoindex } from "./autoindex.js";
import { explainPath } from "./explain-path.js";
import { reindexFile } from "./reindex-file.js";

let node: FakeNode;
let client: Client;
fakeNodeForEach((made) => {
  ({ node, client } = made);
});

async function indexed(files: Record<string, string>): Promise<string> {
  const root = folderWith(files);
  await autoindex({ client, folder: root, workers: 1, globalIgnore: "none" });
  return root;
}
const names = (filePath: string) => node.of(INDEX.declarations, filePath).map((source) => source.name);

describe("indexing one file now", () => {
  it("replaces its documents again and again, visible at once", async () => {
    const root = await indexed({ "a.py": "def one(): pass\n", "b.py": "def other(): pass\n" });
    for (const [count, name] of ["two", "three", "four"].entries()) {
      write(root, "a.py", `def ${name}(): pass\n`, 1_700_000_100 + count);
      expect(await reindexFile(client, root, "a.py")).toEqual({ path: "a.py", status: "indexed", outcome: "written" });
      expect(names("a.py")).toEqual([name]);
      expect([...node.indices.get(INDEX.declarations)!.visible.values()].some((source) => source.name === name)).toBe(
        true,
      );
    }
    expect(await reindexFile(client, root, "a.py")).toMatchObject({ outcome: "unchanged" });
    expect(names("b.py")).toEqual(["other"]);
  });

  it("takes in a new file, lets go of one that is gone, and keeps the rules", async () => {
    const root = await indexed({ ".gitignore": "*.log", "a.py": "def f(): pass\n" });
    write(root, "new.py", "def g(): pass\n");
    write(root, "x.log", "text");
    rmSync(path.join(root, "a.py"));
    expect(await reindexFile(client, root, "new.py")).toMatchObject({ status: "indexed" });
    expect(await reindexFile(client, root, path.join(root, "a.py"))).toMatchObject({
      status: "gone",
      outcome: "removed",
    });
    expect(await reindexFile(client, root, "x.log")).toMatchObject({ status: "ignored" });
    expect([...node.documents(INDEX.files).values()].map((source) => source.path)).toEqual(["new.py"]);
  });

  it("refuses a path outside and a folder that is not indexed", async () => {
    const root = await indexed({ "a.py": "" });
    await expect(reindexFile(client, root, "../x")).rejects.toMatchObject({ problem: "outside_root" });
    await expect(reindexFile(client, path.dirname(root), "x")).rejects.toMatchObject({ problem: "not_indexed" });
  });
});

describe("why a path is there or not", () => {
  it("is answered from the catalog, with the rule and the folder that decided", async () => {
    const root = await indexed({ ".gitignore": "out/", "out/deep/x.py": "", "a.py": "", "b.bin": "\0" });
    expect(await explainPath(client, root, "a.py")).toMatchObject({ status: "indexed", decidedBy: "a.py" });
    expect(await explainPath(client, root, "b.bin")).toMatchObject({
      status: "binary",
      explanation: "The content is binary.",
    });
    expect(await explainPath(client, root, "out/deep/x.py")).toMatchObject({
      status: "ignored",
      decidedBy: "out/",
      detail: ".gitignore:1: out/",
    });
    expect(await explainPath(client, path.join(root, "out"), "../a.py")).toMatchObject({
      status: "indexed",
      path: "a.py",
    });
    expect(await explainPath(client, root, "none.py")).toMatchObject({ status: "unknown" });
    expect(await explainPath(client, "/", "etc/passwd")).toMatchObject({ status: "outside" });
  });
});
