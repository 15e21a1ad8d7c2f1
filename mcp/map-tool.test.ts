import { afterEach, beforeEach, expect, test } from "vitest";
import { INDEX } from "../code/index.js";
import { countDirectories } from "./map-sections.js";
import { Session } from "./testing/session.js";

let session: Session;

beforeEach(async () => {
  session = await Session.start();
  const folder = session.folder("app");
  for (let i = 0; i < 30; i++) folder.add(`src/part${i}/file.ts`, `function item${i}() {\n}\n`);
  folder.add("src/server.ts", "function serve() {\n}\n\nfunction item1() {\n}\n\nfunction push() {\n}\n");
  folder.finish({ binary: 2 });
  const refer = (id: string, name: string) =>
    session.node.put(INDEX.references, id, { repo: "app", path: "src/a.ts", name });
  ["serve", "serve", "serve", "item1", "item1", "item2", "push", "push", "push", "push", "push"].forEach((name, at) => {
    refer(String(at), name);
  });
});
afterEach(() => session.stop());

async function map(args: Record<string, unknown> = {}): Promise<string> {
  return (await session.call("map", args)).text;
}

test("what is here: folders, languages, directories, what is referred to most", async () => {
  const text = await map();
  expect(text).toMatch(/^folders: 1\n {2}app: \d+ files.* in \/.*\n {2}left out: 2 files \(binary 2\)\n/);
  expect(text).toContain("files by language: 31 (source 31)\n  typescript 31\n");
  expect(text).toContain("directories: 31\n  src/ 31\n  src/part0/ 1\n");
  expect(text).toMatch(
    /declarations referred to most\n {2}src\/server\.ts:1: function serve \(3 references\)\n.*item1 \(1 references\)\n/,
  );
});

test("a section that does not fit is continued by the call it prints", async () => {
  const seen: string[] = [];
  let args: Record<string, unknown> | undefined = { max_tokens: 200 };
  while (args !== undefined) {
    const text: string = await map(args);
    const own = text.slice(text.indexOf("directories"));
    seen.push(...[...own.matchAll(/^ {2}(src\S*)\/ \d+$/gm)].map((found) => found[1]));
    const next: string | undefined = [...text.matchAll(/next: map\((\{.*\})\)/g)]
      .map((found) => found[1])
      .find((call) => call.includes("directories"));
    args = next === undefined ? undefined : (JSON.parse(next) as Record<string, unknown>);
  }
  expect(seen).toHaveLength(31);
  expect(new Set(seen).size).toBe(31);
});

test("one folder, one section", async () => {
  expect(await map({ path: "src/part7/", section: "languages" })).toBe(
    "files by language: 1 (source 1)\n  typescript 1\n",
  );
});

test("an empty index is called empty", async () => {
  session.node.indices.clear();
  expect(await map()).toBe("the index is empty: `pinakes up FOLDER` makes a folder searchable\n");
});

test("directories are counted two levels deep", () => {
  expect(countDirectories(["a/b/c/x", "a/y", "z", "q/r/s"], "")).toEqual([
    ["a", 2],
    ["a/b", 1],
    ["q", 1],
    ["q/r", 1],
  ]);
  expect(countDirectories(["a/b/c/d/x"], "a")).toEqual([
    ["a/b", 1],
    ["a/b/c", 1],
  ]);
});
