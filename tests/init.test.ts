import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import path from "node:path";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { parse as parseJson } from "jsonc-parser";
import { parse as parseToml } from "smol-toml";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { AGENT_CLIENTS } from "../src/init/clients.js";
import { pinakes, removeFolder, temporaryFolder } from "./support/node.js";

let home: string;
let project: string;
beforeEach(() => {
  home = temporaryFolder("home");
  project = temporaryFolder("project");
});
afterEach(() => {
  removeFolder(home);
  removeFolder(project);
});

/** The environment of a user whose home is the temporary one. */
function env(): Record<string, string> {
  return {
    HOME: home,
    USERPROFILE: home,
    XDG_CONFIG_HOME: path.join(home, ".config"),
    APPDATA: path.join(home, "AppData"),
    CODEX_HOME: path.join(home, ".codex"),
    npm_command: "test", // else, under npx, agents would be told to run npx
    CLAUDE_CONFIG_DIR: path.join(home, ".claude"),
  };
}

const init = (...args: string[]) => pinakes(["init", ...args], env(), project);
const filesBelow = (folder: string) =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(folder, path.join(entry.parentPath, entry.name)))
    .sort();
const read = (...parts: string[]) => readFileSync(path.join(...parts), "utf8");

/** What each client reads, from its documentation: project file, user's file, the keys to the server, its skill. */
const WRITTEN: Record<string, { project: string; user: string; keys: string[]; skill: string }> = {
  claude: { project: ".mcp.json", user: ".claude/.claude.json", keys: ["mcpServers"], skill: ".claude" },
  codex: { project: ".codex/config.toml", user: ".codex/config.toml", keys: ["mcp_servers"], skill: ".agents" },
  cursor: { project: ".cursor/mcp.json", user: ".cursor/mcp.json", keys: ["mcpServers"], skill: ".agents" },
  gemini: { project: ".gemini/settings.json", user: ".gemini/settings.json", keys: ["mcpServers"], skill: ".agents" },
  opencode: { project: "opencode.json", user: ".config/opencode/opencode.json", keys: ["mcp"], skill: ".agents" },
  vscode: { project: ".vscode/mcp.json", user: ".config/Code/User/mcp.json", keys: ["servers"], skill: ".agents" },
  zed: {
    project: ".zed/settings.json",
    user: ".config/zed/settings.json",
    keys: ["context_servers"],
    skill: ".agents",
  },
};

function serverIn(file: string, keys: string[]): { command: string | string[]; args?: string[] } {
  const parsed = (file.endsWith(".toml") ? parseToml(read(file)) : parseJson(read(file))) as Record<string, unknown>;
  return [...keys, "pinakes"].reduce<unknown>((at, key) => (at as Record<string, unknown>)[key], parsed) as {
    command: string | string[];
    args?: string[];
  };
}

describe("pinakes init", () => {
  it("knows every client that this test knows, and no other", () => {
    expect(AGENT_CLIENTS.map(({ name }) => name)).toEqual(Object.keys(WRITTEN));
  });

  it.skipIf(process.platform !== "linux").each(Object.keys(WRITTEN))(
    "configures %s for a project and for the user",
    async (name) => {
      const { project: file, user, keys, skill } = WRITTEN[name]!;
      expect(await init("--client", name, "--yes")).toMatchObject({ status: 0, stderr: "" });
      expect(filesBelow(project)).toEqual([file, `${skill}/skills/pinakes/SKILL.md`].sort());
      expect(filesBelow(home)).toEqual([]);
      const { command, args = [] } = serverIn(path.join(project, file), keys);
      expect([command, args].flat()).toEqual(["node", expect.stringMatching(/bin\/pinakes\.js$/), "mcp"]);
      expect(await init("--client", name, "--yes", "--global")).toMatchObject({ status: 0 });
      expect(filesBelow(home)).toEqual([user, `${skill}/skills/pinakes/SKILL.md`].sort());
      expect(serverIn(path.join(home, user), keys)).toEqual(serverIn(path.join(project, file), keys));
    },
  );

  it("says the second time that everything is as it should be, and writes nothing", async () => {
    await init("--client", "all", "--yes");
    const before = filesBelow(project);
    const { stdout, status } = await init("--client", "all", "--yes");
    expect(status).toBe(0);
    expect(stdout.split("\n").filter((line) => line.endsWith("is as it should be"))).toHaveLength(9);
    expect(stdout).not.toContain("wrote");
    expect(filesBelow(project)).toEqual(before);
  });

  it("shows what it would write with --dry-run, and asks nobody where nobody is", async () => {
    const dry = await init("--client", "cursor", "codex", "--dry-run");
    expect(dry.status).toBe(0);
    expect(dry.stdout).toMatch(/\.codex\/config\.toml \(Codex CLI\), new:\n {2}\+\[mcp_servers\.pinakes\]\n/);
    expect(dry.stdout.match(/SKILL\.md \(Cursor, Codex CLI\), new:/g)).toHaveLength(1);
    const silent = await init("--client", "cursor");
    expect(silent).toMatchObject({ status: 2, stderr: expect.stringContaining("--yes writes what is shown") });
    expect(filesBelow(project)).toEqual([]);
  });

  it("keeps what it changes in a copy, its mode, and the link that leads to it", async () => {
    const kept = path.join(home, "dotfiles.json");
    writeFileSync(kept, '// mine\n{ "theme": "dark" }\n', { mode: 0o600 });
    mkdirSync(path.join(project, ".zed"));
    symlinkSync(kept, path.join(project, ".zed/settings.json"));
    const { stdout } = await init("--client", "zed", "--yes");
    const copy = /what it was is in (\S+)/.exec(stdout)?.[1] ?? "";
    expect(read(copy)).toBe('// mine\n{ "theme": "dark" }\n');
    expect(read(kept)).toMatch(/^\/\/ mine\n\{\s+"theme": "dark",\s+"context_servers"/);
    expect(statSync(kept).mode & 0o777).toBe(0o600);
  });

  it("writes nothing at all when one file is malformed", async () => {
    mkdirSync(path.join(project, ".cursor"));
    writeFileSync(path.join(project, ".cursor/mcp.json"), '{ "mcpServers": {\n');
    const { status, stderr } = await init("--client", "claude", "cursor", "--yes");
    expect(status).toBe(1);
    expect(stderr).toMatch(/\.cursor\/mcp\.json: it is no valid JSON \(\w+ at line 2, column 1\); nothing was written/);
    expect(filesBelow(project)).toEqual([".cursor/mcp.json"]);
  });

  it("names every file that is malformed, each once", async () => {
    for (const folder of [".cursor", ".codex", ".zed"]) mkdirSync(path.join(project, folder));
    writeFileSync(path.join(project, ".cursor/mcp.json"), '{ "mcpServers": {\n');
    writeFileSync(path.join(project, ".codex/config.toml"), "a = [\n");
    writeFileSync(path.join(project, ".zed/settings.json"), Buffer.from([0x22, 0xff, 0x22]));
    const before = filesBelow(project);
    const { status, stderr, stdout } = await init("--client", "all", "--yes");
    expect(status).toBe(1);
    expect(stdout).toBe("");
    expect(stderr).toContain("3 files cannot be changed; nothing was written\n");
    for (const [file, reason] of [
      [".cursor/mcp.json", "it is no valid JSON"],
      [".codex/config.toml", "it is no"],
      [".zed/settings.json", "it is no UTF-8"],
    ])
      expect(stderr.split("\n").filter((line) => line.includes(`${file}: ${reason}`))).toHaveLength(1);
    expect(filesBelow(project)).toEqual(before);
  });

  it("without names configures the clients that are used here, and asks for one where none is", async () => {
    expect(await init("--yes")).toMatchObject({
      status: 2,
      stderr: expect.stringContaining("no coding agent was found"),
    });
    mkdirSync(path.join(project, ".vscode"));
    mkdirSync(path.join(home, ".gemini"));
    expect((await init("--yes")).status).toBe(0);
    expect(filesBelow(project)).toEqual([
      ".agents/skills/pinakes/SKILL.md",
      ".gemini/settings.json",
      ".vscode/mcp.json",
    ]);
    expect(await init("--client", "emacs")).toMatchObject({ status: 2, stderr: expect.stringMatching(/not "emacs"/) });
  });

  it("prefers the configuration that is there", async () => {
    writeFileSync(path.join(project, "opencode.jsonc"), "{\n  // ours\n}\n");
    await init("--client", "opencode", "--yes");
    expect(read(project, "opencode.jsonc")).toContain("// ours");
    expect(existsSync(path.join(project, "opencode.json"))).toBe(false);
  });

  it("names the node in the command that agents start, by an absolute path, and the command starts", async () => {
    await init("--client", "claude", "--yes", "--data", "index");
    const { command, args = [] } = serverIn(path.join(project, ".mcp.json"), ["mcpServers"]);
    expect(args.slice(-3)).toEqual(["mcp", "--data", path.join(project, "index")]);
    const agent = new Client({ name: "test", version: "1" });
    await agent.connect(new StdioClientTransport({ command: command as string, args, cwd: home, stderr: "ignore" }));
    expect((await agent.listTools()).tools.map(({ name }) => name)).toContain("search");
    await agent.close();
  });
});
