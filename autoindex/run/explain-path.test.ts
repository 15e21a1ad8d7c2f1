import { execFileSync } from "node:child_process";
import { mkdirSync } from "node:fs";
import path from "node:path";
import { expect, it } from "vitest";
import type { Client } from "../../client/index.js";
import { fakeNodeForEach } from "../testing/fake-node-each.js";
import { folderWith } from "../testing/folder.js";
import { GitFolder } from "../testing/git-folder.js";
import { autoindex } from "./autoindex.js";
import { explainPath } from "./explain-path.js";

let client: Client;
fakeNodeForEach((made) => {
  ({ client } = made);
});

it("says of what is no file of the index what it is, and of texts in what they were read", async () => {
  const umlauts = "Größe für Äpfel, Öl und Süßes über Straßen. ".repeat(4);
  const root = folderWith({
    ".git/config": "",
    "sub/.git/config": "",
    "plain.txt": "plain \uFFFD\n",
    "damaged.txt": Buffer.concat([Buffer.from(umlauts), Buffer.of(0xff, 0x20, 0xfe), Buffer.from("\n")]),
    "western.txt": Buffer.from(umlauts, "latin1"),
  });
  mkdirSync(path.join(root, "empty", "inner"), { recursive: true });
  await autoindex({ client, folder: root, workers: 1, globalIgnore: "none" });
  const why = (given: string) => explainPath(client, root, given);
  for (const given of [".git", ".git/config", "sub/.git/hooks/x"])
    expect(await why(given)).toMatchObject({ status: "git", explanation: expect.stringContaining("git's own") });
  for (const given of ["empty", "empty/inner"])
    expect(await why(given)).toMatchObject({ status: "folder", explanation: expect.stringContaining("met no file") });
  expect(await why("none")).toMatchObject({ status: "unknown" });
  const above = path.basename(root);
  for (const from of [root, path.dirname(root), "/"]) {
    const name = (inside: string) => explainPath(client, from, `${above}/${inside}`);
    expect(await name("plain.txt")).toMatchObject({ status: "indexed", path: "plain.txt", root });
    expect(await name("./empty")).toMatchObject({ status: "folder", path: "empty" });
    expect(await name("none")).toMatchObject({ status: "unknown", root });
  }
  expect(await explainPath(client, "/", "nowhere/plain.txt")).toMatchObject({ status: "outside" });
  expect((await why("plain.txt")).facts).toEqual(["text, 1 declaration"]);
  expect((await why("damaged.txt")).facts).toContain(
    "read as utf-8 (damaged), 2 places of damaged bytes replaced by U+FFFD",
  );
  expect((await why("western.txt")).facts).toContain("read as windows-1252");
});

it("says of an ignored file that git tracks it all the same, and who has it in the index", async () => {
  const home = folderWith({});
  const repo = GitFolder.init(path.join(home, "proj"));
  repo.write({
    ".gitignore": "build/\n",
    "a.py": "a = 1\n",
    "build/tracked.py": "b = 1\n",
    "build/made.py": "c = 1\n",
  });
  repo.git("add", "-f", "a.py", "build/tracked.py");
  repo.git("commit", "-q", "-m", "one");
  repo.git("branch", "dev");
  const index = (folder: string, branches: string[]) =>
    autoindex({ client, folder, workers: 1, globalIgnore: "none", branches });
  await index(repo.root, ["none"]);
  const why = (given: string) => explainPath(client, repo.root, given);
  const tracked = "git tracks it all the same: ignore rules count for tracked files too, as in ripgrep";
  expect(await why("build/made.py")).toMatchObject({ status: "ignored", facts: [] });
  expect(await why("build/tracked.py")).toMatchObject({ status: "ignored", facts: [tracked] });
  await index(repo.root, ["dev"]);
  expect((await why("build/tracked.py")).facts).toEqual([tracked, "in the index from elsewhere: on dev"]);
  const bare = path.join(home, "bare.git");
  execFileSync("git", ["clone", "-q", "--bare", repo.root, bare]);
  await index(bare, ["HEAD"]);
  expect((await why("build/tracked.py")).facts).toEqual([
    tracked,
    "in the index from another folder of proj on dev, main",
  ]);
});
