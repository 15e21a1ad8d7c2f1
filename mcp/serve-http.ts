import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { StreamableHTTPServerTransport } from "@modelcontextprotocol/sdk/server/streamableHttp.js";
import type { McpOptions, RunningHttpMcp } from "./options.js";
import { idAsWritten, idFault } from "./request-id.js";
import { createMcpServer } from "./server.js";

/** Where the tools are served. */
const ENDPOINT = "/mcp";
/** Largest request read, in bytes: the longest query there is, many times over. */
const MOST_BYTES = 1 << 20;
/** Codes of JSON-RPC 2.0, section 5.1. */
const PARSE_ERROR = -32_700;
const INVALID_REQUEST = -32_600;
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
  const text = await bodyOf(request);
  if (text === undefined) return refuse(response, 413, `a request has ${MOST_BYTES} bytes at most`);
  const body = parsed(text);
  if (body === undefined) return refuse(response, 400, "no JSON", { code: PARSE_ERROR });
  const fault = idFault(body, text);
  if (fault !== undefined) return refuse(response, 400, fault, { code: INVALID_REQUEST, id: idAsWritten(body, text) });
  const server = createMcpServer(options);
  const transport = new StreamableHTTPServerTransport({ sessionIdGenerator: undefined });
  response.once("close", () => void server.close());
  await server.connect(transport);
  await transport.handleRequest(request, response, body);
}

/** What a request carries; undefined when it is more than is read. */
async function bodyOf(request: IncomingMessage): Promise<string | undefined> {
  const pieces: Buffer[] = [];
  let length = 0;
  // What is too long is read to its end, or who sends it would not hear the answer.
  for await (const piece of request as AsyncIterable<Buffer>) {
    length += piece.length;
    if (length <= MOST_BYTES) pieces.push(piece);
  }
  return length > MOST_BYTES ? undefined : Buffer.concat(pieces).toString("utf8");
}

/** A value of JSON, undefined for what is none. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
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

/** An error as JSON-RPC has it; `id` is JSON. */
function refuse(response: ServerResponse, status: number, message: string, { code = -32_000, id = "null" } = {}): void {
  const body = `{"jsonrpc":"2.0","error":${JSON.stringify({ code, message })},"id":${id}}`;
  response.writeHead(status, { "content-type": "application/json" }).end(body);
}
