/** A server on a free port, and requests to it, for tests. */
import { request as httpRequest, type IncomingHttpHeaders } from "node:http";
import type { EngineFace } from "../../engine/index.js";
import { type RunningServer, type ServerOptions, startServer } from "../server.js";

export interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly bytes: Buffer;
  readonly text: string;
  /** The body parsed; throws when it is no JSON. */
  readonly json: Record<string, never>;
}

export interface TestServer {
  readonly address: string;
  /** `body` as JSON unless it is text or bytes. */
  call(method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<Answer>;
  close(): Promise<void>;
}

/** Starts on any free port. */
export async function testServer(engine: EngineFace, options: Partial<ServerOptions> = {}): Promise<TestServer> {
  const server: RunningServer = await startServer({ engine, host: "127.0.0.1", port: 0, ...options });
  return {
    address: server.address,
    call: (method, path, body, headers = {}) => call(server.address, { method, path, body, headers }),
    close: () => server.close(),
  };
}

interface Call {
  readonly method: string;
  readonly path: string;
  readonly body: unknown;
  readonly headers: Record<string, string>;
}

function call(address: string, { method, path, body, headers }: Call): Promise<Answer> {
  const payload =
    body === undefined ? undefined : typeof body === "string" || Buffer.isBuffer(body) ? body : JSON.stringify(body);
  const type =
    payload === undefined
      ? {}
      : { "content-type": "application/json", "content-length": String(Buffer.byteLength(payload)) };
  const [host, port] = [address.slice(0, address.lastIndexOf(":")), address.slice(address.lastIndexOf(":") + 1)];
  return new Promise((resolve, reject) => {
    const sent = httpRequest({ host, port, method, path, headers: { ...type, ...headers } }, (response) => {
      const chunks: Buffer[] = [];
      response.on("data", (chunk: Buffer) => chunks.push(chunk));
      response.on("error", reject);
      response.on("end", () => resolve(answer(response.statusCode ?? 0, response.headers, Buffer.concat(chunks))));
    });
    sent.on("error", reject);
    sent.end(payload);
  });
}

function answer(status: number, headers: IncomingHttpHeaders, bytes: Buffer): Answer {
  const text = bytes.toString();
  return {
    status,
    headers,
    bytes,
    text,
    get json() {
      return JSON.parse(text) as Record<string, never>;
    },
  };
}
