/** `os` and `process` of `_nodes/stats`. */
import { freemem, loadavg, totalmem } from "node:os";
import { double } from "../json/print.js";
import type { CpuLoad } from "./cpu-load.js";
import { kilobyteLines, listProc, readProc } from "./read-proc.js";

/** The machine's memory; what the page cache holds can be had, so it is not used. */
export function machineMemoryStats(): Record<string, number> {
  const known = kilobyteLines(readProc("/proc/meminfo") ?? "");
  const total = totalmem();
  const free = known.get("MemAvailable") ?? freemem();
  const used = total - free;
  return {
    total_in_bytes: total,
    free_in_bytes: free,
    used_in_bytes: used,
    free_percent: Math.round((free / total) * 100),
    used_percent: Math.round((used / total) * 100),
  };
}

/** The member `os`. */
export function osStats(now: number, load: CpuLoad): Record<string, unknown> {
  const [one, five, fifteen] = loadavg().map((value) => double(Math.round(value * 100) / 100));
  const known = kilobyteLines(readProc("/proc/meminfo") ?? "");
  const swap = known.get("SwapTotal") ?? 0;
  const freeSwap = known.get("SwapFree") ?? 0;
  return {
    timestamp: now,
    cpu: { percent: load.machinePercent, load_average: { "1m": one, "5m": five, "15m": fifteen } },
    mem: machineMemoryStats(),
    swap: { total_in_bytes: swap, free_in_bytes: freeSwap, used_in_bytes: swap - freeSwap },
  };
}

/** Open files and how many there may be; -1 where the system does not tell, as Elasticsearch has it. */
export function fileDescriptors(): { open: number; max: number } {
  const open = listProc("/proc/self/fd").length;
  const limits = readProc("/proc/self/limits") ?? "";
  const max = /^Max open files\s+(\d+)/m.exec(limits)?.[1];
  return { open: open === 0 ? -1 : open, max: max === undefined ? -1 : Number(max) };
}

/** The member `process`. */
export function processStats(now: number, load: CpuLoad): Record<string, unknown> {
  const { user, system } = process.cpuUsage();
  const { open, max } = fileDescriptors();
  const status = kilobyteLines(readProc("/proc/self/status") ?? "");
  return {
    timestamp: now,
    open_file_descriptors: open,
    max_file_descriptors: max,
    cpu: { percent: load.processPercent, total_in_millis: Math.round((user + system) / 1_000) },
    mem: { total_virtual_in_bytes: status.get("VmSize") ?? -1 },
  };
}
