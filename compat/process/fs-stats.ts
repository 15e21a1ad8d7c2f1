/** `fs` of `_nodes/stats`: the file system of the data folder, and what its device has done. */
import { statfsSync } from "node:fs";
import path from "node:path";
import { readProc } from "./read-proc.js";

/** Bytes of the file system a folder is on; -1 each where the system does not tell. */
export interface DiskSpace {
  readonly total: number;
  readonly free: number;
  /** What this user may still take. */
  readonly available: number;
}

/** The space around a folder. */
export function diskSpace(folder: string): DiskSpace {
  try {
    const { bsize, blocks, bfree, bavail } = statfsSync(folder);
    return { total: bsize * blocks, free: bsize * bfree, available: bsize * bavail };
  } catch {
    return { total: -1, free: -1, available: -1 };
  }
}

interface Mount {
  readonly point: string;
  readonly device: string;
  readonly type: string;
}

/** The mount that holds a folder, by the longest mount point that is above it (proc(5), mountinfo). */
function mountOf(folder: string): Mount | undefined {
  let found: Mount | undefined;
  for (const line of (readProc("/proc/self/mountinfo") ?? "").split("\n")) {
    const [before, after] = line.split(" - ");
    if (after === undefined) continue;
    const point = before.split(" ")[4].replaceAll("\\040", " ");
    const [type, device] = after.split(" ");
    const inside = folder === point || folder.startsWith(point.endsWith("/") ? point : `${point}/`);
    if (inside && (found === undefined || point.length >= found.point.length)) found = { point, device, type };
  }
  return found;
}

/** Sectors of /proc/diskstats, whatever the device's are. */
const SECTOR_KILOBYTES = 0.5;

/** What a device has done since the system began (kernel documentation, iostats). */
function deviceStats(device: string): Record<string, unknown> | undefined {
  const name = path.posix.basename(device);
  for (const line of (readProc("/proc/diskstats") ?? "").split("\n")) {
    const fields = line.trim().split(/\s+/);
    if (fields[2] !== name) continue;
    const [reads, , readSectors, readMs, writes, , writeSectors, writeMs, , ioMs, weightedMs] = fields
      .slice(3)
      .map(Number);
    return {
      device_name: name,
      operations: reads + writes,
      read_operations: reads,
      write_operations: writes,
      read_kilobytes: Math.round(readSectors * SECTOR_KILOBYTES),
      write_kilobytes: Math.round(writeSectors * SECTOR_KILOBYTES),
      read_time: readMs,
      write_time: writeMs,
      queue_size: weightedMs,
      io_time_in_millis: ioMs,
    };
  }
  return undefined;
}

/** The member `fs`. */
export function fsStats(folder: string, now: number): Record<string, unknown> {
  const { total, free, available } = diskSpace(folder);
  const bytes = { total_in_bytes: total, free_in_bytes: free, available_in_bytes: available };
  const mount = mountOf(path.resolve(folder));
  const device = mount === undefined ? undefined : deviceStats(mount.device);
  const place = mount === undefined ? {} : { mount: `${mount.point} (${mount.device})`, type: mount.type };
  return {
    timestamp: now,
    total: bytes,
    data: [{ path: folder, ...place, ...bytes }],
    ...(device === undefined ? {} : { io_stats: { devices: [device], total: withoutName(device) } }),
  };
}

function withoutName({ device_name, ...rest }: Record<string, unknown>): Record<string, unknown> {
  return rest;
}
