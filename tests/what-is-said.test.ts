import { mkdirSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import initSqlJs from "sql.js";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  type CommandResult,
  pinakes,
  removeFolder,
  send,
  startTestNode,
  type TestNode,
  temporaryFolder,
} from "./support/node.js";

const NOTEBOOK = {
  cells: [
    { cell_type: "markdown", metadata: {}, source: ["# Intro to whales"] },
    { cell_type: "code", metadata: {}, outputs: [], source: ["def count_whales(pod):\n", "    return len(pod)\n"] },
  ],
  metadata: { language_info: { name: "python" } },
  nbformat: 4,
  nbformat_minor: 5,
};

let node: TestNode;
let folder: string;
const say = (...args: string[]): Promise<CommandResult> => pinakes([...args, "--url", node.url], {}, folder);

beforeAll(async () => {
  node = await startTestNode();
  folder = realpathSync(temporaryFolder("said"));
  mkdirSync(path.join(folder, "lib"));
  const sql = await initSqlJs();
  const database = new sql.Database();
  database.run("CREATE TABLE customers (id INTEGER, city TEXT)");
  for (let id = 0; id < 20; id++)
    database.run("INSERT INTO customers VALUES (?, ?)", [id, id === 7 ? "Quuxville" : "Rome"]);
  writeFileSync(path.join(folder, "shop.db"), database.export());
  writeFileSync(path.join(folder, "people.csv"), "name,age\nAda,36\nGrace,85\nAlan,41\n");
  writeFileSync(path.join(folder, "guide.md"), "# Guide\n\nIntro\n\n## Part one\n\ntext\n\n# Other\n\nmore\n");
  writeFileSync(path.join(folder, "plain.txt"), "nothing to see\n");
  writeFileSync(path.join(folder, "ada.js"), "export function Alan() {}\n");
  writeFileSync(path.join(folder, "one.ipynb"), JSON.stringify(NOTEBOOK));
  writeFileSync(
    path.join(folder, "many.ipynb"),
    JSON.stringify(NOTEBOOK, undefined, 1).replace("count_whales", "count_dolphins"),
  );
  writeFileSync(
    path.join(folder, "lib/parser.js"),
    "function broken( {{{\nfunction fine() { return 1 }\nclass A { m( { }\n",
  );
  expect((await pinakes(["autoindex", folder, "--url", node.url])).status).toBe(0);
}, 120_000);

afterAll(async () => {
  await node?.stop();
  for (const left of [folder, node?.dataFolder]) if (left) removeFolder(left);
});

describe("a value that only records have", () => {
  it("leads to the data set that has it, whatever its case", async () => {
    const { stderr, status } = await say("search", "quuxville");
    expect(status).toBe(1);
    expect(stderr).toMatch(
      /^1 record of shop\.db, customers has it: POST \/pinakes-data-\S+\/_search, `pinakes datasets \S+`$/m,
    );
  });

  it("is told beside few hits, and to programs", async () => {
    const { stdout, stderr } = await say("search", "Grace");
    expect(stdout).toContain("people.csv:");
    expect(stderr).toContain("1 record of people.csv has it");
    const summary = (await say("search", "Rome", "--json")).stdout.trim().split("\n").at(-1)!;
    const hint = { path: "shop.db", part: "customers", records: 19, records_are: "exact" };
    expect(JSON.parse(summary)).toMatchObject({ type: "summary", hits: 0, datasets: [hint] });
  });

  it("is not told where a declaration was asked for and found, but where it was not", async () => {
    expect(await say("search", "def:Alan")).toMatchObject({ status: 0, stderr: "" });
    expect((await say("search", "def:Grace")).stderr).toContain("1 record of people.csv has it");
    expect((await say("search", "Alan")).stderr).toContain("1 record of people.csv has it");
  });

  it("is not told where no record has it", async () => {
    expect((await say("search", "count_whales")).stderr).toBe("");
  });
});

describe("outlines", () => {
  it("of prose are its sections", async () => {
    const { stdout, status } = await say("outline", "guide.md");
    expect({ stdout, status }).toEqual({ stdout: "1-3: Guide\n  5-7: Part one\n9-11: Other\n", status: 0 });
  });

  it("that are empty say why", async () => {
    expect(await say("outline", "people.csv")).toMatchObject({
      status: 1,
      stderr: expect.stringContaining("3 records read as table"),
    });
    expect(await say("outline", "plain.txt")).toMatchObject({
      status: 1,
      stderr: expect.stringContaining("without headings"),
    });
  });
});

describe("a path that is not there", () => {
  it.each([
    ["map", "lbi", 2, "lib"],
    ["outline", "giude.md", 2, "guide.md"],
    ["why", "parser.js", 1, "lib/parser.js"],
  ])("%s names near ones", async (command, given, status, near) => {
    const { stdout, stderr, status: ended } = await say(command, given);
    expect(ended).toBe(status);
    expect(stdout + stderr).toContain(`near paths: ${near}`);
  });

  it("map tells of a single file too", async () => {
    expect(await say("map", "guide.md")).toMatchObject({ status: 0, stdout: expect.stringContaining("markdown 1") });
  });
});

it("a pattern that is none is shown with a caret below the trouble", async () => {
  expect(await say("search", "/(/")).toMatchObject({ status: 2, stderr: expect.stringContaining("\n  /(/\n   ^\n") });
  const body = JSON.stringify({ query: "x /a(/" });
  const reply = await send(node.url, { method: "POST", path: "/_code/search", body });
  expect(reply.json).toMatchObject({ status: 400, error: { type: "parsing_exception", col: 5 } });
});

it("why says how much of a file was understood", async () => {
  expect((await say("why", "lib/parser.js")).stdout).toMatch(
    /parsed in part: the grammar made no sense of \d+ % of the text/,
  );
});

it("lines around a hit in a notebook are those of its text, on one line or on many", async () => {
  const { stdout } = await say("search", "-C1", "count_dolphins");
  expect(stdout).toContain("many.ipynb-4-    return len(pod)\n");
  const heading = await say("search", "Intro", "whales");
  expect(heading.stdout).toContain("one.ipynb:1:# Intro to whales\n");
  expect(stdout + heading.stdout).not.toContain('"cells"');
});

it("up says that a port changes nothing where the node runs already", async () => {
  const { stdout } = await pinakes(["up", folder, "--data", node.dataFolder, "--port", "9", "--detach"]);
  expect(stdout).toContain(`--port changes nothing: the node of this data folder was running already, at ${node.url}`);
});

it("what a deleted index held comes back with the next run, commits and records too", { timeout: 60_000 }, async () => {
  const count = async (index: string) => (await send(node.url, { method: "GET", path: `/${index}/_count` })).json.count;
  const names = ["pinakes-files", "pinakes-decls", "pinakes-refs", "pinakes-data-*"];
  const before = await Promise.all(names.map(count));
  for (const name of names.slice(1, 3)) await send(node.url, { method: "DELETE", path: `/${name}` });
  const { json } = await send(node.url, { method: "GET", path: "/_cat/indices/pinakes-data-*?format=json" });
  await send(node.url, { method: "DELETE", path: `/${json[0].index}` });
  const { stdout } = await say("autoindex", folder);
  expect(stdout).toContain("the indices did not hold what the catalog says of");
  expect(await Promise.all(names.map(count))).toEqual(before);
  expect((await say("autoindex", folder)).stdout).toContain("0 files indexed");
  rmSync(path.join(folder, "shop.db"));
  expect((await say("autoindex", folder)).stdout).toContain("1 removed");
});
