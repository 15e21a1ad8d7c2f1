import { readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { makeFolder } from "./make-folder.js";

/** What `node.json` in a data folder says of the node that serves it. */
export interface NodeFile {
  pid: number;
  url: string;
}

const NAME = "node.json";

/** Tells commands where the node of this data folder listens; written after the port is bound. */
export function writeNodeFile(dataFolder: string, node: NodeFile): void {
  makeFolder(dataFolder);
  const target = path.join(dataFolder, NAME);
  const temporary = `${target}.${process.pid}`;
  writeFileSync(temporary, `${JSON.stringify(node)}\n`, { mode: 0o600 });
  renameSync(temporary, target);
}

/** The node of a data folder, or undefined when none is said to run or the one named is gone. */
export function readNodeFile(dataFolder: string): NodeFile | undefined {
  let text: string;
  try {
    text = readFileSync(path.join(dataFolder, NAME), "utf8");
  } catch (error) {
    if (["ENOENT", "ENOTDIR"].includes((error as NodeJS.ErrnoException).code ?? "")) return undefined;
    throw error;
  }
  const node = parseNodeFile(text);
  return node && isAlive(node.pid) ? node : undefined;
}

/** Removes the file if it is still this process's own. */
export function removeNodeFile(dataFolder: string): void {
  if (readNodeFile(dataFolder)?.pid === process.pid) rmSync(path.join(dataFolder, NAME), { force: true });
}

function parseNodeFile(text: string): NodeFile | undefined {
  try {
    const value = JSON.parse(text) as Partial<NodeFile>;
    if (typeof value.pid === "number" && typeof value.url === "string") return { pid: value.pid, url: value.url };
  } catch {
    // A file that is no JSON names no node; the next one to start writes it anew.
  }
  return undefined;
}

/** Whether a process with this number runs (it may belong to someone else). */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return !isZombie(pid);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}

/** A process that has ended but that its parent has not waited for: state Z or X, after the command's name (proc(5)). */
function isZombie(pid: number): boolean {
  try {
    return /^.*\) [ZX] /s.test(readFileSync(`/proc/${pid}/stat`, "latin1"));
  } catch {
    return false; // no such table on this system
  }
}
