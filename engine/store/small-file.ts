/**
 * Small files that are replaced as a whole: after a crash either the old or the new contents are there, whole.
 *
 *   offset  bytes  name     meaning
 *   0       4      magic    "PKSF"
 *   4       4      length   of the payload, little-endian
 *   8       4      crc      CRC32C of the payload, continued over `length`
 *   12      ...    payload  up to the end of the file
 *
 * Example, payload "abc": 504b5346 03000000 f3c945c2 616263
 */
import path from "node:path";
import { CorruptionError } from "../errors.js";
import { crc32cOf } from "../kernels/crc32c.js";
import type { Files } from "./files.js";

const MAGIC = 0x46534b50;
const HEADER_BYTES = 12;

/** Suffix of a file that is not yet in place; what a crash leaves of them may be removed. */
export const TEMPORARY_SUFFIX = ".tmp";

/** Puts `payload` in place of the file's contents; durable when this returns. */
export function replaceFile(files: Files, file: string, payload: Uint8Array): void {
  const temporary = file + TEMPORARY_SUFFIX;
  const handle = files.open(temporary, "create");
  try {
    handle.writeAt(encodeSmallFile(payload), 0);
    handle.sync();
  } finally {
    handle.close();
  }
  files.rename(temporary, file);
  files.syncDirectory(path.dirname(file));
}

/** The same without blocking this thread; durable when it resolves. One replacement of a file at a time. */
export async function replaceFileAsync(files: Files, file: string, payload: Uint8Array): Promise<void> {
  const temporary = file + TEMPORARY_SUFFIX;
  const handle = files.open(temporary, "create");
  try {
    handle.writeAt(encodeSmallFile(payload), 0);
    await handle.syncAsync();
  } finally {
    handle.close();
  }
  files.rename(temporary, file);
  await files.syncDirectoryAsync(path.dirname(file));
}

/** The payload, checked; undefined when there is no such file. Throws CorruptionError. */
export function readSmallFile(files: Files, file: string): Uint8Array | undefined {
  const status = files.stat(file);
  if (status === undefined) return undefined;
  const handle = files.open(file, "read");
  try {
    const bytes = new Uint8Array(status.size);
    return decodeSmallFile(file, bytes.subarray(0, handle.readAt(bytes, 0)));
  } finally {
    handle.close();
  }
}

/** A payload with its header, as it lies on disk. */
export function encodeSmallFile(payload: Uint8Array): Uint8Array {
  const bytes = new Uint8Array(HEADER_BYTES + payload.length);
  const view = new DataView(bytes.buffer);
  view.setUint32(0, MAGIC, true);
  view.setUint32(4, payload.length, true);
  view.setUint32(8, checksum(payload), true);
  bytes.set(payload, HEADER_BYTES);
  return bytes;
}

function decodeSmallFile(file: string, bytes: Uint8Array): Uint8Array {
  if (bytes.length < HEADER_BYTES) {
    throw new CorruptionError(file, bytes.length, `at least ${HEADER_BYTES} bytes`, `${bytes.length}`);
  }
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  expectEqual(file, 0, MAGIC, view.getUint32(0, true));
  expectEqual(file, 4, bytes.length - HEADER_BYTES, view.getUint32(4, true));
  const payload = bytes.subarray(HEADER_BYTES);
  expectEqual(file, 8, checksum(payload), view.getUint32(8, true));
  return payload;
}

function checksum(payload: Uint8Array): number {
  const length = new Uint8Array(4);
  new DataView(length.buffer).setUint32(0, payload.length, true);
  return crc32cOf(length, crc32cOf(payload));
}

function expectEqual(file: string, offset: number, expected: number, found: number): void {
  if (expected !== found)
    throw new CorruptionError(file, offset, `0x${expected.toString(16)}`, `0x${found.toString(16)}`);
}
