import { type ChildProcess, spawn } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";

/** A node of our own in a process of its own, on a data folder that is removed afterwards. */
export interface BenchNode {
  url: string;
  pid: number;
  dataFolder: string;
  stop(): Promise<void>;
}

const PROGRAM = fileURLToPath(new URL("../../bin/pinakes.js", import.meta.url));

/** Starts a node and resolves when it says where it listens. A folder that is given is not removed afterwards. */
export function startNode(given?: string): Promise<BenchNode> {
  const dataFolder = given ?? mkdtempSync(path.join(tmpdir(), "pinakes-bench-"));
  const child = spawn(process.execPath, [PROGRAM, "serve", "--data", dataFolder, "--port", "0"], {
    stdio: ["ignore", "ignore", "pipe"],
  });
  return new Promise((resolve, reject) => {
    let log = "";
    child.stderr.on("data", (chunk: Buffer) => {
      log += chunk.toString();
      const url = /listens on (\S+),/.exec(log)?.[1];
      if (url)
        resolve({
          url,
          pid: child.pid!,
          dataFolder,
          stop: () => stopNode(child, given === undefined ? dataFolder : null),
        });
    });
    child.once("exit", () => reject(new Error(`the node did not start: ${log}`)));
  });
}

function stopNode(child: ChildProcess, remove: string | null): Promise<void> {
  return new Promise((resolve) => {
    child.once("exit", () => {
      if (remove !== null) rmSync(remove, { recursive: true, force: true });
      resolve();
    });
    child.kill("SIGTERM");
  });
}

const TICKS_PER_SECOND = 100;

/** CPU seconds that a process has used, from /proc (fields 14 and 15 of stat, proc(5); of ended children 16 and 17); NaN where there is no /proc. */
export function cpuSeconds(pid: number, fieldCount: 2 | 4 = 2): number {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    return fields.slice(11, 11 + fieldCount).reduce((sum, ticks) => sum + Number(ticks), 0) / TICKS_PER_SECOND;
  } catch {
    return Number.NaN;
  }
}

/** The same with that of its children that have ended. */
export function cpuSecondsWithChildren(pid: number): number {
  return cpuSeconds(pid, 4);
}

/** Resident megabytes of a process, from /proc. */
export function residentMegabytes(pid: number): number {
  try {
    return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1]) / 1024;
  } catch {
    return Number.NaN;
  }
}

/** Bytes of all files below a folder. */
export function folderBytes(folder: string): number {
  return readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile())
    .reduce((sum, entry) => sum + readFileSync(path.join(entry.parentPath, entry.name)).length, 0);
}
