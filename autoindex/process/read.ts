import { closeSync, constants, fstatSync, openSync, readSync } from "node:fs";
import type { SkipReason } from "../skip.js";
import { type FileStamp, NO_STAMP, stampOf } from "../stamp.js";
import { diskPath } from "../walk/disk-path.js";

/** A file's bytes as they were at one moment, or why there are none. */
export type ReadOutcome =
  | { kind: "bytes"; bytes: Buffer; stamp: FileStamp }
  | { kind: "skip"; reason: SkipReason; detail: string; stamp: FileStamp };

/** Longest grain of the clock that a file system stamps changes with, in milliseconds. */
const GRAIN_MS = 20;

/**
 * Reads a regular file, never following a link in its last part (it may have become one since the walk) and never
 * waiting for a pipe. A file above the limit costs no reading.
 */
export function readFileBounded(file: string, maxBytes: number): ReadOutcome {
  let handle: number;
  try {
    handle = openSync(diskPath(file), constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  } catch (error) {
    return failed(error);
  }
  try {
    const found = fstatSync(handle);
    const stamp = stampOf(found);
    if (!found.isFile()) return { kind: "skip", reason: "not_a_file", detail: "", stamp };
    if (stamp.size > maxBytes) return { kind: "skip", reason: "too_large", detail: `${stamp.size} bytes`, stamp };
    waitOutGrain(stamp.ctimeMs);
    const bytes = readAll(handle, stamp.size);
    return { kind: "bytes", bytes, stamp: { ...stamp, size: bytes.length } };
  } catch (error) {
    return failed(error);
  } finally {
    closeSync(handle);
  }
}

/** A change after this gets another time stamp than the one before it, so that it is seen. */
function waitOutGrain(ctimeMs: number): void {
  const age = Date.now() - ctimeMs;
  if (age >= 0 && age < GRAIN_MS) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, GRAIN_MS - age);
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
  return { kind: "skip", reason, detail: error instanceof Error ? error.message : String(error), stamp: NO_STAMP };
}
