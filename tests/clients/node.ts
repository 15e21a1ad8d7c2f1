/** A node on a free port with the real engine, for the clients to talk to. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { startServer } from "../../compat/index.js";
import { openEngine } from "../../engine/index.js";

export interface ClientNode {
  readonly url: string;
  close(): Promise<void>;
}

const ARENA_BYTES = 64 * 1024 * 1024;

/** Starts a node in a folder of its own; `close` removes it. */
export async function startNode(): Promise<ClientNode> {
  const folder = mkdtempSync(path.join(tmpdir(), "pinakes-client-"));
  const engine = await openEngine(folder, { arenaBytes: ARENA_BYTES });
  const server = await startServer({ engine, host: "127.0.0.1", port: 0 });
  return {
    url: `http://${server.address}`,
    close: async () => {
      await server.close();
      await engine.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
