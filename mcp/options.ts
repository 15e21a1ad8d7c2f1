import type { WorkspaceOptions } from "./workspace.js";

/** What the server works with, and the version it says it has. */
export interface McpOptions {
  version?: string;
  /** What the tools work with; as a function it is asked at every call, because a node may come and go meanwhile. */
  workspace: WorkspaceOptions | (() => WorkspaceOptions);
}

/** A running server. */
export interface RunningMcp {
  /** Ends the server; the client that was given stays open. */
  close(): Promise<void>;
  /** Settles when the other side has closed the connection. */
  closed: Promise<void>;
}

/** A running server over HTTP. */
export interface RunningHttpMcp extends RunningMcp {
  /** Address of the endpoint, such as `http://127.0.0.1:9300/mcp`. */
  url: string;
}
