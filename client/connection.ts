import { Agent as HttpAgent, request as httpRequest, type IncomingMessage, type RequestOptions } from "node:http";
import { Agent as HttpsAgent, request as httpsRequest } from "node:https";
import { ConnectionError } from "./errors.js";

/** An answer as it came: status, headers and raw body. */
export interface Reply {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  text: string;
}

/** What goes out: path with its query, raw body or none. */
export interface Outgoing {
  method: string;
  path: string;
  body: Buffer | undefined;
  contentType: string;
}

/** Where a connection leads; `url` may carry a user and password, which become a Basic header. */
export interface Target {
  url: string;
  authorization?: string;
  connections?: number;
  timeoutMs?: number;
  ca?: string;
}

const DEFAULT_CONNECTIONS = 8;
const DEFAULT_TIMEOUT_MS = 120_000;
/** POSTs that only read, so that they may be sent twice. */
const READING_POST = /\/(_search|_msearch|_count|_mget|_analyze|_refresh|_validate\/query|_field_caps)(\/|\?|$)/;

/** A pool of keep-alive connections to one address. */
export class Connection {
  /** The address as it may be shown: without user and password. */
  readonly shownUrl: string;
  readonly #base: URL;
  readonly #agent: HttpAgent | HttpsAgent;
  readonly #authorization: string | undefined;
  readonly #timeoutMs: number;

  constructor(target: Target) {
    this.#base = parseUrl(target.url);
    this.#authorization = target.authorization ?? basicFromUrl(this.#base);
    this.#base.username = "";
    this.#base.password = "";
    this.shownUrl = this.#base.href.replace(/\/$/, "");
    this.#timeoutMs = target.timeoutMs ?? DEFAULT_TIMEOUT_MS;
    const options = { keepAlive: true, maxSockets: target.connections ?? DEFAULT_CONNECTIONS };
    this.#agent =
      this.#base.protocol === "https:" ? new HttpsAgent({ ...options, ca: target.ca }) : new HttpAgent(options);
  }

  /** Sends one request and reads the whole answer. Throws ConnectionError when there is none. */
  async send(outgoing: Outgoing): Promise<Reply> {
    try {
      return await this.#attempt(outgoing);
    } catch (error) {
      // A server may close an idle connection in the moment that we use it; that says nothing about the server.
      if (error instanceof StaleSocket && repeatable(outgoing)) return this.#attempt(outgoing);
      throw error instanceof StaleSocket ? error.cause : error;
    }
  }

  /** Closes idle and busy connections; requests under way fail. */
  close(): void {
    this.#agent.destroy();
  }

  #attempt(outgoing: Outgoing): Promise<Reply> {
    return new Promise((resolve, reject) => {
      const send = this.#base.protocol === "https:" ? httpsRequest : httpRequest;
      const request = send(this.#options(outgoing), (response) => {
        readAll(response).then(resolve, (error: NodeJS.ErrnoException) => reject(this.#broken(error)));
      });
      request.setTimeout(this.#timeoutMs, () => request.destroy(timedOut(this.#timeoutMs)));
      request.on("error", (error: NodeJS.ErrnoException) => {
        const broken = this.#broken(error);
        reject(request.reusedSocket && error.code === "ECONNRESET" ? new StaleSocket(broken) : broken);
      });
      request.end(outgoing.body);
    });
  }

  #options(outgoing: Outgoing): RequestOptions {
    const headers: Record<string, string> = { accept: "application/json" };
    if (this.#authorization !== undefined) headers.authorization = this.#authorization;
    if (outgoing.body !== undefined) {
      headers["content-type"] = outgoing.contentType;
      headers["content-length"] = String(outgoing.body.length);
    }
    return {
      agent: this.#agent,
      method: outgoing.method,
      hostname: this.#base.hostname.replace(/^\[|\]$/g, ""),
      port: this.#base.port,
      path: this.#base.pathname.replace(/\/$/, "") + outgoing.path,
      headers,
    };
  }

  #broken(error: NodeJS.ErrnoException): ConnectionError {
    const code = error.code ?? "EUNKNOWN";
    const reason = code === "ECONNREFUSED" ? "Nothing answers" : `No answer (${error.message || code})`;
    return new ConnectionError(this.shownUrl, code, reason);
  }
}

class StaleSocket extends Error {
  constructor(override readonly cause: ConnectionError) {
    super(cause.message);
  }
}

function repeatable(outgoing: Outgoing): boolean {
  return outgoing.method !== "POST" || READING_POST.test(outgoing.path);
}

function parseUrl(url: string): URL {
  const withScheme = /^[a-z]+:\/\//i.test(url) ? url : `http://${url}`;
  const parsed = URL.canParse(withScheme) ? new URL(withScheme) : undefined;
  if (parsed === undefined || (parsed.protocol !== "http:" && parsed.protocol !== "https:")) {
    throw new TypeError(`"${url}" is not the address of a node: write it as http://127.0.0.1:9200`);
  }
  return parsed;
}

function basicFromUrl(url: URL): string | undefined {
  if (url.username === "") return undefined;
  const pair = `${decodeURIComponent(url.username)}:${decodeURIComponent(url.password)}`;
  return `Basic ${Buffer.from(pair).toString("base64")}`;
}

function timedOut(timeoutMs: number): NodeJS.ErrnoException {
  return Object.assign(new Error(`nothing came for ${timeoutMs} ms`), { code: "ETIMEDOUT" });
}

function readAll(response: IncomingMessage): Promise<Reply> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    response.on("data", (chunk: Buffer) => chunks.push(chunk));
    response.on("error", reject);
    response.on("end", () => {
      const text = Buffer.concat(chunks).toString("utf8");
      resolve({ status: response.statusCode ?? 0, headers: response.headers, text });
    });
  });
}
