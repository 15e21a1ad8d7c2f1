import { Client } from "../../client/index.js";
import { type Invocation, text, wholeNumber } from "../command.js";
import { checkFolders, indexFolders } from "../index-folders.js";
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
  const done = indexAndTell(node, call.args, workers);
  const first = asked ? await Promise.race([done, asked]) : await done;
  if (asked && first === "indexed") {
    say(`\nserving on ${node.url}; log in ${nodeLog(dataFolder)}; Ctrl-C stops the node`);
    await Promise.race([asked, untilGone(node.pid)]);
  }
  if (!keepServing) return 0;
  return endNode(node.pid, dataFolder);
}

async function indexAndTell(node: EnsuredNode, folders: string[], workers: number | undefined): Promise<"indexed"> {
  const client = new Client({ url: node.url, connections: 4 });
  try {
    const summaries = await indexFolders({ client, folders, workers });
    const suggestions = summaries.flatMap((summary) => summary.suggestions).slice(0, 3);
    if (suggestions.length > 0) {
      process.stdout.write(`\ntry:\n${suggestions.map((query) => `  pinakes search ${quoted(query)}`).join("\n")}\n`);
    }
    process.stdout.write(`  curl '${node.url}/_cat/indices?v'\n`);
    return "indexed";
  } finally {
    client.close();
  }
}

/** A word as a shell takes it. */
function quoted(text: string): string {
  return /^[\w.:/-]+$/.test(text) ? text : `'${text.replace(/'/g, `'\\''`)}'`;
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
