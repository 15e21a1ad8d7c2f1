/** zoekt as a peer: its index made, its web server started. Both programs are installed by whoever measures. */
import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdirSync } from "node:fs";
import net from "node:net";
import path from "node:path";
import { UsageError } from "../../src/command.js";

/** A web server of our own. */
export interface RunningZoekt {
  readonly url: string;
  readonly indexSeconds: number;
  stop(): Promise<void>;
}

/** Indexes a folder and serves it. Throws UsageError naming the program that is not there. */
export async function startZoekt(folder: string, work: string): Promise<RunningZoekt> {
  const indexer = program("PINAKES_ZOEKT_INDEX", "zoekt-index");
  const server = program("PINAKES_ZOEKT_WEBSERVER", "zoekt-webserver");
  const index = path.join(work, "zoekt");
  mkdirSync(index);
  const began = performance.now();
  const { status, stderr } = spawnSync(indexer, ["-index", index, folder], { stdio: ["ignore", "ignore", "pipe"] });
  if (status !== 0) throw new Error(`${indexer}: ${stderr}`);
  const indexSeconds = (performance.now() - began) / 1000;
  const address = `127.0.0.1:${await freePort()}`;
  const child = spawn(server, ["-index", index, "-listen", address, "-rpc"], { stdio: "ignore" });
  await answers(child, `http://${address}/`);
  return { url: `http://${address}`, indexSeconds, stop: () => stopped(child) };
}

function program(variable: string, name: string): string {
  const file = process.env[variable] ?? name;
  if (spawnSync(file, ["-h"], { stdio: "ignore" }).error === undefined) return file;
  throw new UsageError(`${file} is not here: install zoekt (its repository builds with Go), or set ${variable}`);
}

async function freePort(): Promise<number> {
  const server = net.createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as net.AddressInfo;
  server.close();
  await once(server, "close");
  return port;
}

const LONGEST_START_MS = 60_000;

/** Waits until it listens. */
async function answers(child: ChildProcess, url: string): Promise<void> {
  const until = performance.now() + LONGEST_START_MS;
  for (;;) {
    if (
      await fetch(url).then(
        () => true,
        () => false,
      )
    )
      return;
    if (child.exitCode !== null || performance.now() > until) throw new Error("zoekt's web server did not start");
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

async function stopped(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null) return;
  child.kill("SIGTERM");
  await once(child, "exit");
}
