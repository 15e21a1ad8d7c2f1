import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { StdioServerTransport } from "@modelcontextprotocol/sdk/server/stdio.js";
import type { CallToolResult, ToolAnnotations } from "@modelcontextprotocol/sdk/types.js";
import { runMap } from "./map-tool.js";
import type { McpOptions, RunningMcp } from "./options.js";
import { Page } from "./page.js";
import { runRead } from "./read-tool.js";
import { mapSchema, readSchema, searchSchema } from "./schemas.js";
import { runSearch } from "./search-tool.js";

const INSTRUCTIONS = `Code search over indexed folders. search finds declarations and text, read shows them by locator or \
lines, map says what is there. Answers keep to max_tokens and end with the call that continues them. A locator stays good \
after edits: read says whether its code moved or changed.`;

/** Makes the server with its three tools, not connected to anything yet. */
export function createMcpServer(options: McpOptions): McpServer {
  const server = new McpServer(
    { name: "pinakes", version: options.version ?? "0.1.0" },
    { instructions: INSTRUCTIONS },
  );
  server.registerTool(
    "search",
    {
      title: "Search code",
      description: "Find code by words, names and keys. Definitions come first; each hit has a locator for read.",
      inputSchema: searchSchema,
      annotations: reading("Search code"),
    },
    (args) => answer(args.max_tokens, () => runSearch(options, args)),
  );
  server.registerTool(
    "read",
    {
      title: "Read code",
      description: "Show a declaration by its locator, or lines of a file, as they are now.",
      inputSchema: readSchema,
      annotations: reading("Read code"),
    },
    (args) => answer(args.max_tokens, () => runRead(options, args)),
  );
  server.registerTool(
    "map",
    {
      title: "Map of the code",
      description: "What is here: folders, languages, directories, the declarations most referred to.",
      inputSchema: mapSchema,
      annotations: reading("Map of the code"),
    },
    (args) => answer(args.max_tokens, () => runMap(options, args)),
  );
  return server;
}

/** Serves over standard input and output. Nothing else may write to standard output while it runs. */
export async function serveStdio(options: McpOptions): Promise<RunningMcp> {
  const server = createMcpServer(options);
  const closed = new Promise<void>((resolve) => {
    server.server.onclose = resolve;
  });
  // The transport does not notice its end of input by itself, and would keep the process of a client that is gone.
  process.stdin.once("end", () => void server.close());
  await server.connect(new StdioServerTransport());
  return { close: () => server.close(), closed };
}

function reading(title: string): ToolAnnotations {
  return { title, readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false };
}

/** Runs a tool; what goes wrong becomes an answer that says so, within the same budget. */
async function answer(maxTokens: number, run: () => Promise<string>): Promise<CallToolResult> {
  try {
    return { content: [{ type: "text", text: await run() }] };
  } catch (error) {
    const page = new Page(maxTokens);
    page.addCut(error instanceof Error ? error.message : String(error));
    return { content: [{ type: "text", text: page.text() }], isError: true };
  }
}
