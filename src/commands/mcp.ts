import { Client } from "../../client/index.js";
import { type McpOptions, startHttpMcp, startMcp, type WorkspaceOptions } from "../../mcp/index.js";
import { type Invocation, text, wholeNumber } from "../command.js";
import { findNode } from "../node/find-node.js";
import { untilAskedToStop } from "../node/signals.js";
import { reindexing } from "../reindexing.js";
import { scopeResolver } from "../scopes.js";
import { version } from "../version.js";

/** `pinakes mcp`: the tools for coding agents, over standard input and output, or over HTTP with `--http`. */
export async function runMcp(call: Invocation): Promise<number> {
  const port = wholeNumber(call, "http", { min: 0, max: 65535 });
  const node = new ComingAndGoing({ url: text(call, "url"), data: text(call, "data") });
  const options = { version, workspace: () => node.workspace() };
  await (port === undefined ? overStdio(options) : overHttp(options, port));
  node.close();
  return 0;
}

/** The node, looked for at every call: an agent's session is longer than many a node's life. */
class ComingAndGoing {
  #known: { url: string; workspace: WorkspaceOptions } | undefined;
  #said = "";

  constructor(private readonly named: { url?: string; data?: string }) {}

  /** Throws when a data folder was named that no node runs on. */
  workspace(): WorkspaceOptions {
    const url = findNode(this.named, process.env, (line) => this.#say(line));
    if (this.#known?.url === url) return this.#known.workspace;
    this.close();
    const client = new Client({ url });
    const workspace = { client, reindexFile: reindexing(client), resolveScopes: scopeResolver(client) };
    this.#known = { url, workspace };
    return workspace;
  }

  close(): void {
    this.#known?.workspace.client.close();
  }

  #say(line: string): void {
    if (line !== this.#said) process.stderr.write(`${line}\n`);
    this.#said = line;
  }
}

async function overStdio(options: McpOptions): Promise<void> {
  const running = await startMcp(options);
  await running.closed;
}

async function overHttp(options: McpOptions, port: number): Promise<void> {
  const running = await startHttpMcp(options, port);
  process.stderr.write(`the tools are at ${running.url}; Ctrl-C ends\n`);
  await untilAskedToStop();
  await running.close();
}
