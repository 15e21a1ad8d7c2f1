import path from "node:path";
import type { Files } from "../store/files.js";
import { ControlOp } from "./control-record.js";
import { listGenerations, logFileName, readStart } from "./log-file.js";
import { FILE_HEADER_BYTES, FILE_HEADER_BYTES_V1, readHeader } from "./log-header.js";
import { HEADER_BYTES, LENGTH_AT, opAt, sequenceAt } from "./record.js";

/** A header, markers, and the header of the first record lie in these bytes. */
const LOOKED_AT = 4096;

/** How a log begins; nothing of it is checked, which is for those who read it whole. */
export interface LogBegin {
  /** The oldest file; undefined: there is none. */
  readonly file: string | undefined;
  /** Sequence of the first record, or of the first that a repair gave up; undefined: there is none. */
  readonly sequence: number | undefined;
}

/** Looks at the first bytes of the log in a folder. Throws `io`. */
export function readLogBegin(files: Files, folder: string): LogBegin {
  const names = listGenerations(files, folder).map((generation) => ({
    generation,
    file: path.join(folder, logFileName(generation)),
  }));
  for (const { file, generation } of names) {
    const bytes = readStart(files, file, LOOKED_AT);
    const state = readHeader(bytes.subarray(0, FILE_HEADER_BYTES), file, generation);
    // Whoever reads it says what is wrong with it.
    if (state.kind !== "good") break;
    const sequence = firstOf(bytes, state.header.version === 1 ? FILE_HEADER_BYTES_V1 : FILE_HEADER_BYTES);
    if (sequence !== undefined) return { file: names[0].file, sequence };
  }
  return { file: names[0]?.file, sequence: undefined };
}

function firstOf(bytes: Buffer, from: number): number | undefined {
  for (let at = from; at + HEADER_BYTES <= bytes.length; ) {
    const op = opAt(bytes, at);
    if (op === 0) return undefined;
    if (op !== ControlOp.marker) return sequenceAt(bytes, at);
    at += Math.max(HEADER_BYTES, bytes.readUInt32LE(at + LENGTH_AT));
  }
  return undefined;
}
