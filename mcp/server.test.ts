import { InMemoryTransport } from "@modelcontextprotocol/sdk/inMemory.js";
import type { JSONRPCMessage } from "@modelcontextprotocol/sdk/types.js";
import { afterEach, beforeEach, expect, test } from "vitest";
import { createMcpServer } from "./server.js";
import { Session } from "./testing/session.js";

let session: Session;
beforeEach(async () => {
  session = await Session.start();
});
afterEach(() => session.stop());

test("four tools, each with a title, a description and the hints of one that only reads", async () => {
  const { tools } = await session.agent.listTools();
  expect(tools.map(({ name }) => name)).toEqual(["search", "read", "symbol", "map"]);
  for (const tool of tools) {
    expect(tool.title).toBeTruthy();
    expect(tool.description).toBeTruthy();
    expect(tool.annotations).toMatchObject({ readOnlyHint: true, idempotentHint: true, openWorldHint: false });
    expect(tool.inputSchema.properties).toHaveProperty("max_tokens");
    expect(tool.inputSchema.additionalProperties).toBe(false);
  }
});

test("what an agent reads before its first call stays small", async () => {
  const { tools } = await session.agent.listTools();
  const instructions = session.agent.getInstructions() ?? "";
  // Every session pays for this: raise it only for something worth its place.
  expect(Buffer.byteLength(JSON.stringify(tools) + instructions)).toBeLessThan(6_000);
});

test("a budget below the smallest is refused by name", async () => {
  expect(await session.call("map", { max_tokens: 5 })).toMatchObject({
    isError: true,
    text: expect.stringContaining("max_tokens"),
  });
});

test("an argument of the wrong form is told what it takes", async () => {
  const { text } = await session.call("search", { query: 5 as never });
  expect(text).toBe("query: this takes a text or a list of texts\n");
  const { text: tooMany } = await session.call("search", { query: Array.from({ length: 99 }, () => "x") });
  expect(tooMany).toMatch(/^query: Too big/);
});

test.each([["str"], [null], [[]], [7]])(
  "arguments that are no object (%j) are refused in one sentence, by the right code",
  async (args) => {
    const call = session.agent.callTool({ name: "search", arguments: args as never });
    await expect(call).rejects.toMatchObject({
      code: -32_602,
      message: expect.stringMatching(/: "arguments" must be an object, such as \{"query":"parse"\}$/),
    });
  },
);

test("a call without the name of a tool, and a method that there is not, are refused", async () => {
  await expect(session.agent.callTool({} as never)).rejects.toMatchObject({ code: -32_602 });
  await expect(session.agent.listPrompts()).rejects.toMatchObject({ code: -32_601 });
});

/** The whole line that answers a call with an id of its own, and the text in it. */
async function raw(id: string, name: string, args: object): Promise<{ line: string; text: string }> {
  const [near, far] = InMemoryTransport.createLinkedPair();
  const server = createMcpServer({ workspace: { client: session.client } });
  await server.connect(far);
  const answered = new Promise<JSONRPCMessage>((resolve) => {
    near.onmessage = resolve;
  });
  await near.start();
  await near.send({ jsonrpc: "2.0", id, method: "tools/call", params: { name, arguments: args } });
  const answer = await answered;
  await server.close();
  const { result } = answer as unknown as { result: { content: [{ text: string }] } };
  return { line: `${JSON.stringify(answer)}\n`, text: result.content[0].text };
}

test("the id of a request counts as part of its answer, and so long a one that no room is left is told as such", async () => {
  const folder = session.folder("app");
  for (let at = 0; at < 40; at++) folder.add(`src/f${at}.ts`, `function item${at}() {\n  common();\n}\n`);
  folder.finish();
  const id = "550e8400-e29b-41d4-a716-446655440000";
  const { line, text } = await raw(id, "search", { query: "common", max_tokens: 200, limit: 40 });
  expect(Math.ceil(Buffer.byteLength(line) / 3)).toBeLessThanOrEqual(200);
  expect(text).toContain("more; next: ");
  expect((await raw("x".repeat(300), "map", { max_tokens: 150 })).text).toBe(
    "a request with so long an id needs max_tokens 198\n",
  );
});
