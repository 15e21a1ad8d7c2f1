import { closeSync, constants, fstatSync, openSync, readSync } from "node:fs";
import type { SkipReason } from "../skip.js";

/** A file's bytes as they were at one moment, or why there are none. */
export type ReadOutcome =
  | { kind: "bytes"; bytes: Buffer; mtimeMs: number }
  | { kind: "skip"; reason: SkipReason; detail: string; size: number; mtimeMs: number };

/**
 * Reads a regular file, never following a link in its last part (it may have become one since the walk) and never
 * waiting for a pipe. A file above the limit costs no reading.
 */
export function readFileBounded(file: string, maxBytes: number): ReadOutcome {
  let handle: number;
  try {
    handle = openSync(file, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  } catch (error) {
    return failed(error);
  }
  try {
    const { size, mtimeMs } = fstatSync(handle);
    if (!fstatSync(handle).isFile()) return { kind: "skip", reason: "not_a_file", detail: "", size, mtimeMs };
    if (size > maxBytes) return { kind: "skip", reason: "too_large", detail: `${size} bytes`, size, mtimeMs };
    return { kind: "bytes", bytes: readAll(handle, size), mtimeMs };
  } catch (error) {
    return failed(error);
  } finally {
    closeSync(handle);
  }
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

function failed(error: unknown): ReadOutcome {
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  const reason = code === "ENOENT" || code === "ENOTDIR" ? "vanished" : code === "ELOOP" ? "symlink" : "unreadable";
  return { kind: "skip", reason, detail: error instanceof Error ? error.message : String(error), size: 0, mtimeMs: 0 };
}
