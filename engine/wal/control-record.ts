/**
 * Records that the log writes for itself (version 2); whoever replays never sees them. Both have a record's header
 * (record.ts) and no metadata.
 *
 * A marker, op 4, sequence 0, begins every group of records that is written together, and is written alone when a sync
 * has ended and nothing waits: the next group's own marker, early. 40 bytes:
 *
 *   offset  bytes  name     meaning
 *   24      8      durable  u64: bytes of this file that a sync had covered when the marker was written
 *   32      4      salt     the file's (log-header.ts): with it a file is readable that has lost its header
 *   36      4      zero
 *
 * A loss, op 5, is what `repair` puts over bytes that can't be read, exactly as long as they were. Its sequence is that
 * of the first record that may have been there; the next good record says how many. Its payload is zeros.
 */
import { crc32cRange } from "../kernels/crc32c.js";
import { seedOf } from "./log-header.js";
import { CRC_AT, goodRecordLength, HEADER_BYTES, LENGTH_AT, OP_AT, opAt, SEQUENCE_AT } from "./record.js";

/** Numbers of the control records' ops. */
export const ControlOp = { marker: 4, loss: 5 } as const;

/** The highest op that a file of version 2 has. */
export const MAX_OP = ControlOp.loss;

/** Bytes of a marker. */
export const MARKER_BYTES = HEADER_BYTES + 16;
/** A loss has at least these bytes. */
export const LEAST_LOSS_BYTES = HEADER_BYTES;

const DURABLE_AT = HEADER_BYTES;
const SALT_AT = HEADER_BYTES + 8;
const TWO_32 = 0x1_0000_0000;

/** What the records of a file are checked with. */
export interface Seeding {
  seed: number;
  salt: number;
}

/** A marker as it lies in the file. `durable` is in bytes from the file's begin. */
export function encodeMarker({ seed, salt }: Seeding, durable: number): Buffer {
  const bytes = Buffer.alloc(MARKER_BYTES);
  bytes.writeUInt32LE(durable % TWO_32, DURABLE_AT);
  bytes.writeUInt32LE(Math.floor(durable / TWO_32), DURABLE_AT + 4);
  bytes.writeUInt32LE(salt, SALT_AT);
  return seal(bytes, ControlOp.marker, 0, seed);
}

/** A loss of `length` bytes (at least LEAST_LOSS_BYTES). */
export function encodeLoss(seed: number, sequence: number, length: number): Buffer {
  return seal(Buffer.alloc(length), ControlOp.loss, sequence, seed);
}

function seal(bytes: Buffer, op: number, sequence: number, seed: number): Buffer {
  bytes.writeUInt32LE(bytes.length, LENGTH_AT);
  bytes.writeUInt32LE(sequence % TWO_32, SEQUENCE_AT);
  bytes.writeUInt32LE(Math.floor(sequence / TWO_32), SEQUENCE_AT + 4);
  bytes.writeUInt32LE(op, OP_AT);
  bytes.writeUInt32LE(crc32cRange(bytes, LENGTH_AT, bytes.length, seed), CRC_AT);
  return bytes;
}

/** The `durable` of the good marker at `offset`. */
export function durableOf(bytes: Buffer, offset: number): number {
  return bytes.readUInt32LE(offset + DURABLE_AT) + TWO_32 * bytes.readUInt32LE(offset + DURABLE_AT + 4);
}

/** What a search for markers found. */
export interface Proof {
  /** Bytes of the file that the markers prove to have been durable. */
  durable: number;
  salt: number;
}

/** The file that markers are looked for in. */
export interface MarkedFile {
  bytes: Buffer;
  generation: number;
  /** The log's salt; null: its file's header is lost, and no other tells. */
  salt: number | null;
}

/**
 * Looks for markers behind `from`, whatever lies between, and returns what the strongest proves; null: there is none.
 * Markers of another file don't hold. Bytes that only look like a marker cost a checksum of 40 bytes.
 */
export function findProof({ bytes, generation, salt: known }: MarkedFile, from: number): Proof | null {
  let proof: Proof | null = null;
  for (let at = nextMarker(bytes, from); at >= 0; at = nextMarker(bytes, at + 1)) {
    const salt = bytes.readUInt32LE(at + SALT_AT);
    if (known !== null && salt !== known) continue;
    const check = { seed: seedOf({ generation, salt }), maxOp: MAX_OP };
    if (goodRecordLength(bytes, at, check) !== MARKER_BYTES) continue;
    const durable = durableOf(bytes, at);
    if (proof === null || durable > proof.durable) proof = { durable, salt };
  }
  return proof;
}

/** `length`, then sequence 0, then op 4: what a marker has in its header after the checksum. */
const MARKER_LOOK = Buffer.from([MARKER_BYTES, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, ControlOp.marker, 0, 0, 0]);

function nextMarker(bytes: Buffer, from: number): number {
  const found = bytes.indexOf(MARKER_LOOK, from + LENGTH_AT);
  return found < 0 || found - LENGTH_AT + MARKER_BYTES > bytes.length ? -1 : found - LENGTH_AT;
}

/** Whether the good record at `offset` is one of the log's own. */
export function isControl(bytes: Buffer, offset: number): boolean {
  return opAt(bytes, offset) > 3;
}
