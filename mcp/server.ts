import { Server } from "@modelcontextprotocol/sdk/server/index.js";
import { CallToolRequestSchema, ListToolsRequestSchema } from "@modelcontextprotocol/sdk/types.js";
import type { McpOptions, RunningMcp } from "./options.js";
import { StdioTransport } from "./stdio-transport.js";
import { callTool, listTools } from "./tools.js";

const INSTRUCTIONS = `Code search over indexed folders. search finds declarations and text, symbol shows one with what calls \
it and what it calls, read shows code by locator or lines, map says what is there. Answers keep to max_tokens and end with \
the call that continues them. A locator stays good after edits: read says whether its code moved or changed.`;

/**
 * Makes the server with its tools, not connected to anything yet. It is the protocol library's plain server: its other one
 * answers wrong arguments by itself, at any length.
 */
export function createMcpServer(options: McpOptions): Server {
  const info = { name: "pinakes", version: options.version ?? "0.1.0" };
  const server = new Server(info, { capabilities: { tools: {} }, instructions: INSTRUCTIONS });
  server.setRequestHandler(ListToolsRequestSchema, () => ({ tools: listTools() }));
  server.setRequestHandler(CallToolRequestSchema, ({ params }) =>
    callTool(options.workspace, params.name, params.arguments),
  );
  return server;
}

/** Serves over standard input and output. Nothing else may write to standard output while it runs. */
export async function serveStdio(options: McpOptions): Promise<RunningMcp> {
  const server = createMcpServer(options);
  const closed = new Promise<void>((resolve) => {
    server.onclose = resolve;
  });
  // The transport does not notice its end of input by itself, and would keep the process of a client that is gone.
  process.stdin.once("end", () => void server.close());
  await server.connect(new StdioTransport(process.stdin, process.stdout));
  return { close: () => server.close(), closed };
}
