import { afterEach, beforeEach, expect, test } from "vitest";
import { INDEX } from "../code/index.js";
import { countDirectories } from "./map-sections.js";
import type { CodeFolder } from "./testing/code-folder.js";
import { Session } from "./testing/session.js";

let session: Session;

let folder: CodeFolder;

beforeEach(async () => {
  session = await Session.start();
  folder = session.folder("app");
  for (let i = 0; i < 30; i++) folder.add(`src/part${i}/file.ts`, `function item${i}() {\n}\n`);
  folder.add("src/server.ts", "function serve() {\n}\n\nfunction item1() {\n}\n\nfunction push() {\n}\n");
  folder.finish({ binary: 2 });
  const refer = (id: string, name: string[]) =>
    session.node.put(INDEX.references, id, { repo: "app", path: "src/a.ts", name });
  refer("0", ["serve"]);
  refer("1", ["item1", "serve"]);
  refer("2", ["item1", "item2", "serve"]);
  for (let i = 3; i < 8; i++) refer(String(i), ["push"]);
});
afterEach(() => session.stop());

async function map(args: Record<string, unknown> = {}): Promise<string> {
  return (await session.call("map", args)).text;
}

test("what is here: folders, languages, directories, what is referred to most", async () => {
  const text = await map();
  expect(text).toMatch(/^folders: 1\n {2}app: \d+ files?,.* in \/.*\n {2}left out: 2 files \(binary 2\)\n/);
  expect(text).toContain("files by language: 31 (source 31)\n  typescript 31\n");
  expect(text).toContain("directories: 31\n  src/ 31\n  src/part0/ 1\n");
  expect(text).toMatch(
    /declarations referred to most, and by how many\n {2}src\/server\.ts:1: function serve \(used by 3\)\n.*item1 \(used by 1\)\n/,
  );
});

test("a folder below the repository's name is the repository's own", async () => {
  expect(await map({ path: "app/src/part3" })).toBe(await map({ repo: "app", path: "src/part3" }));
  expect(await map({ path: "app" })).toBe(await map({ repo: "app" }));
  expect(await map({ path: "app/nowhere" })).toContain("nothing at app/nowhere is in the index");
});

test("a declaration whose file is not as it was indexed is marked", async () => {
  folder.write("src/part2/file.ts", "// a line above\nfunction item2() {\n}\n");
  const text = await map({ section: "declarations" });
  expect(text).toContain("src/part2/file.ts:1: function item2, changed since it was indexed (used by 1)\n");
  expect(text).toContain("src/server.ts:1: function serve (used by 3)\n");
});

test("at the smallest budget a section from any item on shows one, and a section of nothing says so", async () => {
  folder.add(`src/${"deeply/".repeat(30)}long.ts`, "function item1() {\n}\n");
  folder.finish();
  for (let from = 0; from < 20; from++) {
    const text = await map({ section: "directories", max_tokens: 100, from });
    expect(text).not.toMatch(new RegExp(`"from":${from}\\b`));
    expect(text).toMatch(/\n {2}src/);
  }
  expect(await map({ section: "datasets" })).toBe("no data sets\n");
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

test("data sets: where each is searched, its fields, and which belong together", async () => {
  expect(await map()).not.toContain("data sets");
  const field = (name: string, type: string, more = {}) => ({
    name,
    type,
    present: 2,
    null_share: 0,
    distinct: 2,
    examples: [],
    ...more,
  });
  const dataset = (name: string, more: object) =>
    session.node.put(INDEX.catalog, name, {
      ...{
        entry: "dataset",
        repo: "app",
        path: `data/${name}`,
        dataset: name,
        part: "",
        index: `pinakes-data-${name}`,
      },
      ...{ records: 2, time_min: null, time_max: null, schema: [field("id", "long")], ...more },
    });
  dataset("b.csv", {
    schema: [field("mail", "keyword", { entity: "email" }), field("text", "text", { semantic: true })],
  });
  dataset("a.db", { part: "t", time_min: "2024-01-01T00:00:00.000Z", time_max: "2024-03-01T00:00:00.000Z" });
  dataset("old", { schema: undefined });
  const pair = (to: string) => ({
    from: { dataset: "b.csv", field: "mail" },
    to: { dataset: to, field: "id" },
    share: 0.98,
    reverse_share: 0.4,
  });
  session.node.put(INDEX.catalog, "correlations", {
    entry: "correlations",
    correlations: [pair("a.db"), pair("gone")],
  });
  expect(await map({ section: "datasets" })).toBe(
    "data sets: 2 (search each by POST /INDEX/_search)\n" +
      "  pinakes-data-a.db: 2 records of data/a.db (t), 2024-01-01..2024-03-01; id long\n" +
      "  pinakes-data-b.csv: 2 records of data/b.csv; mail keyword (email), text text (prose)\n" +
      "  b.csv.mail is in a.db.id: 98 %, the other way 40 %\n",
  );
  expect(await map({ section: "datasets", path: "src" })).not.toContain("pinakes-data");
});
