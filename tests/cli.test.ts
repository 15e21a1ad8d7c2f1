import {
  appendFileSync,
  existsSync,
  mkdirSync,
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

function smallProject(): string {
  const folder = temporaryFolder("project");
  mkdirSync(path.join(folder, "src"));
  writeFileSync(path.join(folder, "src/greeting.ts"), GREETING);
  writeFileSync(
    path.join(folder, "notes.md"),
    "# Plan\n\n- Owner: `nobody`\n- Status: begun\n\n## Open\n\nThe umbrella question.\n",
  );
  writeFileSync(path.join(folder, "people.csv"), "name,age\nAda,36\nGrace,45\n");
  writeFileSync(path.join(folder, "image.bin"), Buffer.from([0, 1, 2, 3, 0, 255, 0, 7]));
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
  const search = async (query: string) => pinakes(["search", "--data", data, query]);
  const up = () => pinakes(["up", project, "--data", data, "--port", "0", "--detach"]);

  beforeAll(async () => {
    const first = await up();
    expect(first).toMatchObject({ status: 0 });
    expect(first.stdout).toMatch(/started the node http:\/\/127\.0\.0\.1:\d+/);
    expect(first.stdout).toMatch(/try:\n(.*pinakes search .*\n){1,3}/);
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
      "src/greeting.ts:2: export function greetTheWorld(name: string): string {",
    );
  });

  it("finds by description, by part of a name, in prose and in a list of `- Key: value` lines", async () => {
    expect((await search("says hello")).stdout).toContain("src/greeting.ts:");
    expect((await search("goodbye")).stdout).toContain("src/greeting.ts:7:");
    expect((await search("umbrella question")).stdout).toContain("notes.md:8:");
    expect((await search("owner nobody")).stdout).toContain("notes.md:3:");
  });

  it("leaves out what is ignored, and ends with 1 when nothing is found", async () => {
    expect(await search("neverSeen")).toMatchObject({ status: 1, stdout: "" });
  });

  it("says what was left out and why", async () => {
    const status = await pinakes(["status", "--data", data]);
    expect(status.stdout).toContain(project);
    expect(status.stdout).toMatch(/left out: 1 .*binary/);
    expect(status.stdout).toMatch(/left out: 1 .*large/);
    expect(status.stdout).toMatch(/left out: 1 .*symlink/);
  });

  it("marks or refreshes a hit whose file changed, and follows edits, deletes and renames", async () => {
    appendFileSync(path.join(project, "src/greeting.ts"), "\nexport const addedLater = 42;\n");
    renameSync(path.join(project, "notes.md"), path.join(project, "renamed.md"));
    rmSync(path.join(project, "people.csv"));
    const again = await up();
    expect(again.stdout).toMatch(/joined the node/);
    expect((await search("addedLater")).stdout).toContain("src/greeting.ts:12:");
    const prose = await search("umbrella question");
    expect(prose.stdout).toContain("renamed.md:8:");
    expect(prose.stdout).not.toContain("notes.md");
    expect((await search("def:Grace")).status).toBe(1);
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

  it("stops when asked, and says so when there is nothing to stop", async () => {
    expect((await pinakes(["stop", "--data", data])).stdout).toContain("stopped the node");
    expect(existsSync(path.join(data, "node.json"))).toBe(false);
    expect((await pinakes(["stop", "--data", data])).stdout).toContain("no node runs");
  });

  it("finds everything again after a restart", async () => {
    expect((await up()).status).toBe(0);
    expect((await search("greetTheWorld")).stdout).toContain("src/greeting.ts:2:");
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
    for (const command of ["up", "serve", "stop", "autoindex", "search", "status", "mcp"])
      expect(help.stdout).toContain(command);
    expect(help.stdout).toContain("pinakes up ~/my-project");
    expect((await pinakes(["search", "--help"])).stdout).toContain("Examples:");
  });
});
