/** Nodes whose index is kept between runs, so that a change of weights is measured in seconds. */
import { existsSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { autoindex } from "../../autoindex/index.js";
import { Client } from "../../client/index.js";
import { type BenchNode, startNode } from "../node-process.js";

/** A folder and the name of its repository in the index. */
export interface IndexedFolder {
  folder: string;
  repo: string;
}

/** Runs work with a node that holds the folders; they are indexed when its data folder is new. */
export async function withIndexed<T>(
  dataFolder: string,
  folders: readonly IndexedFolder[],
  work: (client: Client) => Promise<T>,
): Promise<T> {
  const done = path.join(dataFolder, "..", `${path.basename(dataFolder)}.indexed`);
  if (!existsSync(done)) rmSync(dataFolder, { recursive: true, force: true });
  mkdirSync(dataFolder, { recursive: true });
  const node: BenchNode = await startNode(dataFolder);
  const client = new Client({ url: node.url, connections: 2, timeoutMs: 600_000 });
  try {
    if (!existsSync(done)) {
      for (const { folder, repo } of folders) await autoindex({ client, folder, repo, history: "none" });
      writeFileSync(done, folders.map(({ repo }) => `${repo}\n`).join(""));
    }
    return await work(client);
  } finally {
    client.close();
    await node.stop();
  }
}
