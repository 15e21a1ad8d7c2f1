import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { StreamableHTTPServerTransport } from "@modelcontextprotocol/sdk/server/streamableHttp.js";
import type { McpOptions, RunningHttpMcp } from "./options.js";
import { createMcpServer } from "./server.js";

/** Where the tools are served. */
const ENDPOINT = "/mcp";
/** Largest request read, in bytes: the longest query there is, many times over. */
const MOST_BYTES = 1 << 20;
const LOOPBACK = /^(localhost|127(?:\.\d{1,3}){3}|\[::1\])$/i;

/**
 * Serves the tools over streamable HTTP (specification 2025-11-25, basic/transports) on 127.0.0.1. Nothing is kept
 * between requests: each gets a server of its own, so there are no sessions to lose. Port 0: a free one.
 */
export async function serveHttp(options: McpOptions, port: number): Promise<RunningHttpMcp> {
  const server = createServer((request, response) => {
    answer(options, request, response).catch((error: unknown) => {
      if (response.headersSent) response.destroy();
      else refuse(response, 500, error instanceof Error ? error.message : String(error));
    });
  });
  await listen(server, port);
  const closed = new Promise<void>((resolve) => server.once("close", () => resolve()));
  const close = async () => {
    server.close();
    server.closeAllConnections();
    await closed;
  };
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}${ENDPOINT}`, close, closed };
}

function listen(server: Server, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, "127.0.0.1", resolve);
  });
}

async function answer(options: McpOptions, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const foreign = foreignness(request);
  if (foreign !== undefined) return refuse(response, 403, foreign);
  if (request.url?.split("?")[0] !== ENDPOINT) return refuse(response, 404, `the tools are at ${ENDPOINT}`);
  if (request.method !== "POST") {
    response.setHeader("allow", "POST");
    return refuse(response, 405, "this server keeps no sessions and sends nothing unasked: POST alone is answered");
  }
  const server = createMcpServer(options);
  const transport = new StreamableHTTPServerTransport({
    sessionIdGenerator: undefined,
    maxRequestBodySize: MOST_BYTES,
  });
  response.once("close", () => void server.close());
  await server.connect(transport);
  await transport.handleRequest(request, response);
}

/**
 * Why a request is not of this machine's own programs, undefined when it is: a web page that rebinds its name to
 * 127.0.0.1 still sends its own name as `Host`, and browsers say in `Origin` which page asks.
 */
export function foreignness({ headers }: Pick<IncomingMessage, "headers">): string | undefined {
  const { host = "", origin } = headers;
  if (!LOOPBACK.test(host.replace(/:\d+$/, "")))
    return `Host [${host}] is not this machine: use localhost or 127.0.0.1`;
  if (origin === undefined || origin === `http://${host}`) return undefined;
  return `requests from the web page [${origin}] are refused`;
}

/** An error as JSON-RPC has it, without an id. */
function refuse(response: ServerResponse, status: number, message: string): void {
  const body = JSON.stringify({ jsonrpc: "2.0", error: { code: -32_000, message }, id: null });
  response.writeHead(status, { "content-type": "application/json" }).end(body);
}
