import { resolveDataFolder } from "./data-folder.js";
import { readNodeFile } from "./node-file.js";

export const DEFAULT_PORT = 9200;

/** Which node a command talks to: `--url`, else PINAKES_URL, else the data folder's node.json, else 127.0.0.1:9200. */
export function findNode(options: { url?: string; data?: string }, env: NodeJS.ProcessEnv = process.env): string {
  const named = options.url ?? (options.data ? undefined : env.PINAKES_URL);
  if (named) return checkedUrl(named);
  return readNodeFile(resolveDataFolder(options.data, env))?.url ?? `http://127.0.0.1:${DEFAULT_PORT}`;
}

function checkedUrl(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (!url || (url.protocol !== "http:" && url.protocol !== "https:")) {
    throw new Error(`"${text}" is no address of a node: write it like http://127.0.0.1:9200`);
  }
  return text.replace(/\/+$/, "");
}
