import { execFileSync } from "node:child_process";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { folderWith } from "../testing/folder.js";
import { GitFolder } from "../testing/git-folder.js";
import { BlobReader } from "./blobs.js";
import { resolveBranches } from "./branches.js";
import { gitPieces, gitText, runGit } from "./command.js";
import { readFacts } from "./facts.js";
import { findRepository, identityOf, readHead, withoutCredentials } from "./repository.js";
import { readTree } from "./tree.js";

const newRepository = (name = "proj") => GitFolder.init(path.join(folderWith({}), name));
const repositoryOf = (root: string) => findRepository(root)!;

describe("the facts of a folder", () => {
  it("are read without git: branch, commit, packed or loose, and the remote without credentials", () => {
    const repo = newRepository();
    expect(readFacts(repo.root)).toMatchObject({ branch: "main", commit: "", remote: "" });
    const commit = repo.commit({ "a.py": "a\n" });
    repo.git("remote", "add", "origin", "https://me:ghp_secret@example.org/a/b.git");
    const facts = { branch: "main", commit, remote: "https://example.org/a/b.git", store: `${repo.root}/.git` };
    expect(readFacts(repo.root)).toEqual(facts);
    repo.git("pack-refs", "--all");
    expect(readFacts(repo.root)).toEqual(facts);
    repo.git("checkout", "-q", "--detach");
    expect(readFacts(repo.root)).toEqual({ ...facts, branch: "" });
    expect(readFacts(folderWith({}))).toEqual({ branch: "", commit: "", remote: "", store: "" });
  });

  it("of a linked work tree are its own, with the object database of all", () => {
    const repo = newRepository();
    const commit = repo.commit({ "a.py": "a\n" });
    const tree = path.join(path.dirname(repo.root), "tree");
    repo.git("worktree", "add", "-q", "-b", "odd/größe", tree);
    expect(readFacts(tree)).toEqual({ branch: "odd/größe", commit, remote: "", store: `${repo.root}/.git` });
    expect(repositoryOf(path.join(tree)).kind).toBe("worktree");
  });

  it("of a folder below the top are of its own tree", () => {
    const repo = newRepository();
    repo.commit({ "sub/a.py": "a\n" });
    const { prefix, store } = repositoryOf(path.join(repo.root, "sub"));
    expect([prefix, store]).toEqual(["sub/", `${repo.root}/.git:sub/`]);
  });
});

describe("credentials in an address", () => {
  it.each([
    ["https://user:secret@host/a.git", "https://host/a.git"],
    ["https://token@host:8443/a.git?private_token=x#y", "https://host:8443/a.git"],
    ["https://a@b:c@host/x", "https://host/x"],
    ["ssh://git@host:22/a", "ssh://host:22/a"],
    ["git@host:a/b.git", "host:a/b.git"],
    ["/srv/git/a.git", "/srv/git/a.git"],
    ["../other", "../other"],
    ["", ""],
  ])("%s becomes %s", (url, shown) => {
    expect(withoutCredentials(url)).toBe(shown);
  });
});

describe("the identity of a repository", () => {
  const identity = (url: string) => {
    const repo = newRepository();
    repo.git("remote", "add", "origin", url);
    return identityOf(repositoryOf(repo.root));
  };

  it("is the same however the address is written", () => {
    const urls = [
      ...["https://example.org/team/lib.git", "https://u:p@EXAMPLE.org/team/lib", "git@example.org:team/lib.git"],
      ...["ssh://git@example.org/team/lib/", "ssh://git@example.org:2222/team/lib.git", "git://example.org/team/lib"],
    ];
    expect([...new Set(urls.map(identity))]).toEqual(["example.org/team/lib"]);
    expect(identity("https://example.org/other/lib")).toBe("example.org/other/lib");
  });

  it("of a clone on the same disk is that of what it was cloned from, of a clone of it too", () => {
    const first = newRepository();
    first.commit({ "a.py": "a\n" });
    const second = path.join(folderWith({}), "second");
    const third = path.join(folderWith({}), "third");
    first.git("clone", "-q", first.root, second);
    first.git("clone", "-q", "--bare", second, third);
    const identities = [first.root, second, third].map((root) => identityOf(repositoryOf(root)));
    expect(identities).toEqual(Array(3).fill(`${first.root}/.git`));
    first.git("remote", "add", "origin", "https://example.org/a/b");
    expect(identityOf(repositoryOf(third))).toBe("example.org/a/b");
  });
});

describe("git", () => {
  it("gives blobs in order, reads past large ones, and names those that are not there", async () => {
    const repo = newRepository();
    const files = { a: "", b: "x\n", c: "y".repeat(300_000), d: "\n\n", e: "z".repeat(70_000) };
    repo.commit(files);
    const ids: Record<string, string> = {};
    for await (const { path: name, id } of readTree(repositoryOf(repo.root), "HEAD")) ids[name] = id;
    const reader = new BlobReader(repo.root, 100_000);
    const asked = ["a", "b", "c", "d", "e", "b"];
    const blobs = await Promise.all([...asked.map((name) => reader.read(ids[name]!)), reader.read("1".repeat(40))]);
    reader.close();
    const shown = blobs.map((blob) => (blob.kind === "bytes" ? blob.bytes.toString() : blob.kind));
    expect(shown).toEqual([files.a, files.b, "too_large", files.d, files.e, files.b, "missing"]);
    await expect(reader.read(ids.a!)).rejects.toThrow(/closed/);
  });

  it("lists a tree of many files piece by piece, those below a folder by their path in it", async () => {
    const repo = newRepository();
    const files = Object.fromEntries(Array.from({ length: 3000 }, (_, at) => [`sub/d${at % 7}/f${at}.txt`, `${at}\n`]));
    repo.commit({ ...files, "top.txt": "x" });
    const paths: string[] = [];
    for await (const { path: name } of readTree(repositoryOf(path.join(repo.root, "sub")), "HEAD")) paths.push(name);
    expect(paths.sort()).toEqual(
      Object.keys(files)
        .map((name) => name.slice(4))
        .sort(),
    );
  });

  it("is ended when its answer is too large, and says what went wrong", async () => {
    const repo = newRepository();
    repo.commit({ a: "x\n".repeat(50_000) });
    await expect(runGit(repo.root, ["show", "HEAD:a"], { maxBytes: 1000 })).rejects.toMatchObject({ git: "too_much" });
    await expect(gitText(repo.root, ["show", "HEAD:b"])).rejects.toThrow(/git show ended with 128: fatal: path 'b'/);
    const pieces = async () => {
      for await (const _ of gitPieces(repo.root, ["log", "nowhere"]));
    };
    await expect(pieces()).rejects.toMatchObject({ git: "ended" });
    // Whoever has seen enough just stops.
    for await (const _ of gitPieces(repo.root, ["show", "HEAD:a"], { ending: 10 })) break;
  });

  it("runs no program that a repository's own settings name", async () => {
    const repo = newRepository();
    repo.commit({ a: "x\n" });
    const trap = path.join(repo.root, "trapped");
    for (const setting of ["core.fsmonitor", "diff.external", "core.pager"])
      repo.git("config", setting, `touch ${trap}; false`);
    repo.write({ a: "y\n" });
    await gitText(repo.root, ["status", "--porcelain"]);
    await gitText(repo.root, ["diff", "--no-ext-diff"]);
    expect(repo.git("-c", "core.fsmonitor=false", "ls-files", "-o")).toBe("");
  });

  it.skipIf(process.getuid?.() !== 0)("that refuses a folder of somebody else is told apart", async () => {
    const repo = newRepository();
    const commit = repo.commit({ a: "x\n" });
    execFileSync("chown", ["-R", "12345", repo.root]);
    const before = process.env.GIT_CONFIG_GLOBAL;
    process.env.GIT_CONFIG_GLOBAL = "/dev/null";
    try {
      await expect(resolveBranches(repositoryOf(repo.root), ["all"], "refuse")).rejects.toMatchObject({
        git: "refused",
      });
      expect(readHead(repositoryOf(repo.root)).commit).toBe(commit);
    } finally {
      if (before === undefined) delete process.env.GIT_CONFIG_GLOBAL;
      else process.env.GIT_CONFIG_GLOBAL = before;
    }
  });
});
