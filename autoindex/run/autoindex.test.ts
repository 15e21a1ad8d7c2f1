import { chmodSync, mkdirSync, renameSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import type { Client } from "../../client/index.js";
import { INDEX, RACY_DETAIL } from "../../code/index.js";
import type { AutoindexOptions, Progress } from "../options.js";
import type { FakeNode } from "../testing/fake-node.js";
import { fakeNodeForEach } from "../testing/fake-node-each.js";
import { folderWith, write } from "../testing/folder.js";
import { autoindex } from "./autoindex.js";
import { explainPath } from "./explain-path.js";

let node: FakeNode;
let client: Client;
fakeNodeForEach((made) => {
  ({ node, client } = made);
});

const index = (folder: string, more: Partial<AutoindexOptions> = {}) =>
  autoindex({ client, folder, globalIgnore: "none", workers: 1, ...more });
const paths = (name: string) => [...new Set([...node.documents(name).values()].map((source) => source.path))].sort();
const names = (filePath: string) => node.of(INDEX.declarations, filePath).map((source) => source.name);
const folderEntry = () => [...node.documents(INDEX.catalog).values()].find(({ entry }) => entry === "folder");
const status = (filePath: string) => node.of(INDEX.catalog, filePath)[0]?.status;

describe("a first run", () => {
  it("writes files, declarations, references and the catalog, and says what it did", async () => {
    const root = folderWith({
      "src/a.py": "import os\n\ndef load():\n    return os.read()\n",
      "README.md": "# Hi\n",
      "x.bin": "\0",
    });
    const seen: Progress[] = [];
    const options = { client, folder: root, globalIgnore: "none" as const, workers: 1 };
    const summary = await autoindex(options, (progress) => seen.push(progress));
    expect(summary).toMatchObject({ root, seen: 3, indexed: 2, unchanged: 0, removed: 0, skipped: { binary: 1 } });
    // A binary is found by its name and type.
    expect(paths(INDEX.files)).toEqual(["README.md", "src/a.py", "x.bin"]);
    expect(names("src/a.py")).toEqual(["a.py", "load"]);
    expect(node.of(INDEX.references, "src/a.py").map(({ name, enclosing }) => [name, enclosing])).toEqual([
      [["os"], ""],
      [["read"], "load"],
    ]);
    expect(status("x.bin")).toBe("binary");
    expect(seen.at(-1)).toMatchObject({ phase: "finishing", toRead: 3, read: 3 });
    expect(summary.suggestions).toContain("load");
  });

  it("writes documents that the contract describes", async () => {
    const text = "# ä\nclass Größe:\n    def f(self): pass\n";
    const root = folderWith({ "a.py": text });
    const { repo } = await index(root);
    const [file] = node.of(INDEX.files, "a.py");
    expect(file).toMatchObject({
      repo,
      language: "python",
      class: "source",
      lines: 3,
      size: Buffer.byteLength(text),
      body: text,
    });
    const method = node.of(INDEX.declarations, "a.py").find(({ name }) => name === "f")!;
    const bytes = Buffer.from(text).subarray(method.start_byte as number, method.end_byte as number);
    expect(bytes.toString()).toBe(method.code);
    expect(method).toMatchObject({
      kind: "method",
      qualified_name: "Größe.f",
      start_line: 3,
      end_line: 3,
      blob: file!.blob,
    });
    expect(String(method.locator)).toMatch(/^a\.py:3-3#Größe\.f@[0-9a-f]{12}~[0-9a-f]{12}$/);
  });

  it("reads a file whose name is not UTF-8, and says of it what became of it", async () => {
    const root = folderWith({ "a.py": "def plain(): pass\n" });
    writeFileSync(
      Buffer.concat([Buffer.from(`${root}/caf`), Buffer.of(0xe9), Buffer.from(".py")]),
      "def odd(): pass\n",
    );
    await index(root);
    expect(names("caf\\xE9.py")).toContain("odd");
    expect(await index(root)).toMatchObject({ unchanged: 2 });
    // What a shell hands over reaches the program with a mark instead of the byte.
    expect(await explainPath(client, root, "caf\uFFFD.py")).toMatchObject({
      status: "indexed",
      decidedBy: "caf\\xE9.py",
    });
    expect(await explainPath(client, root, "caf\\xE9.py")).toMatchObject({ status: "indexed" });
  });

  it("reads lists of records into an index of their own", async () => {
    const root = folderWith({ "data/orders.csv": "id,city\n1,Rom\n2,Oslo\n", "package.json": '{"name": "x"}' });
    const summary = await index(root, { repo: "shop" });
    expect(summary).toMatchObject({ records: 2, datasets: ["shop-data-orders.csv"] });
    expect([...node.documents("pinakes-data-shop-data-orders.csv").values()]).toEqual([
      { id: 1, city: "Rom" },
      { id: 2, city: "Oslo" },
    ]);
    expect(node.of(INDEX.files, "data/orders.csv")[0]).toMatchObject({ class: "data", parsed: "windows" });
    const [window] = node.of(INDEX.declarations, "data/orders.csv");
    expect(window).toMatchObject({ kind: "window", code: "id,city\n1,Rom\n2,Oslo", end_line: 3 });
    expect(names("package.json")).toEqual(["name"]);
    expect(
      node
        .of(INDEX.catalog, "data/orders.csv")
        .map(({ entry }) => entry)
        .sort(),
    ).toEqual(["dataset", "file"]);
  });

  it("reads lists beyond the limit as text, and counts them", async () => {
    const root = folderWith({ "a.csv": "x,y\n1,2\n", "b.csv": "x,y\n1,2\n" });
    expect(await index(root, { maxDatasets: 1 })).toMatchObject({
      datasets: [expect.any(String)],
      datasetsBeyondLimit: 1,
    });
    expect(names("b.csv")).toEqual(["b.csv"]);
  });

  it("builds the same index with one process and with three", async () => {
    const files = Object.fromEntries(
      Array.from({ length: 60 }, (_, n) => [`f${n}.js`, `function f${n}() { g(${n}); }\n`]),
    );
    const root = folderWith(files);
    await index(root, { repo: "same", workers: 1 });
    const alone = node.bulks().map(({ body }) => body);
    node.indices.clear();
    node.calls.length = 0;
    await index(root, { repo: "same", workers: 3 });
    expect(node.bulks().map(({ body }) => body)).toEqual(alone);
  });

  it("refuses what is no folder", async () => {
    await expect(index("/nowhere/at/all")).rejects.toMatchObject({ problem: "not_a_folder" });
  });

  it("leaves a file above the limit unread and says so", async () => {
    const root = folderWith({ "big.txt": "x".repeat(2000), "small.txt": "x" });
    expect(await index(root, { maxFileBytes: 1000 })).toMatchObject({ indexed: 1, skipped: { too_large: 1 } });
    expect(node.of(INDEX.catalog, "big.txt")[0]).toMatchObject({ status: "too_large", detail: "2000 bytes" });
  });
});

describe("a further run", () => {
  it("sends nothing when nothing has changed", async () => {
    const root = folderWith({ ".gitignore": "out/", "out/x": "", "a.py": "def f(): pass\n", "x.bin": "\0" });
    await index(root);
    node.calls.length = 0;
    expect(await index(root)).toMatchObject({
      indexed: 0,
      unchanged: 4,
      skipped: { binary: 1, hidden: 1, ignored: 1 },
    });
    expect(node.bulks()).toEqual([]);
  });

  it("replaces an edited file's documents in one request, between withdrawing its entry and writing the new one", async () => {
    const root = folderWith({ "a.py": "def old(): pass\n", "b.py": "def b(): pass\n" });
    await index(root);
    write(root, "a.py", "def new(): pass\n", 1_700_000_100);
    node.calls.length = 0;
    expect(await index(root)).toMatchObject({ indexed: 1, unchanged: 1 });
    expect(names("a.py")).toEqual(["new"]);
    expect(node.of(INDEX.files, "a.py")).toHaveLength(1);
    const [withdrawn, documents, written] = node.bulks().map(({ body }) => body);
    expect(node.bulks()).toHaveLength(3);
    expect(withdrawn!.trim()).toMatch(/^\{"delete":\{"_index":"pinakes-catalog","_id":"file\.[^"]+"\}\}$/);
    expect(documents).not.toContain(INDEX.catalog);
    expect(documents).toMatch(/"delete"[\s\S]*"index"/);
    expect(written).toMatch(/^\{"index":\{"_index":"pinakes-catalog"[\s\S]*\n\{"entry":"file"[\s\S]*"path":"a\.py"/);
  });

  it("sees an edit of the same size", async () => {
    const root = folderWith({ "a.py": "def old(): pass\n" });
    await index(root);
    write(root, "a.py", "def new(): pass\n", 1_700_000_001);
    await index(root);
    expect(names("a.py")).toEqual(["new"]);
  });

  it("sees an edit within the same time stamp when the file was read just after its last change", async () => {
    const root = folderWith({ "a.py": "" });
    // An hour ahead: just before the reading, however long the process that reads takes to start.
    const soon = Date.now() / 1000 + 3600;
    write(root, "a.py", "def old(): pass\n", soon);
    await index(root);
    expect(node.of(INDEX.catalog, "a.py")[0]!.detail).toBe(RACY_DETAIL);
    write(root, "a.py", "def new(): pass\n", soon);
    await index(root);
    expect(names("a.py")).toEqual(["new"]);
  });

  it("writes the new time stamp alone when the content is the same", async () => {
    const root = folderWith({ "a.py": "def f(): pass\n" });
    await index(root);
    utimesSync(path.join(root, "a.py"), 1_700_000_500, 1_700_000_500);
    node.calls.length = 0;
    expect(await index(root)).toMatchObject({ indexed: 0, unchanged: 1 });
    expect(node.bulks().map(({ body }) => body.trim().split("\n").length)).toEqual([2]);
    expect(node.of(INDEX.catalog, "a.py")[0]!.mtime_ms).toBe(1_700_000_500_000);
  });

  it("removes what has gone and what is ignored now, data sets too", async () => {
    const root = folderWith({ "a.py": "def f(): pass\n", "b.py": "def g(): pass\n", "c.csv": "x,y\n1,2\n" });
    await index(root, { repo: "r" });
    rmSync(path.join(root, "a.py"));
    rmSync(path.join(root, "c.csv"));
    write(root, ".gitignore", "b.py");
    expect(await index(root)).toMatchObject({ removed: 2, datasets: [], skipped: { ignored: 1, hidden: 1 } });
    expect(paths(INDEX.files)).toEqual([]);
    expect(paths(INDEX.declarations)).toEqual([]);
    expect([...node.indices.keys()].filter((name) => name.startsWith(INDEX.dataPrefix))).toEqual([]);
    expect(node.of(INDEX.catalog, "c.csv")).toEqual([]);
    expect(status("b.py")).toBe("ignored");
  });

  it("follows a rename", async () => {
    const root = folderWith({ "old.py": "def f(): pass\n" });
    await index(root);
    rmSync(path.join(root, "old.py"));
    write(root, "new.py", "def f(): pass\n");
    expect(await index(root)).toMatchObject({ indexed: 1, removed: 1 });
    expect(paths(INDEX.declarations)).toEqual(["new.py"]);
  });

  it("follows a rename in one commit: searches see the old path or the new one, never both nor neither", async () => {
    const root = folderWith({ "z/old.py": "def f(): pass\n", "b.py": "def g(): pass\n" });
    await index(root);
    node.calls.length = 0;
    mkdirSync(path.join(root, "a"));
    renameSync(path.join(root, "z/old.py"), path.join(root, "a/new.py"));
    write(root, "b.py", "def h(): pass\n");
    expect(await index(root)).toMatchObject({ indexed: 2, removed: 1 });
    const changing = node.bulks().filter(({ body }) => body.includes("a/new.py") && body.includes(INDEX.declarations));
    expect(changing).toHaveLength(1);
    expect(changing[0]!.body).toContain('{"delete":{"_index":"pinakes-decls"');
    expect(paths(INDEX.declarations)).toEqual(["a/new.py", "b.py"]);
  });

  it("follows files that trade their names", async () => {
    const root = folderWith({ "a.py": "def f(): pass\n", "b.py": "def g(): pass\n" });
    await index(root);
    renameSync(path.join(root, "a.py"), path.join(root, "c.py"));
    renameSync(path.join(root, "b.py"), path.join(root, "a.py"));
    renameSync(path.join(root, "c.py"), path.join(root, "b.py"));
    await index(root);
    expect([names("a.py"), names("b.py")]).toEqual([["g"], ["f"]]);
  });

  it("reads again what another version of the extractor wrote", async () => {
    const root = folderWith({ "a.py": "def f(): pass\n" });
    await index(root);
    for (const source of node.documents(INDEX.catalog).values()) if (source.entry === "file") source.version = "0-old";
    expect(await index(root)).toMatchObject({ indexed: 1 });
    expect(node.of(INDEX.declarations, "a.py")).toHaveLength(1);
  });

  it("clears away what a run that was cut off has left", async () => {
    const root = folderWith({ "a.py": "def old(): pass\n" });
    await index(root);
    for (const [id, source] of node.documents(INDEX.catalog)) {
      if (source.root === root) node.documents(INDEX.catalog).delete(id);
    }
    write(root, "a.py", "def new(): pass\n", 1_700_000_100);
    await index(root);
    expect(names("a.py")).toEqual(["new"]);
    expect(node.of(INDEX.files, "a.py")).toHaveLength(1);
  });

  it("marks a file that the node refuses, keeps nothing of it, and tries it again when it has changed", async () => {
    const root = folderWith({ "a.py": "def f(): pass\n", "b.py": "def g(): pass\n" });
    node.refuse = (name, source) =>
      name === INDEX.declarations && source.path === "a.py" ? "no such value" : undefined;
    expect(await index(root)).toMatchObject({ indexed: 1, declarations: 1, skipped: { rejected: 1 } });
    expect(node.of(INDEX.catalog, "a.py")[0]).toMatchObject({
      status: "rejected",
      detail: expect.stringContaining("no such value"),
    });
    expect(paths(INDEX.files)).toEqual(["b.py"]);
    expect(folderEntry()).toMatchObject({ files: 1, declarations: 1 });
    node.calls.length = 0;
    expect(await index(root)).toMatchObject({ indexed: 0, skipped: { rejected: 1 } });
    expect(node.bulks()).toEqual([]);
    node.refuse = () => undefined;
    write(root, "a.py", "def ff(): pass\n", 1_700_000_100);
    expect(await index(root)).toMatchObject({ indexed: 1, skipped: {} });
    expect(names("a.py")).toEqual(["ff"]);
  });

  it("tries a file again that the node did not take for a reason that may pass", async () => {
    const root = folderWith({ "a.py": "def f(): pass\n" });
    node.refuse = (name) => (name === INDEX.files ? "blocked" : undefined);
    node.refusalStatus = 403;
    expect(await index(root)).toMatchObject({ indexed: 0, skipped: { not_written: 1 } });
    expect(names("a.py")).toEqual([]);
    node.refuse = () => undefined;
    expect(await index(root)).toMatchObject({ indexed: 1, skipped: {} });
    expect(names("a.py")).toEqual(["f"]);
  });

  it("keeps refused records as text fields, says so once, and does not write them again", async () => {
    const root = folderWith({ "a.jsonl": '{"when": "2024-01-01"}\n{"when": "2024-01-02"}\n' });
    const data = "pinakes-data-r-a.jsonl";
    node.refuse = (name) => {
      const mapping = JSON.stringify(node.indices.get(name)?.body);
      return name === data && mapping.includes('"date"') ? "not a date for me" : undefined;
    };
    expect(await index(root, { repo: "r" })).toMatchObject({
      indexed: 1,
      records: 2,
      datasets: ["r-a.jsonl"],
      skipped: {},
    });
    expect(node.documents(data).size).toBe(2);
    expect(node.of(INDEX.catalog, "a.jsonl").find(({ entry }) => entry === "file")).toMatchObject({
      status: "indexed",
      records: 2,
      detail: expect.stringMatching(/kept as text, for 2 records were refused; .*not a date for me/),
    });
    node.calls.length = 0;
    await index(root, { repo: "r" });
    expect(node.bulks()).toEqual([]);
  });

  it("leaves records that fit no index to the text of their file", async () => {
    const root = folderWith({ "a.csv": "x,y\n1,2\n" });
    node.refuse = (name) => (name.startsWith(INDEX.dataPrefix) ? "never" : undefined);
    expect(await index(root, { repo: "r" })).toMatchObject({ indexed: 1, records: 0, datasets: [], skipped: {} });
    expect([...node.indices.keys()].filter((name) => name.startsWith(INDEX.dataPrefix))).toEqual([]);
    expect(names("a.csv")).toEqual(["a.csv"]);
    expect(node.of(INDEX.catalog, "a.csv")).toEqual([
      expect.objectContaining({
        status: "indexed",
        datasets: [],
        reader: "",
        records: 0,
        detail: expect.stringContaining("never"),
      }),
    ]);
  });

  it("sees an edit of the same size whose time stamp was set back", async () => {
    const root = folderWith({ "a.py": "def old(): pass\n" });
    await index(root);
    write(root, "a.py", "def new(): pass\n");
    expect(await index(root)).toMatchObject({ indexed: 1 });
    expect(names("a.py")).toEqual(["new"]);
  });

  it("compares the content of a file whose attributes have changed, and writes no documents", async () => {
    const root = folderWith({ "a.py": "def f(): pass\n" });
    await index(root);
    chmodSync(path.join(root, "a.py"), 0o755);
    node.calls.length = 0;
    expect(await index(root)).toMatchObject({ indexed: 0, unchanged: 1 });
    expect(node.bulks().every(({ body }) => !body.includes(INDEX.files))).toBe(true);
    node.calls.length = 0;
    await index(root);
    expect(node.bulks()).toEqual([]);
  });

  it("names the branch that is checked out now in documents of unchanged files too", async () => {
    const root = folderWith({ ".git/HEAD": "ref: refs/heads/one\n", "a.py": "def f(): g()\n", "b.bin": "\0" });
    await index(root);
    write(root, ".git/HEAD", "ref: refs/heads/two\n");
    expect(await index(root)).toMatchObject({ indexed: 0, unchanged: 2 });
    for (const name of [INDEX.files, INDEX.declarations, INDEX.references]) {
      expect(node.of(name, "a.py").map(({ branches }) => branches)).toEqual([["two"]]);
    }
    node.calls.length = 0;
    await index(root);
    expect(node.bulks()).toEqual([]);
    write(root, ".git/HEAD", "0123456789012345678901234567890123456789\n");
    utimesSync(path.join(root, "a.py"), 1_700_000_500, 1_700_000_500);
    await index(root);
    expect(node.of(INDEX.files, "a.py")[0]!.branches).toEqual([]);
  });

  it("adds the fields that an index of an earlier version lacks", async () => {
    const root = folderWith({ "a.py": "def f(): pass\n" });
    await index(root);
    const { mappings } = node.indices.get(INDEX.declarations)!.body;
    const { doc_start_line, ...older } = mappings!.properties as Record<string, unknown>;
    mappings!.properties = older;
    await index(root);
    expect(mappings!.properties).toHaveProperty("doc_start_line", doc_start_line);
  });

  it("adds the multi-fields that a field of an earlier version lacks", async () => {
    const root = folderWith({ "a.py": "def f(): pass\n" });
    await index(root);
    const properties = node.indices.get(INDEX.files)!.body.mappings!.properties as Record<string, unknown>;
    const { body } = properties;
    properties.body = { type: "text", analyzer: "pinakes_code" };
    await index(root);
    const later = node.indices.get(INDEX.files)!.body.mappings!.properties;
    expect(later).toHaveProperty("body", body);
    expect(later).toHaveProperty("body.fields.lines.type", "wildcard");
    const told = node.calls.filter(({ method, path: target }) => method === "PUT" && target.endsWith("/_mapping"));
    expect(told.map(({ body: sent }) => Object.keys(JSON.parse(sent).properties))).toEqual([["body"]]);
  });
});

describe("names to search for first", () => {
  it("are compound names that the sources document, use and declare once", async () => {
    const body = ["connectionPool()", "readRows()", "append()", "Worker()"];
    const root = folderWith({
      "a.js": [
        "/** Keeps connections open for later. */",
        "function connectionPool() {}",
        "function readRows() {}",
        "function append() {}",
        "class Worker {}",
        `function main() { ${body.join("; ")} }`,
        "function again() { append(); connectionPool(); }",
      ].join("\n"),
    });
    expect((await index(root)).suggestions).toEqual(["connectionPool", "readRows", "append"]);
  });
});

describe("several folders", () => {
  it("of the same name are kept apart", async () => {
    const root = folderWith({ "one/app/a.py": "def f(): pass\n", "two/app/a.py": "def g(): pass\n" });
    const first = await index(path.join(root, "one/app"));
    const second = await index(path.join(root, "two/app"));
    expect(first.repo).toBe("app");
    expect(second.repo).toMatch(/^app-[0-9a-f]{6}$/);
    write(root, "one/app/a.py", "def h(): pass\n", 1_700_000_100);
    await index(path.join(root, "one/app"));
    expect(names("a.py").sort()).toEqual(["g", "h"]);
    await expect(index(path.join(root, "one/app"), { repo: second.repo })).rejects.toMatchObject({
      problem: "name_taken",
    });
  });

  it("take their name from the origin remote, and keep it", async () => {
    const root = folderWith({
      ".git/HEAD": "ref: refs/heads/feature/x\n",
      ".git/config": '[remote "origin"]\n\turl = git@example.org:team/shop.git\n',
      "a.py": "def f(): pass\n",
    });
    expect((await index(root)).repo).toBe("shop");
    expect(node.of(INDEX.files, "a.py")[0]).toMatchObject({ repo: "shop", branches: ["feature/x"] });
  });
});

describe("files of several lists", () => {
  const twoTables =
    "CREATE TABLE a (x int);\nINSERT INTO a VALUES (1),(2);\nCREATE TABLE b (y int);\nINSERT INTO b VALUES (3);\n";
  const dataIndices = () => [...node.indices.keys()].filter((name) => name.startsWith(INDEX.dataPrefix)).sort();
  const entries = (kind: string) => [...node.documents(INDEX.catalog).values()].filter(({ entry }) => entry === kind);

  it("have an index and an entry for each, which go with them", async () => {
    const root = folderWith({ "dump.sql": twoTables });
    const { datasets } = await index(root, { repo: "r" });
    expect(datasets).toEqual([expect.stringMatching(/^r-dump\.sql-a-/), expect.stringMatching(/^r-dump\.sql-b-/)]);
    expect(dataIndices()).toEqual(datasets.map((name) => `${INDEX.dataPrefix}${name}`));
    expect(entries("dataset").map(({ part, records }) => [part, records])).toEqual([
      ["a", 2],
      ["b", 1],
    ]);
    expect(entries("file")[0]).toMatchObject({ datasets, records: 3, reader: "sql dump" });
    write(root, "dump.sql", twoTables.replace("INSERT INTO b VALUES (3);", ""), 1_700_000_100);
    expect(await index(root, { repo: "r" })).toMatchObject({ datasets: [datasets[0]], records: 2 });
    expect(dataIndices()).toEqual([`${INDEX.dataPrefix}${datasets[0]}`]);
    expect(entries("dataset").map(({ part }) => part)).toEqual(["a"]);
  });

  it("are cut at the limit of data sets, which their entry says", async () => {
    const root = folderWith({ "dump.sql": twoTables });
    expect(await index(root, { maxDatasets: 1 })).toMatchObject({ records: 2, datasetsBeyondLimit: 1 });
    expect(entries("file")[0]!.records_note).toBe(
      "1 of its lists of records left out: a folder has 1 data sets at most",
    );
    expect(dataIndices()).toHaveLength(1);
  });

  it("of which one fits no index keep the others", async () => {
    const root = folderWith({ "dump.sql": twoTables });
    node.refuse = (name) => (name.includes("-b-") ? "never" : undefined);
    expect(await index(root, { repo: "r" })).toMatchObject({ records: 2, datasets: [expect.stringContaining("-a-")] });
    expect(entries("file")[0]).toMatchObject({
      records: 2,
      reader: "sql dump",
      detail: expect.stringContaining("never"),
    });
    expect(entries("dataset")).toHaveLength(1);
    expect(dataIndices()).toHaveLength(1);
  });
});
