import { countTokens } from "../code/index.js";
import type { McpOptions, RunningHttpMcp, RunningMcp } from "./options.js";

/**
 * Serves over standard input and output. Nothing else may write to standard output while it runs. The protocol library
 * is loaded here and not before: it takes longer to load than the searches that others make with this folder.
 */
export async function startMcp(options: McpOptions): Promise<RunningMcp> {
  const { serveStdio } = await import("./server.js");
  return serveStdio(options);
}

/** Serves over HTTP on a port of 127.0.0.1; 0: a free one. */
export async function startHttpMcp(options: McpOptions, port: number): Promise<RunningHttpMcp> {
  const { serveHttp } = await import("./serve-http.js");
  return serveHttp(options, port);
}

/** The tools without a transport between. */
export interface OpenTools {
  /** Tokens of what an agent is told of the tools before its first call. */
  listTokens: number;
  /** Calls a tool; its answer's text, errors included. */
  call(name: string, args: Record<string, unknown>): Promise<string>;
}

/** Opens the tools for a program in the same process. */
export async function openTools(options: McpOptions): Promise<OpenTools> {
  const { callTool, listTools } = await import("./tools.js");
  const call = async (name: string, args: Record<string, unknown>) => {
    const { content } = await callTool(options.workspace, name, { args });
    return content.map((part) => (part.type === "text" ? part.text : "")).join("\n");
  };
  return { listTokens: countTokens(JSON.stringify(listTools())), call };
}
