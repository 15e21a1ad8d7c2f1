import { mkdirSync, renameSync, writeFileSync } from "node:fs";
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

const SHOUT = `# Speaks as a town crier does.
def shout(text):
    return text.upper()
`;
const BUNDLE = `${"a(1);".repeat(20_000)}function inTheMiddle(q){return q.haystack}${"b(2);".repeat(20_000)}\n`;

let node: TestNode;
let agent: Client;
const project = temporaryFolder("agent");
const file = path.join(project, "net/retry.py");

beforeAll(async () => {
  mkdirSync(path.dirname(file));
  writeFileSync(file, RETRY);
  writeFileSync(path.join(project, "shout.py"), SHOUT);
  writeFileSync(path.join(project, "bundle.js"), BUNDLE);
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
  it("sees four tools that only read", async () => {
    const { tools } = await agent.listTools();
    expect(tools.map((tool) => tool.name).sort()).toEqual(["map", "read", "search", "symbol"]);
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

  it("shows a hit on the comment above a declaration, at its line", async () => {
    expect(await call("search", { query: "town crier" })).toMatch(
      /shout\.py:2-3#shout@\S+ function\n1: # Speaks as a town crier does\.\n2: def shout/,
    );
  });

  it("shows a match in a minified file, and reads the piece around it by its locator", async () => {
    const found = await call("search", { query: "inTheMiddle", max_tokens: 400 });
    expect(found).toMatch(/1: \(\+\d+ bytes\) \.\.\. .*function inTheMiddle\(q\).* \.\.\. \(\+\d+ bytes\)\n/);
    const locator = /bundle\.js:1-1#\S+/.exec(found)?.[0];
    expect(await call("read", { locator, max_tokens: 50_000 })).toContain("function inTheMiddle(q){return q.haystack}");
    let text = await call("read", { locator, max_tokens: 300 });
    for (let calls = 0; !text.includes("return q.haystack"); calls++) {
      expect(calls).toBeLessThan(40);
      const next = /next: read\((\{.*\})\)/.exec(text)?.[1] ?? "";
      text = await call("read", { ...JSON.parse(next), max_tokens: 300 });
    }
  });

  it("follows a locator to the new name of its file, once that is indexed", async () => {
    const locator = /shout\.py:2-3#\S+/.exec(await call("search", { query: "def:shout" }))?.[0];
    renameSync(path.join(project, "shout.py"), path.join(project, "whisper.py"));
    expect(await call("read", { locator })).toContain("found once its folder is indexed again");
    await pinakes(["autoindex", project, "--url", node.url]);
    expect(await call("read", { locator })).toMatch(/^whisper\.py:2-3#shout@\S+ \(moved here from shout\.py\)\n2: def/);
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
