import { Client as McpClient } from "@modelcontextprotocol/sdk/client/index.js";
import { InMemoryTransport } from "@modelcontextprotocol/sdk/inMemory.js";
import { Client } from "../../client/index.js";
import { createMcpServer } from "../server.js";
import type { WorkspaceOptions } from "../workspace.js";
import { CodeFolder } from "./code-folder.js";
import { FakeNode } from "./fake-node.js";

/** What a tool answered. */
export interface ToolAnswer {
  text: string;
  isError: boolean;
}

/** A fake node, folders, and an agent's connection to the server under test. */
export class Session {
  readonly node = new FakeNode();
  readonly #closing: (() => unknown)[] = [];
  readonly #folders: CodeFolder[] = [];
  #client: Client | undefined;
  #agent: McpClient | undefined;

  /** Starts a node and connects an agent to a server that speaks to it. */
  static async start(options: Partial<WorkspaceOptions> = {}): Promise<Session> {
    const session = new Session();
    session.#client = new Client({ url: await session.node.start() });
    await session.connect(options);
    return session;
  }

  /** Connects the agent anew, to a server with other options. */
  async connect(options: Partial<WorkspaceOptions>): Promise<void> {
    await this.#agent?.close();
    const server = createMcpServer({ workspace: { client: this.client, ...options } });
    const [near, far] = InMemoryTransport.createLinkedPair();
    this.#agent = new McpClient({ name: "test", version: "1" });
    await Promise.all([server.connect(far), this.#agent.connect(near)]);
    this.#closing.push(() => server.close());
  }

  get client(): Client {
    if (this.#client === undefined) throw new Error("the session was not started");
    return this.#client;
  }

  get agent(): McpClient {
    if (this.#agent === undefined) throw new Error("the session was not started");
    return this.#agent;
  }

  /** A new folder of the node. */
  folder(repo: string): CodeFolder {
    const folder = new CodeFolder(this.node, repo);
    this.#folders.push(folder);
    return folder;
  }

  /** Calls a tool and gives back its text. */
  async call(name: string, args: Record<string, unknown>): Promise<ToolAnswer> {
    const result = await this.agent.callTool({ name, arguments: args });
    const [content] = result.content as { type: string; text: string }[];
    return { text: content.text, isError: result.isError === true };
  }

  async stop(): Promise<void> {
    await this.#agent?.close();
    for (const close of this.#closing) await close();
    this.#client?.close();
    await this.node.stop();
    for (const folder of this.#folders) folder.dispose();
  }
}
