import { type Invocation, text } from "../command.js";
import { resolveDataFolder } from "../node/data-folder.js";
import { isAlive, readNodeFile } from "../node/node-file.js";

const POLL_MS = 50;
const PATIENCE_MS = 60_000;

/** `pinakes stop`: asks the node of the data folder to end, and waits until it has. */
export async function runStop(call: Invocation): Promise<number> {
  const dataFolder = resolveDataFolder(text(call, "data"));
  const node = readNodeFile(dataFolder);
  if (!node) {
    process.stdout.write(`no node runs on ${dataFolder}\n`);
    return 0;
  }
  process.kill(node.pid, "SIGTERM");
  const deadline = Date.now() + PATIENCE_MS;
  while (isAlive(node.pid)) {
    if (Date.now() > deadline)
      throw new Error(`process ${node.pid} was asked to stop ${PATIENCE_MS / 1000} s ago and still runs`);
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
  process.stdout.write(`stopped the node ${node.url} (process ${node.pid})\n`);
  return 0;
}
