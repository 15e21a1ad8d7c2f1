/**
 * Reading a file of version 1, which ends with its last record and has no markers: a bad record with a good one
 * anywhere behind it, in this file or a later one, is damage; else it is the torn end of a write that was never
 * acknowledged. (A power cut that kept a later page of a torn write and lost an earlier one looks like damage here: what
 * version 2 was made for.)
 */
import { CorruptionError } from "../errors.js";
import { Account } from "./account.js";
import { FILE_HEADER_BYTES_V1 } from "./log-header.js";
import { decodeRecord, describeBadRecord, goodRecordLength, LogOp, type LogRecord } from "./record.js";
import type { FileFault, FileScan, FileToScan } from "./scan.js";

const CHECK = { seed: 0, maxOp: LogOp.put };

/** Reads a file of version 1 and hands every good record, in order, to `onRecord`. */
export function scanFileV1(given: FileToScan, onRecord: (record: LogRecord) => void): FileScan {
  const { file, bytes, header, followed } = given;
  const account = new Account();
  const scan = { file, header, totalBytes: bytes.length, account, fault: null };
  let last = given.after;
  let offset = FILE_HEADER_BYTES_V1;
  while (offset < bytes.length) {
    const length = goodRecordLength(bytes, offset, CHECK);
    if (length < 0) return { ...scan, end: offset, fault: faultAt(file, bytes, offset, followed) };
    const record = decodeRecord(bytes, offset);
    if (record.sequence <= last) {
      const error = new CorruptionError(file, offset, `a sequence number above ${last}`, String(record.sequence));
      return { ...scan, end: offset, fault: { kind: "damaged", error } };
    }
    onRecord(record);
    account.add(record.sequence);
    last = record.sequence;
    offset += length;
  }
  return { ...scan, end: offset };
}

function faultAt(file: string, bytes: Buffer, offset: number, followed: boolean): FileFault {
  const { expected, found } = describeBadRecord(bytes, offset, CHECK);
  const damaged = followed || hasGoodRecordAfter(bytes, offset);
  return { kind: damaged ? "damaged" : "torn", error: new CorruptionError(file, offset, expected, found) };
}

/**
 * Looks for a good record at any offset behind a bad one, whose length can't be trusted. A checksum is computed only
 * where a plausible header stands, which in other bytes is rare.
 */
function hasGoodRecordAfter(bytes: Buffer, badOffset: number): boolean {
  for (let offset = badOffset + 1; offset < bytes.length; offset++) {
    if (goodRecordLength(bytes, offset, CHECK) > 0) return true;
  }
  return false;
}
