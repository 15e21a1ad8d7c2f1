import { rmSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import type { Client } from "../../client/index.js";
import { INDEX } from "../../code/index.js";
import type { AutoindexOptions, Progress } from "../options.js";
import type { FakeNode } from "../testing/fake-node.js";
import { fakeNodeForEach } from "../testing/fake-node-each.js";
import { folderWith, write } from "../testing/folder.js";
import { autoindex } from "./autoindex.js";
import { listSkipped } from "./list-skipped.js";
import { removeFolder } from "./remove-folder.js";

let node: FakeNode;
let client: Client;
fakeNodeForEach((made) => {
  ({ node, client } = made);
});

const index = (folder: string, more: Partial<AutoindexOptions> = {}, onProgress?: (progress: Progress) => void) =>
  autoindex({ client, folder, globalIgnore: "none", workers: 1, ...more }, onProgress);
const names = () => [...node.documents(INDEX.declarations).values()].map(({ repo, name }) => `${repo} ${name}`).sort();
const twins = () => {
  const root = folderWith({ "one/app/a.py": "def f(): pass\n", "two/app/a.py": "def g(): pass\n" });
  return [path.join(root, "one/app"), path.join(root, "two/app")] as const;
};
const other = expect.stringMatching(/^app-[0-9a-f]{6} [fg]$/);

describe("two folders of the same name", () => {
  it("are kept apart when both are read for the first time at once", async () => {
    const [one, two] = twins();
    const summaries = await Promise.all([index(one), index(two)]);
    expect(new Set(summaries.map(({ repo }) => repo)).size).toBe(2);
    expect(names()).toEqual([expect.stringMatching(/^app [fg]$/), other]);
    await Promise.all([index(two), index(one)]);
    expect(names()).toEqual([expect.stringMatching(/^app [fg]$/), other]);
  });

  it("are kept apart when the first one was cut off, whether on its first run or on a later one", async () => {
    const [one, two] = twins();
    const cutOff = async () => {
      node.before = ({ path: target }) => {
        return target.startsWith("/_bulk") ? "break" : "serve";
      };
      await expect(index(one)).rejects.toThrow();
      node.before = () => "serve";
    };
    await cutOff();
    await index(two);
    await index(one);
    expect(names()).toEqual(["app f", other]);
    write(one, "a.py", "def ff(): pass\n", 1_700_000_100);
    await cutOff();
    await index(two);
    await index(one);
    expect(names()).toEqual(["app ff", other]);
  });
});

describe("two runs over one folder", () => {
  it("come one after the other, and the second says whom it waits for", async () => {
    const root = folderWith({ "a.py": "def f(): pass\n" });
    const waited: string[] = [];
    const note = ({ phase, waitingFor }: Progress) => phase === "waiting" && waited.push(waitingFor!);
    const [first, second] = await Promise.all([index(root, {}, note), index(root, {}, note)]);
    expect([first.indexed, second.indexed].sort()).toEqual([0, 1]);
    expect(waited).toEqual([expect.stringMatching(/^process \d+ on /)]);
  });

  it("are refused without patience", async () => {
    const root = folderWith({ "a.py": "def f(): pass\n" });
    const runs = await Promise.allSettled([index(root, { patienceMs: 0 }), index(root, { patienceMs: 0 })]);
    const failed = runs.filter(({ status }) => status === "rejected");
    expect(failed).toEqual([expect.objectContaining({ reason: expect.objectContaining({ problem: "busy" }) })]);
  });
});

describe("a folder's new name", () => {
  it("frees the old one", async () => {
    const [one, two] = twins();
    await index(one);
    await index(one, { repo: "mine" });
    expect(names()).toEqual(["mine f"]);
    expect((await index(two)).repo).toBe("app");
  });
});

describe("a folder that was renamed by a run that was cut off", () => {
  it("has nothing left under its old name, and gives that back", async () => {
    const [one, two] = twins();
    write(one, "b.py", "def b(): pass\n");
    await index(one);
    for (let count = 1; count <= 6; count++) {
      let bulks = 0;
      node.before = ({ path: target }) => (target.startsWith("/_bulk") && ++bulks >= count ? "break" : "serve");
      await index(one, { repo: `name${count}` }).catch(() => {});
      node.before = () => "serve";
      rmSync(path.join(one, "b.py"), { force: true });
      await index(one, { repo: `name${count}` });
      expect(names()).toEqual([`name${count} f`]);
      write(one, "b.py", "def b(): pass\n");
    }
    expect((await index(two)).repo).toBe("app");
  });
});

describe("taking a folder out of the index", () => {
  it("removes its documents, data sets and catalog entries, and nothing of another folder", async () => {
    const [one, two] = twins();
    write(one, "x.csv", "a,b\n1,2\n");
    await index(two);
    const before = new Map(node.documents(INDEX.catalog));
    const { repo } = await index(one);
    expect(await removeFolder(client, one)).toMatchObject({
      root: one,
      repo,
      datasets: [expect.stringContaining("x.csv")],
    });
    expect(names()).toEqual(["app g"]);
    expect(node.documents(INDEX.catalog)).toEqual(before);
    expect([...node.indices.keys()].filter((name) => name.startsWith(INDEX.dataPrefix))).toEqual([]);
    expect((await index(one)).repo).toBe(repo);
  });

  it("works by path or name when the folder is gone from disk, which indexing it says", async () => {
    const [one, two] = twins();
    await index(one);
    await index(two);
    rmSync(one, { recursive: true });
    await expect(index(one)).rejects.toMatchObject({
      problem: "not_a_folder",
      message: expect.stringContaining(`pinakes remove ${one}`),
    });
    await removeFolder(client, `${one}/`);
    await removeFolder(client, String(node.documents(INDEX.files).values().next().value!.repo));
    for (const name of [INDEX.files, INDEX.declarations, INDEX.references, INDEX.catalog]) {
      expect(node.documents(name).size).toBe(0);
    }
  });

  it("names the folders that there are when it is none of them", async () => {
    await expect(removeFolder(client, "/nowhere")).rejects.toMatchObject({ problem: "not_indexed" });
    const [one] = twins();
    await index(one);
    await expect(removeFolder(client, "/nowhere")).rejects.toThrow(one);
  });
});

describe("what was left out", () => {
  it("is listed with its reasons, all or one of them", async () => {
    const root = folderWith({ ".gitignore": "out/", "out/x.py": "", "a.py": "", "b.bin": "\0" });
    await index(root);
    expect(await listSkipped(client, root)).toEqual([
      expect.objectContaining({ path: ".gitignore", reason: "hidden" }),
      expect.objectContaining({ path: "b.bin", reason: "binary", explanation: "The content is binary." }),
      expect.objectContaining({ path: "out/", reason: "ignored", detail: ".gitignore:1: out/" }),
    ]);
    expect((await listSkipped(client, root, "binary")).map(({ path: file }) => file)).toEqual(["b.bin"]);
  });
});
