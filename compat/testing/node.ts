/** A node as users have it: the real engine on a folder of its own, served on a free port. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { type EngineFace, openEngine } from "../../engine/index.js";
import type { ServerOptions } from "../server.js";
import { type TestServer, testServer } from "./http.js";

export interface TestNode extends TestServer {
  readonly engine: EngineFace;
}

const ARENA_BYTES = 64 * 1024 * 1024;

/** Starts a node; `close` stops it and removes its folder. */
export async function testNode(options: Partial<ServerOptions> = {}): Promise<TestNode> {
  const folder = mkdtempSync(path.join(tmpdir(), "pinakes-node-"));
  const engine = await openEngine(folder, { arenaBytes: ARENA_BYTES });
  const server = await testServer(engine, options);
  return {
    ...server,
    engine,
    close: async () => {
      await server.close();
      await engine.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
