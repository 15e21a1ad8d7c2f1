import type { WorkspaceOptions } from "./workspace.js";

/** What the server works with, and the version it says it has. */
export interface McpOptions extends WorkspaceOptions {
  version?: string;
}

/** A running server. */
export interface RunningMcp {
  /** Ends the server; the client that was given stays open. */
  close(): Promise<void>;
  /** Settles when the other side has closed the connection. */
  closed: Promise<void>;
}
