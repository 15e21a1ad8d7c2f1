import { spawn } from "node:child_process";
import { closeSync, fstatSync, openSync, readFileSync } from "node:fs";
import path from "node:path";
import { Client } from "../../client/index.js";
import { PROGRAM } from "../program.js";
import { makeFolder, reasonOf } from "./make-folder.js";
import { isAlive, readNodeFile } from "./node-file.js";

const START_PATIENCE_MS = 120_000;
const POLL_MS = 25;
const LOG_NAME = "node.log";

/** The node of a data folder: joined when it runs, started when not. */
export interface EnsuredNode {
  url: string;
  pid: number;
  /** True when this call started it. */
  started: boolean;
}

/** Where the node that `ensureNode` starts writes its log. */
export function nodeLog(dataFolder: string): string {
  return path.join(dataFolder, LOG_NAME);
}

/**
 * Joins the node that serves the data folder, or starts one in a process of its own, which outlives the caller unless
 * the caller ends it; `memory` is what it stays within, as `--memory` takes it. Resolves when it answers; throws with the end of its log when it ends before.
 */
export async function ensureNode(dataFolder: string, port: number, memory?: string): Promise<EnsuredNode> {
  const running = readNodeFile(dataFolder);
  if (running && (await answers(running.url))) return { ...running, started: false };
  makeFolder(dataFolder);
  const log = openLog(dataFolder);
  const logStart = fstatSync(log).size;
  const size = memory === undefined ? [] : ["--memory", memory];
  const child = spawn(process.execPath, [PROGRAM, "serve", "--data", dataFolder, "--port", String(port), ...size], {
    detached: true,
    stdio: ["ignore", log, log],
  });
  closeSync(log);
  child.unref();
  if (child.pid === undefined) throw new Error(`${process.execPath} could not be started`);
  return { url: await untilUp({ dataFolder, pid: child.pid, logStart }), pid: child.pid, started: true };
}

function openLog(dataFolder: string): number {
  try {
    return openSync(nodeLog(dataFolder), "a");
  } catch (error) {
    const message = `the data folder ${path.resolve(dataFolder)} can't be written: ${reasonOf(error)}`;
    throw new Error(message, { cause: error });
  }
}

async function untilUp(start: { dataFolder: string; pid: number; logStart: number }): Promise<string> {
  const { dataFolder, pid } = start;
  const deadline = Date.now() + START_PATIENCE_MS;
  while (Date.now() < deadline) {
    const node = readNodeFile(dataFolder);
    if (node?.pid === pid && (await answers(node.url))) return node.url;
    if (!isAlive(pid)) throw new Error(`the node did not start: ${lastLines(nodeLog(dataFolder), start.logStart)}`);
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
  throw new Error(
    `the node (process ${pid}) did not answer within ${START_PATIENCE_MS / 1000} s; its log: ${nodeLog(dataFolder)}`,
  );
}

async function answers(url: string): Promise<boolean> {
  const client = new Client({ url, timeoutMs: 5000 });
  try {
    return (await client.request("GET", "/")).status === 200;
  } catch {
    return false; // not yet, or not any more: the caller decides what that means
  } finally {
    client.close();
  }
}

/** What this start added to the log, at most three lines of it. */
function lastLines(file: string, from: number): string {
  const lines = readFileSync(file).subarray(from).toString("utf8").trim().split("\n");
  return lines.slice(-3).join(" | ");
}
