/**
 * A log is a folder of files `log-<generation>.wal`, generations ascending. A file is a header and records:
 *
 *   offset  bytes  name        meaning, and what a reader checks
 *   0       8      magic       "PNKSLOG\n"
 *   8       4      version     format version, see version.ts
 *   12      4      zero        reserved
 *   16      8      generation  u64, the number in the file's name
 *   24      4      crc         CRC32C of the 24 bytes before
 *   28      4      zero        reserved
 *   32      ...    records     see record.ts
 *
 * Example, generation 3:  50 4e 4b 53 4c 4f 47 0a  01 00 00 00  00 00 00 00  03 00 00 00 00 00 00 00
 *                         ad a1 83 7b  00 00 00 00
 */
import path from "node:path";
import { CorruptionError, EngineError } from "../errors.js";
import { crc32cRange } from "../kernels/crc32c.js";
import type { Files } from "../store/files.js";
import { decodeRecord, describeBadRecord, goodRecordLength, type LogRecord } from "./record.js";
import { CURRENT_LOG_VERSION, OLDEST_READABLE_LOG_VERSION } from "./version.js";

/** Where the records of a file begin. */
export const FILE_HEADER_BYTES = 32;

const MAGIC = "PNKSLOG\n";
const VERSION_AT = 8;
const GENERATION_AT = 16;
const CRC_AT = 24;
const TWO_32 = 0x1_0000_0000;
const NAME = /^log-(\d+)\.wal$/;

/** Name of the file of a generation. */
export function logFileName(generation: number): string {
  return `log-${generation}.wal`;
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

/** The header of a new file. */
export function encodeFileHeader(generation: number): Uint8Array {
  const header = Buffer.alloc(FILE_HEADER_BYTES);
  header.write(MAGIC, 0, "latin1");
  header.writeUInt32LE(CURRENT_LOG_VERSION, VERSION_AT);
  header.writeUInt32LE(generation % TWO_32, GENERATION_AT);
  header.writeUInt32LE(Math.floor(generation / TWO_32), GENERATION_AT + 4);
  header.writeUInt32LE(crc32cRange(header, 0, CRC_AT), CRC_AT);
  return header;
}

/** What reading a file found. */
export interface LogFileScan {
  generation: number;
  /** Bytes up to the end of the last good record; 0: not even the file's header is good. */
  goodBytes: number;
  /** Bytes of the file. */
  totalBytes: number;
  records: number;
  /** Sequence of the last good record, -1 without any. */
  lastSequence: number;
  /** What is wrong with the bytes after `goodBytes`, when there are any. */
  tail: CorruptionError | null;
}

/**
 * Reads one file and hands every good record, in order, to `onRecord`. A bad entry ends the file. If a good record
 * lies anywhere behind it, bytes that were once acknowledged are damaged, and CorruptionError is thrown; else it is
 * the torn tail of a write that was never acknowledged, returned as `tail`.
 */
export function readLogFile(
  files: Files,
  folder: string,
  generation: number,
  onRecord: (record: LogRecord) => void,
): LogFileScan {
  const file = path.join(folder, logFileName(generation));
  const bytes = readWhole(files, file);
  const scan = { generation, goodBytes: 0, totalBytes: bytes.length, records: 0, lastSequence: -1, tail: null };
  const headerFault = checkFileHeader(bytes, file, generation);
  if (headerFault) return endAtFault(bytes, scan, headerFault);
  let offset = FILE_HEADER_BYTES;
  while (offset < bytes.length) {
    const length = goodRecordLength(bytes, offset);
    if (length < 0) return endAtFault(bytes, { ...scan, goodBytes: offset }, recordFault(bytes, file, offset));
    const record = decodeRecord(bytes, offset);
    if (record.sequence <= scan.lastSequence) throw outOfOrder(file, offset, scan.lastSequence, record.sequence);
    onRecord(record);
    scan.records++;
    scan.lastSequence = record.sequence;
    offset += length;
  }
  return { ...scan, goodBytes: offset };
}

function readWhole(files: Files, file: string): Buffer {
  const handle = files.open(file, "read");
  try {
    const bytes = Buffer.allocUnsafeSlow(handle.size());
    return bytes.subarray(0, handle.readAt(bytes, 0));
  } finally {
    handle.close();
  }
}

function checkFileHeader(bytes: Buffer, file: string, generation: number): CorruptionError | null {
  if (bytes.length < FILE_HEADER_BYTES) {
    return new CorruptionError(file, 0, `a file header of ${FILE_HEADER_BYTES} bytes`, `${bytes.length} bytes`);
  }
  const magic = bytes.toString("latin1", 0, MAGIC.length);
  if (magic !== MAGIC) return new CorruptionError(file, 0, JSON.stringify(MAGIC), JSON.stringify(magic));
  const crc = crc32cRange(bytes, 0, CRC_AT);
  if (bytes.readUInt32LE(CRC_AT) !== crc) {
    return new CorruptionError(file, CRC_AT, `checksum ${bytes.readUInt32LE(CRC_AT)} of the file header`, String(crc));
  }
  const version = bytes.readUInt32LE(VERSION_AT);
  if (version < OLDEST_READABLE_LOG_VERSION || version > CURRENT_LOG_VERSION) throw unreadableVersion(file, version);
  const found = bytes.readUInt32LE(GENERATION_AT) + TWO_32 * bytes.readUInt32LE(GENERATION_AT + 4);
  if (found !== generation) {
    return new CorruptionError(file, GENERATION_AT, `generation ${generation}`, `generation ${found}`);
  }
  return null;
}

function endAtFault(bytes: Buffer, scan: LogFileScan, fault: CorruptionError): LogFileScan {
  if (hasGoodRecordAfter(bytes, scan.goodBytes)) throw fault;
  return { ...scan, tail: fault };
}

/**
 * Looks for a good record at any offset behind a bad one, whose length can't be trusted. A checksum is computed only
 * where a plausible header stands, which in other bytes is rare.
 */
function hasGoodRecordAfter(bytes: Buffer, badOffset: number): boolean {
  for (let offset = badOffset + 1; offset < bytes.length; offset++) {
    if (goodRecordLength(bytes, offset) > 0) return true;
  }
  return false;
}

function recordFault(bytes: Buffer, file: string, offset: number): CorruptionError {
  const { expected, found } = describeBadRecord(bytes, offset);
  return new CorruptionError(file, offset, expected, found);
}

function outOfOrder(file: string, offset: number, last: number, found: number): CorruptionError {
  return new CorruptionError(file, offset, `a sequence number above ${last}`, String(found));
}

function unreadableVersion(file: string, version: number): EngineError {
  return new EngineError(
    "corrupt",
    `${file} has log format version ${version}; this program reads ${OLDEST_READABLE_LOG_VERSION} to ` +
      `${CURRENT_LOG_VERSION}: open the data folder with the version that wrote it`,
    { file, version },
  );
}
