import { type NodeSettings, readNodeSettings } from "../../compat/index.js";
import { byteSize } from "../byte-size.js";
import { type Invocation, text, texts, UsageError, wholeNumber } from "../command.js";
import { resolveDataFolder } from "../node/data-folder.js";
import { nodeAttributes } from "../node/node-attributes.js";
import { resolveReindexHosts } from "../node/reindex-hosts.js";
import { resolveRepositoryFolders } from "../node/repository-folders.js";
import { serve } from "../node/serve.js";
import { untilAskedToStop } from "../node/signals.js";
import { MOST_WORKERS, threadOptions } from "../node/threads.js";

/** `pinakes serve`: the node alone, in the foreground. */
export async function runServe(call: Invocation): Promise<number> {
  const log = (line: string) => process.stderr.write(`${line}\n`);
  const dataFolder = resolveDataFolder(text(call, "data"));
  const node = await serve({
    dataFolder,
    host: text(call, "host") ?? "127.0.0.1",
    port: wholeNumber(call, "port", { min: 0, max: 65535 }) ?? 9200,
    attributes: nodeAttributes(texts(call, "attr")),
    threads: threadOptions(wholeNumber(call, "workers", { min: 0, max: MOST_WORKERS })),
    repositoryFolders: resolveRepositoryFolders(text(call, "pathRepo")),
    reindexHosts: resolveReindexHosts(text(call, "reindexRemoteAllowlist")),
    settings: settingsOf(call),
    memoryBytes: byteSize(call, "memory", process.env.PINAKES_MEMORY),
    log,
  });
  log(`pinakes listens on ${node.url}, data in ${dataFolder}`);
  const stopping = untilAskedToStop();
  await stopping;
  log("stopping: writing what is in memory");
  await node.close();
  return 0;
}

function settingsOf(call: Invocation): NodeSettings {
  try {
    return readNodeSettings(texts(call, "setting"));
  } catch (error) {
    throw new UsageError((error as Error).message);
  }
}
