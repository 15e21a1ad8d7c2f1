import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ROOT } from "./import-graph.js";
import { pinakes, removeFolder, startTestNode, type TestNode, temporaryFolder } from "./support/node.js";

const RETRY = `import time


def retry_with_backoff(action, attempts=3):
    """Calls an action again after growing pauses until it succeeds."""
    for attempt in range(attempts):
        try:
            return action()
        except OSError:
            time.sleep(2**attempt)
    raise TimeoutError("gave up")
`;

let node: TestNode;
let agent: Client;
const project = temporaryFolder("agent");
const file = path.join(project, "net/retry.py");

beforeAll(async () => {
  mkdirSync(path.dirname(file));
  writeFileSync(file, RETRY);
  node = await startTestNode();
  const indexed = await pinakes(["autoindex", project, "--url", node.url]);
  expect(indexed).toMatchObject({ status: 0 });
  agent = new Client({ name: "test", version: "1" });
  const args = [path.join(ROOT, "bin/pinakes.js"), "mcp", "--url", node.url];
  await agent.connect(new StdioClientTransport({ command: process.execPath, args, stderr: "inherit" }));
}, 60_000);
afterAll(async () => {
  await agent.close();
  await node.stop();
  removeFolder(node.dataFolder);
  removeFolder(project);
});

async function call(name: string, args: Record<string, unknown>): Promise<string> {
  const result = (await agent.callTool({ name, arguments: args })) as {
    content: { text: string }[];
    isError?: boolean;
  };
  expect(result.isError ?? false).toBe(false);
  return result.content.map((part) => part.text).join("\n");
}

describe("an agent with the official client over stdio", () => {
  it("sees three tools that only read", async () => {
    const { tools } = await agent.listTools();
    expect(tools.map((tool) => tool.name).sort()).toEqual(["map", "read", "search"]);
    for (const tool of tools) expect(tool.annotations?.readOnlyHint).toBe(true);
  });

  it("finds a function by name and by description, and reads it by its locator", async () => {
    const byName = await call("search", { query: "retry_with_backoff" });
    expect(byName).toContain("net/retry.py:4");
    expect(await call("search", { query: "growing pauses" })).toContain("net/retry.py:4");
    const locator = /net\/retry\.py:4-11#\S+/.exec(byName)?.[0];
    expect(locator).toBeDefined();
    expect(await call("read", { locator })).toContain("time.sleep(2**attempt)");
  });

  it("follows a locator after an edit, and never shows other text as it was", async () => {
    const locator = /net\/retry\.py:4-11#\S+/.exec(await call("search", { query: "retry_with_backoff" }))?.[0];
    writeFileSync(file, `# A line above.\n# And another.\n${RETRY}`);
    const moved = await call("read", { locator });
    expect(moved).toMatch(/moved \+2 lines/);
    expect(moved).toContain("time.sleep(2**attempt)");
    expect(await call("search", { query: "retry_with_backoff" })).toContain("net/retry.py:6");
  });

  it("keeps to its budget in tokens", async () => {
    for (const max_tokens of [100, 150, 400]) {
      const text = await call("read", { path: "net/retry.py", start_line: 1, end_line: 13, max_tokens });
      expect(Math.ceil(Buffer.byteLength(text) / 3)).toBeLessThanOrEqual(max_tokens);
    }
  });

  it("maps what is here", async () => {
    expect(await call("map", {})).toContain("python");
  });
});
