import { spawnSync } from "node:child_process";
import { linkSync, mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import path from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import type { Client } from "../../client/index.js";
import { INDEX } from "../../code/index.js";
import { AutoindexError } from "../errors.js";
import { autoindex } from "../run/autoindex.js";
import { reindexFile } from "../run/reindex-file.js";
import type { FakeNode } from "../testing/fake-node.js";
import { fakeNodeForEach } from "../testing/fake-node-each.js";
import { folderWith, write } from "../testing/folder.js";
import { type WatchNews, type WatchOptions, watchFolder } from "./watch-folder.js";

let node: FakeNode;
let client: Client;
const ending: (() => Promise<void>)[] = [];
fakeNodeForEach((made) => {
  ({ node, client } = made);
});
// Before the node stops: what is registered last ends first.
afterEach(async () => {
  for (const end of ending.splice(0)) await end();
});

/** A watcher over a folder, and the news of it. */
class Watching {
  readonly news: WatchNews[] = [];
  readonly #control = new AbortController();
  readonly done: Promise<void>;
  #heard: () => void = () => {};

  constructor(folder: string, more: Partial<WatchOptions> = {}) {
    const tell = (news: WatchNews) => {
      this.news.push(news);
      this.#heard();
    };
    const { signal } = this.#control;
    this.done = watchFolder({ client, folder, globalIgnore: "none", workers: 1, signal, tell, ...more });
    this.done.catch(() => {});
    ending.push(() => this.end().catch(() => {}));
  }

  async end(): Promise<void> {
    this.#control.abort();
    await this.done;
  }

  /** Waits for news until something is so. */
  async until(isSo: () => boolean): Promise<void> {
    while (!isSo()) await Promise.race([new Promise<void>((resolve) => (this.#heard = resolve)), this.done]);
  }

  untilReady(): Promise<void> {
    return this.until(() => this.news.some(({ kind }) => kind === "ready"));
  }

  count(kind: WatchNews["kind"]): number {
    return this.news.filter((news) => news.kind === kind).length;
  }
}

async function watching(folder: string, more: Partial<WatchOptions> = {}): Promise<Watching> {
  const watcher = new Watching(folder, more);
  await watcher.untilReady();
  return watcher;
}

/** Paths that searches see. */
const visible = () =>
  [...(node.indices.get(INDEX.files)?.visible.values() ?? [])].map((source) => String(source.path)).sort();
const body = (name: string) =>
  [...node.indices.get(INDEX.files)!.visible.values()].filter((source) => source.path === name).map((s) => s.body);
const entries = () =>
  Object.fromEntries(
    [...node.documents(INDEX.catalog).values()].filter((s) => s.entry === "file").map((s) => [s.path, s.status]),
  );
const folderEntry = () => [...node.documents(INDEX.catalog).values()].find(({ entry }) => entry === "folder");
const save = (root: string, name: string, text: string) => writeFileSync(path.join(root, name), text);

describe("a watched folder", () => {
  it("shows an edit, a new file, a deletion and an atomic save, and says that it is whole", async () => {
    const root = folderWith({ "a.py": "one = 1\n", "b/c.py": "two = 2\n" });
    const watcher = await watching(root);
    save(root, "a.py", "three = 3\n");
    await watcher.until(() => body("a.py")[0] === "three = 3\n");
    save(root, "b/new.py", "four = 4\n");
    await watcher.until(() => visible().includes("b/new.py"));
    save(root, "b/c.py~", "five = 5\n");
    renameSync(path.join(root, "b/c.py~"), path.join(root, "b/c.py"));
    await watcher.until(() => body("b/c.py")[0] === "five = 5\n");
    rmSync(path.join(root, "a.py"));
    await watcher.until(() => !visible().includes("a.py"));
    await watcher.until(() => !visible().includes("b/c.py~"));
    expect(visible()).toEqual(["b/c.py", "b/new.py"]);
    expect(folderEntry()).toMatchObject({ state: "finished", files: 2, holder: { does: "watch" } });
    await watcher.end();
    expect(folderEntry()).toMatchObject({ state: "finished", files: 2, holder: null });
  });

  it("shows a change of more files than one request holds as one", { timeout: 60_000 }, async () => {
    const root = folderWith({ "a.txt": "one\n" });
    const seen = new Set<number>();
    const watcher = await watching(root);
    node.before = () => {
      seen.add(visible().length);
      return "serve";
    };
    const from = node.calls.length;
    mkdirSync(path.join(root, "b"));
    // Written without a pause: the watcher hears of all of them together.
    for (let at = 0; at < 1500; at++) save(root, `b/${at}.txt`, `text ${at}\n`);
    await watcher.until(() => visible().length === 1501);
    // All or nothing, before and after, whatever is asked in between.
    await watcher.until(() => node.calls.slice(from).filter(({ path }) => path.endsWith("/_settings")).length === 2);
    expect([...seen]).toEqual([1, 1501]);
    const intervals = node.calls.slice(from).flatMap(({ path, body }) => (path.endsWith("/_settings") ? [body] : []));
    expect(intervals.map((body) => JSON.parse(body).index.refresh_interval)).toEqual(["-1", "30s"]);
    expect(node.calls.slice(from).filter(({ path }) => path.startsWith("/_bulk")).length).toBeGreaterThan(2);
  });

  it("reads again what its indices lose while it goes on", async () => {
    const root = folderWith({ "a.py": "def one(): pass\n", "b.py": "def two(): pass\n" });
    const watcher = await watching(root);
    node.indices.delete(INDEX.declarations);
    save(root, "b.py", "def three(): pass\n");
    const names = () => [...node.documents(INDEX.declarations).values()].map(({ name }) => name).sort();
    await watcher.until(() => names().includes("one") && names().includes("three"));
    expect(names()).not.toContain("two");
  });

  it("follows folders that appear at once with folders below them, that are renamed, and that vanish", async () => {
    const root = folderWith({ "a.py": "one = 1\n" });
    const watcher = await watching(root);
    mkdirSync(path.join(root, "x/y/z"), { recursive: true });
    save(root, "x/y/z/deep.py", "deep = 1\n");
    await watcher.until(() => visible().includes("x/y/z/deep.py"));
    save(root, "x/y/z/deep.py", "deeper = 1\n");
    await watcher.until(() => body("x/y/z/deep.py")[0] === "deeper = 1\n");
    renameSync(path.join(root, "x"), path.join(root, "w"));
    await watcher.until(() => visible().join() === "a.py,w/y/z/deep.py");
    save(root, "w/y/z/deep.py", "deepest = 1\n");
    await watcher.until(() => body("w/y/z/deep.py")[0] === "deepest = 1\n");
    rmSync(path.join(root, "w"), { recursive: true });
    await watcher.until(() => visible().join() === "a.py");
    expect(entries()).toEqual({ "a.py": "indexed" });
  });

  it("follows a folder that becomes a file, a link, and a folder again", async () => {
    const root = folderWith({ "x/a.py": "one = 1\n", "y.py": "two = 2\n" });
    const watcher = await watching(root);
    rmSync(path.join(root, "x"), { recursive: true });
    save(root, "x", "words\n");
    await watcher.until(() => visible().join() === "x,y.py");
    rmSync(path.join(root, "x"));
    symlinkSync("y.py", path.join(root, "x"));
    await watcher.until(() => visible().join() === "y.py");
    await watcher.until(() => entries().x === "symlink");
    rmSync(path.join(root, "x"));
    mkdirSync(path.join(root, "x"));
    save(root, "x/a.py", "three = 3\n");
    await watcher.until(() => body("x/a.py")[0] === "three = 3\n");
    await watcher.until(() => !("x" in entries()));
  });

  it("follows ignore files: what they leave out goes and comes again, and is not watched", async () => {
    const root = folderWith({ "out/a.py": "one = 1\n", "b.py": "two = 2\n" });
    const watcher = await watching(root);
    save(root, ".gitignore", "out/\n");
    await watcher.until(() => visible().join() === "b.py");
    expect(entries()["out/"]).toBe("ignored");
    const before = watcher.count("updated");
    save(root, "out/a.py", "three = 3\n");
    save(root, "b.py", "four = 4\n");
    await watcher.until(() => body("b.py")[0] === "four = 4\n");
    expect(watcher.count("updated")).toBe(before + 1);
    rmSync(path.join(root, ".gitignore"));
    await watcher.until(() => body("out/a.py")[0] === "three = 3\n");
    expect(entries()).toEqual({ "out/a.py": "indexed", "b.py": "indexed" });
  });

  it("takes thousands of changes at once in one batch, and a branch with them", async () => {
    const root = folderWith({ "a.py": "x = 0\n" });
    const git = (...args: string[]) =>
      spawnSync("git", ["-c", "user.name=t", "-c", "user.email=t@t", ...args], { cwd: root });
    git("init", "-b", "main");
    git("add", "-A");
    git("commit", "-m", "one");
    git("checkout", "-b", "other");
    for (let n = 0; n < 1000; n++) write(root, `d${n % 20}/f${n}.txt`, `word${n}\n`);
    git("add", "-A");
    git("commit", "-m", "two");
    git("checkout", "main");
    const watcher = await watching(root);
    expect(visible()).toEqual(["a.py"]);
    git("checkout", "other");
    await watcher.until(() => visible().length === 1001);
    expect(watcher.news.filter((news) => news.kind === "updated" && news.indexed > 0)).toHaveLength(1);
    const branches = [...node.documents(INDEX.files).values()].map((source) => String(source.branches));
    expect(new Set(branches)).toEqual(new Set(["other"]));
  });

  it("looks at the whole folder now and then, for what no event told of", async () => {
    const root = folderWith({ "a.py": "one = 1\n" });
    // A change by another name is told to those who watch that name's folder.
    const elsewhere = folderWith({});
    linkSync(path.join(root, "a.py"), path.join(elsewhere, "same"));
    const watcher = await watching(root, { rescanMs: 20 });
    save(elsewhere, "same", "two = 2\n");
    await watcher.until(() => body("a.py")[0] === "two = 2\n");
  });
});

describe("who holds a watched folder", () => {
  it("others are told, and a file that is asked for is waited for", async () => {
    const root = folderWith({ "a.py": "one = 1\n" });
    await watching(root);
    save(root, "a.py", "two = 2\n");
    expect(await reindexFile(client, root, "a.py")).toMatchObject({ path: "a.py", status: "indexed" });
    expect(body("a.py")).toEqual(["two = 2\n"]);
    await expect(autoindex({ client, folder: root, patienceMs: 0 })).rejects.toMatchObject({
      problem: "busy",
      message: expect.stringContaining(`is being watched by process ${process.pid}`),
    });
  });

  it("a second watcher is refused", async () => {
    const root = folderWith({ "a.py": "one = 1\n" });
    await watching(root);
    await expect(new Watching(root, { patienceMs: 0 }).done).rejects.toMatchObject({ problem: "busy" });
  });

  it("ends with an error when the folder is gone, and leaves the index as it is", async () => {
    const root = folderWith({ "a.py": "one = 1\n" });
    const watcher = await watching(root);
    rmSync(root, { recursive: true });
    await expect(watcher.done).rejects.toBeInstanceOf(AutoindexError);
    expect(folderEntry()).toMatchObject({ holder: null });
  });
});

describe("a node that goes away and comes back", () => {
  it("is waited for, and told of all that has changed meanwhile", async () => {
    const root = folderWith({ "a.py": "one = 1\n", "b.py": "two = 2\n" });
    const watcher = await watching(root);
    node.before = () => "break";
    save(root, "a.py", "three = 3\n");
    await watcher.until(() => watcher.count("trouble") > 0);
    rmSync(path.join(root, "b.py"));
    node.before = () => "serve";
    await watcher.until(() => watcher.count("ready") > 1);
    expect(body("a.py")).toEqual(["three = 3\n"]);
    expect(visible()).toEqual(["a.py"]);
  });
});
