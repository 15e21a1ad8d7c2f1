import { execFileSync } from "node:child_process";
import { rmSync, symlinkSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { folderWith } from "../testing/folder.js";
import { GitFolder } from "../testing/git-folder.js";
import { gitPieces, gitText } from "./command.js";
import { readFacts } from "./facts.js";
import { gitObstacle } from "./obstacle.js";
import { resolveScopes } from "./scopes.js";

describe("git's own files", () => {
  it.each(["HEAD", "config", "packed-refs", "index", "info/exclude", "objects/info/alternates"])(
    "%s may be a pipe: git is not asked, where it would wait for ever",
    async (name) => {
      const repo = GitFolder.init(path.join(folderWith({}), "proj"));
      repo.commit({ "a.py": "a\n" });
      const file = path.join(repo.root, ".git", name);
      rmSync(file, { force: true });
      execFileSync("mkfifo", [file]);
      const refused = { git: "ended", message: `git is not asked: ${file} is a pipe, no file` };
      await expect(gitText(repo.root, ["log"])).rejects.toMatchObject(refused);
      expect(readFacts(repo.root).store).toBe(path.join(repo.root, ".git"));
    },
  );

  it.each([".gitignore", ".gitattributes"])(
    "a %s that is a pipe keeps nobody who asks for changes waiting",
    async (name) => {
      const repo = GitFolder.init(path.join(folderWith({}), "proj"));
      repo.commit({ "a.py": "a\n" });
      const file = path.join(repo.root, name);
      execFileSync("mkfifo", [file]);
      const folders = [{ root: repo.root, repo: "proj" }];
      for (const scope of [
        { key: "changed", value: "all" },
        { key: "since", value: "HEAD" },
      ] as const)
        await expect(resolveScopes(folders, [scope], "code")).rejects.toThrow(
          `git is not asked: ${file} is a pipe, no file`,
        );
    },
  );

  it("further down is waited for no longer than git may be silent", async () => {
    const repo = GitFolder.init(path.join(folderWith({}), "proj"));
    repo.commit({ "sub/a.py": "a\n" });
    execFileSync("mkfifo", [path.join(repo.root, "sub", ".gitignore")]);
    const asked = (async () => {
      for await (const _ of gitPieces(repo.root, ["status", "--porcelain=v1", "-z"], { silenceMs: 300 }));
    })();
    await expect(asked).rejects.toMatchObject({ git: "timeout", message: "git status: silent for 0.3 s" });
  });

  it("may be links to devices", () => {
    const repo = GitFolder.init(path.join(folderWith({}), "proj"));
    expect(gitObstacle(repo.root)).toBe("");
    const file = path.join(repo.root, ".git", "config");
    rmSync(file);
    symlinkSync("/dev/zero", file);
    expect(gitObstacle(repo.root)).toBe(`${file} is a device, no file`);
    expect(readFacts(repo.root).remote).toBe("");
  });
});
