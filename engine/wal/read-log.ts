/** Reading all files of a log, oldest first: what each says of the one before it, and what is wrong with which. */
import path from "node:path";
import { CorruptionError } from "../errors.js";
import type { Files } from "../store/files.js";
import { findProof, type MarkedFile } from "./control-record.js";
import { listGenerations, logFileName, readHeaderBytes, readWhole } from "./log-file.js";
import { type FileHeader, readHeader } from "./log-header.js";
import type { LogRecord } from "./record.js";
import { type FileScan, scanFile } from "./scan.js";
import { scanFileV1 } from "./scan-v1.js";

/** Who is told what is found. */
export interface LogVisitor {
  /** Every good record, in order. Its payload is valid during the call only. */
  record(record: LogRecord): void;
  /** Bytes that were acknowledged, or may have been, are damaged or missing. May throw, which ends the reading. */
  damaged(error: CorruptionError): void;
}

/** What reading a log found. */
export interface LogReading {
  /** The files that could be read, oldest first. Only the last can be torn. */
  scans: FileScan[];
  /** A last file that was being made when the machine stopped, and never held anything that counts. */
  unborn: { file: string; error: CorruptionError } | null;
  /** The highest generation in the folder, 0 when there is none. */
  generation: number;
}

interface NamedFile {
  generation: number;
  file: string;
}

/** Reads every byte of the log in a folder. Throws `corrupt` for a file of a version that this program can't read. */
export function readLog(files: Files, folder: string, visitor: LogVisitor): LogReading {
  const named = listGenerations(files, folder).map((generation) => {
    return { generation, file: path.join(folder, logFileName(generation)) };
  });
  const reading: LogReading = { scans: [], unborn: null, generation: named.at(-1)?.generation ?? 0 };
  const states = named.map(({ generation, file }) => readHeader(readHeaderBytes(files, file), file, generation));
  const headers = states.map((state) => (state.kind === "good" ? state.header : null));
  const salt = headers.findLast((header) => header !== null && header.version > 1)?.salt ?? null;
  states.forEach((state, i) => {
    if (state.kind === "good") return;
    const { generation, file } = named[i];
    const last = i === named.length - 1;
    const unborn = state.kind === "unborn" && last && !wasSynced({ bytes: readWhole(files, file), generation, salt });
    if (unborn) reading.unborn = { file, error: state.error };
    else visitor.damaged(state.error);
  });
  let after = -1;
  headers.forEach((header, i) => {
    if (header === null) return;
    if (i > 0) checkLink(named[i - 1], named[i].file, header, visitor);
    const scan = readOne(
      files,
      named[i],
      { header, next: headers[i + 1], followed: i < named.length - 1, after },
      visitor,
    );
    reading.scans.push(scan);
    after = Math.max(after, scan.account.highest);
  });
  return reading;
}

interface Neighbours {
  header: FileHeader;
  next: FileHeader | null | undefined;
  followed: boolean;
  after: number;
}

function readOne(files: Files, { generation, file }: NamedFile, around: Neighbours, visitor: LogVisitor): FileScan {
  const { header, next, followed, after } = around;
  const scanOf = header.version === 1 ? scanFileV1 : scanFile;
  // The next file's word on where this one ends; of a file of version 1 it has none.
  const end = next?.previous?.generation === generation && header.version > 1 ? next.previous.end : undefined;
  const bytes = readWhole(files, file);
  const scan = scanOf({ file, bytes, header, end, followed, after }, (record) => visitor.record(record));
  if (scan.fault?.kind === "damaged") visitor.damaged(scan.fault.error);
  return scan;
}

/** Files are pruned oldest first, so one that is missing between two others was lost. */
function checkLink(before: NamedFile, file: string, { version, previous }: FileHeader, visitor: LogVisitor): void {
  if (version === 1 || previous?.generation === before.generation) return;
  const expected = `log file ${previous?.generation ?? "none"} before it`;
  visitor.damaged(new CorruptionError(file, 24, expected, `log file ${before.generation}`));
}

/** Whether markers prove that something in a file without its header was synced: then it had one. */
function wasSynced(file: MarkedFile): boolean {
  const proof = findProof(file, 0);
  return proof !== null && proof.durable > 0;
}
