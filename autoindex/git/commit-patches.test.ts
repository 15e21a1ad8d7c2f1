import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { folderWith } from "../testing/folder.js";
import { GitFolder } from "../testing/git-folder.js";
import { type CommitPatch, MOST_CHARACTERS, PatchReader, readPatches } from "./commit-patches.js";

/** What a reader finds in bytes that come in chunks of so many. */
function read(bytes: Buffer, size = bytes.length): CommitPatch[] {
  const reader = new PatchReader();
  const found: CommitPatch[] = [];
  for (let at = 0; at < bytes.length; at += size) {
    reader.feed(bytes.subarray(at, at + size));
    found.push(...reader.takeDone());
  }
  return [...found, ...reader.takeAll()];
}

const patch = (text: string) => Buffer.from(text);

describe("patches", () => {
  it("give each commit its lines, whatever these look like", () => {
    const text = patch(
      "\x01aa\n\ndiff --git a/x b/x\n--- a/x\n+++ b/x\n@@ -1,2 +1,3 @@ f()\n-\x01bb\n--- a/x\n" +
        "\\ No newline at end of file\n+@@ -1 +1 @@\n++++\n+größe\n@@ -9 +10,0 @@\n-last\n\x01cc\n\x01dd\n",
    );
    const none = { added: "", removed: "", isCut: false, insertions: 0, deletions: 0 };
    expect(read(text)).toEqual([
      {
        sha: "aa",
        added: "@@ -1 +1 @@\n+++\ngröße\n",
        removed: "\x01bb\n-- a/x\nlast\n",
        isCut: false,
        insertions: 3,
        deletions: 3,
      },
      { ...none, sha: "cc" },
      { ...none, sha: "dd" },
    ]);
  });

  it("are the same wherever chunks end", () => {
    const unit = fc.constantFrom("-", "+", "@", "\\", "\x01", " ", "a", "é", "€");
    const line = fc.string({ unit, maxLength: 12 });
    const long = fc.nat({ max: 3 }).map((n) => "ä".repeat(499 + n));
    const hunk = fc.record({
      removed: fc.array(fc.oneof(line, long), { maxLength: 4 }),
      added: fc.array(fc.oneof(line, long), { maxLength: 4 }),
    });
    fc.assert(
      fc.property(
        fc.array(fc.array(hunk, { maxLength: 3 }), { maxLength: 4 }),
        fc.integer({ min: 1, max: 700 }),
        (commits, size) => {
          const text = commits
            .map((hunks, at) => {
              const print = ({ removed, added }: { removed: string[]; added: string[] }) =>
                `@@ -1,${removed.length} +1,${added.length} @@\n${removed.map((l) => `-${l}\n`).join("")}${added.map((l) => `+${l}\n`).join("")}`;
              return `\x01${at}\n\n${hunks.map(print).join("")}`;
            })
            .join("");
          const found = read(patch(text), size);
          expect(found).toEqual(read(patch(text)));
          expect(found.map(({ sha, insertions, deletions }) => [sha, insertions, deletions])).toEqual(
            commits.map((hunks, at) => [
              `${at}`,
              hunks.reduce((sum, { added }) => sum + added.length, 0),
              hunks.reduce((sum, { removed }) => sum + removed.length, 0),
            ]),
          );
        },
      ),
    );
  });

  it("are cut where a line or all of them are too long, and counted whole", () => {
    const [of] = read(patch(`\x01a\n@@ -0,0 +1,3 @@\n+${"x".repeat(5000)}\n+y\n+${"z".repeat(900)}\n`), 64);
    expect(of).toMatchObject({ added: `${"x".repeat(999)}\ny\n${"z".repeat(900)}\n`, isCut: true, insertions: 3 });
    const lines = `+${"w".repeat(98)}\n`.repeat(300);
    const [long] = read(patch(`\x01a\n@@ -0,0 +1,300 @@\n${lines}`));
    expect([long?.added.length, long?.isCut, long?.insertions]).toEqual([MOST_CHARACTERS, true, 300]);
  });

  it("are printed the same whatever the repository is set to", async () => {
    const repo = GitFolder.init(folderWith({}));
    repo.commit({ "a.txt": "1\n2\n3\n4\n5\n", "sub/b.txt": "x\n" }, "first");
    const sha = repo.commit({ "a.txt": "one\n2\nthree\n4\n5\n", "sub/b.txt": "y\n" }, "second");
    const settings = {
      "diff.interHunkContext": "5",
      "diff.context": "3",
      "diff.noprefix": "true",
      "diff.relative": "true",
    };
    for (const [name, value] of Object.entries({ ...settings, "color.ui": "always", "diff.submodule": "log" })) {
      repo.git("config", name, value);
    }
    const found: CommitPatch[] = [];
    for await (const one of readPatches(`${repo.root}/sub`, [sha])) found.push(one);
    expect(found).toEqual([
      { sha, added: "one\nthree\ny\n", removed: "1\n3\nx\n", isCut: false, insertions: 3, deletions: 3 },
    ]);
  });
});
