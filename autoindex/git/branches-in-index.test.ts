import { execFileSync } from "node:child_process";
import { mkdirSync, rmSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import type { Client } from "../../client/index.js";
import { INDEX } from "../../code/index.js";
import type { AutoindexOptions } from "../options.js";
import { autoindex } from "../run/autoindex.js";
import { explainPath } from "../run/explain-path.js";
import { reindexFile } from "../run/reindex-file.js";
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

const NAMES: Record<string, string> = {};
const f = (name: string) => {
  const text = `def ${name}(): pass\n`;
  NAMES[text] = name;
  return text;
};

/** `path name branches`, `-` before what is in no folder; from an index of code. */
function shown(of: "files" | "declarations" = "declarations"): string[] {
  const documents = [...node.documents(INDEX[of]).values()];
  return documents
    .filter(({ kind }) => of === "files" || kind === "function")
    .map(({ in_tree, path, name, body, branches }) => {
      const what = of === "files" ? (NAMES[String(body)] ?? body) : name;
      return `${in_tree ? "" : "-"}${path} ${what} [${(branches as string[]).join(" ")}]`;
    })
    .sort();
}
const catalog = (entry: string) => [...node.documents(INDEX.catalog).values()].filter((one) => one.entry === entry);
const newFolder = (name = "proj") => path.join(folderWith({}), name);

describe("branches that are not checked out", () => {
  it("are read out of the object database, one document for all that have a blob at a path", async () => {
    const repo = GitFolder.init(newFolder());
    repo.commit({ "a.py": f("a"), "b.py": f("b") });
    repo.git("branch", "same");
    repo.git("checkout", "-q", "-b", "dev");
    repo.commit({ "b.py": f("b2"), "src/c.py": f("c") });
    repo.git("checkout", "-q", "main");
    const summary = await index(repo.root, { branches: ["all"] });
    const wanted = ["-b.py b2 [dev]", "-src/c.py c [dev]", "a.py a [dev main same]", "b.py b [main same]"];
    expect(shown()).toEqual(wanted);
    expect(shown("files")).toEqual(wanted);
    expect(summary.branches).toMatchObject({ names: ["dev", "same"], files: 4, read: 2, reused: 2 });
    const writes = () => node.bulks().filter(({ body }) => body.includes(INDEX.declarations)).length;
    const before = writes();
    expect((await index(repo.root)).branches).toMatchObject({ files: 4, read: 0, reused: 0 });
    expect(writes()).toBe(before);
  });

  it("are followed when they move, and let go of when they are deleted or not wanted any more", async () => {
    const repo = GitFolder.init(newFolder());
    repo.commit({ "a.py": f("a") });
    repo.git("checkout", "-q", "-b", "dev");
    repo.commit({ "b.py": f("b") });
    repo.git("branch", "old");
    repo.git("checkout", "-q", "main");
    await index(repo.root, { branches: ["dev", "old"] });
    expect(shown()).toEqual(["-b.py b [dev old]", "a.py a [dev main old]"]);
    repo.git("branch", "-D", "old");
    repo.git("checkout", "-q", "dev");
    repo.commit({ "b.py": f("bb") });
    repo.git("checkout", "-q", "main");
    await index(repo.root);
    expect(shown()).toEqual(["-b.py bb [dev]", "a.py a [dev main]"]);
    await index(repo.root, { branches: ["none"] });
    expect(shown()).toEqual(["a.py a [main]"]);
    expect(catalog("versions")).toEqual([]);
  });

  it("take over from the folder, and give way to it, when another one is checked out: nothing is read twice", async () => {
    const repo = GitFolder.init(newFolder());
    repo.commit({ "a.py": f("a"), "b.py": f("b") });
    repo.git("checkout", "-q", "-b", "dev");
    repo.commit({ "b.py": f("b2") });
    await index(repo.root, { branches: ["all"] });
    expect(shown()).toEqual(["-b.py b [main]", "a.py a [dev main]", "b.py b2 [dev]"]);
    repo.git("checkout", "-q", "main");
    const { indexed, branches } = await index(repo.root);
    expect(shown()).toEqual(["-b.py b2 [dev]", "a.py a [dev main]", "b.py b [main]"]);
    expect([indexed, branches?.read]).toEqual([0, 0]);
  });

  it("keep what is committed beside a file that was edited, and nothing of the edit when it is undone", async () => {
    const repo = GitFolder.init(newFolder());
    repo.commit({ "a.py": f("a") });
    repo.git("branch", "dev");
    await index(repo.root, { branches: ["dev"] });
    repo.write({ "a.py": f("edited") });
    await index(repo.root);
    expect(shown()).toEqual(["-a.py a [dev]", "a.py edited [main]"]);
    repo.git("checkout", "-q", "--", ".");
    await reindexFile(client, repo.root, "a.py");
    expect(shown()).toEqual(["a.py a [dev main]"]);
  });

  it("leave out by name, kind and content, and say so", async () => {
    const repo = GitFolder.init(newFolder());
    repo.commit({ "a.py": f("a") });
    repo.git("checkout", "-q", "-b", "dev");
    execFileSync("ln", ["-s", "a.py", path.join(repo.root, "link.py")]);
    repo.commit({ ".env": "SECRET=1\n", "x.bin": "\0\x01\0", "big.txt": "x".repeat(2000), "src/c.py": f("c") });
    repo.git("checkout", "-q", "main");
    const { branches } = await index(repo.root, { branches: ["dev"], maxFileBytes: 1000 });
    expect(branches?.skipped).toEqual({ hidden: 1, binary: 1, too_large: 1, symlink: 1 });
    const why = async (name: string) => {
      const { status, explanation } = await explainPath(client, repo.root, name);
      return `${status}: ${explanation}`;
    };
    expect(await why("big.txt")).toBe(
      "too_large: It is larger than the size limit. The folder does not have it, but dev does.",
    );
    expect(await why("src/c.py")).toBe("indexed: It is indexed. The folder does not have it, but dev does.");
    expect(shown()).toEqual(["-src/c.py c [dev]", "a.py a [dev main]"]);
  });

  it("are refused by name when they are nowhere", async () => {
    const repo = GitFolder.init(newFolder());
    repo.commit({ "a.py": f("a") });
    repo.git("branch", "develop");
    await expect(index(repo.root, { branches: ["devlop"] })).rejects.toThrow(/no branch or tag "devlop".*mean develop/);
    await expect(index(folderWith({ "a.py": "" }), { branches: ["all"] })).rejects.toThrow(/in no git repository/);
    await expect(index(repo.root, { history: "few" })).rejects.toThrow(/not "few"/);
    // Nothing of a folder that was never indexed is left behind.
    expect(node.indices.size).toBe(0);
  });

  it("are those of remotes and tags too, by pattern, with odd names", async () => {
    const repo = GitFolder.init(newFolder());
    repo.commit({ "a.py": f("a") });
    repo.git("tag", "-a", "v1", "-m", "one");
    repo.git("branch", "release/größe-'1'");
    repo.git("update-ref", "refs/remotes/origin/dev", "HEAD");
    repo.commit({ "a.py": f("aa") });
    await index(repo.root, { branches: ["v1", "release/*", "origin/dev"] });
    expect(shown()).toEqual(["-a.py a [origin/dev release/größe-'1' v1]", "a.py aa [main]"]);
  });

  it("of a bare repository are all there is: HEAD's without being asked for", async () => {
    const work = GitFolder.init(newFolder());
    work.commit({ "a.py": f("a") });
    work.git("branch", "dev");
    work.commit({ "a.py": f("aa") });
    const root = newFolder("lib.git");
    work.git("clone", "-q", "--bare", work.root, root);
    const { repo } = await index(root);
    expect([repo, shown()]).toEqual(["proj", ["a.py aa [main]"]]);
    await index(root, { branches: ["all"] });
    expect(shown()).toEqual(["-a.py a [dev]", "a.py aa [main]"]);
    await removeFolder(client, root);
    expect([shown(), catalog("versions"), catalog("repository"), catalog("name")]).toEqual([[], [], [], []]);
  });

  it("are done by the next run when one was cut off, after any of its requests", async () => {
    const repo = GitFolder.init(newFolder());
    repo.commit({ "a.py": f("a"), "b.py": f("b") });
    repo.git("checkout", "-q", "-b", "dev");
    repo.commit({ "b.py": f("b2"), "c.py": f("c") });
    repo.git("checkout", "-q", "main");
    await index(repo.root, { branches: ["dev"] });
    repo.git("checkout", "-q", "dev");
    repo.commit({ "b.py": f("b3"), "c.py": undefined, "d.py": f("d") });
    repo.git("checkout", "-q", "main");
    const wanted = ["-b.py b3 [dev]", "-d.py d [dev]", "a.py a [dev main]", "b.py b [main]"];
    for (let cut = 0; ; cut++) {
      let bulks = 0;
      node.before = ({ path: target }) => (target.startsWith("/_bulk") && bulks++ === cut ? "break" : "serve");
      const isCut = await index(repo.root).then(
        () => false,
        () => true,
      );
      node.before = () => "serve";
      await index(repo.root);
      expect([cut, shown(), shown("files")]).toEqual([cut, wanted, wanted]);
      if (!isCut) return;
      // Back, so that the same is to be done again.
      repo.git("branch", "-f", "dev", "dev~1");
      await index(repo.root);
      repo.git("branch", "-f", "dev", "dev@{1}");
    }
  });
});

describe("work trees and clones of one repository", () => {
  it("share name and documents, each with its own branch, and each can go", async () => {
    const repo = GitFolder.init(newFolder());
    repo.commit({ "a.py": f("a"), "b.py": f("b") });
    const tree = path.join(path.dirname(repo.root), "feature-tree");
    repo.git("worktree", "add", "-q", "-b", "feature", tree);
    await index(repo.root);
    new GitFolder(tree).write({ "b.py": f("b2") });
    const { indexed, repo: name } = await index(tree);
    expect([name, indexed]).toEqual(["proj", 1]);
    expect(shown()).toEqual(["a.py a [feature main]", "b.py b [main]", "b.py b2 [feature]"]);
    expect(catalog("folder").map(({ root, branch }) => [root, branch])).toEqual([
      [repo.root, "main"],
      [tree, "feature"],
    ]);
    await removeFolder(client, repo.root);
    expect(shown()).toEqual(["a.py a [feature]", "b.py b2 [feature]"]);
    expect(catalog("name")).toMatchObject([{ repo: "proj", root: tree }]);
    await index(repo.root);
    await removeFolder(client, tree);
    expect(shown()).toEqual(["a.py a [main]", "b.py b [main]"]);
    expect(catalog("lock")).toEqual([]);
  });

  it("do so when indexed at once, and one edit takes nothing from the other", async () => {
    const repo = GitFolder.init(newFolder("one"));
    repo.git("remote", "add", "origin", "https://user:secret@Example.org/team/lib.git");
    repo.commit({ "a.py": f("a"), "b.py": f("b") });
    const clone = new GitFolder(newFolder("two"));
    repo.git("clone", "-q", ".", clone.root);
    clone.git("remote", "set-url", "origin", "git@example.org:team/lib");
    const names = await Promise.all([index(repo.root), index(clone.root)]);
    expect(names.map((summary) => summary.repo)).toEqual(["lib", "lib"]);
    expect(shown()).toEqual(["a.py a [main]", "b.py b [main]"]);
    repo.write({ "a.py": f("aa"), "b.py": undefined });
    await Promise.all([index(repo.root), index(clone.root)]);
    expect(shown()).toEqual(["a.py a [main]", "a.py aa [main]", "b.py b [main]"]);
    expect(catalog("folder").map(({ remote }) => remote)).toEqual([
      "https://Example.org/team/lib.git",
      "example.org:team/lib",
    ]);
    clone.git("checkout", "-q", "-b", "dev");
    await index(clone.root);
    expect(shown()).toEqual(["a.py a [dev]", "a.py aa [main]", "b.py b [dev]"]);
  });

  it("take the name that their remote is given later, with all branches and commits, and leave the old one", async () => {
    const repo = GitFolder.init(newFolder("checkout"));
    repo.git("remote", "add", "origin", "https://example.org/team/shop.git");
    repo.commit({ "a.py": f("a") });
    repo.git("checkout", "-q", "-b", "dev");
    repo.commit({ "b.py": f("b") });
    await index(repo.root, { branches: ["all"] });
    const reposOf = (name: string) => [...new Set([...node.documents(name).values()].map((one) => one.repo))];
    const indices = [INDEX.files, INDEX.declarations, INDEX.commits];
    expect(indices.map(reposOf)).toEqual([["shop"], ["shop"], ["shop"]]);
    const before = shown();
    const commits = node.documents(INDEX.commits).size;
    repo.git("remote", "set-url", "origin", "https://example.org/team/store.git");
    expect((await index(repo.root)).repo).toBe("store");
    expect(indices.map(reposOf)).toEqual([["store"], ["store"], ["store"]]);
    expect(shown()).toEqual(before);
    expect(node.documents(INDEX.commits).size).toBe(commits);
    expect(catalog("name").map((entry) => entry.repo)).toEqual(["store"]);
    expect((await index(repo.root)).indexed).toBe(0);
  });

  it("keep a name that was asked for, whatever their remote is called", async () => {
    const repo = GitFolder.init(newFolder("checkout"));
    repo.git("remote", "add", "origin", "https://example.org/team/shop.git");
    repo.commit({ "a.py": f("a") });
    await index(repo.root, { repo: "mine" });
    repo.git("remote", "set-url", "origin", "https://example.org/team/store.git");
    expect((await index(repo.root)).repo).toBe("mine");
    repo.git("remote", "remove", "origin");
    expect((await index(repo.root)).repo).toBe("mine");
  });

  it("keep data sets of their own", async () => {
    const csv = "id,name\n1,x\n2,y\n3,z\n";
    const repo = GitFolder.init(newFolder());
    repo.commit({ "data.csv": csv });
    const clone = newFolder("copy");
    repo.git("clone", "-q", ".", clone);
    await index(repo.root);
    await index(clone);
    const data = [...node.indices.keys()].filter((name) => name.startsWith(INDEX.dataPrefix));
    expect(data.length).toBe(2);
    await removeFolder(client, repo.root);
    expect([...node.indices.keys()].filter((name) => name.startsWith(INDEX.dataPrefix)).length).toBe(1);
  });

  it("are told from other repositories of the same name", async () => {
    const one = GitFolder.init(newFolder("app"));
    one.git("remote", "add", "origin", "https://example.org/a/app");
    one.commit({ "a.py": f("a") });
    const two = GitFolder.init(newFolder("app"));
    two.git("remote", "add", "origin", "https://example.org/b/app");
    two.commit({ "a.py": f("a") });
    const names = [(await index(one.root)).repo, (await index(two.root)).repo];
    expect(names).toEqual(["app", expect.stringMatching(/^app-[0-9a-f]{6}$/)]);
  });
});

describe("odd repositories", () => {
  it("without a commit, with a detached head, shallow ones and those with submodules are indexed", async () => {
    const empty = GitFolder.init(newFolder("empty"));
    empty.write({ "a.py": f("a") });
    await index(empty.root, { branches: ["all"] });
    expect(shown()).toEqual(["a.py a [main]"]);
    expect(catalog("folder")).toMatchObject([{ branch: "main", commit: "" }]);

    const inner = GitFolder.init(newFolder("inner"));
    inner.commit({ "i.py": f("i") });
    const outer = GitFolder.init(newFolder("outer"));
    outer.commit({ "o.py": f("o") });
    outer.git("checkout", "-q", "-b", "sub");
    outer.git("submodule", "add", "-q", inner.root, "mod");
    const commit = outer.commit({});
    outer.git("checkout", "-q", "--detach");
    const { branches } = await index(outer.root, { branches: ["all"] });
    expect(branches?.skipped).toEqual({ hidden: 1, submodule: 1 });
    expect(shown().slice(1)).toEqual(["mod/i.py i []", "o.py o [main sub]"]);
    expect(catalog("folder").at(-1)).toMatchObject({ branch: "", commit });

    outer.commit({ "p.py": f("p") });
    const shallow = newFolder("shallow");
    outer.git("clone", "-q", "--depth", "1", `file://${outer.root}`, shallow);
    await index(shallow, { branches: ["all"] });
    expect(shown().filter((line) => line.startsWith("p.py"))).toEqual(["p.py p []"]);
  });

  it("keep the branches of an earlier run, and say so, when there is no git program any more", async () => {
    const repo = GitFolder.init(newFolder());
    repo.commit({ "a.py": f("a") });
    repo.git("checkout", "-q", "-b", "dev");
    repo.commit({ "b.py": f("b") });
    repo.git("checkout", "-q", "main");
    await index(repo.root, { branches: ["dev"] });
    const before = process.env.PATH;
    process.env.PATH = folderWith({});
    try {
      repo.write({ "a.py": f("aa") });
      const { notes } = await index(repo.root);
      expect(notes?.join()).toMatch(/branches dev are as of an earlier run: no git program is on the search path/);
      await expect(index(repo.root, { branches: ["all"] })).rejects.toThrow(/no git program/);
    } finally {
      process.env.PATH = before;
    }
    expect(shown()).toEqual(["-a.py a [dev]", "-b.py b [dev]", "a.py aa [main]"]);
  });

  it("that a damaged repository can't give keep no file of the folder out of the index, and it is said", async () => {
    const repo = GitFolder.init(newFolder());
    repo.commit({ "a.py": f("a") });
    repo.git("checkout", "-q", "-b", "dev");
    repo.commit({ "in/b.py": f("b") });
    const tree = repo.git("rev-parse", "dev^{tree}").trim();
    repo.git("checkout", "-q", "main");
    rmSync(path.join(repo.root, ".git/objects", tree.slice(0, 2), tree.slice(2)));
    const { notes, indexed } = await index(repo.root, { branches: ["dev"] });
    expect(indexed).toBe(1);
    expect(notes?.join()).toMatch(/the branches dev could not be read: git ls-tree ended with 128/);
    const lost = folderWith({ "c.py": f("c"), ".git": "gitdir: /nowhere/at/all\n" });
    expect(await index(lost, { branches: ["dev"] })).toMatchObject({ indexed: 1 });
  });

  it("take paths of any bytes", async () => {
    const repo = GitFolder.init(newFolder());
    const odd = ["tab\there.py", 'quote".py', "größe.py", "line\nfeed.py", " lead.py"];
    repo.commit({ "z.py": f("z") });
    repo.git("checkout", "-q", "-b", "dev");
    mkdirSync(path.join(repo.root, "d"));
    const bad = Buffer.concat([Buffer.from(`${repo.root}/d/`), Buffer.from([0xff, 0xfe]), Buffer.from(".py")]);
    const { writeFileSync } = await import("node:fs");
    writeFileSync(bad, f("bad"));
    repo.commit(Object.fromEntries(odd.map((name, at) => [name, f(`f${at}`)])));
    repo.git("checkout", "-q", "main");
    const { branches } = await index(repo.root, { branches: ["dev"] });
    expect(branches).toMatchObject({ files: 6, skipped: { bad_name: 1 } });
    expect(shown().length).toBe(6);
  });
});
