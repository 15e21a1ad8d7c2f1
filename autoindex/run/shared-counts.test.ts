import { execFileSync } from "node:child_process";
import path from "node:path";
import { describe, expect, it } from "vitest";
import type { Client } from "../../client/index.js";
import { fakeNodeForEach } from "../testing/fake-node-each.js";
import { folderWith } from "../testing/folder.js";
import { GitFolder } from "../testing/git-folder.js";
import { autoindex } from "./autoindex.js";

let client: Client;
fakeNodeForEach((made) => {
  ({ client } = made);
});

const index = (folder: string) => autoindex({ client, folder, workers: 1, globalIgnore: "none" });

/** A repository that is indexed: three files that are committed, two that are not. */
async function original(): Promise<{ repo: GitFolder; home: string }> {
  const home = folderWith({});
  const repo = GitFolder.init(path.join(home, "proj"));
  repo.commit({ "a.py": "def a(): pass\n", "b.py": "def b(): pass\n", "c.py": "def c(): pass\n" });
  repo.write({ "d.py": "def d(): pass\n", "e.py": "def e(): pass\n" });
  expect(await index(repo.root)).toMatchObject({ indexed: 5, adopted: 0, unchanged: 0, removed: 0 });
  return { repo, home };
}

describe("the first index of another folder of a repository", () => {
  it("counts what is there already apart, and removes nothing", async () => {
    const { repo, home } = await original();
    const clone = path.join(home, "clone");
    execFileSync("git", ["clone", "-q", repo.root, clone]);
    expect(await index(clone)).toMatchObject({ indexed: 0, adopted: 3, unchanged: 0, removed: 0 });
    expect(await index(clone)).toMatchObject({ indexed: 0, adopted: 0, unchanged: 3, removed: 0 });
    expect(await index(repo.root)).toMatchObject({ indexed: 0, adopted: 0, unchanged: 5, removed: 0 });
  });

  it("of a bare one too", async () => {
    const { repo, home } = await original();
    const bare = path.join(home, "bare.git");
    execFileSync("git", ["clone", "-q", "--bare", repo.root, bare]);
    expect(await index(bare)).toMatchObject({
      ...{ seen: 0, indexed: 0, adopted: 0, unchanged: 0, removed: 0 },
      branches: { names: ["main"], files: 3, read: 0, reused: 3 },
    });
  });
});
