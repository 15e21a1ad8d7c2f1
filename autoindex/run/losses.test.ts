import path from "node:path";
import { expect, it } from "vitest";
import type { Client } from "../../client/index.js";
import { INDEX } from "../../code/index.js";
import type { AutoindexOptions } from "../options.js";
import { zip } from "../testing/document-fixtures.js";
import type { FakeNode } from "../testing/fake-node.js";
import { fakeNodeForEach } from "../testing/fake-node-each.js";
import { folderWith, write } from "../testing/folder.js";
import { GitFolder } from "../testing/git-folder.js";
import { autoindex } from "./autoindex.js";
import { planFolder } from "./plan-folder.js";

let node: FakeNode;
let client: Client;
fakeNodeForEach((made) => {
  ({ node, client } = made);
});

const FILES = {
  "src/a.py": "import os\n\ndef load():\n    return os.read()\n",
  "src/b.py": "def save():\n    load()\n",
  "notes.txt": "nothing to declare\n",
  "x.bin": "\0",
  "orders.csv": "id,city\n1,Rom\n2,Oslo\n3,Bern\n",
};
const options = (folder: string, more: Partial<AutoindexOptions> = {}) => {
  return { client, folder, globalIgnore: "none", workers: 1, ...more } as const;
};
const index = (folder: string) => autoindex(options(folder));

/** Ids and sources of all indices but the catalog, whose entries name the time. */
const contents = () =>
  [...node.indices.keys()]
    .filter((name) => name !== INDEX.catalog)
    .sort()
    .map((name) => [name, [...node.documents(name)].sort()]);

function removeFirst(name: string, isMeant: (source: Record<string, unknown>) => boolean): void {
  const { written, visible } = node.indices.get(name)!;
  const [id] = [...written].find(([, source]) => isMeant(source))!;
  written.delete(id);
  visible.delete(id);
}

it("counts in the catalog what each file has in the indices", async () => {
  await index(folderWith(FILES));
  const counts = (path: string) => node.of(INDEX.catalog, path).find(({ entry }) => entry === "file")!.documents;
  for (const path of Object.keys(FILES)) {
    const there = [INDEX.files, INDEX.declarations, INDEX.references].map((name) => node.of(name, path).length);
    expect([path, counts(path)]).toEqual([path, there]);
  }
});

it("a folder that is as the catalog says is not looked at file by file", async () => {
  const root = folderWith(FILES);
  await index(root);
  node.calls.length = 0;
  expect(await index(root)).toMatchObject({ indexed: 0, unchanged: 5, notes: [] });
  expect(node.calls.filter(({ body }) => body.includes("composite"))).toEqual([]);
});

const DELETED = [INDEX.files, INDEX.declarations, INDEX.references].map((name) => [name]);
it.each(DELETED)("what an index had that was deleted comes back: %s", async (name) => {
  const root = folderWith(FILES);
  await index(root);
  const before = contents();
  node.indices.delete(name!);
  const summary = await index(root);
  expect(contents()).toEqual(before);
  expect(summary.notes!.join()).toContain("read again");
  expect(await index(root)).toMatchObject({ indexed: 0, notes: [] });
});

it.each(DELETED)("one document that was removed by hand comes back, and no other file is read: %s", async (name) => {
  const root = folderWith(FILES);
  await index(root);
  const before = contents();
  removeFirst(name!, ({ path }) => path === "src/a.py");
  expect(await planFolder(options(root))).toMatchObject({ index: [{ path: "src/a.py" }] });
  expect(await index(root)).toMatchObject({ indexed: 1, notes: [expect.stringContaining("src/a.py: read again")] });
  expect(contents()).toEqual(before);
});

it("the document of a binary comes back", async () => {
  const root = folderWith(FILES);
  await index(root);
  const before = contents();
  removeFirst(INDEX.files, ({ path }) => path === "x.bin");
  await index(root);
  expect(contents()).toEqual(before);
});

it.each(["deleted", "short of a record"])("a data set that is %s comes back", async (how) => {
  const root = folderWith(FILES);
  const { datasets } = await index(root);
  const before = contents();
  const name = `${INDEX.dataPrefix}${datasets[0]}`;
  if (how === "deleted") node.indices.delete(name);
  else removeFirst(name, () => true);
  expect(await index(root)).toMatchObject({ indexed: 1, datasets });
  expect(contents()).toEqual(before);
});

it("documents that no entry knows of go when their file is read again", async () => {
  const root = folderWith(FILES);
  await index(root);
  const before = contents();
  removeFirst(INDEX.catalog, ({ path }) => path === "src/b.py");
  write(root, "src/b.py", "def store():\n    load()\n");
  await index(root);
  expect(node.of(INDEX.declarations, "src/b.py").map(({ name }) => name)).not.toContain("save");
  write(root, "src/b.py", FILES["src/b.py"]);
  await index(root);
  expect(contents()).toEqual(before);
});

it("what was inside an archive comes back, once it lacks anything", async () => {
  const root = folderWith({
    "a.zip": zip({ "one.py": "def one(): f()\n", "two.txt": "2" }),
    "b.py": "def b(): pass\n",
  });
  await index(root);
  const before = contents();
  removeFirst(INDEX.references, ({ path }) => path === "a.zip!/one.py");
  expect(await index(root)).toMatchObject({ indexed: 1 });
  expect(contents()).toEqual(before);
});

it("commits that were deleted come back", async () => {
  const repo = GitFolder.init(path.join(folderWith({}), "proj"));
  repo.commit({ "a.py": "def a(): pass\n" });
  repo.commit({ "b.py": "def b(): pass\n" });
  await index(repo.root);
  const before = contents();
  node.indices.delete(INDEX.commits);
  expect(await index(repo.root)).toMatchObject({ commits: { commits: 2, written: 2 } });
  expect(contents()).toEqual(before);
  removeFirst(INDEX.commits, () => true);
  expect(await index(repo.root)).toMatchObject({ commits: { written: 1 } });
});

it("documents that only branches have come back, and nothing else is read", async () => {
  const repo = GitFolder.init(path.join(folderWith({}), "proj"));
  repo.commit({ "a.py": "def a(): pass\n", "b.py": "def b(): pass\n" });
  repo.git("checkout", "-q", "-b", "dev");
  repo.commit({ "b.py": "def b2(): pass\n" });
  repo.git("checkout", "-q", "main");
  await autoindex(options(repo.root, { branches: ["dev"] }));
  const before = contents();
  removeFirst(INDEX.declarations, ({ name }) => name === "b2");
  expect(await index(repo.root)).toMatchObject({ branches: { read: 1 } });
  expect(contents()).toEqual(before);
  expect(await index(repo.root)).toMatchObject({ indexed: 0, notes: [], branches: { read: 0 } });
});

it("work trees of one repository leave each other's documents alone", async () => {
  const repo = GitFolder.init(path.join(folderWith({}), "proj"));
  repo.commit({ "a.py": "def a(): pass\n", "b.py": "def b(): pass\n", "c.bin": "\0one" });
  repo.git("worktree", "add", "-q", "-b", "dev", "../tree");
  const tree = new GitFolder(path.join(path.dirname(repo.root), "tree"));
  tree.commit({ "b.py": "def b2(): pass\n", "c.bin": "\0two", "d.bin": "\0three" });
  for (const root of [repo.root, tree.root]) await index(root);
  const before = contents();
  for (const root of [repo.root, tree.root]) expect(await index(root)).toMatchObject({ indexed: 0, notes: [] });
  expect(contents()).toEqual(before);
  node.indices.delete(INDEX.declarations);
  for (const root of [repo.root, tree.root]) await index(root);
  expect(contents()).toEqual(before);
});

it("a binary and a data set that branches have too stay as the folder has them", async () => {
  const repo = GitFolder.init(path.join(folderWith({}), "proj"));
  const orders = `id,city\n${Array.from({ length: 400 }, (_, at) => `${at},Rome${at}`).join("\n")}\n`;
  repo.commit({ "a.py": "def a(): pass\n", "c.bin": "\0one", "orders.csv": orders });
  repo.git("checkout", "-q", "-b", "dev");
  repo.commit({ "b.py": "def b(): pass\n", "c.bin": "\0two" });
  repo.git("checkout", "-q", "-b", "same", "main");
  repo.commit({ "b.py": "def b2(): pass\n" });
  repo.git("checkout", "-q", "main");
  await autoindex(options(repo.root, { branches: ["all"] }));
  const before = contents();
  expect(node.of(INDEX.files, "c.bin")).toHaveLength(1);
  expect(await index(repo.root)).toMatchObject({ indexed: 0, notes: [], branches: { read: 0 } });
  expect(contents()).toEqual(before);
});
