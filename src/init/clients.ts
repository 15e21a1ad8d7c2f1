import path from "node:path";

/** Whose configuration is written: this folder's, to be shared with it, or the user's own. */
export type InitScope = "project" | "user";

/** Where things are: the project's folder, the user's home, and what the environment and the system say. */
export interface Places {
  project: string;
  home: string;
  env: NodeJS.ProcessEnv;
  platform: NodeJS.Platform;
}

/** How the server is started. */
export interface ServerCommand {
  command: string;
  args: string[];
}

/** A coding agent: where its servers are configured, and how it is told about one. */
export interface AgentClient {
  /** What is typed after `--client`. */
  name: string;
  title: string;
  format: "json" | "toml";
  /** Path of keys to the object that holds servers by name. */
  servers: readonly string[];
  /** The server as this client writes it. */
  entry(server: ServerCommand): Record<string, unknown>;
  /** Configuration files by scope; of several, the first that exists is changed, else the first is made. */
  config: Record<InitScope, (places: Places) => string[]>;
  /** Folder of skills by scope. */
  skills: Record<InitScope, (places: Places) => string>;
  /** Files or folders that show that the client is used: in the project and in the user's home. */
  marks: (places: Places) => string[];
  /** What the user has to do or know; said once it is configured. */
  note?: Partial<Record<InitScope, string>>;
}

const stdio = ({ command, args }: ServerCommand) => ({ type: "stdio", command, args });
const plain = ({ command, args }: ServerCommand) => ({ command, args });

/** `XDG_CONFIG_HOME`, else `~/.config`; a relative one is to be ignored (XDG base directory specification). */
const xdgConfig = ({ home, env }: Places) =>
  env.XDG_CONFIG_HOME && path.isAbsolute(env.XDG_CONFIG_HOME) ? env.XDG_CONFIG_HOME : path.join(home, ".config");
const roaming = ({ home, env }: Places) => env.APPDATA ?? path.join(home, "AppData", "Roaming");
const claudeHome = ({ home, env }: Places) => env.CLAUDE_CONFIG_DIR ?? path.join(home, ".claude");
const codexHome = ({ home, env }: Places) => env.CODEX_HOME ?? path.join(home, ".codex");

/** Where the open format of skills (agentskills.io) is looked for by most clients. */
const SHARED_SKILLS = {
  project: ({ project }: Places) => path.join(project, ".agents", "skills"),
  user: ({ home }: Places) => path.join(home, ".agents", "skills"),
};

function codeUser(places: Places): string {
  if (places.platform === "darwin")
    return path.join(places.home, "Library", "Application Support", "Code", "User", "mcp.json");
  return path.join(places.platform === "win32" ? roaming(places) : xdgConfig(places), "Code", "User", "mcp.json");
}

function zedUser(places: Places): string {
  if (places.platform === "win32") return path.join(roaming(places), "Zed", "settings.json");
  const config = places.platform === "darwin" ? path.join(places.home, ".config") : xdgConfig(places);
  return path.join(config, "zed", "settings.json");
}

const opencodeUser = (places: Places) => path.join(xdgConfig(places), "opencode");

/** All clients, in the order of their names. Each row says on which pages of its documentation it rests. */
export const AGENT_CLIENTS: readonly AgentClient[] = [
  {
    // https://code.claude.com/docs/en/mcp, https://code.claude.com/docs/en/skills
    name: "claude",
    title: "Claude Code",
    format: "json",
    servers: ["mcpServers"],
    entry: stdio,
    config: {
      project: ({ project }) => [path.join(project, ".mcp.json")],
      user: ({ home, env }) => [path.join(env.CLAUDE_CONFIG_DIR ?? home, ".claude.json")],
    },
    skills: {
      project: ({ project }) => path.join(project, ".claude", "skills"),
      user: (places) => path.join(claudeHome(places), "skills"),
    },
    marks: (places) => [
      ...[".mcp.json", ".claude", "CLAUDE.md"].map((name) => path.join(places.project, name)),
      claudeHome(places),
    ],
    note: { project: "it asks once whether the servers of .mcp.json may be used" },
  },
  {
    // https://developers.openai.com/codex/mcp, https://developers.openai.com/codex/skills
    name: "codex",
    title: "Codex CLI",
    format: "toml",
    servers: ["mcp_servers"],
    entry: plain,
    config: {
      project: ({ project }) => [path.join(project, ".codex", "config.toml")],
      user: (places) => [path.join(codexHome(places), "config.toml")],
    },
    skills: SHARED_SKILLS,
    marks: (places) => [path.join(places.project, ".codex"), codexHome(places)],
    note: { project: "it reads .codex/config.toml of trusted projects only" },
  },
  {
    // https://cursor.com/docs/mcp, https://cursor.com/docs/context/skills
    name: "cursor",
    title: "Cursor",
    format: "json",
    servers: ["mcpServers"],
    entry: stdio,
    config: {
      project: ({ project }) => [path.join(project, ".cursor", "mcp.json")],
      user: ({ home }) => [path.join(home, ".cursor", "mcp.json")],
    },
    skills: SHARED_SKILLS,
    marks: ({ project, home }) => [path.join(project, ".cursor"), path.join(home, ".cursor")],
  },
  {
    // https://geminicli.com/docs/tools/mcp-server, https://geminicli.com/docs/cli/using-agent-skills
    name: "gemini",
    title: "Gemini CLI",
    format: "json",
    servers: ["mcpServers"],
    entry: plain,
    config: {
      project: ({ project }) => [path.join(project, ".gemini", "settings.json")],
      user: ({ home }) => [path.join(home, ".gemini", "settings.json")],
    },
    skills: SHARED_SKILLS,
    marks: ({ project, home }) => [
      path.join(project, ".gemini"),
      path.join(project, "GEMINI.md"),
      path.join(home, ".gemini"),
    ],
  },
  {
    // https://opencode.ai/docs/mcp-servers, https://opencode.ai/docs/config, https://opencode.ai/docs/skills
    name: "opencode",
    title: "OpenCode",
    format: "json",
    servers: ["mcp"],
    entry: ({ command, args }) => ({ type: "local", command: [command, ...args], enabled: true }),
    config: {
      project: ({ project }) => ["opencode.json", "opencode.jsonc"].map((name) => path.join(project, name)),
      user: (places) => ["opencode.json", "opencode.jsonc"].map((name) => path.join(opencodeUser(places), name)),
    },
    skills: SHARED_SKILLS,
    marks: (places) => [
      ...["opencode.json", "opencode.jsonc", ".opencode"].map((name) => path.join(places.project, name)),
      opencodeUser(places),
    ],
  },
  {
    // https://code.visualstudio.com/docs/agents/reference/mcp-configuration,
    // https://code.visualstudio.com/docs/agent-customization/agent-skills
    name: "vscode",
    title: "VS Code",
    format: "json",
    servers: ["servers"],
    entry: stdio,
    config: {
      project: ({ project }) => [path.join(project, ".vscode", "mcp.json")],
      user: (places) => [codeUser(places)],
    },
    skills: SHARED_SKILLS,
    marks: (places) => [path.join(places.project, ".vscode"), path.dirname(codeUser(places))],
    note: { project: "it asks before it starts a server of .vscode/mcp.json" },
  },
  {
    // https://zed.dev/docs/ai/mcp, https://zed.dev/docs/ai/skills, https://zed.dev/docs/configuring-zed
    name: "zed",
    title: "Zed",
    format: "json",
    servers: ["context_servers"],
    entry: plain,
    config: {
      project: ({ project }) => [path.join(project, ".zed", "settings.json")],
      user: (places) => [zedUser(places)],
    },
    skills: SHARED_SKILLS,
    marks: (places) => [path.join(places.project, ".zed"), path.dirname(zedUser(places))],
    note: { project: "it reads the settings of trusted projects only" },
  },
];

/** The client of a name; undefined when there is none. */
export function agentClient(name: string): AgentClient | undefined {
  return AGENT_CLIENTS.find((client) => client.name === name);
}
