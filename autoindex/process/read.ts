import type { SkipReason } from "../skip.js";
import { type FileStamp, NO_STAMP, stampOf } from "../stamp.js";
import { type RegularFile, readRegularFile } from "../walk/regular-file.js";

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
  const opened = ({ ctimeMs }: { ctimeMs: number }) => waitOutGrain(ctimeMs);
  const found = readRegularFile(file, { maxBytes, links: "refuse", opened });
  const stamp = found.stats ? stampOf(found.stats) : NO_STAMP;
  if (found.kind === "bytes")
    return { kind: "bytes", bytes: found.bytes, stamp: { ...stamp, size: found.bytes.length } };
  const reason = REASONS[found.why];
  return { kind: "skip", reason, detail: reason === "not_a_file" ? "" : found.detail, stamp };
}

const REASONS = {
  absent: "vanished",
  folder: "not_a_file",
  not_a_file: "not_a_file",
  too_large: "too_large",
  link: "symlink",
  failed: "unreadable",
} as const satisfies Record<Extract<RegularFile, { kind: "refused" }>["why"], SkipReason>;

/** A change after this gets another time stamp than the one before it, so that it is seen. */
function waitOutGrain(ctimeMs: number): void {
  const age = Date.now() - ctimeMs;
  if (age >= 0 && age < GRAIN_MS) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, GRAIN_MS - age);
}
