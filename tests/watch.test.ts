import { type ChildProcess, spawn } from "node:child_process";
import { mkdirSync, renameSync, writeFileSync } from "node:fs";
import path from "node:path";
import { createInterface } from "node:readline";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ROOT } from "./import-graph.js";
import {
  pinakes,
  portForLater,
  removeFolder,
  send,
  startTestNode,
  type TestNode,
  temporaryFolder,
} from "./support/node.js";

const PROGRAM = path.join(ROOT, "bin/pinakes.js");
let node: TestNode;
beforeAll(async () => {
  node = await startTestNode();
});
afterAll(async () => {
  await node.stop();
  removeFolder(node.dataFolder);
});

function folderWith(files: Record<string, string>): string {
  const root = temporaryFolder("watched");
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(path.dirname(path.join(root, name)), { recursive: true });
    writeFileSync(path.join(root, name), text);
  }
  return root;
}

/** Puts a file there with all its text: a watcher in another process could see it before, and speak of it twice. */
function putWhole(root: string, name: string, text: string): void {
  writeFileSync(`${root}.new`, text);
  renameSync(`${root}.new`, path.join(root, name));
}

/** A command that goes on, and what it has said so far. */
class Going {
  readonly lines: string[] = [];
  readonly ended: Promise<number | NodeJS.Signals | null>;
  readonly child: ChildProcess;
  #heard: () => void = () => {};

  constructor(args: string[]) {
    this.child = spawn(process.execPath, [PROGRAM, ...args], { stdio: ["ignore", "pipe", "pipe"] });
    for (const stream of [this.child.stdout!, this.child.stderr!]) {
      createInterface(stream).on("line", (line) => {
        this.lines.push(line);
        this.#heard();
      });
    }
    this.ended = new Promise((resolve) => this.child.once("close", (code, signal) => resolve(code ?? signal)));
  }

  async until(pattern: RegExp): Promise<string> {
    for (;;) {
      const line = this.lines.find((said) => pattern.test(said));
      if (line !== undefined) return line;
      const next = new Promise<void>((resolve) => (this.#heard = resolve));
      const end = this.ended.then((status) => {
        throw new Error(`ended with ${status} without ${pattern}: ${this.lines.join("\n")}`);
      });
      await Promise.race([next, end]);
    }
  }
}

async function namesFound(name: string): Promise<number> {
  const body = { query: { term: { name } } };
  const answer = await send(node.url, { method: "POST", path: "/pinakes-decls/_search", body });
  return answer.json.hits.total.value;
}

async function untilFound(name: string): Promise<void> {
  while ((await namesFound(name)) === 0) await new Promise((resolve) => setTimeout(resolve, 5));
}

describe("pinakes autoindex --watch", () => {
  it("makes a save searchable, tells others who is at the folder, and lets go of it on SIGTERM", async () => {
    const root = folderWith({ "a.py": "def first_one(): pass\n" });
    const going = new Going(["autoindex", root, "--watch", "--url", node.url]);
    await going.until(/^watching /);
    writeFileSync(path.join(root, "a.py~"), "def second_one(): pass\n");
    renameSync(path.join(root, "a.py~"), path.join(root, "a.py"));
    await untilFound("second_one");
    expect(await namesFound("first_one")).toBe(0);
    const other = await pinakes(["autoindex", root, "--url", node.url]);
    expect(other).toMatchObject({
      status: 1,
      stderr: expect.stringContaining(`watched by process ${going.child.pid}`),
    });
    expect((await pinakes(["remove", root, "--url", node.url])).stderr).toContain("watched by process");
    expect((await pinakes(["status", "--url", node.url])).stdout).toContain(`watched by process ${going.child.pid}`);
    going.child.kill("SIGTERM");
    expect(await going.ended).toBe(0);
    expect((await pinakes(["status", "--url", node.url])).stdout).not.toContain("watched by");
    expect(await pinakes(["autoindex", root, "--url", node.url])).toMatchObject({ status: 0 });
    removeFolder(root);
  });

  it("killed, is replaced at once, and nothing is left of it", async () => {
    const root = folderWith({ "a.py": "def before_kill(): pass\n" });
    const going = new Going(["autoindex", root, "--watch", "--url", node.url]);
    await going.until(/^watching /);
    writeFileSync(path.join(root, "a.py"), "def after_kill(): pass\n");
    going.child.kill("SIGKILL");
    await going.ended;
    expect((await pinakes(["status", "--url", node.url])).stdout).not.toContain("watched by");
    const next = new Going(["autoindex", root, "--watch", "--url", node.url]);
    await next.until(/^watching /);
    expect([await namesFound("before_kill"), await namesFound("after_kill")]).toEqual([0, 1]);
    next.child.kill("SIGTERM");
    expect(await next.ended).toBe(0);
    removeFolder(root);
  });

  it("goes on when its node was killed and has come back", async () => {
    const data = temporaryFolder("data");
    // The same port twice: one that nobody is given who asks for any.
    const flags = ["--port", String(await portForLater())];
    let own = await startTestNode(data, { flags });
    const root = folderWith({ "a.py": "def one(): pass\n", "b.py": "def two(): pass\n" });
    const going = new Going(["autoindex", root, "--watch", "--url", own.url]);
    await going.until(/^watching /);
    await own.kill();
    writeFileSync(path.join(root, "a.py"), "def three(): pass\n");
    await going.until(/trying again/);
    own = await startTestNode(data, { flags });
    await going.until(/: 1 file indexed, 1 unchanged/);
    const found = await pinakes(["search", "def:three", "--url", own.url]);
    expect(found).toMatchObject({ status: 0, stdout: expect.stringContaining("def three") });
    going.child.kill("SIGTERM");
    expect(await going.ended).toBe(0);
    await own.stop();
    for (const folder of [data, root]) removeFolder(folder);
  });
});

describe("pinakes up --watch", () => {
  it("leaves out its own data folder inside the folder, and says so", async () => {
    const root = folderWith({ "a.py": "def one(): pass\n" });
    const data = path.join(root, "index");
    const going = new Going(["up", root, "--watch", "--data", data, "--port", "0"]);
    await going.until(/^serving on /);
    expect(going.lines).toContain("  left out 1: 1 data_folder");
    putWhole(root, "b.py", "def two(): pass\n");
    await going.until(/: 1 file indexed, 0 removed in /);
    const why = await pinakes(["why", path.join(data, "node.json"), "--data", data]);
    expect(why.stdout).toContain("data_folder: A Pinakes node keeps its data there");
    expect((await pinakes(["status", "--skipped", "--data", data])).stdout).toContain("index/: data_folder");
    going.child.kill("SIGINT");
    expect(await going.ended).toBe(0);
    expect(going.lines.filter((line) => / files? indexed, \d+ removed in /.test(line)).length).toBe(1);
    removeFolder(root);
  }, 60_000);

  it("starts a node, follows the folder, and ends both on SIGINT", async () => {
    const data = temporaryFolder("data");
    const root = folderWith({ "a.py": "def up_first(): pass\n" });
    const going = new Going(["up", root, "--watch", "--data", data, "--port", "0"]);
    await going.until(/Ctrl-C stops the node/);
    putWhole(root, "b.py", "def up_second(): pass\n");
    await going.until(/1 file indexed, 0 removed/);
    const found = await pinakes(["search", "def:up_second", "--data", data]);
    expect(found).toMatchObject({ status: 0, stdout: expect.stringContaining("def up_second") });
    going.child.kill("SIGINT");
    expect(await going.ended).toBe(0);
    for (const folder of [data, root]) removeFolder(folder);
  });

  it("does not go with --detach", async () => {
    const root = folderWith({});
    expect((await pinakes(["up", root, "--watch", "--detach"])).status).toBe(2);
    removeFolder(root);
  });
});

describe("pinakes autoindex --dry-run", () => {
  it("says what a run would do, and writes nothing", async () => {
    const empty = await startTestNode();
    const root = folderWith({ "a.py": "def one(): pass\n", ".gitignore": "*.log\n", "x.log": "", "b.bin": "\0" });
    const dry = await pinakes(["autoindex", root, "--dry-run", "--url", empty.url]);
    expect(dry.stdout).toContain("index 1 file (1 new, 0 changed), remove 0, leave 0 as they are");
    expect(dry.stdout).toContain("  + a.py\n");
    const indices = await send(empty.url, { method: "GET", path: "/_cat/indices?format=json" });
    expect(indices.json).toEqual([]);
    await pinakes(["autoindex", root, "--url", empty.url]);
    renameSync(path.join(root, "a.py"), path.join(root, "c.py"));
    const json = await pinakes(["autoindex", root, "--dry-run", "--json", "--url", empty.url]);
    expect(JSON.parse(json.stdout)).toMatchObject({
      root,
      index: [{ path: "c.py", change: "new", language: "python", declarations: 1, records: 0 }],
      remove: ["a.py"],
      skip: [
        { path: ".gitignore", reason: "hidden" },
        { path: "b.bin", reason: "binary" },
        { path: "x.log", reason: "ignored", detail: ".gitignore:1: *.log" },
      ],
      unchanged: 0,
    });
    await empty.stop();
    for (const folder of [empty.dataFolder, root]) removeFolder(folder);
  });
});
