/**
 * How much memory this process may have: the least limit of its control group and of the groups above it, else the
 * machine's. Control groups of version 2 keep it in `memory.max`, those of version 1 in `memory.limit_in_bytes`
 * (Linux, Documentation/admin-guide/cgroup-v2.rst and cgroup-v1/memory.rst).
 */
import path from "node:path/posix";

/** Where a limit comes from. */
export interface MachineMemory {
  readonly bytes: number;
  readonly source: "cgroup v2" | "cgroup v1" | "machine";
}

/** Reads a small text file; undefined when there is none. */
export type ReadText = (path: string) => string | undefined;

const ROOT_V2 = "/sys/fs/cgroup";
const ROOT_V1 = "/sys/fs/cgroup/memory";

/** The limit in force; `machineBytes` is what the machine has, and no limit above it means anything. */
export function machineMemory(read: ReadText, machineBytes: number): MachineMemory {
  const groups = parseGroups(read("/proc/self/cgroup") ?? "");
  const limits: MachineMemory[] = [
    { bytes: least(read, ROOT_V2, groups.unified, "memory.max"), source: "cgroup v2" },
    { bytes: least(read, ROOT_V1, groups.memory, "memory.limit_in_bytes"), source: "cgroup v1" },
  ];
  const [lowest] = limits.sort((a, b) => a.bytes - b.bytes);
  return lowest.bytes < machineBytes ? lowest : { bytes: machineBytes, source: "machine" };
}

/** The process's group in the unified hierarchy and in that of the memory controller. */
function parseGroups(text: string): { unified: string; memory: string } {
  const groups = { unified: "/", memory: "/" };
  for (const line of text.split("\n")) {
    const [number, controllers, ...rest] = line.split(":");
    if (number === "0" && controllers === "") groups.unified = rest.join(":");
    else if (controllers?.split(",").includes("memory")) groups.memory = rest.join(":");
  }
  return groups;
}

/** Inside a container the group's path is that of the host and not there: the root it sees is its own. */
function least(read: ReadText, root: string, group: string, file: string): number {
  let lowest = Number.POSITIVE_INFINITY;
  for (let at = path.join(root, group); at.startsWith(root); at = path.dirname(at)) {
    const limit = Number.parseInt(read(path.join(at, file)) ?? "", 10);
    if (limit > 0) lowest = Math.min(lowest, limit);
  }
  return lowest;
}
