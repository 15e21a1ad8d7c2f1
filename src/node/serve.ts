import { type NodeSettings, type RunningServer, startServer } from "../../compat/index.js";
import { type EngineFace, openEngine } from "../../engine/index.js";
import { CODE_SEARCH_ROWS } from "./code-search.js";
import { makeFolder } from "./make-folder.js";
import { removeNodeFile, writeNodeFile } from "./node-file.js";
import { portHolder } from "./port-holder.js";
import type { ThreadOptions } from "./threads.js";

export interface ServeOptions {
  dataFolder: string;
  host: string;
  port: number;
  /** What to say of the node. */
  attributes?: Record<string, string>;
  threads: ThreadOptions;
  /** Folders that snapshot repositories may lie in; absent: `snapshots` in the data folder. */
  repositoryFolders?: string[];
  /** Hosts that `_reindex` may read from; absent: none. */
  reindexHosts?: string[];
  /** Settings by Elasticsearch's names (default: none). */
  settings?: NodeSettings;
  /** Bytes of memory to stay within; absent: what suits the machine. */
  memoryBytes: number | undefined;
  /** Lines for the log. */
  log: (line: string) => void;
}

/** A node that runs: its address, and how to end it (flushes, then releases the data folder). */
export interface RunningNode {
  url: string;
  engine: EngineFace;
  close(): Promise<void>;
}

/** Opens the data folder, binds the port, and says in node.json where. Throws with the holder's name when either is taken. */
export async function serve(options: ServeOptions): Promise<RunningNode> {
  makeFolder(options.dataFolder);
  const warn = (message: string) => options.log(`warning: ${message}`);
  // At once: the first search that needs a worker should not wait for its thread to start.
  const engine = await openEngine(options.dataFolder, {
    warn,
    memoryBytes: options.memoryBytes,
    repositoryFolders: options.repositoryFolders,
    ...options.threads,
    startWorkers: "eager",
  });
  let server: RunningServer;
  try {
    server = await startServer({
      ...options.settings,
      engine,
      host: options.host,
      port: options.port,
      nativeRows: CODE_SEARCH_ROWS,
      nodeAttributes: options.attributes,
      reindexHosts: options.reindexHosts,
      warn: (message) => options.log(message),
    });
  } catch (error) {
    await engine.close();
    throw explainBindFailure(error, options);
  }
  const url = `http://${server.address}`;
  writeNodeFile(options.dataFolder, { pid: process.pid, url });
  return {
    url,
    engine,
    async close() {
      removeNodeFile(options.dataFolder);
      await server.close();
      await engine.close();
    },
  };
}

function explainBindFailure(error: unknown, options: ServeOptions): unknown {
  if ((error as NodeJS.ErrnoException).code !== "EADDRINUSE") return error;
  const holder = portHolder(options.port);
  const who = holder ? `process ${holder.pid} (${holder.command})` : "another process";
  return new Error(
    `port ${options.port} on ${options.host} is taken by ${who}; choose another with --port, or end that process`,
    { cause: error },
  );
}
