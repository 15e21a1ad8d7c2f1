import { execFileSync } from "node:child_process";
import { rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { expect, it } from "vitest";
import type { Client } from "../../client/index.js";
import { fakeNodeForEach } from "../testing/fake-node-each.js";
import { folderWith } from "../testing/folder.js";
import { autoindex } from "./autoindex.js";
import { explainPath } from "./explain-path.js";

let client: Client;
fakeNodeForEach((made) => {
  ({ client } = made);
});

it("a file of rules that is a pipe is told of by the run and by the catalog, and counts again once it is a file", async () => {
  const root = folderWith({ "a.py": "x = 1\n", "sub/b.log": "b\n" });
  const pipe = path.join(root, "sub", ".gitignore");
  execFileSync("mkfifo", [pipe]);
  const run = () => autoindex({ client, folder: root, workers: 1, globalIgnore: "none" });
  const summary = await run();
  expect(summary).toMatchObject({ indexed: 2, skipped: { rules_unread: 1 } });
  expect(summary.notes).toEqual([`rules of ${pipe} do not count: it is a pipe, no file`]);
  expect(await explainPath(client, root, "sub/.gitignore")).toMatchObject({
    status: "rules_unread",
    detail: "it is a pipe, no file",
  });
  rmSync(pipe);
  writeFileSync(pipe, "*.log\n");
  expect(await run()).toMatchObject({ skipped: { hidden: 1, ignored: 1 }, notes: [] });
});
