/** Requests to the server that is tried, and its answers as they came. */
import http from "node:http";
import { IDENTITY_HEADER } from "../../compat/identities.js";
import type { ApiRequest } from "./api.js";
import { readJson } from "./read-json.js";
import { readYaml } from "./read-yaml.js";
import type { Value } from "./values.js";

/** An answer. `body`: the value of JSON, else the text; of HEAD whether it succeeded. */
export interface Answer {
  status: number;
  headers: http.IncomingHttpHeaders;
  body: Value;
  /** Texts of the `Warning` headers. */
  warnings: string[];
}

/** The server did not answer, or not in time. */
export class NoAnswer extends Error {}

/** A connection to one server. */
export class Wire {
  readonly #agent = new http.Agent({ keepAlive: true });

  /** `identity`: what a Pinakes node is asked to be; other servers don't know the header. */
  constructor(
    readonly url: string,
    private readonly identity: string,
    private readonly timeoutMs: number,
  ) {}

  /** Throws NoAnswer. */
  async send(request: ApiRequest, given: Readonly<Record<string, string>> = {}): Promise<Answer> {
    const headers: Record<string, string | number> = { [IDENTITY_HEADER]: this.identity, ...given };
    if (request.body !== undefined) {
      if (!hasHeader(given, "content-type")) headers["content-type"] = "application/json";
      headers["content-length"] = Buffer.byteLength(request.body);
    }
    const { hostname, port } = new URL(this.url);
    const options = { hostname, port, method: request.method, path: request.path, headers, agent: this.#agent };
    return new Promise((resolve, reject) => {
      const fail = (error: Error) => reject(new NoAnswer(`${request.method} ${request.path}: ${error.message}`));
      const sent = http.request({ ...options, timeout: this.timeoutMs }, (response) => {
        const chunks: Buffer[] = [];
        response.on("data", (chunk: Buffer) => chunks.push(chunk));
        response.on("error", fail);
        response.on("end", () => resolve(answerOf(request.method, response, Buffer.concat(chunks).toString("utf8"))));
      });
      sent.on("timeout", () => sent.destroy(new Error(`no answer in ${this.timeoutMs} ms`)));
      sent.on("error", fail);
      sent.end(request.body);
    });
  }

  close(): void {
    this.#agent.destroy();
  }
}

function hasHeader(headers: Readonly<Record<string, string>>, name: string): boolean {
  return Object.keys(headers).some((key) => key.toLowerCase() === name);
}

function answerOf(method: string, response: http.IncomingMessage, text: string): Answer {
  const status = response.statusCode ?? 0;
  const body = method === "HEAD" ? status < 400 : bodyValue(response.headers["content-type"] ?? "", text);
  return { status, headers: response.headers, body, warnings: warningsOf(response.rawHeaders) };
}

function bodyValue(type: string, text: string): Value {
  if (text === "") return text;
  if (type.includes("json")) return readJson(text);
  return type.includes("yaml") ? (readYaml(text, "answer")[0] ?? null) : text;
}

/** `299 Product-1.2 "text with \"quotes\"" "date"` */
function warningsOf(raw: readonly string[]): string[] {
  return raw.flatMap((name, at) => {
    if (at % 2 !== 0 || name.toLowerCase() !== "warning") return [];
    const quoted = /^\d+ \S+ "((?:[^"\\]|\\.)*)"/.exec(raw[at + 1])?.[1] ?? raw[at + 1];
    return [quoted.replace(/\\(.)/g, "$1")];
  });
}
