import { execFileSync } from "node:child_process";
import { chmodSync, mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { folderWith } from "../testing/folder.js";
import { type WalkOptions, walk, walkFrom, walkOne } from "./walk.js";

const OPTIONS: WalkOptions = { hidden: "skip", globalIgnore: "none" };
const files = (root: string, options = OPTIONS) =>
  [...walk(root, options)].filter((entry) => entry.kind === "file").map((entry) => entry.path);
const skipped = (root: string) =>
  Object.fromEntries(
    [...walk(root, OPTIONS)].flatMap((entry) => (entry.kind === "skip" ? [[entry.path, entry.reason]] : [])),
  );

describe("walking from a path on", () => {
  const root = () =>
    folderWith({
      ".gitignore": "out/\n*.log\n",
      "a/b/.ignore": "!c.log\n",
      "a/b/c.log": "",
      "a/d.txt": "",
      "a/e.log": "",
      "out/f/g.txt": "",
      "h.txt": "",
    });
  const from = (folder: string, start: string) => [...walkFrom(folder, start, OPTIONS)].map(({ path }) => path);

  it.each([
    ["", ["a/b/.ignore", "a/b/c.log", "a/d.txt", "a/e.log", "h.txt", "out/"].concat(".gitignore").sort()],
    ["a", ["a/b/.ignore", "a/b/c.log", "a/d.txt", "a/e.log"]],
    ["a/b/c.log", ["a/b/c.log"]],
    ["a/d.txt", ["a/d.txt"]],
    ["out/f/g.txt", ["out/"]],
    ["none", []],
    ["a/d.txt/below", []],
    [".git/HEAD", []],
  ])("%j says what the whole walk says of it", (start, said) => {
    expect(from(root(), start).sort()).toEqual(said);
  });

  it("and in the same order, with the same verdicts", () => {
    const folder = root();
    const whole = [...walk(folder, OPTIONS)].filter(({ path }) => path.startsWith("a/"));
    expect([...walkFrom(folder, "a", OPTIONS)]).toEqual(whole);
  });

  it("tells of each folder before it lists it", () => {
    const folder = root();
    const entered: string[] = [];
    const entering = (whole: string, prefix: string) => {
      entered.push(prefix);
      if (prefix === "a/b/") writeFileSync(path.join(whole, "late.txt"), "");
    };
    expect([...walk(folder, { ...OPTIONS, entering })].map(({ path }) => path)).toContain("a/b/late.txt");
    expect(entered).toEqual(["", "a/", "a/b/"]);
  });
});

describe("walking a folder", () => {
  it("never lists what a link leads to that took a folder's place meanwhile", () => {
    const elsewhere = folderWith({ "secret.txt": "" });
    const root = folderWith({ "a/b.txt": "", "c.txt": "" });
    const entering = (folder: string, prefix: string) => {
      if (prefix !== "a/") return;
      renameSync(folder, `${folder}2`);
      symlinkSync(elsewhere, folder);
    };
    const met = [...walk(root, { ...OPTIONS, entering })].map((entry) => [entry.path, entry.kind]);
    expect(met).toEqual([
      ["a/", "skip"],
      ["c.txt", "file"],
    ]);
  });

  it("says so when a folder vanishes before it is listed", () => {
    const root = folderWith({ "a/b.txt": "", "c.txt": "" });
    const entering = (folder: string, prefix: string) => prefix === "a/" && rmSync(folder, { recursive: true });
    const met = [...walk(root, { ...OPTIONS, entering: (...at) => void entering(...at) })];
    expect(met).toMatchObject([{ path: "a/", kind: "skip" }, { path: "c.txt" }]);
  });

  it("gives paths in the order of whole paths", () => {
    const root = folderWith({ "a/b": "", "a.txt": "", "a-b/c": "", b: "" });
    expect(files(root)).toEqual(["a-b/c", "a.txt", "a/b", "b"]);
  });

  it("keeps nested rules, negation and folder-only rules", () => {
    const root = folderWith({
      ".gitignore": "*.log\nbuild/\n/only-here\nkept/*\n!kept/this",
      "a.log": "",
      "sub/.gitignore": "!b.log",
      "sub/b.log": "",
      "sub/only-here": "",
      "only-here": "",
      "build/x": "",
      "sub/build": "a file of that name",
      "kept/this/file": "",
      "kept/that/file": "",
    });
    expect(files(root)).toEqual(["kept/this/file", "sub/b.log", "sub/build", "sub/only-here"]);
  });

  it("records each thing left out with its reason and the rule", () => {
    const root = folderWith({ ".gitignore": "dist/", "dist/x": "", ".hidden": "", "a.txt": "" });
    symlinkSync(path.join(root, "a.txt"), path.join(root, "link"));
    symlinkSync(root, path.join(root, "loop"));
    execFileSync("mkfifo", [path.join(root, "pipe")]);
    expect(skipped(root)).toEqual({
      ".gitignore": "hidden",
      ".hidden": "hidden",
      "dist/": "ignored",
      link: "symlink",
      loop: "symlink",
      pipe: "not_a_file",
    });
    expect(walkOne(root, "dist/x", OPTIONS)).toMatchObject({ path: "dist/", detail: ".gitignore:1: dist/" });
  });

  it("leaves out data folders of Pinakes, with the reason, and never enters them", () => {
    const root = folderWith({
      "index/metadata/log-1.wal": "PNKSLOG",
      "index/indices/u/s1.seg": "",
      "index/node.json": "{}",
      "starting/node.lock": "1",
      "starting/metadata/x": "",
      "src/metadata/log.txt": "",
      "src/node.json": "{}",
    });
    expect(skipped(root)).toEqual({ "index/": "data_folder", "starting/": "data_folder" });
    expect(files(root)).toEqual(["src/metadata/log.txt", "src/node.json"]);
    const entered: string[] = [];
    const options: WalkOptions = { ...OPTIONS, entering: (_folder, prefix) => void entered.push(prefix) };
    const below = [...walkFrom(root, "index/metadata/log-1.wal", options)];
    expect(below).toMatchObject([{ path: "index/", reason: "data_folder" }]);
    expect([...walk(root, options)].length).toBe(4);
    expect(entered).toEqual(["", "src/", "src/metadata/"]);
  });

  it("names a folder whose path is too long to be looked at and goes on", () => {
    const root = folderWith({ "a.txt": "", "zz/b.txt": "" });
    onTestFinished(() => void execFileSync("rm", ["-rf", root]));
    // A folder that can still be listed while `.git` in it cannot be asked for, and one below it that cannot be listed.
    const longest = 4092;
    const script = `cd "$0"; while [ $((${longest} - $(pwd | wc -c))) -gt 220 ]; do n=$(printf 'd%.0s' $(seq 200)); mkdir $n; cd $n; done
      n=$(printf 'e%.0s' $(seq $((${longest} - $(pwd | wc -c))))); mkdir $n; cd $n; mkdir ${"f".repeat(100)}; echo x > g; echo x > ${"h".repeat(100)}`;
    execFileSync("sh", ["-c", script, root]);
    expect(files(root)).toEqual(["a.txt", expect.stringMatching(/e\/g$/), "zz/b.txt"]);
    const left = Object.entries(skipped(root)).map(([file, reason]) => [
      file.replace(/.*\/(?=.)/, "").slice(0, 2),
      reason,
    ]);
    expect(left).toEqual([
      ["ff", "unreadable"],
      ["hh", "unreadable"],
    ]);
  });

  it("goes on where links lead in a circle and where git keeps nothing readable", () => {
    const root = folderWith({ "a/x.txt": "", "b/x.txt": "", "c/.git": "gitdir: ../nowhere", "c/x.txt": "" });
    symlinkSync(".git", path.join(root, "a/.git"));
    symlinkSync(".gitignore", path.join(root, "b/.gitignore"));
    expect(files(root)).toEqual(["a/x.txt", "b/x.txt", "c/x.txt"]);
  });

  it("reads files and folders whose names are not UTF-8, each by a name of its own", () => {
    const root = folderWith({ "a.txt": "", "b\\xFE.txt": "" });
    const odd = (...names: (string | number)[]) =>
      Buffer.concat(names.map((name) => (typeof name === "string" ? Buffer.from(name) : Buffer.of(name))));
    writeFileSync(odd(`${root}/x`, 0xff), "text");
    writeFileSync(odd(`${root}/x`, 0xfe), "text");
    mkdirSync(odd(`${root}/y`, 0xff));
    writeFileSync(odd(`${root}/y`, 0xff, "/in.txt"), "text");
    writeFileSync(odd(`${root}/y`, 0xff, "/out.log"), "text");
    writeFileSync(odd(`${root}/y`, 0xff, "/.gitignore"), "*.log\n");
    expect(files(root)).toEqual(["a.txt", "b\\xFE.txt", "x\\xFE", "x\\xFF", "y\\xFF/in.txt"]);
    expect(skipped(root)).toEqual({ "y\\xFF/.gitignore": "hidden", "y\\xFF/out.log": "ignored" });
    expect(walkOne(root, "y\\xFF/in.txt", OPTIONS)).toMatchObject({ kind: "file", size: 4 });
  });

  it("goes on past a folder it may not list", () => {
    const root = folderWith({ "a/x": "", "b/y": "" });
    chmodSync(path.join(root, "a"), 0);
    const found = [...walk(root, OPTIONS)].map((entry) => entry.path);
    chmodSync(path.join(root, "a"), 0o755);
    // The super-user may list anything.
    expect(found).toEqual(process.getuid?.() === 0 ? ["a/x", "b/y"] : ["a/", "b/y"]);
  });

  it("lets a rule re-include a hidden file, and reads all of them when asked, but never .git", () => {
    const root = folderWith({ ".ignore": "!.github", ".github/ci.yml": "", ".git/config": "", ".x": "" });
    expect(files(root)).toEqual([".github/ci.yml"]);
    expect(files(root, { ...OPTIONS, hidden: "index" })).toEqual([".github/ci.yml", ".ignore", ".x"]);
  });

  it("lets .ignore win over .gitignore wherever they stand", () => {
    const root = folderWith({ ".ignore": "!a.log", "sub/.gitignore": "*.log", "sub/a.log": "", "sub/b.log": "" });
    expect(files(root)).toEqual(["sub/a.log"]);
  });
});

describe("where rules begin and end", () => {
  it("counts the rules above a root inside a work tree", () => {
    const root = folderWith({
      ".git/info/exclude": "*.tmp",
      ".gitignore": "/sub/x",
      "sub/x": "",
      "sub/y": "",
      "sub/z.tmp": "",
    });
    expect(files(path.join(root, "sub"))).toEqual(["y"]);
  });

  it("reads a root that the rules above it ignore", () => {
    const root = folderWith({ ".git/HEAD": "", ".gitignore": "node_modules", "node_modules/p/index.js": "" });
    expect(files(root)).toEqual([]);
    expect(files(path.join(root, "node_modules"))).toEqual(["p/index.js"]);
  });

  it("ends .gitignore at a nested work tree", () => {
    const root = folderWith({ ".gitignore": "*.log", "inner/.git/HEAD": "", "inner/a.log": "", "b.log": "" });
    expect(files(root)).toEqual(["inner/a.log"]);
  });

  it("reads the excludes of a linked work tree from the shared folder", () => {
    const root = folderWith({
      "main/.git/info/exclude": "*.tmp",
      "main/.git/worktrees/w/commondir": "../..",
      "w/a.tmp": "",
      "w/a.txt": "",
    });
    folderPointer(root);
    expect(files(path.join(root, "w"))).toEqual(["a.txt"]);
  });

  function folderPointer(root: string): void {
    execFileSync("sh", ["-c", `echo "gitdir: ${root}/main/.git/worktrees/w" > "${root}/w/.git"`]);
  }
});

describe("agreement with git", () => {
  const NAMES = ["a", "b", "c.log", "d.txt", "keep"];
  const RULES = [
    "*.log",
    "/a",
    "a/",
    "b",
    "a/b",
    "**/keep",
    "!keep",
    "!*.log",
    "a/**",
    "*",
    "!*/",
    "/b/*",
    "d.*",
    "!d.txt",
    "[ab]",
  ];

  it.each(Array.from({ length: 40 }, (_, seed) => seed))("on random rules, seed %i", (seed) => {
    const random = generator(seed);
    const pick = <T>(items: readonly T[]): T => items[Math.floor(random() * items.length)]!;
    const tree: Record<string, string> = {};
    for (let count = 0; count < 25; count++) {
      const depth = 1 + Math.floor(random() * 3);
      const names = Array.from({ length: depth }, (_, level) =>
        level < depth - 1 ? pick(["a", "b", "keep"]) : pick(NAMES),
      );
      if (!isInTheWay(tree, names.join("/"))) tree[names.join("/")] = "";
    }
    for (const folder of ["", "a/", "b/"]) {
      if (folder !== "" && tree[folder.slice(0, -1)] !== undefined) continue;
      tree[`${folder}.gitignore`] = Array.from({ length: 3 }, () => pick(RULES)).join("\n");
    }
    const root = folderWith(tree);
    mkdirSync(path.join(root, "empty"));
    const env = { ...process.env, GIT_CONFIG_GLOBAL: "/dev/null", GIT_CONFIG_SYSTEM: "/dev/null" };
    const git = (...args: string[]) => execFileSync("git", args, { cwd: root, env, encoding: "utf8" });
    git("init", "-q");
    const listed = git("ls-files", "-z", "--others", "--exclude-standard").split("\0").filter(Boolean).sort();
    expect(files(root, { ...OPTIONS, hidden: "index" }).sort()).toEqual(listed);
  });

  function isInTheWay(tree: Record<string, string>, name: string): boolean {
    return Object.keys(tree).some((known) => known.startsWith(`${name}/`) || name.startsWith(`${known}/`));
  }

  /** A small generator, so that a failing seed can be run again. */
  function generator(seed: number): () => number {
    let state = seed * 2654435761 + 1;
    return () => {
      state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
      return state / 2 ** 32;
    };
  }
});
