import {
  appendFileSync,
  existsSync,
  mkdirSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { pinakes, removeFolder, send, startTestNode, temporaryFolder } from "./support/node.js";

const GREETING = `/** Says hello to somebody. */
export function greetTheWorld(name: string): string {
  return \`hello \${name}\`;
}

export class Farewell {
  sayGoodbye(): string {
    return "goodbye";
  }
}
`;

const CARD = `# Charges in guilders.
class Card:
    @property
    def total(self):
        return self.sum

    @total.setter
    def total(self, value):
        self.sum = value
`;

function smallProject(): string {
  const folder = realpathSync(temporaryFolder("project"));
  mkdirSync(path.join(folder, "src"));
  writeFileSync(path.join(folder, "src/greeting.ts"), GREETING);
  writeFileSync(
    path.join(folder, "notes.md"),
    "# Plan\n\n- Owner: `nobody`\n- Status: begun\n\n## Open\n\nThe umbrella question.\n",
  );
  writeFileSync(path.join(folder, "people.csv"), "name,age\nAda,36\nGrace,45\n");
  writeFileSync(path.join(folder, "image.bin"), Buffer.from([0, 1, 2, 3, 0, 255, 0, 7]));
  writeFileSync(path.join(folder, "card.py"), CARD);
  writeFileSync(
    path.join(folder, "bundle.js"),
    `${"a(1);".repeat(20_000)}var middleName=2;${"b(2);".repeat(20_000)}\n`,
  );
  writeFileSync(path.join(folder, "win.ts"), "export function carriage() {\r\n  return 1;\r\n}\r\n");
  writeFileSync(path.join(folder, "odd\n\u001bname.ts"), "export const strangelyNamed = 1;\n");
  writeFileSync(path.join(folder, ".secret.ts"), "export const hiddenAway = 1;\n");
  writeFileSync(path.join(folder, ".gitignore"), "ignored.ts\n");
  writeFileSync(path.join(folder, "ignored.ts"), "export const neverSeen = 1;\n");
  writeFileSync(path.join(folder, "huge.log"), "");
  truncateSync(path.join(folder, "huge.log"), 1024 ** 3);
  symlinkSync("..", path.join(folder, "src/loop"));
  return folder;
}

describe("from nothing to a searchable folder", () => {
  const data = temporaryFolder("up");
  const project = smallProject();
  const search = async (query: string, cwd?: string) => pinakes(["search", "--data", data, query], {}, cwd);
  const at = (file: string) => path.join(project, file);
  // As typed in a shell, also when the tests themselves run under npx.
  const up = () => pinakes(["up", project, "--data", data, "--port", "0", "--detach"], { npm_command: "" });

  beforeAll(async () => {
    const first = await up();
    expect(first).toMatchObject({ status: 0 });
    expect(first.stdout).toMatch(/started the node http:\/\/127\.0\.0\.1:\d+/);
    expect(first.stdout).toMatch(/try:\n( {2}node \S+\/bin\/pinakes\.js search --data \S+ \S+\n){1,3}/);
    expect(first.stdout).toMatch(/the node goes on; to stop it:\n {2}node \S+\/bin\/pinakes\.js stop --data \S+\n$/);
    expect(first.stdout).toMatch(/claude mcp add pinakes -- node \/\S+\/bin\/pinakes\.js mcp --data \//);
  }, 60_000);
  afterAll(async () => {
    await pinakes(["stop", "--data", data]);
    removeFolder(data);
    removeFolder(project);
  });

  it("finds a function by name, at its line, the definition first", async () => {
    const found = await search("greetTheWorld");
    expect(found.status).toBe(0);
    expect(found.stdout.split("\n")[0]).toBe(
      `${at("src/greeting.ts")}:2:export function greetTheWorld(name: string): string {`,
    );
  });

  it("finds by description, by part of a name, in prose and in a list of `- Key: value` lines", async () => {
    expect((await search("says hello")).stdout).toContain(`${at("src/greeting.ts")}:1:/** Says hello to somebody. */`);
    expect((await search("goodbye")).stdout).toContain(`${at("src/greeting.ts")}:7:`);
    expect((await search("umbrella question")).stdout).toContain(`${at("notes.md")}:8:`);
    expect((await search("owner nobody")).stdout).toContain(`${at("notes.md")}:3:`);
  });

  it("names files from the current folder when they lie below it, else absolutely", async () => {
    expect((await search("greetTheWorld", project)).stdout).toMatch(/^src\/greeting\.ts:2:/);
    expect((await search("greetTheWorld", at("src"))).stdout).toMatch(/^greeting\.ts:2:/);
    expect((await search("carriage", at("src"))).stdout).toContain(`${at("win.ts")}:1:`);
  });

  it("leaves out what is ignored, says what is near, and ends with 1 when nothing is found", async () => {
    expect(await search("neverSeen")).toMatchObject({ status: 1, stdout: "" });
    const slip = await search("greetTheWorlt");
    expect(slip).toMatchObject({ status: 1, stdout: "" });
    expect(slip.stderr).toContain("near names: greetTheWorld");
    expect((await search("hello lang:typscript")).stderr).toMatch(
      /no file of language typscript \(did you mean typescript\?\); there are: .*typescript/,
    );
  });

  it("shows the line that carries a name, not the decorator above it", async () => {
    for (const query of ["def:Card.total", "def:total"])
      expect((await search(query, project)).stdout).toContain("card.py:4:    def total(self):\n");
  });

  it("prints a line once, however many of its declarations are found", async () => {
    const { stdout } = await search("value sum");
    const lines = stdout.trim().split("\n");
    expect(new Set(lines).size).toBe(lines.length);
    expect(stdout).toContain("card.py:9:");
  });

  it("cuts a line of a minified file around the match", async () => {
    const { stdout } = await search("middleName", project);
    expect(stdout).toMatch(/^bundle\.js:1:\(\+\d+ bytes\) \.\.\. .*var middleName=2;.* \.\.\. \(\+\d+ bytes\)\n$/);
    expect(stdout.length).toBeLessThan(400);
  });

  it("prints no carriage return, and no control character of a file's name", async () => {
    expect((await search("carriage", project)).stdout).toBe("win.ts:1:export function carriage() {\n");
    expect((await search("strangelyNamed", project)).stdout).toContain("odd\\n\\x1bname.ts:1:export const");
  });

  it("says what was left out and why", async () => {
    const status = await pinakes(["status", "--data", data]);
    expect(status.stdout).toContain(project);
    expect(status.stdout).toMatch(/left out: 1 .*binary/);
    expect(status.stdout).toMatch(/left out: 1 .*large/);
    expect(status.stdout).toMatch(/left out: 1 .*symlink/);
    expect(status.stdout).toMatch(/: \d+ documents in \d+ indices, [\d.]+ [KM]?B\n/);
    const skipped = await pinakes(["status", "--data", data, "--skipped"]);
    expect(skipped.stdout).toContain(`${at("image.bin")}: binary`);
    expect(skipped.stdout).toContain(`${at("ignored.ts")}: ignored`);
    const hidden = await pinakes(["status", "--data", data, "--reason", "hidden"]);
    expect(hidden.stdout).toContain(`${at(".secret.ts")}: hidden`);
    expect(hidden.stdout).not.toContain("ignored.ts");
    expect((await pinakes(["status", "--data", data, "--reason", "because"])).stderr).toContain("is one of");
  });

  it("says of one path what became of it", async () => {
    const why = await pinakes(["why", "--data", data, "ignored.ts", "src/greeting.ts"], {}, project);
    expect(why.status).toBe(1);
    expect(why.stdout).toMatch(/^ignored\.ts: ignored: An ignore rule excludes it\. \(.*ignored\.ts.*\)\n/);
    expect(why.stdout).toContain("src/greeting.ts: indexed: It is indexed.");
    expect(await pinakes(["why", "--data", data, at("card.py")])).toMatchObject({ status: 0 });
  });

  it("marks or refreshes a hit whose file changed, and follows edits, deletes and renames", async () => {
    appendFileSync(path.join(project, "src/greeting.ts"), "\nexport const addedLater = 42;\n");
    renameSync(path.join(project, "notes.md"), path.join(project, "renamed.md"));
    rmSync(path.join(project, "people.csv"));
    const again = await up();
    expect(again.stdout).toMatch(/joined the node/);
    expect((await search("addedLater")).stdout).toContain(`${at("src/greeting.ts")}:12:`);
    const prose = await search("umbrella question");
    expect(prose.stdout).toContain(`${at("renamed.md")}:8:`);
    expect(prose.stdout).not.toContain("notes.md");
    expect((await search("def:Grace")).status).toBe(1);
  });

  it("a hit on a file that is gone is told of, and does not count as found", async () => {
    const file = at("src/gone.ts");
    writeFileSync(file, "export const soonGone = 1;\n");
    await up();
    expect(await search("def:soonGone")).toMatchObject({ status: 0 });
    rmSync(file);
    const found = await search("def:soonGone");
    expect(found).toMatchObject({ status: 1, stdout: "" });
    expect(found.stderr).toContain("(gone: there is no src/gone.ts any more)");
    await up();
  });

  it("indexes hidden files when asked", async () => {
    expect((await search("hiddenAway")).status).toBe(1);
    await pinakes(["autoindex", project, "--data", data, "--hidden"]);
    expect((await search("hiddenAway")).stdout).toContain(`${at(".secret.ts")}:1:`);
    await up();
  });

  it("reads nothing again when nothing changed", async () => {
    expect((await up()).stdout).toMatch(/: 0 files indexed, [1-9]\d* unchanged/);
  });

  it("answers an Elasticsearch request on the same port", async () => {
    const status = await pinakes(["status", "--data", data]);
    const url = status.stdout.split(": ")[0]!;
    const indices = await send(url, { method: "GET", path: "/_cat/indices?v" });
    expect(indices.text).toContain("pinakes-decls");
  });

  it("takes a folder out of the index, and leaves its files", async () => {
    const other = temporaryFolder("other");
    writeFileSync(path.join(other, "x.ts"), "export const elsewhere = 1;\n");
    await pinakes(["autoindex", other, "--data", data]);
    expect((await search("elsewhere")).status).toBe(0);
    const removed = await pinakes(["remove", other, "--data", data]);
    expect(removed).toMatchObject({ status: 0, stdout: expect.stringContaining("from the index") });
    expect((await search("elsewhere")).status).toBe(1);
    expect(existsSync(path.join(other, "x.ts"))).toBe(true);
    expect((await search("greetTheWorld")).status).toBe(0);
    expect((await pinakes(["remove", other, "--data", data])).status).toBe(1);
    removeFolder(other);
  });

  it("stops when asked, and says so when there is nothing to stop", async () => {
    expect((await pinakes(["stop", "--data", data])).stdout).toContain("stopped the node");
    expect(existsSync(path.join(data, "node.json"))).toBe(false);
    expect((await pinakes(["stop", "--data", data])).stdout).toContain("no node runs");
  });

  it("finds everything again after a restart", async () => {
    expect((await up()).status).toBe(0);
    expect((await search("greetTheWorld")).stdout).toContain(`${at("src/greeting.ts")}:2:`);
  });
});

describe("the declaration meant by several words", () => {
  it("comes before one that is called like a single one of them", { timeout: 60_000 }, async () => {
    const project = temporaryFolder("words");
    const data = temporaryFolder("words-data");
    writeFileSync(path.join(project, "a.js"), "const server = await createServer({});\n");
    writeFileSync(path.join(project, "b.js"), "export function createServer(options) {\n  return options;\n}\n");
    expect(await pinakes(["up", project, "--data", data, "--port", "0", "--detach"])).toMatchObject({ status: 0 });
    const found = await pinakes(["search", "--data", data, "create server"]);
    expect(found.stdout.split("\n")[0]).toMatch(/b\.js:1:export function createServer/);
    await pinakes(["stop", "--data", data]);
    removeFolder(data);
    removeFolder(project);
  });
});

describe("called wrongly", () => {
  it.each([
    [["serve", "--port"], /argument missing/],
    [["serve", "--port", "ninety"], /whole number/],
    [["serch", "x"], /Did you mean search/],
    [["up", "/no/such/folder"], /is no folder/],
    [["search", "--url", "nowhere", "x"], /write it like http/],
    [["search", "langg:python"], /langg/],
    [["search", "lang:go ".repeat(200)], /at most 100 words/],
    [["up", ".", "--data", "/proc/pinakes/data"], /\/proc\/pinakes\/data cannot be made/],
    [["serve", "--data", "/dev/null/data"], /\/dev\/null\/data cannot be made/],
    [["serve", "--host", "0.0.0.0", "--port", "0", "--data", temporaryFolder("open")], /loopback/],
  ])("%j is an error that says why", async (args, message) => {
    const result = await pinakes(args);
    expect(result.status).toBeGreaterThan(0);
    expect(result.stderr).toMatch(message);
    expect(result.stderr).not.toMatch(/\n\s+at /);
  });

  it("names the process that holds the port, and the one that holds the data folder", async () => {
    const node = await startTestNode();
    const port = new URL(node.url).port;
    const samePort = await pinakes(["serve", "--port", port, "--data", temporaryFolder("second")]);
    expect(samePort.stderr).toContain(`process ${node.pid}`);
    const sameFolder = await pinakes(["serve", "--port", "0", "--data", node.dataFolder]);
    expect(sameFolder.stderr).toContain(String(node.pid));
    await node.stop();
    removeFolder(node.dataFolder);
  });

  it("teaches with --help", async () => {
    const help = await pinakes(["--help"]);
    expect(help.status).toBe(0);
    for (const command of ["up", "serve", "stop", "autoindex", "search", "status", "why", "remove", "mcp"])
      expect(help.stdout).toContain(command);
    expect(help.stdout).toContain("pinakes up ~/my-project");
    expect((await pinakes(["search", "--help"])).stdout).toContain("Examples:");
  });
});
