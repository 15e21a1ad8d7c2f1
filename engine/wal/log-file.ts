/**
 * A log is a folder of files `log-<generation>.wal`, generations ascending: a header (log-header.ts), groups of records
 * (record.ts) that each begin with a marker (control-record.ts), at least 24 zeros, and then whatever was there before:
 * zeros, or records of the file's former life, whose checksums don't hold here. `spare-<generation>.wal` are files that
 * are not needed any more and wait to be used again; they are no part of the log.
 */
import path from "node:path";
import type { Files } from "../store/files.js";
import { FILE_HEADER_BYTES } from "./log-header.js";

/** Zeros that end the records of a file: no record begins with them. */
export const TERMINATOR_BYTES = 24;

const NAME = /^log-(\d+)\.wal$/;
const SPARE_NAME = /^spare-\d+\.wal$/;

/** Name of the file of a generation. */
export function logFileName(generation: number): string {
  return `log-${generation}.wal`;
}

/** Name of the same file when it waits to be used again. */
export function spareFileName(generation: number): string {
  return `spare-${generation}.wal`;
}

/** Generations of the log files in a folder, ascending. */
export function listGenerations(files: Files, folder: string): number[] {
  const generations: number[] = [];
  for (const name of files.list(folder)) {
    const match = NAME.exec(name);
    if (match) generations.push(Number(match[1]));
  }
  return generations.sort((a, b) => a - b);
}

/** Paths of the spare files in a folder. */
export function listSpares(files: Files, folder: string): string[] {
  const names = files.list(folder).filter((name) => SPARE_NAME.test(name));
  return names.map((name) => path.join(folder, name));
}

/** All bytes of a file. */
export function readWhole(files: Files, file: string): Buffer {
  return readStart(files, file, Number.POSITIVE_INFINITY);
}

/** As many of a file's first bytes as a header has, or as there are. */
export function readHeaderBytes(files: Files, file: string): Buffer {
  return readStart(files, file, FILE_HEADER_BYTES);
}

/** A file's first bytes, at most so many. */
export function readStart(files: Files, file: string, most: number): Buffer {
  const handle = files.open(file, "read");
  try {
    const bytes = Buffer.allocUnsafeSlow(Math.min(most, handle.size()));
    return bytes.subarray(0, handle.readAt(bytes, 0));
  } finally {
    handle.close();
  }
}

/** Whether the records of a file end at `offset` as they should. */
export function isTerminator(bytes: Buffer, offset: number): boolean {
  if (offset + TERMINATOR_BYTES > bytes.length) return false;
  for (let at = offset; at < offset + TERMINATOR_BYTES; at++) if (bytes[at] !== 0) return false;
  return true;
}
