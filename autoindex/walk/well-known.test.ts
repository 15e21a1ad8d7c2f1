import { execFileSync } from "node:child_process";
import { mkdirSync, symlinkSync, truncateSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import path from "node:path";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { folderWith } from "../testing/folder.js";
import { globalExcludes } from "./git.js";
import { pathMatches } from "./glob.js";
import { IgnoreFile } from "./rules.js";
import { type WalkOptions, walk, walkOne } from "./walk.js";

/** Works as ever, and counts how often it is asked. */
vi.mock("./glob.js", async (load) => {
  const own = await load<typeof import("./glob.js")>();
  return { ...own, pathMatches: vi.fn(own.pathMatches) };
});

const OPTIONS: WalkOptions = { hidden: "skip", globalIgnore: "none" };

/** Puts something at a path that is no file that could be read. */
type Put = (file: string) => void;
const PIPE: Put = (file) => void execFileSync("mkfifo", [file]);
const ODD: [what: string, why: string, put: Put][] = [
  ["a pipe", "it is a pipe, no file", PIPE],
  ["a link to a device without end", "it is a device, no file", (file) => symlinkSync("/dev/zero", file)],
  [
    "a link to a pipe",
    "it is a pipe, no file",
    (file) => {
      PIPE(`${file}-pipe`);
      symlinkSync(`${file}-pipe`, file);
    },
  ],
  [
    "larger than memory",
    "it has 1099511627776 bytes, more than",
    (file) => {
      writeFileSync(file, "");
      truncateSync(file, 2 ** 40);
    },
  ],
];
const NAMES = [".gitignore", ".ignore", ".gitattributes", ".git", ".git/info/exclude"];

describe("files that are read by their well-known names", () => {
  it.each(ODD.flatMap(([what, why, put]) => NAMES.map((name) => [name, what, why, put] as const)))(
    "%s may be %s: the walk goes on and tells of it",
    (name, _what, why, put) => {
      const root = folderWith({ "sub/a.txt": "", "sub/b.txt": "" });
      const folder = path.join(root, "sub");
      if (name === ".git/info/exclude") mkdirSync(path.join(folder, ".git", "info"), { recursive: true });
      put(path.join(folder, name));
      const told: string[] = [];
      const met = [...walk(root, { ...OPTIONS, unread: (file, reason) => told.push(`${file}: ${reason}`) })];
      expect(met.filter(({ kind }) => kind === "file").map((entry) => entry.path)).toEqual(["sub/a.txt", "sub/b.txt"]);
      const entry = met.find((one) => one.path === `sub/${name}`);
      expect(entry).toMatchObject({ kind: "skip", reason: "rules_unread", detail: expect.stringContaining(why) });
      expect(told).toHaveLength(1);
      expect(told[0]).toContain(`${path.join(folder, name)}: ${why}`);
      if (!name.startsWith(".git/") && name !== ".git")
        expect(walkOne(root, `sub/${name}`, OPTIONS)).toMatchObject({ reason: "rules_unread" });
    },
  );

  it("may be a socket", async () => {
    const root = folderWith({ "a.txt": "" });
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(path.join(root, ".gitignore"), resolve));
    onTestFinished(() => void server.close());
    expect([...walk(root, OPTIONS)]).toMatchObject([
      { path: ".gitignore", reason: "rules_unread", detail: "it is a socket, no file" },
      { path: "a.txt", kind: "file" },
    ]);
  });

  it("are told of above the folder that is walked, and of the user's own", () => {
    const root = folderWith({ "sub/a.txt": "", ".git/HEAD": "" });
    PIPE(path.join(root, ".gitignore"));
    const told: string[] = [];
    expect([...walk(path.join(root, "sub"), { ...OPTIONS, unread: (file) => told.push(file) })]).toHaveLength(1);
    expect(told).toEqual([path.join(root, ".gitignore")]);
    const home = folderWith({});
    PIPE(path.join(home, ".gitconfig"));
    mkdirSync(path.join(home, "git"));
    PIPE(path.join(home, "git", "ignore"));
    expect(globalExcludes(home, home)).toMatchObject({ text: undefined, refusal: "it is a pipe, no file" });
  });

  it("count as usual when they are links to files, and as none when they are folders or lead nowhere", () => {
    const rules = folderWith({ rules: "*.log\n" });
    const root = folderWith({ "a.log": "", "b.txt": "", ".ignore/x": "" });
    symlinkSync(path.join(rules, "rules"), path.join(root, ".gitignore"));
    symlinkSync("nowhere", path.join(root, ".gitattributes"));
    const told: string[] = [];
    const met = [...walk(root, { ...OPTIONS, unread: (file) => told.push(file) })];
    expect(met.map((entry) => (entry.kind === "skip" ? `${entry.path} ${entry.reason}` : entry.path))).toEqual([
      ".gitattributes hidden",
      ".gitignore hidden",
      ".ignore/ hidden",
      "a.log ignored",
      "b.txt",
    ]);
    expect(told).toEqual([]);
  });

  it("a large file of rules is an ordinary file where hidden ones are read", () => {
    const root = folderWith({ ".gitignore": "#".repeat(5 * 1024 * 1024), "a.txt": "" });
    const met = [...walk(root, { ...OPTIONS, hidden: "index" })];
    expect(met.map(({ kind, path: at }) => `${kind} ${at}`)).toEqual(["file .gitignore", "file a.txt"]);
  });
});

describe("very many rules", () => {
  it("of names that are written out all count, at the cost of few", () => {
    const lines = Array.from({ length: 200_000 }, (_, at) => `/gen/f${at}.c`);
    const rules = new IgnoreFile(".gitignore", [...lines, "!/gen/f7.c", "x/f8.c"].join("\n"));
    vi.mocked(pathMatches).mockClear();
    let ignored = 0;
    for (let at = 0; at < 20_000; at++) if (rules.judge(["gen", `f${at}.c`], "file")?.ignored) ignored++;
    expect(ignored).toBe(19_999);
    // One rule after the other would be tried two thousand million times: here those of the same last name are, f7.c and f8.c have two.
    expect(vi.mocked(pathMatches).mock.calls.length).toBeLessThanOrEqual(20_002);
    expect(rules.refusal).toBe("");
  });

  it("with wildcards count up to a bound, and the rest is told of", () => {
    const lines = Array.from({ length: 6_000 }, (_, at) => `*.x${at}`);
    const rules = new IgnoreFile(".gitignore", ["plain", ...lines, "last"].join("\n"));
    expect(rules.judge(["a.x4999"], "file")).toMatchObject({ ignored: true, why: ".gitignore:5001: *.x4999" });
    expect(rules.judge(["a.x5000"], "file")).toBeUndefined();
    expect(rules.judge(["last"], "file")?.ignored).toBe(true);
    expect(rules.refusal).toMatch(
      /^from line 5002 on, rules whose last name has a wildcard are too many \(5000 count\)$/,
    );
  });

  it("the last rule that speaks of a path decides, whether it has a wildcard or not", () => {
    const judge = (text: string) => new IgnoreFile("", text).judge(["a.log"], "file")?.ignored;
    expect(judge("*.log\n!a.log")).toBe(false);
    expect(judge("!a.log\n*.log")).toBe(true);
    expect(judge("a.log\n!*.log\na.log/")).toBe(false);
    expect(judge("!*.log\na.log\n*.txt")).toBe(true);
  });
});
