/**
 * One record of a log. Numbers are little-endian. A record is a header, its metadata, its payload, nothing between:
 *
 *   offset  bytes  name            meaning, and what a reader checks
 *   0       4      crc             CRC32C of every byte of the record after this field
 *   4       4      length          bytes of the whole record: at least HEADER_BYTES + metadataLength
 *   8       8      sequence        u64 below 2^53; in an index's log the operation's `_seq_no`
 *   16      1      op              one of LogOp
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
 * and of put an empty array. Example: index, sequence 5, id "a", version 1, primary term 1, mapping version 2, no
 * routing, payload `{"n":1}`, 38 bytes:
 *
 *   07 2a 29 07  26 00 00 00  05 00 00 00 00 00 00 00  01 00 00 00  07 00 00 00
 *   95 a1 61 01 01 02 c0  7b 22 6e 22 3a 31 7d
 *
 * The metadata is written by hand, into the batch's buffer and without an object per value, because a packer's own
 * buffer and its copy cost more than the checksum; it is read with msgpackr.
 */
import { unpack } from "msgpackr";
import { EngineError } from "../errors.js";
import { crc32cRange } from "../kernels/crc32c.js";

/** What a record says happened. Numbers are on disk: only append. */
export const LogOp = { index: 1, delete: 2, put: 3 } as const;
/** One of the numbers of LogOp. */
export type LogOp = (typeof LogOp)[keyof typeof LogOp];

/** Bytes of a header. */
export const HEADER_BYTES = 24;

/** Offsets in a header, named as in the table above. */
const CRC_AT = 0;
const LENGTH_AT = 4;
const SEQUENCE_AT = 8;
const OP_AT = 16;
const METADATA_LENGTH_AT = 20;

const MAX_OP = LogOp.put;
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

/** Where a record lies in the bytes of a file, found good. */
export interface RecordPlace {
  offset: number;
  length: number;
}

/**
 * A growing buffer that records are appended to; one write takes all of them. `clear` keeps the memory, so that a
 * buffer is used again for the next batch.
 */
export class RecordBuffer {
  #bytes: Buffer;
  #length = 0;

  constructor(capacity: number) {
    this.#bytes = Buffer.allocUnsafeSlow(capacity);
  }

  get length(): number {
    return this.#length;
  }

  get capacity(): number {
    return this.#bytes.length;
  }

  /** What was appended; valid until `clear` or the next append. */
  bytes(): Uint8Array {
    return this.#bytes.subarray(0, this.#length);
  }

  clear(): void {
    this.#length = 0;
  }

  /** Drops what was appended after the first `length` bytes. */
  truncate(length: number): void {
    this.#length = Math.min(this.#length, length);
  }

  /** Appends an index or delete record. */
  appendOperation(op: LogOp, sequence: number, metadata: OperationMetadata, payload: Uint8Array): void {
    const start = this.#length;
    const idBytes = metadata.id.length * 3;
    const routingBytes = metadata.routing === undefined ? 0 : metadata.routing.length * 3;
    this.#reserve(HEADER_BYTES + 64 + idBytes + routingBytes + payload.length);
    let at = start + HEADER_BYTES;
    this.#bytes[at++] = 0x95; // array of five
    at = this.#string(at, metadata.id);
    at = this.#unsigned(at, metadata.version);
    at = this.#unsigned(at, metadata.primaryTerm);
    at = this.#unsigned(at, metadata.mappingVersion);
    if (metadata.routing === undefined) this.#bytes[at++] = 0xc0;
    else at = this.#string(at, metadata.routing);
    this.#finish(start, at, { op, sequence, payload });
  }

  /** Appends a put record: changes of the metadata log as JSON bytes. */
  appendPut(sequence: number, payload: Uint8Array): void {
    const start = this.#length;
    this.#reserve(HEADER_BYTES + 1 + payload.length);
    this.#bytes[start + HEADER_BYTES] = 0x90; // empty array
    this.#finish(start, start + HEADER_BYTES + 1, { op: LogOp.put, sequence, payload });
  }

  /** Writes payload and header of the record at `start`, whose metadata ends at `at`. */
  #finish(start: number, at: number, record: { op: LogOp; sequence: number; payload: Uint8Array }): void {
    const bytes = this.#bytes;
    bytes.set(record.payload, at);
    const end = at + record.payload.length;
    bytes.writeUInt32LE(end - start, start + LENGTH_AT);
    bytes.writeUInt32LE(record.sequence % TWO_32, start + SEQUENCE_AT);
    bytes.writeUInt32LE(Math.floor(record.sequence / TWO_32), start + SEQUENCE_AT + 4);
    bytes.writeUInt32LE(record.op, start + OP_AT);
    bytes.writeUInt32LE(at - start - HEADER_BYTES, start + METADATA_LENGTH_AT);
    bytes.writeUInt32LE(crc32cRange(bytes, start + LENGTH_AT, end), start + CRC_AT);
    this.#length = end;
  }

  #string(at: number, value: string): number {
    const bytes = this.#bytes;
    // The width of the length must be known before the text is written: decided by the most bytes it can have.
    const most = value.length * 3;
    const text = at + (most < 32 ? 1 : most < 256 ? 2 : 5);
    const length = writeText(bytes, value, text);
    if (most < 32) {
      bytes[at] = 0xa0 | length;
    } else if (most < 256) {
      bytes[at] = 0xd9; // str 8
      bytes[at + 1] = length;
    } else {
      bytes[at] = 0xdb; // str 32
      bytes.writeUInt32BE(length, at + 1);
    }
    return text + length;
  }

  #unsigned(at: number, value: number): number {
    const bytes = this.#bytes;
    if (value < 0x80) {
      bytes[at] = value;
      return at + 1;
    }
    if (value < TWO_32) {
      bytes[at] = 0xce; // uint 32
      bytes.writeUInt32BE(value, at + 1);
      return at + 5;
    }
    bytes[at] = 0xcf; // uint 64
    bytes.writeUInt32BE(Math.floor(value / TWO_32), at + 1);
    bytes.writeUInt32BE(value % TWO_32, at + 5);
    return at + 9;
  }

  #reserve(bytes: number): void {
    const needed = this.#length + bytes;
    if (needed <= this.#bytes.length) return;
    const grown = Buffer.allocUnsafeSlow(Math.max(needed, this.#bytes.length * 2));
    this.#bytes.copy(grown, 0, 0, this.#length);
    this.#bytes = grown;
  }
}

/** UTF-8 of `value` at `at`; returns the byte count. Ids are nearly always short ASCII, for which a loop is fastest. */
function writeText(bytes: Buffer, value: string, at: number): number {
  if (value.length > 40) return bytes.write(value, at, "utf8");
  for (let i = 0; i < value.length; i++) {
    const code = value.charCodeAt(i);
    if (code >= 0x80) return bytes.write(value, at, "utf8");
    bytes[at + i] = code;
  }
  return value.length;
}

/**
 * Length of the good record that begins at `offset`, or -1 when there is none: it does not fit before the end, a
 * field of its header is impossible, or its checksum is wrong.
 */
export function goodRecordLength(bytes: Buffer, offset: number): number {
  if (offset + HEADER_BYTES > bytes.length) return -1;
  const length = bytes.readUInt32LE(offset + LENGTH_AT);
  if (length > bytes.length - offset) return -1;
  if (length < HEADER_BYTES + bytes.readUInt32LE(offset + METADATA_LENGTH_AT)) return -1;
  const op = bytes.readUInt32LE(offset + OP_AT);
  if (op < 1 || op > MAX_OP) return -1;
  const crc = crc32cRange(bytes, offset + LENGTH_AT, offset + length);
  return crc === bytes.readUInt32LE(offset + CRC_AT) ? length : -1;
}

/** Says in words what is wrong with the record at `offset`, for messages. */
export function describeBadRecord(bytes: Buffer, offset: number): { expected: string; found: string } {
  const left = bytes.length - offset;
  if (left < HEADER_BYTES) return { expected: `a record header of ${HEADER_BYTES} bytes`, found: `${left} bytes` };
  const length = bytes.readUInt32LE(offset + LENGTH_AT);
  const least = HEADER_BYTES + bytes.readUInt32LE(offset + METADATA_LENGTH_AT);
  if (length > left || length < least) {
    return { expected: `a record of ${least} to ${left} bytes`, found: `a length of ${length}` };
  }
  const op = bytes.readUInt32LE(offset + OP_AT);
  if (op < 1 || op > MAX_OP) return { expected: `an operation of 1 to ${MAX_OP}`, found: String(op) };
  const crc = crc32cRange(bytes, offset + LENGTH_AT, offset + length);
  return { expected: `checksum ${hex(bytes.readUInt32LE(offset + CRC_AT))}`, found: hex(crc) };
}

/** Decodes the record at `offset`, which `goodRecordLength` has found good. Throws `corrupt` on unreadable metadata. */
export function decodeRecord(bytes: Buffer, offset: number): LogRecord {
  const length = bytes.readUInt32LE(offset + LENGTH_AT);
  const metadataEnd = offset + HEADER_BYTES + bytes.readUInt32LE(offset + METADATA_LENGTH_AT);
  const op = bytes.readUInt32LE(offset + OP_AT) as LogOp;
  const sequence = bytes.readUInt32LE(offset + SEQUENCE_AT) + TWO_32 * bytes.readUInt32LE(offset + SEQUENCE_AT + 4);
  const payload = metadataEnd === offset + length ? EMPTY : bytes.subarray(metadataEnd, offset + length);
  if (op === LogOp.put) return { sequence, op, metadata: null, payload };
  return { sequence, op, metadata: decodeMetadata(bytes.subarray(offset + HEADER_BYTES, metadataEnd)), payload };
}

function decodeMetadata(bytes: Uint8Array): OperationMetadata {
  const values: unknown = unpack(bytes);
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
