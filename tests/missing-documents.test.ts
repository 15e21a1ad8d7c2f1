import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { Client } from "../client/index.js";
import { INDEX } from "../code/index.js";
import { pinakes, removeFolder, startTestNode, type TestNode, temporaryFolder } from "./support/node.js";

let node: TestNode;
let client: Client;
const base = temporaryFolder("missing");
const [one, other] = ["one", "other"].map((name) => path.join(base, name)) as [string, string];
const run = (...args: string[]) => pinakes([...args, "--url", node.url]);

beforeAll(async () => {
  for (const folder of [one, other]) mkdirSync(folder, { recursive: true });
  writeFileSync(path.join(one, "a.py"), "def first():\n    return second()\n");
  writeFileSync(path.join(other, "b.py"), "def second():\n    return 2  # 東京都\n");
  node = await startTestNode();
  client = new Client({ url: node.url });
  expect(await run("autoindex", one, other)).toMatchObject({ status: 0 });
}, 60_000);
afterAll(async () => {
  client.close();
  await node.stop();
  removeFolder(node.dataFolder);
  removeFolder(base);
});

describe("declarations of one folder that were deleted with their index", () => {
  const LACKS = /the index lacks documents of other \(1 of 2 are there\): `pinakes up .*other` brings them back/;

  it("are told of by all that looks for them", { timeout: 120_000 }, async () => {
    expect((await run("status")).stdout).not.toContain("documents are missing");
    await client.json("DELETE", `/${INDEX.declarations}`);
    expect(await run("autoindex", one)).toMatchObject({ status: 0 });
    const { stdout } = await run("status");
    expect(stdout).toMatch(/documents are missing: 1 of 2 are in the index; bring them back with: .* up .*other\n/);
    expect(stdout.match(/documents are missing/g)).toHaveLength(1);
    expect((await run("search", "def:second")).stderr).toMatch(LACKS);
    expect((await run("def", "second")).stderr).toMatch(LACKS);
    const outlined = await run("outline", path.join(other, "b.py"));
    expect(outlined.stderr).toMatch(LACKS);
    expect(outlined.stderr).not.toContain("changed just before");
    expect((await run("why", path.join(other, "b.py"))).stderr).toMatch(LACKS);
    expect((await run("why", path.join(one, "a.py"))).stderr).toBe("");
  });

  it("are back after a run over the folder, and nobody speaks of them", { timeout: 120_000 }, async () => {
    expect(await run("autoindex", other)).toMatchObject({ status: 0 });
    expect((await run("status")).stdout).not.toContain("documents are missing");
    expect((await run("search", "nothingHasThisName")).stderr).not.toContain("lacks");
    expect((await run("def", "second")).stdout).toContain("b.py:1");
    // Two hints that lead on: no file but a folder, no word but a letter of one.
    expect((await run("outline", other)).stderr).toContain("is a folder: use `map`");
    expect((await run("search", "京")).stderr).toContain('inside longer words: 1 hits for content:"京"');
  });
});
