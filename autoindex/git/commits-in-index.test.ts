import { rmSync, symlinkSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import type { Client } from "../../client/index.js";
import { INDEX } from "../../code/index.js";
import type { AutoindexOptions } from "../options.js";
import { autoindex } from "../run/autoindex.js";
import { removeFolder } from "../run/remove-folder.js";
import type { FakeNode } from "../testing/fake-node.js";
import { fakeNodeForEach } from "../testing/fake-node-each.js";
import { folderWith } from "../testing/folder.js";
import { GitFolder } from "../testing/git-folder.js";

let node: FakeNode;
let client: Client;
fakeNodeForEach((made) => {
  ({ node, client } = made);
});

const index = (folder: string, more: Partial<AutoindexOptions> = {}) =>
  autoindex({ client, folder, globalIgnore: "none", workers: 1, ...more });
const newFolder = (name = "proj") => path.join(folderWith({}), name);
const commits = () => [...node.documents(INDEX.commits).values()];
const shown = () =>
  commits()
    .map(({ subject, branches }) => `${subject} [${(branches as string[]).join(" ")}]`)
    .sort();

describe("commits", () => {
  it("have their author, dates, words, files with status, counts and lines", async () => {
    const repo = GitFolder.init(newFolder());
    repo.commit({ "a.py": "one\ntwo\nthree\nfour\n", "b.py": "x\n" }, "first");
    repo.git("mv", "a.py", "größe x.py");
    repo.write({ "b.py": undefined, "größe x.py": "one\n--- two\n+++ x\nthree\nfour\n", bin: "\0\0" });
    const sha = repo.commit({}, "Rename it\n\nBecause \x02 of this.\n\nAnd that.");
    await index(repo.root);
    expect(commits().length).toBe(2);
    const found = commits().find((commit) => commit.sha === sha);
    expect(found).toMatchObject({
      repo: "proj",
      author: "Ada",
      author_email: "ada@example.org",
      commit_date: "2023-11-14T22:14:20+00:00",
      subject: "Rename it",
      body: "Because \x02 of this.\n\nAnd that.",
      changes: ["D b.py", "A bin", "R größe x.py"],
      files_count: 3,
      insertions: 2,
      deletions: 2,
      branches: ["main"],
      is_cut: false,
    });
    expect(found?.added).toBe("--- two\n+++ x\n");
    expect(found?.removed).toBe("x\ntwo\n");
  });

  it("have the counts of git where files are renamed and change what they are, whatever the repository is set to", async () => {
    const repo = GitFolder.init(newFolder());
    const lines = (changed: string) => `${Array.from({ length: 40 }, (_, i) => `line ${i}`).join("\n")}\n${changed}\n`;
    repo.commit({ "f0.txt": lines("a"), "f1.txt": lines("b"), "f2.txt": lines("c"), link: "f0.txt\n" }, "first");
    for (const i of [0, 1, 2]) {
      repo.git("mv", `f${i}.txt`, `g${i}.txt`);
      repo.commit({ [`g${i}.txt`]: lines(`edited ${i}`) }, `rename ${i}`);
    }
    repo.git("mv", "g0.txt", "h0.txt");
    repo.commit({}, "rename alone");
    repo.write({ link: undefined });
    symlinkSync("h0.txt", path.join(repo.root, "link"));
    repo.commit({}, "a link");
    const shortstat = repo.git("log", "--shortstat", "-M", "--root", "--format=%x01%s").toString();
    const settings = { "log.showRoot": "false", "diff.orderFile": "/nowhere", "diff.ignoreSubmodules": "all" };
    for (const [name, value] of Object.entries({ ...settings, "diff.renames": "false" }))
      repo.git("config", name, value);
    await index(repo.root);
    const counts = (text: string) => {
      const of = (what: string) => Number(new RegExp(`(\\d+) ${what}`).exec(text)?.[1] ?? 0);
      return [text.split("\n")[0], of("insertion"), of("deletion")];
    };
    const asked = shortstat.split("\x01").slice(1).map(counts).sort();
    expect(
      commits()
        .map((commit) => [commit.subject, commit.insertions, commit.deletions])
        .sort(),
    ).toEqual(asked);
    expect(asked).toContainEqual(["rename 1", 1, 1]);
    expect(commits().find(({ subject }) => subject === "rename alone")).not.toHaveProperty("added");
  });

  it("are without lines where git has not all texts, and it is said", async () => {
    const repo = GitFolder.init(newFolder());
    repo.commit({ "a.py": "gone = 1\n" }, "first");
    const blob = repo.git("rev-parse", "HEAD:a.py").toString().trim();
    repo.commit({ "a.py": "kept = 1\n" }, "second");
    rmSync(path.join(repo.root, ".git", "objects", blob.slice(0, 2), blob.slice(2)));
    const { notes, commits: totals } = await index(repo.root, { history: "all" });
    expect(totals).toMatchObject({ commits: 2, written: 2 });
    expect(notes?.join()).toMatch(/commits of .* are without the lines they changed: git log ended .*/);
    expect(
      commits()
        .map(({ subject, changes, is_cut }) => [subject, changes, is_cut])
        .sort(),
    ).toEqual([
      ["first", ["A a.py"], true],
      ["second", ["M a.py"], true],
    ]);
  });

  it("are read once, follow their branches, and go when nothing leads to them", async () => {
    const repo = GitFolder.init(newFolder());
    for (const name of ["one", "two", "three"]) repo.commit({ "a.py": `${name}\n` }, name);
    expect((await index(repo.root)).commits).toEqual({ commits: 3, written: 3, removed: 0 });
    expect((await index(repo.root)).commits).toBeUndefined();
    const together = GitFolder.init(newFolder("together"));
    together.commit({ "a.py": "a\n" }, "with branches");
    expect((await index(together.root, { branches: ["all"] })).commits).toMatchObject({ commits: 1 });
    await removeFolder(client, together.root);
    repo.git("checkout", "-q", "-b", "dev", "HEAD~1");
    repo.commit({ "b.py": "b\n" }, "on dev");
    expect((await index(repo.root, { branches: ["all"] })).commits).toEqual({ commits: 4, written: 1, removed: 0 });
    expect(shown()).toEqual(["on dev [dev]", "one [dev main]", "three [main]", "two [dev main]"]);
    repo.git("branch", "-D", "main");
    expect((await index(repo.root)).commits).toEqual({ commits: 3, written: 0, removed: 1 });
    expect(shown()).toEqual(["on dev [dev]", "one [dev]", "two [dev]"]);
    await index(repo.root, { history: "2" });
    expect(shown()).toEqual(["on dev [dev]", "two [dev]"]);
    await index(repo.root);
    expect(shown().length).toBe(2);
    await index(repo.root, { history: "none" });
    expect(shown()).toEqual([]);
    await expect(index(repo.root, { history: "many" })).rejects.toThrow(/a number of commits, "all" or "none"/);
  });

  it("are there once for all clones, as long as one has them", async () => {
    const repo = GitFolder.init(newFolder());
    repo.commit({ "a.py": "a\n" }, "shared");
    const clone = new GitFolder(newFolder("clone"));
    repo.git("clone", "-q", repo.root, clone.root);
    clone.git("checkout", "-q", "-b", "feature");
    clone.commit({ "b.py": "b\n" }, "in the clone");
    await index(repo.root);
    await index(clone.root);
    expect(shown()).toEqual(["in the clone [feature]", "shared [feature main]"]);
    await removeFolder(client, clone.root);
    expect(shown()).toEqual(["shared [main]"]);
    await removeFolder(client, repo.root);
    expect(shown()).toEqual([]);
  });

  it("of a repository that git refuses are left out with a note, and the folder is indexed", async () => {
    const root = folderWith({ "a.py": "a = 1\n", ".git/HEAD": "ref: refs/heads/main\n" });
    const { indexed, notes } = await index(root);
    expect([indexed, notes]).toEqual([1, []]);
    const broken = GitFolder.init(newFolder());
    broken.commit({ "a.py": "a\n" });
    broken.write({ ".git/refs/heads/main": `${"1".repeat(40)}\n` });
    expect((await index(broken.root)).notes?.join()).toMatch(/commits of .* are not up to date: git rev-list ended/);
  });
});
