import path from "node:path";
import { Client } from "../../client/index.js";
import { type Invocation, text, wholeNumber } from "../command.js";
import { checkFolders, indexFolders } from "../index-folders.js";
import { programCommand, quoted, scriptCommand } from "../invocation.js";
import { resolveDataFolder } from "../node/data-folder.js";
import { type EnsuredNode, ensureNode, nodeLog } from "../node/ensure-node.js";
import { isAlive } from "../node/node-file.js";
import { untilAskedToStop } from "../node/signals.js";

const WATCH_MS = 500;

/** `pinakes up FOLDER...`: from nothing to a searchable folder. */
export async function runUp(call: Invocation): Promise<number> {
  checkFolders(call.args);
  const dataFolder = resolveDataFolder(text(call, "data"));
  const workers = wholeNumber(call, "workers", { min: 1, max: 64 });
  const node = await ensureNode(dataFolder, wholeNumber(call, "port", { min: 0, max: 65535 }) ?? 9200);
  const say = (line: string) => process.stdout.write(`${line}\n`);
  say(`${node.started ? "started" : "joined"} the node ${node.url} (process ${node.pid}), data in ${dataFolder}`);
  const keepServing = node.started && call.options.detach !== true;
  // Listened for from here on, so that Ctrl-C while indexing ends the node that was started for it.
  const asked = keepServing ? untilAskedToStop() : undefined;
  const done = indexAndTell(node, call, workers);
  const first = asked ? await Promise.race([done, asked]) : await done;
  if (asked && first === "indexed") {
    say(`\nserving on ${node.url}; log in ${nodeLog(dataFolder)}; Ctrl-C stops the node`);
    await Promise.race([asked, untilGone(node.pid)]);
  }
  if (!keepServing) return 0;
  return endNode(node.pid, dataFolder);
}

async function indexAndTell(node: EnsuredNode, call: Invocation, workers: number | undefined): Promise<"indexed"> {
  const client = new Client({ url: node.url, connections: 4 });
  try {
    const hidden = call.options.hidden === true ? "index" : "skip";
    const summaries = await indexFolders({ client, folders: call.args, workers, hidden });
    const suggestions = summaries.flatMap((summary) => summary.suggestions).slice(0, 3);
    process.stdout.write(`${whatToTry(node.url, suggestions, text(call, "data")).join("\n")}\n`);
    return "indexed";
  } finally {
    client.close();
  }
}

/** Commands to go on with, written so that they work where this one was typed, and find the same node. */
function whatToTry(url: string, suggestions: string[], data: string | undefined): string[] {
  const where = data === undefined ? "" : ` --data ${quoted(path.resolve(data))}`;
  const searches = suggestions.map((query) => `  ${programCommand()} search${where} ${quoted(query)}`);
  return [
    "\ntry:",
    ...searches,
    `  ${programCommand()} status${where}`,
    `  curl '${url}/_cat/indices?v'`,
    `for a coding agent (MCP over stdio):\n  claude mcp add pinakes -- ${scriptCommand()} mcp${agentData(data)}`,
  ];
}

/** An agent does not have this shell's environment: the data folder is named where the environment chose it, too. */
function agentData(option: string | undefined): string {
  const folder = resolveDataFolder(option);
  const usual = resolveDataFolder(undefined, { ...process.env, PINAKES_DATA: undefined });
  return folder === usual ? "" : ` --data ${quoted(folder)}`;
}

async function untilGone(pid: number): Promise<"gone"> {
  while (isAlive(pid)) await new Promise((resolve) => setTimeout(resolve, WATCH_MS));
  return "gone";
}

async function endNode(pid: number, dataFolder: string): Promise<number> {
  if (!isAlive(pid)) throw new Error(`the node ended by itself; its log: ${nodeLog(dataFolder)}`);
  process.kill(pid, "SIGTERM");
  await untilGone(pid);
  process.stdout.write("stopped\n");
  process.exit(0); // work on the folder may still be under way; its node is gone
}
