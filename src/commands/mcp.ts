import { reindexFile } from "../../autoindex/index.js";
import { Client } from "../../client/index.js";
import { startMcp } from "../../mcp/index.js";
import { type CommandRow, DATA_OPTION, type Invocation, text, URL_OPTION } from "../command.js";
import { findNode } from "../node/find-node.js";
import { version } from "../version.js";

/** `pinakes mcp`: the tools for coding agents, over standard input and output. */
export const MCP: CommandRow = {
  name: "mcp",
  summary: "serve the tools for coding agents (Model Context Protocol over stdio)",
  examples: ["claude mcp add pinakes -- npx pinakes mcp", "pinakes mcp --url http://127.0.0.1:9201"],
  options: [URL_OPTION, DATA_OPTION],
  run: runMcp,
};

async function runMcp(call: Invocation): Promise<number> {
  const client = new Client({ url: findNode({ url: text(call, "url"), data: text(call, "data") }) });
  const running = await startMcp({
    client,
    version,
    reindexFile: async (root, path) => {
      await reindexFile(client, root, path);
    },
  });
  await running.closed;
  client.close();
  return 0;
}
