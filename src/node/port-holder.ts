import { readdirSync, readFileSync, readlinkSync } from "node:fs";

/** Who listens on a TCP port of this machine, as far as the kernel tells us: pid and command line, else undefined. */
export function portHolder(port: number): { pid: number; command: string } | undefined {
  const sockets = listeningSockets(port);
  if (sockets.size === 0) return undefined;
  for (const entry of readdirSync("/proc")) {
    if (/^\d+$/.test(entry) && holdsOneOf(entry, sockets)) return { pid: Number(entry), command: commandOf(entry) };
  }
  return undefined;
}

/** Inodes of sockets that listen on the port. Rows of /proc/net/tcp: local address in hex, state 0A is LISTEN, inode tenth. */
function listeningSockets(port: number): Set<string> {
  const inodes = new Set<string>();
  const wanted = port.toString(16).toUpperCase().padStart(4, "0");
  for (const table of ["/proc/net/tcp", "/proc/net/tcp6"]) {
    for (const row of readTable(table)) {
      const columns = row.trim().split(/\s+/);
      if (columns[1]?.endsWith(`:${wanted}`) && columns[3] === "0A" && columns[9]) inodes.add(columns[9]);
    }
  }
  return inodes;
}

function readTable(file: string): string[] {
  try {
    return readFileSync(file, "utf8").split("\n").slice(1);
  } catch {
    return []; // no such table on this system: then nobody can be named
  }
}

function holdsOneOf(pid: string, inodes: Set<string>): boolean {
  try {
    return readdirSync(`/proc/${pid}/fd`).some((fd) => {
      const match = /^socket:\[(\d+)\]$/.exec(readlinkSync(`/proc/${pid}/fd/${fd}`));
      return match !== null && inodes.has(match[1]!);
    });
  } catch {
    return false; // gone meanwhile, or somebody else's process
  }
}

function commandOf(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, "utf8").split("\0").join(" ").trim();
  } catch {
    return "";
  }
}
