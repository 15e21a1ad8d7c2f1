/** Plays requests against a node and gives its answers in a form that can be compared with another node's. */
import { request as httpRequest } from "node:http";
import type { Group } from "./concurrency-requests.js";

/** An answer; `json` is absent where there is no body. */
export interface Played {
  readonly call: string;
  readonly status: number;
  readonly json?: unknown;
}

/** Deletes all indices, then plays the calls of a group one after the other. */
export async function playGroup(host: string, group: Group, headers: Record<string, string> = {}): Promise<Played[]> {
  await send(host, "DELETE /_all", undefined, headers);
  const played: Played[] = [];
  for (const [call, body] of group.calls) {
    const { status, text } = await send(host, call, payloadOf(body), headers);
    played.push({ call, status, ...(text === "" ? {} : { json: comparable(JSON.parse(text)) }) });
  }
  return played;
}

function payloadOf(body: Group["calls"][number][1]): string | undefined {
  if (body === undefined || typeof body === "string") return body;
  if (!Array.isArray(body)) return JSON.stringify(body);
  return body.map((line) => `${typeof line === "string" ? line : JSON.stringify(line)}\n`).join("");
}

function send(
  host: string,
  call: string,
  body: string | undefined,
  headers: Record<string, string>,
): Promise<{ status: number; text: string }> {
  const [method, path] = call.split(" ");
  const [hostname, port] = [host.slice(0, host.lastIndexOf(":")), host.slice(host.lastIndexOf(":") + 1)];
  const type = path.includes("_bulk") ? "application/x-ndjson" : "application/json";
  const content = body === undefined ? {} : { "content-type": type, "content-length": String(Buffer.byteLength(body)) };
  return new Promise((resolve, reject) => {
    const sent = httpRequest({ hostname, port, method, path, headers: { ...content, ...headers } }, (response) => {
      let text = "";
      response.setEncoding("utf8");
      response.on("data", (chunk: string) => {
        text += chunk;
      });
      response.on("error", reject);
      response.on("end", () => resolve({ status: response.statusCode ?? 0, text }));
    });
    sent.on("error", reject);
    sent.end(body);
  });
}

/** What differs from run to run is replaced: times, uuids, automatic ids. */
function comparable(value: unknown, key = ""): unknown {
  if (Array.isArray(value)) return value.map((one) => comparable(one));
  if (typeof value === "object" && value !== null) {
    return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, comparable(member, name)]));
  }
  if (key === "took") return 0;
  if (key === "index_uuid" && value !== "_na_") return "uuid";
  if (typeof value !== "string") return value;
  return key === "_id" && value.length > 12 ? "automatic" : value;
}
