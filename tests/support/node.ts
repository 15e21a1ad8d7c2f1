import { type ChildProcess, spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import http from "node:http";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { createInterface } from "node:readline";
import { ROOT } from "../import-graph.js";

const PROGRAM = path.join(ROOT, "bin/pinakes.js");

/** An empty folder below the system's temporary one; the caller may leave it to the system to remove. */
export function temporaryFolder(name: string): string {
  return mkdtempSync(path.join(tmpdir(), `pinakes-${name}-`));
}

/** What a run of the command line gave. */
export interface CommandResult {
  status: number | null;
  stdout: string;
  stderr: string;
}

/** Runs the real program to its end, in the current folder or another. */
export function pinakes(args: string[], env: Record<string, string> = {}, cwd?: string): Promise<CommandResult> {
  const child = spawn(process.execPath, [PROGRAM, ...args], { env: { ...process.env, ...env }, cwd });
  let stdout = "";
  let stderr = "";
  child.stdout.on("data", (chunk: Buffer) => {
    stdout += chunk.toString();
  });
  child.stderr.on("data", (chunk: Buffer) => {
    stderr += chunk.toString();
  });
  return new Promise((resolve) => child.once("close", (status) => resolve({ status, stdout, stderr })));
}

/** A node in a process of its own. */
export interface TestNode {
  url: string;
  pid: number;
  dataFolder: string;
  /** SIGTERM, and waits; the data folder stays. */
  stop(): Promise<void>;
  /** SIGKILL, and waits. */
  kill(): Promise<void>;
}

/** How a node is started and watched. */
export interface TestNodeOptions {
  /** Further options of `pinakes serve`. */
  flags?: readonly string[];
  /** What node runs instead of `pinakes serve`. */
  program?: readonly string[];
  /** Told every line of its log. */
  log?: (line: string) => void;
}

/** Starts `pinakes serve` on a free port, with further options if need be; resolves when it listens. */
export function startTestNode(
  dataFolder: string = temporaryFolder("data"),
  options: TestNodeOptions = {},
): Promise<TestNode> {
  const program = options.program ?? [PROGRAM, "serve", "--data", dataFolder, "--port", "0", ...(options.flags ?? [])];
  const child = spawn(process.execPath, program, { stdio: ["ignore", "ignore", "pipe"] });
  createInterface(child.stderr).on("line", options.log ?? (() => {}));
  return new Promise((resolve, reject) => {
    let log = "";
    child.stderr.on("data", (chunk: Buffer) => {
      log += chunk.toString();
      const url = /listens on (\S+),/.exec(log)?.[1];
      if (!url) return;
      const end = (signal: NodeJS.Signals) => ended(child, signal);
      resolve({ url, pid: child.pid!, dataFolder, stop: () => end("SIGTERM"), kill: () => end("SIGKILL") });
    });
    child.once("exit", (status) => reject(new Error(`the node ended with ${status}: ${log}`)));
  });
}

function ended(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return Promise.resolve();
  return new Promise((resolve) => {
    child.once("exit", () => resolve());
    child.kill(signal);
  });
}

/**
 * A port of this machine that is free and stays so while nobody asks for it by its number: systems give out those from
 * 32768 on to listeners on any port and to connections.
 */
export async function portForLater(): Promise<number> {
  for (;;) {
    const port = 15_000 + Math.floor(Math.random() * 15_000);
    const server = createServer();
    const isFree = await new Promise<boolean>((resolve) => {
      server.once("error", () => resolve(false));
      server.listen(port, "127.0.0.1", () => resolve(true));
    });
    if (!isFree) continue;
    await new Promise((resolve) => server.close(resolve));
    return port;
  }
}

/** Removes what a test left. */
export function removeFolder(folder: string): void {
  rmSync(folder, { recursive: true, force: true });
}

export interface WireReply {
  status: number;
  headers: http.IncomingHttpHeaders;
  text: string;
  // biome-ignore lint/suspicious/noExplicitAny: a test names the properties it wants
  json: any;
}

export interface WireRequest {
  method: string;
  path: string;
  body?: string | Buffer | object;
  headers?: Record<string, string>;
}

/** One HTTP request on a connection of its own, nothing added or hidden. */
export function send(url: string, request: WireRequest): Promise<WireReply> {
  const { body } = request;
  const payload = body === undefined || typeof body === "string" || Buffer.isBuffer(body) ? body : JSON.stringify(body);
  const headers: Record<string, string | number> = { ...request.headers };
  if (payload !== undefined) {
    headers["content-type"] ??= "application/json";
    headers["content-length"] ??= Buffer.byteLength(payload);
  }
  const { hostname, port } = new URL(url);
  return new Promise((resolve, reject) => {
    const sent = http.request({ hostname, port, method: request.method, path: request.path, headers, agent: false });
    sent.on("response", (response) => {
      const chunks: Buffer[] = [];
      response.on("data", (chunk: Buffer) => chunks.push(chunk));
      response.on("end", () => {
        const text = Buffer.concat(chunks).toString();
        resolve({ status: response.statusCode ?? 0, headers: response.headers, text, json: parsed(text) });
      });
    });
    sent.on("error", reject);
    sent.end(payload);
  });
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined; // text answers (_cat) are looked at as text
  }
}
