import type { Client } from "../client/index.js";

/**
 * What `mcp` and `search` are given to bring one file up to date. The extractor is loaded at its first use: most
 * searches meet no changed file, and loading it takes longer than they do.
 */
export function reindexing(client: Client): (root: string, path: string) => Promise<void> {
  return async (root, path) => {
    const { reindexFile } = await import("../autoindex/index.js");
    await reindexFile(client, root, path);
  };
}
