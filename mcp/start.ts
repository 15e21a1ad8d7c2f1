import type { McpOptions, RunningMcp } from "./options.js";

/**
 * Serves over standard input and output. Nothing else may write to standard output while it runs. The protocol library
 * is loaded here and not before: it takes longer to load than the searches that others make with this folder.
 */
export async function startMcp(options: McpOptions): Promise<RunningMcp> {
  const { serveStdio } = await import("./server.js");
  return serveStdio(options);
}
