import { Server } from "@modelcontextprotocol/sdk/server/index.js";
import { ErrorCode, ListToolsRequestSchema } from "@modelcontextprotocol/sdk/types.js";
import type { McpOptions, RunningMcp } from "./options.js";
import { idTokens } from "./page.js";
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
  // Not a handler of `tools/call` by name: the library would check its form first, and answers with its validator's JSON.
  server.fallbackRequestHandler = async ({ method, params }, { requestId }) => {
    if (method !== "tools/call") throw requestError(ErrorCode.MethodNotFound, "Method not found");
    const { name, args } = calledTool(params);
    return callTool(options.workspace, name, { args, idTokens: idTokens(requestId) });
  };
  return server;
}

/** What a `tools/call` asks for. Throws what JSON-RPC calls invalid params (-32602) for any other form of it. */
function calledTool(params: Record<string, unknown> = {}): { name: string; args?: Record<string, unknown> } {
  const { name, arguments: args } = params;
  if (typeof name !== "string") throw requestError(ErrorCode.InvalidParams, '"name" must be the name of a tool');
  if (args === undefined) return { name };
  if (typeof args !== "object" || args === null || Array.isArray(args))
    throw requestError(ErrorCode.InvalidParams, '"arguments" must be an object, such as {"query":"parse"}');
  return { name, args: args as Record<string, unknown> };
}

/** An error that the library answers a request with, its message as it is. */
function requestError(code: ErrorCode, message: string): Error {
  return Object.assign(new Error(message), { code });
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
