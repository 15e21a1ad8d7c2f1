import { resolveDataFolder } from "./data-folder.js";
import { readNodeFile } from "./node-file.js";

export const DEFAULT_PORT = 9200;

/**
 * Which node a command talks to: `--url`, else PINAKES_URL, else the data folder's node.json, else 127.0.0.1:9200. `say`
 * is told of the last: it may be another folder's node, or nobody. Who names a data folder means its node and no other:
 * throws when none runs there.
 */
export function findNode(
  options: { url?: string; data?: string },
  env: NodeJS.ProcessEnv = process.env,
  say: (line: string) => void = toStderr,
): string {
  const named = options.url ?? (options.data ? undefined : env.PINAKES_URL);
  if (named) return checkedUrl(named);
  const dataFolder = resolveDataFolder(options.data, env);
  const node = readNodeFile(dataFolder);
  if (node) return node.url;
  if (options.data) {
    throw new Error(`no node runs on ${dataFolder}: start one with pinakes serve --data, or name another with --url`);
  }
  const url = `http://127.0.0.1:${DEFAULT_PORT}`;
  say(`no node runs on ${dataFolder}: asking ${url}`);
  return url;
}

function toStderr(line: string): void {
  process.stderr.write(`${line}\n`);
}

function checkedUrl(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (!url || (url.protocol !== "http:" && url.protocol !== "https:")) {
    throw new Error(`"${text}" is no address of a node: write it like http://127.0.0.1:9200`);
  }
  return text.replace(/\/+$/, "");
}
