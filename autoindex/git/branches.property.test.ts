import { readFileSync } from "node:fs";
import path from "node:path";
import fc from "fast-check";
import { expect, it } from "vitest";
import { Client } from "../../client/index.js";
import { INDEX } from "../../code/index.js";
import { autoindex } from "../run/autoindex.js";
import { blobId } from "../sniff/blob.js";
import { FakeNode } from "../testing/fake-node.js";
import { folderWith } from "../testing/folder.js";
import { GitFolder } from "../testing/git-folder.js";

const PATHS = ["a.py", "b.py", "src/a.py", "src/c.py"];
const BRANCHES = ["main", "dev", "release/1"];

/** One thing that somebody does to a repository; `index` also looks whether the index says what git says. */
type Deed =
  | { do: "write"; path: string; text: number }
  | { do: "remove"; path: string }
  | { do: "commit" }
  | { do: "switch" | "merge" | "delete"; branch: string }
  | { do: "detach" }
  | { do: "reset"; back: number }
  | { do: "index" };

const file = fc.constantFrom(...PATHS);
const branch = fc.constantFrom(...BRANCHES);
const deed: fc.Arbitrary<Deed> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ do: fc.constant("write" as const), path: file, text: fc.nat(3) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("remove" as const), path: file }) },
  { weight: 3, arbitrary: fc.constant({ do: "commit" as const }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constantFrom("switch", "merge", "delete" as const), branch }) },
  { weight: 1, arbitrary: fc.constant({ do: "detach" as const }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("reset" as const), back: fc.nat(2) }) },
  { weight: 2, arbitrary: fc.constant({ do: "index" as const }) },
);

function attempt(run: () => unknown): void {
  try {
    run();
  } catch {
    // Git says no (nothing to merge, the branch is checked out): then nothing has happened.
  }
}

function perform(repo: GitFolder, one: Deed): void {
  if (one.do === "write") repo.write({ [one.path]: `def f${one.text}(): pass\n` });
  if (one.do === "remove") repo.write({ [one.path]: undefined });
  if (one.do === "commit") repo.commit({});
  if (one.do === "detach") attempt(() => repo.git("checkout", "-q", "--detach"));
  if (one.do === "reset") attempt(() => repo.git("reset", "-q", "--hard", `HEAD~${one.back}`));
  if (one.do === "delete") attempt(() => repo.git("branch", "-D", one.branch));
  if (one.do === "merge") attempt(() => repo.git("merge", "-q", "-X", "theirs", one.branch));
  if (one.do === "switch") {
    const isThere = repo.git("branch", "--list", one.branch) !== "";
    attempt(() => repo.git("checkout", "-q", ...(isThere ? ["-f"] : ["-b"]), one.branch));
  }
  attempt(() => repo.git("merge", "--abort"));
}

/** `path blob branches`, by git: branches that are not checked out by their trees, the one that is by its files. */
function byGit(repo: GitFolder): string[] {
  const found = new Map<string, string[]>();
  const add = (key: string, name: string) =>
    found.set(key, [...(found.get(key) ?? []), ...(name === "" ? [] : [name])]);
  const current = repo.git("branch", "--show-current");
  byTrees(repo, new Set([current]), add);
  byFiles(repo, add);
  return [...found].map(([key, branches]) => `${key} [${branches.sort().join(" ")}]`).sort();
}

function readOr(file: string): Buffer | undefined {
  try {
    return readFileSync(file);
  } catch {
    // Listed by the index of git and gone from the folder.
    return undefined;
  }
}

function byIndex(node: FakeNode, index: string): string[] {
  const all = [...node.documents(index).values()].map(({ path, blob, branches }) => {
    return `${path} ${blob} [${(branches as string[]).join(" ")}]`;
  });
  return [...new Set(all)].sort();
}

it("after each run the index has the paths, blobs and branches that git has", async () => {
  const node = await FakeNode.start();
  const client = new Client({ url: node.url });
  try {
    await fc.assert(
      fc.asyncProperty(fc.array(deed, { minLength: 8, maxLength: 30 }), async (deeds) => {
        const repo = GitFolder.init(path.join(folderWith({}), "proj"));
        repo.commit({ "a.py": "def f0(): pass\n" });
        node.indices.clear();
        for (const one of [...deeds, { do: "index" as const }]) {
          if (one.do !== "index") perform(repo, one);
          else {
            await autoindex({ client, folder: repo.root, globalIgnore: "none", workers: 1, branches: ["all"] });
            expect(byIndex(node, INDEX.files)).toEqual(byGit(repo));
            expect(byIndex(node, INDEX.declarations)).toEqual(byGit(repo));
          }
        }
      }),
      { numRuns: Number(process.env.PINAKES_GIT_RUNS ?? 4) },
    );
  } finally {
    client.close();
    await node.stop();
  }
}, 300_000);

/** What the files of a folder say: `path blob` with its branch. */
function byFiles(repo: GitFolder, add: (key: string, name: string) => void): void {
  const current = repo.git("branch", "--show-current");
  const listed = repo.git("ls-files", "-z", "--cached", "--others").split("\0");
  for (const file of new Set(listed.filter(Boolean))) {
    const text = readOr(path.join(repo.root, file));
    if (text) add(`${file} ${blobId(text)}`, current);
  }
}

/** What a repository's branches say that no folder of it has checked out. */
function byTrees(repo: GitFolder, checkedOut: ReadonlySet<string>, add: (key: string, name: string) => void): void {
  for (const name of repo.git("for-each-ref", "--format=%(refname:short)", "refs/heads").split("\n").filter(Boolean)) {
    if (checkedOut.has(name)) continue;
    for (const line of repo.git("ls-tree", "-r", name).split("\n").filter(Boolean)) {
      const [, , blob, file] = line.split(/\s/);
      add(`${file} ${blob}`, name);
    }
  }
}

const place = fc.nat(2);
const elsewhere = fc.record({ place, deed });

it("work trees and a clone, changed and indexed in any order, share what they have and lose nothing", async () => {
  const node = await FakeNode.start();
  const client = new Client({ url: node.url });
  const index = (repo: GitFolder, branches?: string[]) =>
    autoindex({ client, folder: repo.root, globalIgnore: "none", workers: 1, ...(branches && { branches }) });
  try {
    await fc.assert(
      fc.asyncProperty(fc.array(elsewhere, { minLength: 8, maxLength: 30 }), async (deeds) => {
        const main = GitFolder.init(path.join(folderWith({}), "proj"));
        main.commit({ "a.py": "def f0(): pass\n" });
        const tree = new GitFolder(path.join(folderWith({}), "tree"));
        main.git("worktree", "add", "-q", "-b", "side", tree.root);
        const clone = new GitFolder(path.join(folderWith({}), "clone"));
        main.git("clone", "-q", main.root, clone.root);
        const all = [main, tree, clone] as const;
        node.indices.clear();
        for (const { place, deed } of deeds) {
          const repo = all[place]!;
          if (deed.do !== "index") perform(repo, deed);
          else await index(repo, repo === main ? ["all"] : undefined);
        }
        // Twice: what a folder says of its branch counts for the others from its own run on.
        for (const repo of [...all, ...all]) await index(repo, repo === main ? ["all"] : undefined);
        const wanted = new Map<string, Set<string>>();
        const add = (key: string, name: string) => {
          wanted.set(key, wanted.get(key) ?? new Set());
          if (name !== "") wanted.get(key)!.add(name);
        };
        for (const repo of all) byFiles(repo, add);
        byTrees(main, new Set([main, tree].map((repo) => repo.git("branch", "--show-current"))), add);
        const lines = [...wanted].map(([key, names]) => `${key} [${[...names].sort().join(" ")}]`).sort();
        expect(byIndex(node, INDEX.files)).toEqual(lines);
        expect(byIndex(node, INDEX.declarations)).toEqual(lines);
      }),
      { numRuns: Number(process.env.PINAKES_GIT_RUNS ?? 3) },
    );
  } finally {
    client.close();
    await node.stop();
  }
}, 300_000);
