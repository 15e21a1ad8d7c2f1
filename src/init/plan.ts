import { existsSync } from "node:fs";
import path from "node:path";
import { readRegularFile } from "../../autoindex/index.js";
import type { AgentClient, InitScope, Places, ServerCommand } from "./clients.js";
import { ConfigError, ConfigErrors } from "./config-error.js";
import { setJsonEntry } from "./edit-json.js";
import { setTomlTable } from "./edit-toml.js";
import { SKILL, SKILL_NAME } from "./skill.js";

/** The name of the server in every configuration. */
const SERVER_NAME = "pinakes";

/** A file with its text as it is and as it shall be. */
export interface FileChange {
  file: string;
  /** Undefined when there is no such file. */
  before: string | undefined;
  after: string;
  /** Titles of the clients it is for. */
  clients: string[];
}

/** What is to be done for some clients. */
export interface InitRequest {
  clients: readonly AgentClient[];
  scope: InitScope;
  places: Places;
  server: ServerCommand;
}

/** All files of some clients, those included that are as they shall be. Throws ConfigError, ConfigErrors; nothing is written. */
export function planInit(request: InitRequest): FileChange[] {
  const changes = new Map<string, FileChange>();
  const refused = new Map<string, ConfigError>();
  const plan = (file: string, client: AgentClient, edit: (before: string | undefined) => string) => {
    try {
      const known = changes.get(file);
      const before = known ? known.before : readText(file);
      const after = edit(known ? known.after : before);
      changes.set(file, { file, before, after, clients: [...(known?.clients ?? []), client.title] });
    } catch (error) {
      if (!(error instanceof ConfigError)) throw error;
      refused.set(error.file, error);
    }
  };
  for (const client of request.clients) {
    const file = configFile(request, client);
    plan(file, client, (text) => configured(request, { client, file, text }));
    const skill = path.join(client.skills[request.scope](request.places), SKILL_NAME, "SKILL.md");
    plan(skill, client, () => SKILL);
  }
  const [first, ...others] = refused.values();
  if (first !== undefined) throw others.length === 0 ? first : new ConfigErrors([first, ...others]);
  return [...changes.values()];
}

function configFile({ scope, places }: InitRequest, client: AgentClient): string {
  const files = client.config[scope](places);
  return files.find((file) => existsSync(file)) ?? files[0];
}

function configured(
  { server }: InitRequest,
  { client, file, text }: { client: AgentClient; file: string; text: string | undefined },
): string {
  const [outer] = client.servers;
  const entry = client.entry(server);
  if (client.format === "toml") return setTomlTable({ file, text, path: [outer, SERVER_NAME], entry });
  return setJsonEntry({ file, text, path: [...client.servers, SERVER_NAME], entry });
}

/** More than any client's configuration has, in bytes. */
const LARGEST_CONFIG = 16 * 1024 * 1024;

/** A file's text; undefined when there is none. Throws ConfigError for what is no file of UTF-8. */
function readText(file: string): string | undefined {
  const found = readRegularFile(file, { maxBytes: LARGEST_CONFIG, links: "follow" });
  if (found.kind === "refused") {
    if (found.why === "absent") return undefined;
    throw new ConfigError(
      file,
      found.why === "failed" || found.why === "link" ? found.detail : `it is ${found.detail}`,
    );
  }
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(found.bytes);
  } catch {
    throw new ConfigError(file, "it is no UTF-8");
  }
}
