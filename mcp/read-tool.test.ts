import { symlinkSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { INDEX } from "../code/index.js";
import type { CodeFolder } from "./testing/code-folder.js";
import { Session } from "./testing/session.js";
import { gitBlobId } from "./working-file.js";

const TEXT = "function a() {\n  return 1;\n}\n\nfunction b() {\n  return 2;\n}\n";

let session: Session;
let folder: CodeFolder;
let locator: string;

beforeEach(async () => {
  session = await Session.start();
  folder = session.folder("app");
  folder.add("src/x.ts", TEXT);
  folder.finish();
  locator = /\S+#b@\S+/.exec((await session.call("search", { query: "def:b" })).text)?.[0] ?? "";
});
afterEach(() => session.stop());

async function read(args: Record<string, unknown>): Promise<string> {
  return (await session.call("read", args)).text;
}

describe("the ladder of a locator", () => {
  test("same file: exact", async () => {
    expect(await read({ locator })).toBe(`${locator} (exact)\n5: function b() {\n6:   return 2;\n7: }\n`);
  });

  test("lines beside it: those of its code, numbered as in the file", async () => {
    expect(await read({ locator, start_line: 6 })).toBe(`${locator} (exact)\n6:   return 2;\n7: }\n`);
    expect(await read({ locator, end_line: 5 })).toBe(`${locator} (exact)\n5: function b() {\n`);
    expect(await read({ locator, start_line: 9 })).toBe(`${locator} has nothing from line 9 to 7\n`);
  });

  test("at the smallest budget the answer ends with a call that goes on", async () => {
    folder.add("src/long.ts", `function long() {\n${"  step();\n".repeat(40)}}\n`);
    folder.finish();
    const [long] = /\S+#long@\S+/.exec((await session.call("search", { query: "def:long" })).text) ?? [];
    for (const args of [{ path: "src/long.ts" }, { locator: long }])
      expect(await read({ ...args, max_tokens: 100 })).toMatch(
        /\n\d+ more lines; next: the same read with "start_line":\d+\n$/,
      );
  });

  test("same file, not UTF-8: the text that the indexer decoded", async () => {
    const bytes = Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from(TEXT, "utf16le")]);
    folder.writeBytes("src/x.ts", bytes);
    const blob = gitBlobId(bytes);
    for (const index of [INDEX.files, INDEX.declarations]) {
      for (const source of folder.node.indices.get(index)?.values() ?? []) source.blob = blob;
    }
    const own = locator.replace(/@.{12}~/, `@${blob.slice(0, 12)}~`);
    expect(await read({ locator: own })).toMatch(/^src\/x\.ts:5-7#b@\S+ \(exact\)\n5: function b/);
    expect((await session.call("search", { query: "def:b" })).text).toContain("function\n5: function b() {\n");
    expect(await read({ path: "src/x.ts", start_line: 6, end_line: 6 })).toBe(
      "src/x.ts:6-6 of 7 lines\n6:   return 2;\n",
    );
  });

  test("same file, which the indexer made another text of: that text, by locator and by search", async () => {
    const cells = '{"cells": ["function a() {"]}\n'.repeat(7);
    folder.write("src/x.ts", cells);
    const blob = gitBlobId(Buffer.from(cells));
    for (const index of [INDEX.files, INDEX.declarations]) {
      for (const source of folder.node.indices.get(index)?.values() ?? []) source.blob = blob;
    }
    const own = locator.replace(/@.{12}~/, `@${blob.slice(0, 12)}~`);
    expect(await read({ locator: own })).toMatch(/ \(exact\)\n5: function b/);
    expect((await session.call("search", { query: "def:b" })).text).toContain("function\n5: function b() {\n");
  });

  test("became binary: gone, though the text stands among its bytes", async () => {
    folder.write("src/x.ts", `${"\0\x01".repeat(TEXT.length)}${TEXT}`);
    expect(await read({ locator })).toContain("gone: the file no longer has this text or name");
  });

  test("got a NUL by a slip: still text, as the indexer reads it", async () => {
    folder.write("src/x.ts", `\0${TEXT}`);
    const text = await read({ locator });
    expect(text).not.toContain("gone");
    expect(text).toContain("function b() {");
  });

  test("other line ends: changed, and shown as it is now", async () => {
    folder.write("src/x.ts", TEXT.replaceAll("\n", "\r\n"));
    expect(await read({ locator })).toMatch(/changed, found by its name\)\n5: function b\(\) \{/);
  });

  test("more on its last line: changed, not moved", async () => {
    folder.add("src/one.ts", "const one = (a) => a\n");
    const [whole] = /src\/one\.ts:1-1#\S*/.exec((await session.call("search", { query: "one" })).text) ?? [""];
    expect(whole).not.toBe("");
    folder.write("src/one.ts", "const one = (a) => a + 1\n");
    expect(await read({ locator: whole })).not.toContain("moved");
  });

  test("twice in a file, edited between: each is found where it is nearest", async () => {
    const twice = `${TEXT}${TEXT}`;
    folder.add("src/x.ts", twice);
    const found = (await session.call("search", { query: "def:b" })).text.match(/\S+#b@\S+/g) ?? [];
    expect(found).toHaveLength(2);
    folder.write("src/x.ts", `${TEXT}// between\n${TEXT}`);
    const titles = await Promise.all(found.map(async (one) => (await read({ locator: one })).split("#")[0]));
    expect(titles.sort()).toEqual(["src/x.ts:13-15", "src/x.ts:5-7"]);
  });

  test("a notebook: the text that the indexer made, not the file's own lines", async () => {
    folder.write("src/x.ts", '{"cells": ["other", "lines"]}\n'.repeat(9));
    const blob = gitBlobId(Buffer.from('{"cells": ["other", "lines"]}\n'.repeat(9)));
    for (const index of [INDEX.files, INDEX.declarations]) {
      for (const source of folder.node.indices.get(index)?.values() ?? [])
        Object.assign(source, { blob, format: "notebook" });
    }
    const own = locator.replace(/@.{12}~/, `@${blob.slice(0, 12)}~`);
    expect(await read({ locator: own })).toMatch(/^src\/x\.ts:5-7#b@\S+ \(exact\)\n5: function b/);
    expect((await session.call("search", { query: "def:b" })).text).toContain("function\n5: function b() {\n");
    expect(await read({ path: "src/x.ts", start_line: 6, end_line: 6 })).toBe(
      "src/x.ts:6-6 of 7 lines\n6:   return 2;\n",
    );
  });

  test("inside an archive, by path: as good as by locator", async () => {
    folder.write("lib.zip", "bytes of an archive");
    folder.index("lib.zip!/a.ts", TEXT);
    expect(await read({ path: "lib.zip!/a.ts", end_line: 1 })).toContain("(unverified)");
    await session.connect({ reindexFile: async () => {} });
    expect(await read({ path: "lib.zip!/a.ts", end_line: 1 })).toBe(
      "lib.zip!/a.ts:1-1 of 7 lines\n1: function a() {\n",
    );
  });

  test("inside an archive: as the index has it once the archive was looked at", async () => {
    folder.index("lib.zip!/a.ts", TEXT);
    folder.writeBytes("lib.zip", Buffer.from("PK"));
    const found = /\S+#b@\S+/.exec((await session.call("search", { query: "def:b path:lib.zip*" })).text)?.[0] ?? "";
    expect(await read({ locator: found })).toMatch(/#b@\S+ \(unverified\)\n5: function b/);
    const seen: string[] = [];
    await session.connect({ reindexFile: async (_root, path) => void seen.push(path) });
    expect(await read({ locator: found })).toMatch(/#b@\S+ \(exact\)\n5: function b/);
    expect(seen).toEqual(["lib.zip"]);
  });

  test("edited above: moved, found by its hash alone", async () => {
    folder.write("src/x.ts", `\n\n${TEXT}`);
    folder.forget("src/x.ts");
    folder.node.put(INDEX.catalog, "x", {
      entry: "file",
      repo: "app",
      path: "src/x.ts",
      status: "indexed",
      detail: "",
    });
    expect(await read({ locator })).toMatch(/^src\/x\.ts:7-9#b@\S+ \(moved \+2 lines\)\n7: function b/);
  });

  test("edited itself: changed, with its new text and a locator for that", async () => {
    folder.write("src/x.ts", TEXT.replace("return 2", "return 3"));
    const text = await read({ locator });
    expect(text).toMatch(/^src\/x\.ts:5-7#b@\S+ \(changed, found by its name\)\n5: function b\(\) \{\n6: {3}return 3;/);
    expect(await read({ locator: text.split(" ")[0] })).toContain("(exact)");
  });

  test("file renamed: found under its new path", async () => {
    folder.delete("src/x.ts");
    folder.forget("src/x.ts");
    folder.add("lib/y.ts", TEXT);
    expect(await read({ locator })).toMatch(/^lib\/y\.ts:5-7#b@\S+ \(moved here from src\/x\.ts\)\n5: function b/);
  });

  test("file renamed among several repositories: found in the one that has it now", async () => {
    const other = session.folder("aaa");
    other.add("other.ts", "other\n");
    other.finish();
    folder.delete("src/x.ts");
    expect(await read({ locator })).toContain("a renamed file is found once its folder is indexed again");
    folder.forget("src/x.ts");
    folder.add("lib/y.ts", TEXT);
    expect(await read({ locator })).toMatch(/^lib\/y\.ts:5-7#b@\S+ \(moved here from src\/x\.ts\)\n5: function b/);
  });

  test("declaration moved to another file: found by its hash in the index", async () => {
    folder.add("src/x.ts", "function a() {\n}\n");
    folder.add("lib/z.ts", "// here now\nfunction b() {\n  return 2;\n}\n");
    expect(await read({ locator })).toMatch(/^lib\/z\.ts:2-4#b@\S+ \(moved here from src\/x\.ts\)\n2: function b/);
  });

  test("gone: no text at all", async () => {
    folder.add("src/x.ts", "function c() {\n  return 2;\n}\n");
    expect(await read({ locator })).toBe("src/x.ts b: gone: the file no longer has this text or name\n");
  });

  test("not on this machine: what the index says, unverified", async () => {
    folder.dispose();
    expect(await read({ locator })).toMatch(/\(unverified\)\n5: function b/);
    folder.index("src/x.ts", `\n${TEXT}`);
    expect(await read({ locator })).toMatch(/:6-8#b@\S+ \(moved \+1 lines, unverified\)\n6: function b/);
    folder.index("src/x.ts", TEXT.replace("return 2", "return 3"));
    expect(await read({ locator })).toMatch(
      /\(changed, found by the index, unverified\)\n5: function b[\s\S]*return 3/,
    );
    folder.forget("src/x.ts");
    expect(await read({ locator })).toContain("gone: the index has neither this text nor this name, unverified");
  });
});

describe("lines of a file", () => {
  test("all or some, a locator given as path too", async () => {
    expect(await read({ path: "./src/x.ts" })).toMatch(/^src\/x\.ts:1-7 of 7 lines\n1: function a/);
    expect(await read({ path: "src/x.ts", start_line: 2, end_line: 99 })).toMatch(
      /^src\/x\.ts:2-7 of 7 lines\n2: {3}return 1/,
    );
    expect(await read({ path: "src/x.ts", start_line: 9 })).toContain("src/x.ts has 7 lines");
    expect(await read({ path: locator })).toContain("(exact)");
    expect(await read({ path: join(folder.root, "src/x.ts"), end_line: 1 })).toMatch(/^src\/x\.ts:1-1 of 7 lines\n/);
  });

  test("continues until the end, and notices an edit between", async () => {
    const lines = Array.from({ length: 200 }, (_, at) => `line ${at + 1} of a file that is longer than the budget`);
    folder.add("long.txt", `${lines.join("\n")}\n`);
    const seen: string[] = [];
    let args: Record<string, unknown> | undefined = { path: "long.txt", max_tokens: 500 };
    while (args !== undefined) {
      const text: string = await read(args);
      seen.push(...[...text.matchAll(/^\d+: (.*)$/gm)].map((found) => found[1]));
      const next: string | undefined = /next: read\((\{.*\})\)$/m.exec(text)?.[1];
      args = next === undefined ? undefined : (JSON.parse(next) as Record<string, unknown>);
      if (args !== undefined) expect(args.max_tokens).toBe(500);
      if (seen.length < 30 && args !== undefined) expect(text).toMatch(/\n\d+ more lines; next/);
    }
    expect(seen).toEqual(lines);
    folder.write("long.txt", "other\n");
    expect(await read({ path: "long.txt", blob: "0123456789ab" })).toContain("changed since the earlier answer");
  });

  test("an empty path or locator is called empty", async () => {
    const refused = async (args: Record<string, unknown>) => (await session.call("read", args)).text;
    expect(await refused({ path: "" })).toContain('"path" is empty: give the path of a file');
    expect(await refused({ path: " ", start_line: 1 })).toContain('"path" is empty');
    expect(await refused({ locator: "" })).toContain('"locator" is empty: give one as a search printed it');
  });

  test("a path below the repository's name is that of the repository's own file", async () => {
    expect(await read({ path: "app/src/x.ts" })).toBe(await read({ path: "src/x.ts" }));
    expect(await read({ path: "app/src/y.ts" })).toContain("there is no src/y.ts in app");
  });

  test("a path that is not there leads to those that are near, and one outside of all folders is told as such", async () => {
    expect(await read({ path: "x.ts" })).toBe("there is no x.ts in app; near paths: src/x.ts\n");
    expect(await read({ path: "/elsewhere/x.ts" })).toBe(
      "/elsewhere/x.ts lies in none of the indexed folders; near paths: src/x.ts\n",
    );
    session.folder("lib").finish();
    expect(await read({ path: "nowhere.ts" })).toBe("there is no nowhere.ts in any repository\n");
    expect(await read({ path: "nowhere.ts", repo: "lib" })).toBe("there is no nowhere.ts in lib\n");
  });

  /** Follows `next` calls to the end; what they show of line `number`, joined. */
  async function readOn(args: Record<string, unknown>, number: number): Promise<string> {
    let shown = "";
    let next: Record<string, unknown> | undefined = args;
    for (let calls = 0; next !== undefined; calls++) {
      expect(calls).toBeLessThan(100);
      const text: string = await read({ ...next, max_tokens: args.max_tokens });
      const line = new RegExp(
        `^${number}: (?:\\(\\+\\d+ bytes\\) \\.{3} )?(.*?)(?: \\.{3} \\(\\+\\d+ bytes\\))?$`,
        "m",
      );
      shown += line.exec(text)?.[1] ?? "";
      const call: string | undefined = /more bytes of line \d+; next: read\((\{.*\})\)$/m.exec(text)?.[1];
      next = call === undefined ? undefined : (JSON.parse(call) as Record<string, unknown>);
    }
    return shown;
  }

  test("a line longer than the budget is continued by its bytes, to its end, and then the lines after it", async () => {
    const wide = Array.from({ length: 1500 }, (_, at) => `wörd${at};`).join("");
    folder.add("wide.txt", `${wide}\nend\n`);
    expect(await readOn({ path: "wide.txt", max_tokens: 200 }, 1)).toBe(wide);
    expect(await readOn({ path: "wide.txt", end_line: 1, max_tokens: 1000 }, 1)).toBe(wide);
    const first = await read({ path: "wide.txt", max_tokens: 200 });
    expect(first).toMatch(/\n\d+ more bytes of line 1; next: .*\n1 more lines; next: read\(.*"start_line":2/);
  });

  test("a long line among others is cut, and the call that shows it whole is given", async () => {
    folder.add("wide.txt", `a\n${"x".repeat(9000)}\nend\n`);
    const text = await read({ path: "wide.txt" });
    expect(text).toMatch(/2: x+ \.\.\. \(\+\d+ bytes\)\n3: end\n1 long lines are cut; line 2 whole: read\(/);
    const call = JSON.parse(/whole: read\((\{.*\})\)/.exec(text)?.[1] ?? "{}") as Record<string, unknown>;
    expect(await readOn({ ...call, max_tokens: 1000 }, 2)).toBe("x".repeat(9000));
    expect(await read({ ...call, max_tokens: 50_000 })).toContain(`2: ${"x".repeat(9000)}\n`);
  });

  test("bytes of a line begin and end with a character, and there are none behind its end", async () => {
    folder.add("u.txt", "aüb\n");
    expect(await read({ path: "u.txt", start_byte: 2 })).toContain("1: (+1 bytes) ... üb\n");
    expect(await read({ path: "u.txt", end_byte: 2 })).toContain("1: a ... (+3 bytes)\n");
    expect(await read({ path: "u.txt", start_byte: 4 })).toContain("has 4 bytes: there is nothing from byte 4 on");
    expect((await session.call("read", { locator, start_byte: 1 })).text).toContain('go with a "path"');
  });

  test("a declaration in a very long line is shown by its locator, without the rest of the line", async () => {
    const code = "function tiny(){return 7}";
    const line = `${"a;".repeat(4000)}${code}${"z;".repeat(4000)}`;
    folder.add("min.js", `${line}\n`);
    const found = folder.addPiece("min.js", line, code);
    expect(await read({ locator: found })).toBe(`${found} (exact)\n1: (+8000 bytes) ... ${code} ... (+8000 bytes)\n`);
    const search = await session.call("search", { query: "def:tiny" });
    expect(search.text).toContain(`1: (+8000 bytes) ... ${code} ... (+8000 bytes)\n`);
    folder.write("min.js", `b;${line}\n`);
    expect((await session.call("search", { query: "def:tiny" })).text).toContain(`1: (+8002 bytes) ... ${code} ... (`);
  });

  test("from the index, where the folder is not here", async () => {
    folder.dispose();
    expect(await read({ path: "src/x.ts", start_line: 5, end_line: 5 })).toBe(
      "src/x.ts:5-5 of 7 lines (unverified)\n5: function b() {\n",
    );
  });
});

describe("what the index left out stays out", () => {
  test("a file that it never met, or refused", async () => {
    folder.write("secret.env", "KEY=1\n");
    expect(await read({ path: "secret.env" })).toBe("secret.env is not in the index of app\n");
    folder.node.put(INDEX.catalog, "s", {
      entry: "file",
      repo: "app",
      path: "secret.env",
      status: "secret",
      detail: "a key",
    });
    expect(await read({ path: "secret.env" })).toBe("secret.env was left out of the index: secret (a key)\n");
  });

  test("a path or link that leads out of the folder", async () => {
    expect(await read({ path: "../../etc/passwd" })).not.toContain("root:");
    symlinkSync("/etc/passwd", join(folder.root, "link.txt"));
    folder.node.put(INDEX.catalog, "l", {
      entry: "file",
      repo: "app",
      path: "link.txt",
      status: "indexed",
      detail: "",
    });
    expect(await read({ path: "link.txt" })).toContain("the path leads out of the folder");
  });

  test("a new file is indexed first, where that is possible", async () => {
    folder.write("new.ts", "function fresh() {\n}\n");
    await session.connect({ reindexFile: async (_root, path) => folder.index(path, "function fresh() {\n}\n") });
    expect(await read({ path: "new.ts" })).toContain("1: function fresh");
  });
});

test("a path in several repositories must say which", async () => {
  const other = session.folder("lib");
  other.add("src/x.ts", "other\n");
  other.finish();
  expect(await session.call("read", { path: "src/x.ts" })).toMatchObject({
    isError: true,
    text: expect.stringContaining('say "repo" (app, lib)'),
  });
  expect(await read({ path: "src/x.ts", repo: "lib" })).toContain("1: other");
  expect(await read({ locator })).toContain("(exact)");
});

test("an empty file has no lines, one of a line end has one", async () => {
  folder.add("empty.ts", "");
  folder.add("one.ts", "\n");
  expect(await read({ path: "empty.ts" })).toBe("empty.ts is empty: it has 0 lines\n");
  expect(await read({ path: "one.ts" })).toBe("one.ts:1-1 of 1 lines\n1: \n");
});

test("what was met and is no file is told by the folder that has it", async () => {
  const other = session.folder("other");
  other.finish();
  const pipe = { entry: "file", root: other.root, repo: "other", path: "pipe", status: "not_a_file", detail: "" };
  session.node.put(INDEX.catalog, "other:pipe", pipe);
  expect(await read({ path: "pipe" })).toBe("pipe in other was left out of the index: not_a_file\n");
});

test("a name with a line break is read as it is printed", async () => {
  folder.add("a\nb.ts", "let broken = 1;\n");
  expect(await read({ path: "a\\nb.ts" })).toBe("a\\nb.ts:1-1 of 1 lines\n1: let broken = 1;\n");
});

test("a folder that was asked for as a file, and a repository that there is not, are told as such", async () => {
  expect(await read({ path: "src/" })).toBe(
    'src is a folder: map({"path":"src"}) says what is in it, search with path:src/ finds there\n',
  );
  for (const [name, args] of Object.entries({ read: { path: "src/x.ts" }, symbol: { name: "b" }, map: {} }))
    expect(await session.call(name, { ...args, repo: "ap" })).toEqual({
      text: "there is no repository ap (did you mean app?); there are: app\n",
      isError: true,
    });
});
