/**
 * One record of a log. Numbers are little-endian. A record is a header, its metadata, its payload, nothing between:
 *
 *   offset  bytes  name            meaning, and what a reader checks
 *   0       4      crc             CRC32C of every byte of the record after this field, continued from the file's seed
 *                                  (log-header.ts; 0 in files of version 1)
 *   4       4      length          bytes of the whole record: at least HEADER_BYTES + metadataLength
 *   8       8      sequence        u64 below 2^53; in an index's log the operation's `_seq_no`
 *   16      1      op              one of LogOp, or a control record (control-record.ts)
 *   17      3      zero            reserved, 0
 *   20      4      metadataLength  bytes of the metadata
 *   24      m      metadata        MessagePack, see below
 *   24 + m  ...    payload         op index: the document's `_source` bytes as they came; delete: none;
 *                                  put: JSON `{"set": {key: value, ...}, "delete": [key, ...]}`
 *
 * Metadata of index and delete is a MessagePack array, in this order (readers ignore elements after the fifth):
 *
 *   id              string
 *   version         unsigned integer, the document's `_version`
 *   primaryTerm     unsigned integer
 *   mappingVersion  unsigned integer: the mapping the document was prepared with
 *   routing         string or nil
 *
 * and of put an empty array. Example with seed 0: index, sequence 5, id "a", version 1, primary term 1, mapping version 2, no
 * routing, payload `{"n":1}`, 38 bytes:
 *
 *   07 2a 29 07  26 00 00 00  05 00 00 00 00 00 00 00  01 00 00 00  07 00 00 00
 *   95 a1 61 01 01 02 c0  7b 22 6e 22 3a 31 7d
 *
 * record-buffer.ts writes records; this module reads them.
 */
import { createRequire } from "node:module";
import { EngineError } from "../errors.js";
import { crc32cRange } from "../kernels/crc32c.js";

/** What a record says happened. Numbers are on disk: only append. */
export const LogOp = { index: 1, delete: 2, put: 3 } as const;
/** One of the numbers of LogOp. */
export type LogOp = (typeof LogOp)[keyof typeof LogOp];

/** Bytes of a header. */
export const HEADER_BYTES = 24;

/** Offsets in a header, named as in the table above. */
export const CRC_AT = 0;
export const LENGTH_AT = 4;
export const SEQUENCE_AT = 8;
export const OP_AT = 16;
export const METADATA_LENGTH_AT = 20;

const TWO_32 = 0x1_0000_0000;
const EMPTY = new Uint8Array(0);

/** Metadata of an index or delete record. */
export interface OperationMetadata {
  id: string;
  version: number;
  primaryTerm: number;
  mappingVersion: number;
  routing: string | undefined;
}

/** A record as it is read back. `payload` is a view of the bytes it was read from. */
export interface LogRecord {
  sequence: number;
  op: LogOp;
  metadata: OperationMetadata | null;
  payload: Uint8Array;
}

/** What the records of a file are checked with. */
export interface RecordCheck {
  /** Where their checksums begin. */
  seed: number;
  /** The highest number that an op may have: what is not data is not known in files of version 1. */
  maxOp: number;
}

/**
 * Length of the good record that begins at `offset`, or -1 when there is none: it does not fit before the end, a
 * field of its header is impossible, or its checksum is wrong.
 */
export function goodRecordLength(bytes: Buffer, offset: number, { seed, maxOp }: RecordCheck): number {
  if (offset + HEADER_BYTES > bytes.length) return -1;
  const length = bytes.readUInt32LE(offset + LENGTH_AT);
  if (length > bytes.length - offset) return -1;
  if (length < HEADER_BYTES + bytes.readUInt32LE(offset + METADATA_LENGTH_AT)) return -1;
  const op = bytes.readUInt32LE(offset + OP_AT);
  if (op < 1 || op > maxOp) return -1;
  const crc = crc32cRange(bytes, offset + LENGTH_AT, offset + length, seed);
  return crc === bytes.readUInt32LE(offset + CRC_AT) ? length : -1;
}

/** Says in words what is wrong with the record at `offset`, for messages. */
export function describeBadRecord(
  bytes: Buffer,
  offset: number,
  { seed, maxOp }: RecordCheck,
): { expected: string; found: string } {
  const left = bytes.length - offset;
  if (left < HEADER_BYTES) return { expected: `a record header of ${HEADER_BYTES} bytes`, found: `${left} bytes` };
  const length = bytes.readUInt32LE(offset + LENGTH_AT);
  const least = HEADER_BYTES + bytes.readUInt32LE(offset + METADATA_LENGTH_AT);
  if (length > left || length < least) {
    return { expected: `a record of ${least} to ${left} bytes`, found: `a length of ${length}` };
  }
  const op = bytes.readUInt32LE(offset + OP_AT);
  if (op < 1 || op > maxOp) return { expected: `an operation of 1 to ${maxOp}`, found: String(op) };
  const crc = crc32cRange(bytes, offset + LENGTH_AT, offset + length, seed);
  return { expected: `checksum ${hex(bytes.readUInt32LE(offset + CRC_AT))}`, found: hex(crc) };
}

/** Decodes the record at `offset`, which `goodRecordLength` has found good. Throws `corrupt` on unreadable metadata. */
export function decodeRecord(bytes: Buffer, offset: number): LogRecord {
  const length = bytes.readUInt32LE(offset + LENGTH_AT);
  const metadataEnd = offset + HEADER_BYTES + bytes.readUInt32LE(offset + METADATA_LENGTH_AT);
  const op = bytes.readUInt32LE(offset + OP_AT) as LogOp;
  const sequence = sequenceAt(bytes, offset);
  const payload = metadataEnd === offset + length ? EMPTY : bytes.subarray(metadataEnd, offset + length);
  if (op === LogOp.put) return { sequence, op, metadata: null, payload };
  return { sequence, op, metadata: decodeMetadata(bytes.subarray(offset + HEADER_BYTES, metadataEnd)), payload };
}

/** The sequence number of the record at `offset`. */
export function sequenceAt(bytes: Buffer, offset: number): number {
  return bytes.readUInt32LE(offset + SEQUENCE_AT) + TWO_32 * bytes.readUInt32LE(offset + SEQUENCE_AT + 4);
}

/** The op of the record at `offset`, a control record's included. */
export function opAt(bytes: Buffer, offset: number): number {
  return bytes.readUInt32LE(offset + OP_AT);
}

/** Read with the first record: a node with an empty log starts without it. */
let unpack: ((bytes: Uint8Array) => unknown) | undefined;

function decodeMetadata(bytes: Uint8Array): OperationMetadata {
  unpack ??= (createRequire(import.meta.url)("msgpackr") as typeof import("msgpackr")).unpack;
  const values = unpack(bytes);
  if (Array.isArray(values)) {
    const [id, version, primaryTerm, mappingVersion, routing] = values;
    if (typeof id === "string" && isCount(version) && isCount(primaryTerm) && isCount(mappingVersion)) {
      return {
        id,
        version: Number(version),
        primaryTerm: Number(primaryTerm),
        mappingVersion: Number(mappingVersion),
        routing: typeof routing === "string" ? routing : undefined,
      };
    }
  }
  throw new EngineError("corrupt", `a log record's metadata is not what its checksum vouches for: ${String(values)}`);
}

/** msgpackr gives uint 64 as bigint when it is large. */
function isCount(value: unknown): value is number | bigint {
  return typeof value === "number" || typeof value === "bigint";
}

function hex(value: number): string {
  return `0x${value.toString(16).padStart(8, "0")}`;
}
