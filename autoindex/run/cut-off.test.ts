import { rmSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import type { Client } from "../../client/index.js";
import { INDEX } from "../../code/index.js";
import type { FakeNode } from "../testing/fake-node.js";
import { fakeNodeForEach } from "../testing/fake-node-each.js";
import { folderWith, write } from "../testing/folder.js";
import { autoindex } from "./autoindex.js";

let node: FakeNode;
let client: Client;
fakeNodeForEach((made) => {
  ({ node, client } = made);
});

const index = (folder: string) => autoindex({ client, folder, globalIgnore: "none", workers: 1 });

/** All documents but what says when, by index and `_id`. */
function content(): Record<string, unknown> {
  const all: Record<string, unknown> = {};
  for (const name of node.indices.keys()) {
    for (const [id, source] of node.documents(name)) all[`${name}/${id}`] = { ...source, finished_at: "", ctime_ms: 0 };
  }
  return all;
}

const FIRST = { "a.py": "def a(): x()\n", "b.csv": "x,y\n1,2\n", "c.py": "def c(): pass\n", "d.csv": "p,q\n1,2\n" };

/** From the first state to the second: an edit, data that is text now, a file that has gone, data that has gone, a new one. */
function change(root: string): void {
  write(root, "a.py", "def a2(): y()\n", 1_700_000_100);
  write(root, "b.csv", "just words\n", 1_700_000_100);
  rmSync(path.join(root, "c.py"));
  rmSync(path.join(root, "d.csv"));
  write(root, "e.csv", "x,y\n1,2\n", 1_700_000_100);
}

function gone(): never {
  throw new Error("the node is gone");
}

/** Breaks the connection after `count` requests that change something; each bulk is half done. */
function breakAfter(count: number): { isBroken: () => boolean } {
  let changes = 0;
  node.before = ({ method, path: target }) => {
    if (method === "PUT" || method === "DELETE" || target.startsWith("/_bulk")) changes++;
    if (changes > count) return changes === count + 1 ? "break" : gone();
    return "serve";
  };
  return { isBroken: () => changes > count };
}

/** Each of these tests makes dozens of runs, each with a process of its own. */
const MANY_RUNS_MS = 180_000;

describe("a run that is cut off", () => {
  it(
    "after any of its requests, leaves nothing that the next run does not set right",
    async () => {
      const root = folderWith(FIRST);
      change(root);
      await index(root);
      const wanted = content();
      let isWhole = false;
      for (let count = 0; !isWhole; count++) {
        node.indices.clear();
        node.before = () => "serve";
        for (const [name, text] of Object.entries(FIRST)) write(root, name, text);
        rmSync(path.join(root, "e.csv"), { force: true });
        await index(root);
        change(root);
        const { isBroken } = breakAfter(count);
        await index(root).catch(() => {});
        isWhole = !isBroken();
        node.before = () => "serve";
        await index(root);
        expect(withoutInodes(content()), `cut off after ${count} changes`).toEqual(withoutInodes(wanted));
      }
    },
    MANY_RUNS_MS,
  );

  it(
    "leaves nothing of files that are gone before the next",
    async () => {
      const root = folderWith(FIRST);
      for (let count = 0, isWhole = false; !isWhole; count++) {
        node.indices.clear();
        for (const [name, text] of Object.entries(FIRST)) write(root, name, text);
        const { isBroken } = breakAfter(count);
        await index(root).catch(() => {});
        isWhole = !isBroken();
        node.before = () => "serve";
        for (const name of Object.keys(FIRST)) rmSync(path.join(root, name));
        await index(root);
        const left = Object.values(content()).filter((source) => (source as { entry?: string }).entry !== "name");
        expect(left, `cut off after ${count} changes`).toEqual([
          expect.objectContaining({ entry: "folder", files: 0 }),
        ]);
        expect([...node.indices.keys()].filter((name) => name.startsWith(INDEX.dataPrefix))).toEqual([]);
      }
    },
    MANY_RUNS_MS,
  );
});

function withoutInodes(all: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(all).map(([id, source]) => [id, { ...(source as object), inode: "" }]));
}
