import { closeSync, constants, fstatSync, openSync, readSync, type Stats, statSync } from "node:fs";
import { diskPath } from "./disk-path.js";

/** A file's bytes, or why there are none; `stats` where the system told them. */
export type RegularFile =
  | { kind: "bytes"; bytes: Buffer; stats: Stats }
  /** `folder` is apart from other things that are no file: nobody takes one for what a well-known name promises. */
  | {
      kind: "refused";
      why: "absent" | "folder" | "not_a_file" | "too_large" | "link" | "failed";
      detail: string;
      stats?: Stats;
    };

/** How a file is read. */
export interface RegularFileOptions {
  /** A file of more bytes is not read. */
  maxBytes: number;
  /** Whether the file may be a link itself; links among the folders above it are followed in any case. */
  links: "follow" | "refuse";
  /** Called when it is known to be a file that may be read, before it is. */
  opened?: (stats: Stats) => void;
}

/**
 * Reads a file whose name comes with a folder, and which may thus be anything: a pipe that nobody writes, a device that
 * never ends, a link to one, larger than memory. Nothing is waited for, and as many bytes are read as it had when it was
 * opened. Never throws.
 */
export function readRegularFile(file: string, options: RegularFileOptions): RegularFile {
  const { maxBytes, links, opened } = options;
  const place = diskPath(file);
  let handle: number | undefined;
  try {
    // Opening a device can do something by itself, so a link is looked behind first; what is opened is looked at again.
    const known = links === "follow" ? statSync(place) : undefined;
    if (known && !known.isFile()) return notAFile(known);
    const noLinks = links === "refuse" ? constants.O_NOFOLLOW : 0;
    handle = openSync(place, constants.O_RDONLY | constants.O_NONBLOCK | noLinks);
    const stats = fstatSync(handle);
    if (!stats.isFile()) return notAFile(stats);
    if (stats.size > maxBytes) return { kind: "refused", why: "too_large", detail: `${stats.size} bytes`, stats };
    opened?.(stats);
    return { kind: "bytes", bytes: readAll(handle, stats.size), stats };
  } catch (error) {
    return failed(error);
  } finally {
    if (handle !== undefined) closeSync(handle);
  }
}

function notAFile(stats: Stats): RegularFile {
  return { kind: "refused", why: stats.isDirectory() ? "folder" : "not_a_file", detail: kindOf(stats), stats };
}

/** `a pipe`, `a device`. */
export function kindOf(stats: Stats): string {
  if (stats.isFIFO()) return "a pipe";
  if (stats.isSocket()) return "a socket";
  if (stats.isDirectory()) return "a folder";
  return stats.isFile() ? "a file" : "a device";
}

/** As many bytes as the file had when it was opened, fewer if it has shrunk since. */
function readAll(handle: number, size: number): Buffer {
  const bytes = Buffer.allocUnsafe(size);
  let filled = 0;
  while (filled < size) {
    const count = readSync(handle, bytes, filled, size - filled, filled);
    if (count === 0) break;
    filled += count;
  }
  return bytes.subarray(0, filled);
}

function failed(error: unknown): RegularFile {
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  const why = code === "ENOENT" || code === "ENOTDIR" ? "absent" : code === "ELOOP" ? "link" : "failed";
  return { kind: "refused", why, detail: error instanceof Error ? error.message : String(error) };
}
