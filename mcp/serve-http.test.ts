import { request } from "node:http";
import { Client as McpClient } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { Client } from "../client/index.js";
import type { RunningHttpMcp } from "./options.js";
import { foreignness, serveHttp } from "./serve-http.js";
import { CodeFolder } from "./testing/code-folder.js";
import { FakeNode } from "./testing/fake-node.js";

const node = new FakeNode();
const folder = new CodeFolder(node, "lib");
let client: Client;
let running: RunningHttpMcp;
beforeAll(async () => {
  client = new Client({ url: await node.start() });
  folder.add("src/a.ts", "function alpha() {\n  return 1;\n}\n");
  folder.finish();
  running = await serveHttp({ workspace: { client } }, 0);
});
afterAll(async () => {
  await running.close();
  client.close();
  await node.stop();
  folder.dispose();
});

/** Sends a request whose headers and path are as they are given. */
function send(options: { method: string; path: string; headers: Record<string, string> }, body = ""): Promise<number> {
  return new Promise((resolve, reject) => {
    const sent = request(running.url, options, (response) => {
      response.resume();
      response.once("end", () => resolve(response.statusCode ?? 0));
    });
    sent.once("error", reject);
    sent.end(body);
  });
}

const LIST = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/list", params: {} });
const JSON_HEADERS = { "content-type": "application/json", accept: "application/json, text/event-stream" };

describe("the tools over HTTP", () => {
  it("answer the official client, call after call and several at once", async () => {
    const agent = new McpClient({ name: "test", version: "1" });
    await agent.connect(new StreamableHTTPClientTransport(new URL(running.url)));
    const search = () => agent.callTool({ name: "search", arguments: { query: "def:alpha" } });
    const answers = [await search(), ...(await Promise.all([search(), search(), search()]))];
    for (const { content } of answers) expect(JSON.stringify(content)).toContain("src/a.ts:1-3#alpha");
    await agent.close();
  });

  it("are refused to web pages: by Origin, and by a Host that is another name of 127.0.0.1", async () => {
    const call = { method: "POST", path: "/mcp" };
    expect(await send({ ...call, headers: JSON_HEADERS }, LIST)).toBe(200);
    expect(await send({ ...call, headers: { ...JSON_HEADERS, host: "evil.example:80" } }, LIST)).toBe(403);
    expect(await send({ ...call, headers: { ...JSON_HEADERS, origin: "https://evil.example" } }, LIST)).toBe(403);
    expect(await send({ ...call, headers: { ...JSON_HEADERS, origin: "null" } }, LIST)).toBe(403);
  });

  it("say where they are, that nothing is sent unasked, and how long a request may be", async () => {
    expect(await send({ method: "POST", path: "/", headers: JSON_HEADERS }, LIST)).toBe(404);
    expect(await send({ method: "GET", path: "/mcp", headers: JSON_HEADERS })).toBe(405);
    expect(await send({ method: "POST", path: "/mcp", headers: JSON_HEADERS }, "{")).toBe(400);
    expect(await send({ method: "POST", path: "/mcp", headers: JSON_HEADERS }, " ".repeat(2 << 20))).toBe(413);
  });

  it.each([
    ["9007199254740993", "9007199254740993"],
    ["1.5", "1.5"],
    ["{}", "null"],
  ])("name an id that is none: %s", async (id, answered) => {
    const body = `{"jsonrpc":"2.0","id":${id},"method":"ping"}`;
    const response = await fetch(running.url, { method: "POST", headers: JSON_HEADERS, body });
    expect(response.status).toBe(400);
    const text = await response.text();
    expect(text).toContain(`"id":${answered}}`);
    expect(JSON.parse(text).error).toEqual({ code: -32600, message: expect.stringContaining(`the id ${id} is none`) });
  });
});

describe("foreignness", () => {
  const of = (host: string, origin?: string) => foreignness({ headers: { host, ...(origin && { origin }) } });
  it.each(["localhost:9300", "127.0.0.1:9300", "[::1]:9300", "LOCALHOST"])("knows %s as this machine", (host) => {
    expect(of(host)).toBeUndefined();
    expect(of(host, `http://${host}`)).toBeUndefined();
  });
  it.each(["", "evil.example", "127.0.0.1.evil.example", "localhost.evil:1", "[::2]:1"])(
    "knows %j as foreign",
    (host) => {
      expect(of(host)).toMatch(/is not this machine/);
    },
  );
  it("knows another port's page as foreign", () => {
    expect(of("127.0.0.1:9300", "http://127.0.0.1:3000")).toMatch(/web page/);
  });
});
