import path from "node:path";
import { Client } from "../../client/index.js";
import { type Invocation, text, UsageError, wholeNumber } from "../command.js";
import { checkFolders, indexFolders } from "../index-folders.js";
import { programCommand, quoted, scriptCommand } from "../invocation.js";
import { resolveDataFolder } from "../node/data-folder.js";
import { type EnsuredNode, ensureNode, nodeLog } from "../node/ensure-node.js";
import { DEFAULT_PORT } from "../node/find-node.js";
import { isAlive } from "../node/node-file.js";
import { untilAskedToStop } from "../node/signals.js";
import { watchFolders } from "../watch-folders.js";

const WATCH_MS = 500;

/** `pinakes up FOLDER...`: from nothing to a searchable folder. */
export async function runUp(call: Invocation): Promise<number> {
  checkFolders(call.args);
  const dataFolder = resolveDataFolder(text(call, "data"));
  const workers = wholeNumber(call, "workers", { min: 1, max: 64 });
  const port = wholeNumber(call, "port", { min: 0, max: 65535 });
  const memory = text(call, "memory");
  const watches = call.options.watch === true;
  if (watches && call.options.detach === true) throw new UsageError("--watch and --detach exclude each other");
  const node = await ensureNode(dataFolder, port ?? DEFAULT_PORT, memory);
  const say = (line: string) => process.stdout.write(`${line}\n`);
  say(`${node.started ? "started" : "joined"} the node ${node.url} (process ${node.pid}), data in ${dataFolder}`);
  if (!node.started) for (const line of changesNothing(node, { port, memory })) say(line);
  const keepServing = node.started && call.options.detach !== true;
  // Listened for from here on, so that Ctrl-C while indexing ends the node that was started for it.
  const asked = keepServing || watches ? untilAskedToStop() : undefined;
  const control = new AbortController();
  void asked?.then(() => control.abort());
  const done = indexAndTell(node, call, { workers, ...(watches && { signal: control.signal }) });
  const first = asked ? await Promise.race([done, asked]) : await done;
  if (asked && typeof first === "object") {
    if (keepServing) say(`\nserving on ${node.url}; log in ${nodeLog(dataFolder)}; Ctrl-C stops the node`);
    else say("\nCtrl-C ends the watching; the node was running before and stays");
    await Promise.race([asked, untilGone(node.pid)]);
  }
  control.abort();
  if (watches) await untilEnded(done);
  if (call.options.detach === true) say(`\nthe node goes on; to stop it:\n  ${stopCommand(text(call, "data"))}`);
  if (!keepServing) return 0;
  return endNode(node.pid, dataFolder);
}

/** What was asked of the node and is as it was, because it was running already. */
function changesNothing({ url }: EnsuredNode, asked: { port?: number; memory?: string }): string[] {
  const isElsewhere = asked.port !== undefined && asked.port !== 0 && asked.port !== Number(new URL(url).port || 80);
  return [
    ...(isElsewhere ? [`--port changes nothing: the node of this data folder was running already, at ${url}`] : []),
    ...(asked.memory === undefined ? [] : ["--memory changes nothing: the node was running already"]),
  ];
}

/** Folders are let go of before the node ends; what keeps a watcher from it was told already. */
async function untilEnded(done: Promise<{ ended: Promise<unknown> }>): Promise<void> {
  await done.then(({ ended }) => ended).catch(() => {});
}

/** Indexes the folders, and follows them when there is a signal to end that. */
async function indexAndTell(
  node: EnsuredNode,
  call: Invocation,
  { workers, signal }: { workers: number | undefined; signal?: AbortSignal },
): Promise<{ ended: Promise<unknown> }> {
  const client = new Client({ url: node.url, connections: 4 });
  const hidden = call.options.hidden === true ? "index" : "skip";
  const options = { client, folders: call.args, workers, hidden } as const;
  let ended: Promise<unknown> = Promise.resolve();
  try {
    const indexed = signal ? await watchFolders({ ...options, signal }) : { summaries: await indexFolders(options) };
    if ("ended" in indexed) ended = indexed.ended;
    const { summaries } = indexed;
    const suggestions = summaries.flatMap((summary) => summary.suggestions).slice(0, 3);
    const tried = { suggestions, hasData: summaries.some(({ datasets }) => datasets.length > 0) };
    process.stdout.write(`${whatToTry(node.url, tried, text(call, "data")).join("\n")}\n`);
  } finally {
    const close = () => client.close();
    void ended.then(close, close);
  }
  return { ended };
}

/** Commands to go on with, written so that they work where this one was typed, and find the same node. */
function whatToTry(
  url: string,
  { suggestions, hasData }: { suggestions: string[]; hasData: boolean },
  data: string | undefined,
): string[] {
  const where = dataOption(data);
  const searches = suggestions.map((query) => `  ${programCommand()} search${where} ${quoted(query)}`);
  return [
    "\ntry:",
    ...searches,
    ...(hasData ? [`  ${programCommand()} datasets${where}`] : []),
    `  ${programCommand()} status${where}`,
    `  curl '${url}/_cat/indices?v'`,
    `for a coding agent (MCP over stdio):\n  claude mcp add pinakes -- ${scriptCommand()} mcp${agentData(data)}`,
  ];
}

function stopCommand(data: string | undefined): string {
  return `${programCommand()} stop${dataOption(data)}`;
}

/** What names the same data folder in a command typed here. */
function dataOption(data: string | undefined): string {
  return data === undefined ? "" : ` --data ${quoted(path.resolve(data))}`;
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
