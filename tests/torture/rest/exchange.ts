/** Sends a request and waits for the answer, but not for ever. */
import http from "node:http";
import net from "node:net";
import { gunzipSync } from "node:zlib";
import type { WireRequest } from "./wire-request.js";

/** How long any answer may take; nothing that is sent asks for more. */
export const PATIENCE_MS = 20_000;

/** An answer as it came. */
export interface Answer {
  readonly kind: "answer";
  readonly status: number;
  readonly headers: http.IncomingHttpHeaders;
  readonly text: string;
}

/** `late`: nothing in time; `broken`: the connection ended without an answer. */
export type Outcome = Answer | { readonly kind: "late" | "broken"; readonly why: string };

/** A request that Node's own client takes. */
export function exchange(url: URL, agent: http.Agent, request: WireRequest): Promise<Outcome> {
  const { method, path, body } = request;
  const headers: Record<string, string | number> = { ...request.headers };
  if (body !== undefined) headers["content-length"] = body.length;
  return new Promise((resolve) => {
    const { hostname, port } = url;
    const sent = http.request({ hostname, port, method, path, headers, agent });
    const timer = setTimeout(() => {
      resolve({ kind: "late", why: `no answer in ${PATIENCE_MS} ms` });
      sent.destroy();
    }, PATIENCE_MS);
    const end = (outcome: Outcome) => {
      clearTimeout(timer);
      resolve(outcome);
    };
    sent.on("error", (error) => end({ kind: "broken", why: error.message }));
    sent.on("response", (response) => {
      const chunks: Buffer[] = [];
      response.on("data", (chunk: Buffer) => chunks.push(chunk));
      response.on("error", (error) => end({ kind: "broken", why: error.message }));
      response.on("end", () => {
        const { statusCode = 0, headers } = response;
        try {
          const bytes = Buffer.concat(chunks);
          const text = (headers["content-encoding"] === "gzip" ? gunzipSync(bytes) : bytes).toString();
          end({ kind: "answer", status: statusCode, headers, text });
        } catch (error) {
          end({ kind: "broken", why: `an answer that cannot be unpacked: ${(error as Error).message}` });
        }
      });
    });
    sent.end(body);
  });
}

/**
 * Bytes on a connection of their own, whose sending side is closed after them; what comes back until it is closed. An
 * empty text: the server hung up.
 */
export function exchangeBytes(url: URL, bytes: Buffer): Promise<{ kind: "closed"; text: string } | { kind: "late" }> {
  return new Promise((resolve) => {
    const socket = net.connect({ host: url.hostname, port: Number(url.port) });
    const chunks: Buffer[] = [];
    const timer = setTimeout(() => {
      resolve({ kind: "late" });
      socket.destroy();
    }, PATIENCE_MS);
    socket.on("data", (chunk) => chunks.push(chunk));
    // A reset is a way of hanging up, too.
    socket.on("error", () => undefined);
    socket.on("close", () => {
      clearTimeout(timer);
      resolve({ kind: "closed", text: Buffer.concat(chunks).toString("latin1") });
    });
    socket.end(bytes);
  });
}

/** A request of the torture's own, answered in time. Throws when it is not. */
export async function ask(url: string, method: string, path: string, given: Asked = {}): Promise<Answer> {
  const body = given.body === undefined ? undefined : Buffer.from(given.body);
  const headers = { ...(body === undefined ? {} : { "content-type": "application/json" }), ...given.headers };
  const agent = new http.Agent();
  const outcome = await exchange(new URL(url), agent, { method, path, headers, body });
  agent.destroy();
  if (outcome.kind !== "answer") throw new NoAnswer(`${method} ${path}: ${outcome.why}`);
  return outcome;
}

/** What may come with it. */
export interface Asked {
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** The node is gone, or hangs. */
export class NoAnswer extends Error {}
