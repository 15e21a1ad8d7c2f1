import path from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { GitFolder } from "../autoindex/testing/git-folder.js";
import { pinakes, removeFolder, startTestNode, type TestNode, temporaryFolder } from "./support/node.js";

let node: TestNode;
let repo: GitFolder;
const parent = temporaryFolder("git");
const root = path.join(parent, "proj");

beforeAll(async () => {
  repo = GitFolder.init(root);
  repo.commit(
    { "src/a.ts": "export function alpha() {\n  return 1;\n}\n", "src/b.ts": "export const beta = 2;\n" },
    "Begin",
  );
  repo.git("tag", "v1");
  repo.git("checkout", "-q", "-b", "dev");
  repo.commit({ "src/a.ts": "export function alphaOnDev() {\n  return 3;\n}\n" }, "Rename alpha on dev");
  repo.git("checkout", "-q", "main");
  repo.commit({ "src/c.ts": "export function gamma() {}\n" }, "Add gamma\n\nFor the timeout of readers.");
  node = await startTestNode();
  expect(await run("autoindex", root, "--branches", "all")).toMatchObject({ status: 0 });
}, 60_000);
afterAll(async () => {
  await node.stop();
  removeFolder(node.dataFolder);
  removeFolder(parent);
});

const run = (command: string, ...args: string[]) => pinakes([command, ...args, "--url", node.url], {}, root);
/** What a search prints: its lines, and what it says beside them. */
async function search(query: string): Promise<string[]> {
  const { stdout, stderr } = await run("search", query);
  return `${stdout}${stderr}`.trim().split("\n");
}

describe("a repository through the shell", () => {
  it("is searched as it lies there, other branches when they are asked for", async () => {
    const missing = await search("def:alphaOnDev");
    expect(missing[0]).toBe("no hits for def:alphaOnDev");
    expect(missing).toContain("on branches that are not checked out: 1 hits for def:alphaOnDev branch:*");
    expect((await search("def:nowhereAtAll")).join("\n")).not.toContain("on branches");
    expect(await search("branch:dev def:alphaOnDev")).toEqual(["src/a.ts:1:export function alphaOnDev() {  (on dev)"]);
    expect(await search("branch:dev def:beta")).toEqual(["src/b.ts:1:export const beta = 2;"]);
    expect(await search("def:alpha")).toEqual(["src/a.ts:1:export function alpha() {"]);
  });

  it("is narrowed to what has changed", async () => {
    expect(await search("since:v1 kind:function")).toEqual(["src/c.ts:1:export function gamma() {}"]);
    expect((await search("changed: kind:function"))[0]).toBe("no hits for changed: kind:function");
    repo.write({ "src/a.ts": "export function alpha() {\n  return 2;\n}\n" });
    repo.write({ "src/new.ts": "export function brandNew() {}\n" });
    expect(await search("changed: def:alpha")).toEqual(["src/a.ts:1:export function alpha() {"]);
    expect(await search("changed:untracked")).toContain("src/new.ts:1:export function brandNew() {}");
    expect(await search("since:v9 x")).toEqual([
      "pinakes: since:v9: there is no such commit, branch or tag, and it is no date",
    ]);
  });

  it("has another work tree: each hit is looked up in the one that has it", async () => {
    const tree = path.join(parent, "tree");
    repo.git("worktree", "add", "-q", tree, "dev");
    expect(await run("autoindex", tree)).toMatchObject({ status: 0 });
    expect(await search("def:alphaOnDev")).toEqual([`${tree}/src/a.ts:1:export function alphaOnDev() {`]);
    expect(await search("def:alpha")).toEqual(["src/a.ts:1:export function alpha() {"]);
    expect(await run("remove", tree)).toMatchObject({ status: 0 });
    expect((await search("def:alphaOnDev"))[0]).toBe("no hits for def:alphaOnDev");
    repo.git("worktree", "remove", tree);
  });

  it("is searched by its commits: words, lines, path, author, branch and time", async () => {
    const subjects = async (query: string) => (await search(query)).map((line) => line.replace(/^.*?: /, ""));
    expect(await subjects("type:commit timeout")).toEqual(["Add gamma (1 file, +1 -0)"]);
    expect(await subjects("type:commit author:ada path:src/a.ts branch:dev")).toEqual([
      "Rename alpha on dev (1 file, +2 -2)",
      "Begin (2 files, +4 -0)",
    ]);
    expect(await subjects("type:commit since:v1 branch:main")).toEqual(["Add gamma (1 file, +1 -0)"]);
    expect(await subjects("type:commit since:2023-11-20")).toEqual([
      "no commit is found; pinakes autoindex FOLDER --history all takes in older ones",
    ]);
    expect(await search("diff:removed alpha")).toEqual([
      expect.stringMatching(/^[0-9a-f]{12} 2023-11-14 Ada: Rename alpha on dev/),
      "  - export function alpha() {",
    ]);
    const sha = repo.git("rev-parse", "v1").slice(0, 9);
    expect(await subjects(`type:commit ${sha}`)).toEqual(["Begin (2 files, +4 -0)"]);
    const { stdout } = await run("search", "diff:removed alpha", "--json");
    expect(
      stdout
        .trim()
        .split("\n")
        .map((line) => JSON.parse(line)),
    ).toMatchObject([
      {
        type: "commit",
        author: "Ada",
        subject: "Rename alpha on dev",
        files: 1,
        lines: ["- export function alpha() {"],
      },
      { type: "summary", hits: 1, total: 1, total_is: "exact", warnings: [] },
    ]);
    expect(await run("search", "type:commit timeout", "-l")).toMatchObject({
      status: 2,
      stderr: expect.stringContaining("a search of commits takes neither"),
    });
  });

  it("tells who brought in a line or a declaration", async () => {
    expect((await run("blame", "src/c.ts:1")).stdout).toMatch(
      /^src\/c\.ts:1: introduced by [0-9a-f]{12} .* Ada: Add gamma\n$/,
    );
    expect((await run("blame", "gamma")).stdout).toMatch(/c\.ts:1 gamma: introduced by .*: Add gamma/);
    const [found] = JSON.parse((await run("blame", "src/b.ts:1", "--json")).stdout);
    expect(found).toMatchObject({ first: 1, introducedBy: { subject: "Begin", author: "Ada" }, lines: [{ line: 1 }] });
    expect(await run("blame", "nowhere")).toMatchObject({ status: 2 });
  });

  it("shows its branch and commit in the status", async () => {
    const commit = repo.git("rev-parse", "main").slice(0, 12);
    expect((await run("status")).stdout).toContain(`proj  ${root}  (main at ${commit})`);
  });
});
