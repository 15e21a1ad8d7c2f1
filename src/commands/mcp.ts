import { Client } from "../../client/index.js";
import { startMcp } from "../../mcp/index.js";
import { type Invocation, text } from "../command.js";
import { findNode } from "../node/find-node.js";
import { reindexing } from "../reindexing.js";
import { version } from "../version.js";

/** `pinakes mcp`: the tools for coding agents, over standard input and output. */
export async function runMcp(call: Invocation): Promise<number> {
  const client = new Client({ url: findNode({ url: text(call, "url"), data: text(call, "data") }) });
  const running = await startMcp({
    client,
    version,
    reindexFile: reindexing(client),
  });
  await running.closed;
  client.close();
  return 0;
}
