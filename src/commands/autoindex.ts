import { Client } from "../../client/index.js";
import { type Invocation, text, UsageError, wholeNumber } from "../command.js";
import { checkFolders, type IndexFoldersOptions, indexFolders } from "../index-folders.js";
import { findNode } from "../node/find-node.js";
import { untilAskedToStop } from "../node/signals.js";
import { planFolders } from "../plan-folders.js";
import { watchFolders } from "../watch-folders.js";

/** `pinakes autoindex FOLDER...`: brings the index of a running node or cluster up to date with folders. */
export async function runAutoindex(call: Invocation): Promise<number> {
  const { watch, dryRun, json } = call.options;
  if (watch === true && dryRun === true) throw new UsageError("--watch and --dry-run exclude each other");
  if (json === true && dryRun !== true) throw new UsageError("--json goes with --dry-run");
  checkFolders(call.args);
  const client = new Client({ url: findNode({ url: text(call, "url"), data: text(call, "data") }), connections: 4 });
  const options: IndexFoldersOptions = {
    client,
    folders: call.args,
    workers: wholeNumber(call, "workers", { min: 1, max: 64 }),
    hidden: call.options.hidden === true ? "index" : "skip",
    branches: text(call, "branches")?.split(","),
    history: text(call, "history"),
  };
  try {
    if (dryRun === true) await planFolders(options, json === true ? "json" : "text");
    else if (watch === true) await watchUntilAsked(options);
    else await indexFolders(options);
  } finally {
    client.close();
  }
  return 0;
}

/** Follows the folders until SIGINT or SIGTERM, then lets go of them. */
async function watchUntilAsked(options: IndexFoldersOptions): Promise<void> {
  const control = new AbortController();
  void untilAskedToStop().then(() => control.abort());
  const { ended } = await watchFolders({ ...options, signal: control.signal });
  await ended;
}
