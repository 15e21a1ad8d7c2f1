/**
 * Reading a file of the log, and telling damage from what a power cut may leave.
 *
 * A power cut keeps any of the pages that were written since the last sync, in any order, so behind a bad record there
 * may well be good ones of writes that nobody was told about. What was *synced* is a prefix of the file, and how long it
 * was at least, the file itself proves:
 *
 * - every group begins with a marker that says how many bytes were known to be synced when it was written; when a sync
 *   has ended and nothing waits, a marker is written alone. A marker that holds may itself be unsynced: what it says was
 *   true when it was written, and the disk only ever kept what was written.
 * - a file is followed by another only when all of it was synced, and the next file's header says where it ended.
 *
 * So the first bad record, at X, is
 *
 *   damage     if a marker anywhere behind it proves more than X bytes synced, or if the file is followed by another:
 *              bytes that may have been acknowledged are not what they were. The index stops, with file and offset.
 *   torn       otherwise: X and what is behind it were never known to be synced, so nobody was told that they are kept.
 *              They are cut with a warning, however many good records lie behind X.
 *   the end    if 24 zeros stand at X, which every write puts behind its records, and no good record is behind it.
 *
 * What this can't see: damage that begins behind everything that a marker proves (the last write before the machine
 * stopped) looks like a torn write, and is cut with a warning. With durability `async` that is all since the last sync.
 */
import { CorruptionError } from "../errors.js";
import { Account } from "./account.js";
import { ControlOp, findProof, isControl, LEAST_LOSS_BYTES, MAX_OP } from "./control-record.js";
import { isTerminator } from "./log-file.js";
import { FILE_HEADER_BYTES, type FileHeader, seedOf } from "./log-header.js";
import {
  decodeRecord,
  describeBadRecord,
  goodRecordLength,
  HEADER_BYTES,
  LENGTH_AT,
  type LogRecord,
  OP_AT,
  opAt,
  type RecordCheck,
  sequenceAt,
} from "./record.js";

/** Why the records of a file end where they do. */
export interface FileFault {
  kind: "torn" | "damaged";
  error: CorruptionError;
}

/** What reading a file found. */
export interface FileScan {
  file: string;
  header: FileHeader;
  /** Bytes of the file. */
  totalBytes: number;
  /** Bytes up to the end of the last good record: the next one would begin there. */
  end: number;
  account: Account;
  /** What is wrong at `end`; null: the records end there as they should. */
  fault: FileFault | null;
}

/** A file to be read: its bytes, and what the files around it say of it. */
export interface FileToScan {
  file: string;
  bytes: Buffer;
  header: FileHeader;
  /** Where the next file says that this one ends; undefined: none says. */
  end: number | undefined;
  /** There is a later file: this one was synced before. */
  followed: boolean;
  /** Sequence of the last record of the files before, -1 without any. */
  after: number;
}

/** Reads a file of version 2 and hands every good record, in order, to `onRecord`. */
export function scanFile(given: FileToScan, onRecord: (record: LogRecord) => void): FileScan {
  const { file, header, end } = given;
  const bytes = end === undefined ? given.bytes : given.bytes.subarray(0, end);
  const check = { seed: seedOf(header), maxOp: MAX_OP };
  const account = new Account();
  const scan = { file, header, totalBytes: given.bytes.length, account, fault: null };
  let last = given.after;
  let offset = FILE_HEADER_BYTES;
  for (;;) {
    if (offset === end) return { ...scan, end: offset };
    const length = goodRecordLength(bytes, offset, check);
    if (length < 0) return { ...scan, end: offset, fault: faultAt(given, bytes, offset, check) };
    if (isControl(bytes, offset)) {
      noteControl(account, bytes, offset);
    } else {
      const record = decodeRecord(bytes, offset);
      if (record.sequence <= last) return { ...scan, end: offset, fault: outOfOrder(given, offset, last, record) };
      onRecord(record);
      account.add(record.sequence);
      last = record.sequence;
    }
    offset += length;
  }
}

function noteControl(account: Account, bytes: Buffer, offset: number): void {
  if (opAt(bytes, offset) === ControlOp.loss) account.lose(sequenceAt(bytes, offset));
}

function faultAt(given: FileToScan, bytes: Buffer, offset: number, check: RecordCheck): FileFault | null {
  const { file, header, end, followed } = given;
  const { expected, found } = describeBadRecord(bytes, offset, check);
  const error = new CorruptionError(file, offset, expected, found);
  const proof = findProof({ bytes, generation: header.generation, salt: header.salt }, offset);
  if (end !== undefined || (proof !== null && proof.durable > offset)) return { kind: "damaged", error };
  if (isTerminator(bytes, offset) && !hasGoodRecord(bytes, offset + 1, check)) return null;
  return { kind: followed ? "damaged" : "torn", error };
}

function outOfOrder({ file }: FileToScan, offset: number, last: number, { sequence }: LogRecord): FileFault {
  const expected = `a sequence number above ${last}`;
  return { kind: "damaged", error: new CorruptionError(file, offset, expected, String(sequence)) };
}

/** A good record and where it begins. */
export interface FoundRecord {
  offset: number;
  /** Of a record with data; -1 of one of the log's own. */
  sequence: number;
}

/**
 * The first good record that begins at `from` or behind, whatever lies before it, and is a marker or has a sequence above
 * `after`; null: there is none. For repair.
 */
export function nextGoodRecord(bytes: Buffer, from: number, check: RecordCheck, after: number): FoundRecord | null {
  for (const offset of candidates(bytes, from + LEAST_LOSS_BYTES)) {
    const sequence = opAt(bytes, offset) === ControlOp.marker ? -1 : sequenceAt(bytes, offset);
    if (sequence >= 0 && sequence <= after) continue;
    if (goodRecordLength(bytes, offset, check) >= 0) return { offset, sequence };
  }
  return null;
}

/** How many times the file's bytes the search for good records may check; a made-up id could ask for more. */
const SEARCH_EFFORT = 4;

/** Whether a good record begins at `from` or behind; true too when that is dear to find out. */
function hasGoodRecord(bytes: Buffer, from: number, check: RecordCheck): boolean {
  let effort = SEARCH_EFFORT * bytes.length;
  for (const offset of candidates(bytes, from)) {
    const length = bytes.readUInt32LE(offset + LENGTH_AT);
    if (length > bytes.length - offset) continue;
    effort -= length;
    if (effort < 0 || goodRecordLength(bytes, offset, check) >= 0) return true;
  }
  return false;
}

/** Offsets from `from` on where the op of a record could stand. Documents are JSON, which has no zero bytes: few. */
function* candidates(bytes: Buffer, from: number): Iterable<number> {
  const end = Math.min(endWithoutZeros(bytes, from), bytes.length - HEADER_BYTES + 1);
  for (let at = from; at < end; at++) {
    const op = bytes[at + OP_AT];
    if (op < 1 || op > MAX_OP) continue;
    if (bytes[at + OP_AT + 1] === 0 && bytes[at + OP_AT + 2] === 0 && bytes[at + OP_AT + 3] === 0) yield at;
  }
}

const ZEROS = Buffer.alloc(64 * 1024);

/** Where only zeros follow, to within 64 KB: most of a file is that, and is passed quickly. */
function endWithoutZeros(bytes: Buffer, from: number): number {
  let end = bytes.length;
  while (end > from) {
    const start = Math.max(from, end - ZEROS.length);
    if (bytes.compare(ZEROS, 0, end - start, start, end) !== 0) return end;
    end = start;
  }
  return end;
}
