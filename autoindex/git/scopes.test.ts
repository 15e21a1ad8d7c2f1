import path from "node:path";
import { describe, expect, it } from "vitest";
import { parseQuery, scopesOf } from "../../code/index.js";
import { folderWith } from "../testing/folder.js";
import { GitFolder } from "../testing/git-folder.js";
import { blameLines, introducedBy } from "./blame.js";
import { resolveScopes, type ScopeUse } from "./scopes.js";

const newRepository = (name = "proj") => GitFolder.init(path.join(folderWith({}), name));

async function paths(root: string, text: string): Promise<string[]> {
  const { findings } = await resolveScopes([{ root, repo: "r" }], scopesOf(parseQuery(text)), "code");
  return findings.flatMap(({ files }) => files.flatMap((one) => one.paths)).sort();
}

/** A repository with one file of each state, and a branch that has gone its own way. */
function changed(): { repo: GitFolder; first: string } {
  const repo = newRepository();
  const first = repo.commit({
    "a.py": "a\n",
    "b.py": "b\n",
    "c.py": "c\n",
    "sub/d.py": "d\n",
    ".gitignore": "*.log\n",
  });
  repo.git("tag", "v1");
  repo.commit({ "b.py": "b2\n" });
  repo.git("branch", "side", "v1");
  repo.write({ "a.py": "a2\n", "new file.py": "n\n", "x.log": "x", "sub/d.py": undefined, "c.py": "c2\n" });
  repo.git("add", "c.py");
  return { repo, first };
}

describe("changed:", () => {
  it("is what differs from the last commit, by where it does", async () => {
    const { repo } = changed();
    expect(await paths(repo.root, "changed:")).toEqual(["a.py", "c.py", "new file.py", "sub/d.py"]);
    expect(await paths(repo.root, "changed:staged")).toEqual(["c.py"]);
    expect(await paths(repo.root, "changed:unstaged")).toEqual(["a.py", "sub/d.py"]);
    expect(await paths(repo.root, "changed:untracked")).toEqual(["new file.py"]);
    expect(await paths(path.join(repo.root, "sub"), "changed:")).toEqual(["d.py"]);
  });

  it("is everything before the first commit, and nothing of a bare repository", async () => {
    const repo = newRepository();
    repo.write({ "a.py": "a\n" });
    expect(await paths(repo.root, "changed:")).toEqual(["a.py"]);
    repo.commit({});
    const bare = path.join(folderWith({}), "b.git");
    repo.git("clone", "-q", "--bare", repo.root, bare);
    expect(await paths(bare, "changed:")).toEqual([]);
  });
});

describe("what finds nothing is told of", () => {
  const notes = async (text: string, ...roots: string[]) => {
    const folders = roots.map((root, at) => ({ root, repo: `r${at}` }));
    return (await resolveScopes(folders, scopesOf(parseQuery(text)), "code")).notes;
  };

  it("where nothing is changed, and where git knows nothing of a folder", async () => {
    const repo = newRepository();
    repo.commit({ "a.py": "a\n" });
    const plain = folderWith({ "a.py": "a\n" });
    expect(await notes("changed:", repo.root)).toEqual([
      "changed:all: no file differs from the last commit in this way",
    ]);
    expect(await notes("since:HEAD", repo.root)).toEqual(["since:HEAD: no file has changed since"]);
    repo.write({ "a.py": "b\n" });
    expect(await notes("changed:", repo.root)).toEqual([]);
    expect(await notes("changed:staged", repo.root)).toEqual([
      "changed:staged: no file differs from the last commit in this way",
    ]);
    expect(await notes("changed:", repo.root, plain)).toEqual(["changed:all leaves out r1: in no git repository here"]);
    const many = Array.from({ length: 7 }, () => plain);
    expect(await notes("changed:", repo.root, ...many)).toEqual([
      "changed:all leaves out r1, r2, r3, r4, r5 and 2 more: in no git repository here",
    ]);
    await expect(notes("changed:", plain)).rejects.toThrow(/none of the indexed folders is in a git repository here/);
  });
});

describe("since:", () => {
  it("a commit, tag or branch is what differs from where the two histories parted", async () => {
    const { repo, first } = changed();
    const all = ["a.py", "b.py", "c.py", "new file.py", "sub/d.py"];
    for (const revision of ["v1", first, first.slice(0, 8), "HEAD~1", "side"]) {
      expect([revision, await paths(repo.root, `since:${revision}`)]).toEqual([revision, all]);
    }
    expect(await paths(repo.root, "since:HEAD")).toEqual(all.filter((name) => name !== "b.py"));
  });

  it("a date is what differs from the last commit before it", async () => {
    const { repo } = changed();
    const uncommitted = ["a.py", "c.py", "new file.py", "sub/d.py"];
    expect(await paths(repo.root, 'since:"2023-11-14 22:14:00 +0000"')).toEqual([...uncommitted, "b.py"].sort());
    expect(await paths(repo.root, "since:2023-11-16")).toEqual(uncommitted);
    expect(await paths(repo.root, "since:2d")).toEqual(uncommitted);
    // Nothing is older: everything that is there now.
    expect(await paths(repo.root, "since:2001-01-01")).toEqual([".gitignore", "a.py", "b.py", "c.py", "new file.py"]);
  });

  it("is by commits for a search of commits", async () => {
    const { repo } = changed();
    const of = async (text: string, use: ScopeUse) => {
      const { findings } = await resolveScopes([{ root: repo.root, repo: "r" }], scopesOf(parseQuery(text)), use);
      return findings[0];
    };
    expect((await of("since:v1", "commits"))?.commits).toEqual([{ repo: "r", shas: [repo.git("rev-parse", "HEAD")] }]);
    expect((await of('since:"2023-11-16 00:00:00 +0000"', "commits"))?.after).toBe("2023-11-16T00:00:00.000Z");
  });

  it("is refused by name when it is neither, and when no folder is in git", async () => {
    const { repo } = changed();
    await expect(paths(repo.root, "since:v9")).rejects.toThrow("since:v9: there is no such commit, branch or tag");
    for (const day of ["2026-13-45", "2026-99-99", "0000-00-00", "2026-02-29", "1969-12-31", "2100-01-01"])
      await expect(paths(repo.root, `since:${day}`)).rejects.toThrow(/it is no date from 1970 to 2099/);
    await expect(paths(repo.root, 'since:"2026-01-01 25:00"')).rejects.toThrow(/it is no date/);
    await expect(paths(repo.root, "since:--all")).rejects.toThrow(/since:--all: there is no such/);
    await expect(paths(folderWith({}), "changed:")).rejects.toThrow(
      "changed:all: none of the indexed folders is in a git",
    );
  });

  it("says of which repositories it could not be told", async () => {
    const { repo } = changed();
    const other = newRepository("other");
    other.commit({ a: "a" });
    const folders = [
      { root: repo.root, repo: "r" },
      { root: other.root, repo: "other" },
    ];
    const { findings, notes } = await resolveScopes(folders, scopesOf(parseQuery("since:v1")), "code");
    expect(findings[0]?.files.map((one) => one.repo)).toEqual(["r"]);
    expect(notes).toEqual([expect.stringMatching(/^since:v1 leaves out other: there is no such commit/)]);
  });
});

describe("blame", () => {
  it("names the commit of each line, through a rename, and what is not committed", async () => {
    const repo = newRepository();
    const first = repo.commit({ "a.py": "one\ntwo\nthree\n" }, "first");
    const second = repo.commit({ "a.py": "one\ntwo!\nthree\n" }, "second");
    repo.git("mv", "a.py", "b ü.py");
    repo.commit({}, "moved");
    repo.write({ "b ü.py": "zero\none\ntwo!\nthree\n" });
    const file = path.join(repo.root, "b ü.py");
    const lines = await blameLines({ file, first: 1, last: 4 });
    expect(lines.map(({ text, sha, author, path: at, originalLine }) => [text, sha, author, at, originalLine])).toEqual(
      [
        ["zero", "0".repeat(40), "", "b ü.py", 1],
        ["one", first, "Ada", "a.py", 1],
        ["two!", second, "Ada", "a.py", 2],
        ["three", first, "Ada", "a.py", 3],
      ],
    );
    expect(await introducedBy({ file, first: 2, last: 4 })).toMatchObject({ sha: first, subject: "first" });
    expect(await introducedBy({ file, first: 1, last: 1 })).toBeUndefined();
  });

  it("follows a declaration back to the commit that brought it in", async () => {
    const repo = newRepository();
    repo.commit({ "a.py": "import x\n" });
    const born = repo.commit({ "a.py": "import x\n\ndef f():\n  return 1\n" }, "f is born");
    repo.commit({ "a.py": "import x\n\ndef f(a):\n  return 2\n" }, "f is changed");
    const found = await introducedBy({ file: path.join(repo.root, "a.py"), first: 3, last: 4 });
    expect(found).toMatchObject({ sha: born, subject: "f is born", by: "history of lines", author: "Ada" });
  });

  it("says what is wrong with what it was asked", async () => {
    const repo = newRepository();
    repo.commit({ "a.py": "one\n" });
    const file = path.join(repo.root, "a.py");
    await expect(blameLines({ file, first: 5, last: 5 })).rejects.toThrow(/has only 1 line/);
    await expect(blameLines({ file: `${file}x`, first: 1, last: 1 })).rejects.toThrow(/there is no file/);
    const outside = path.join(folderWith({ "b.py": "b\n" }), "b.py");
    await expect(blameLines({ file: outside, first: 1, last: 1 })).rejects.toThrow(/in no git work tree/);
  });
});
