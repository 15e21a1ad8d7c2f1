/** Reading a node's metadata without opening it: what is there, what is wrong with it, nothing changed. */
import path from "node:path";
import { EngineError } from "../errors.js";
import type { Files } from "../store/files.js";
import { readSmallFile } from "../store/small-file.js";
import {
  applyChanges,
  type MetadataChanges,
  type MetadataSnapshot,
  PREVIOUS_SNAPSHOT_NAME,
  parseSnapshot,
  SNAPSHOT_NAME,
} from "./metadata-log.js";
import { type LogReading, readLog } from "./read-log.js";

/** What was read. */
export interface MetadataReading {
  /** Values as far as they can be read: of a damaged log those without the changes that are lost. */
  values: Map<string, unknown>;
  /** Sequence of the last change among them. */
  sequence: number;
  /** The same of the snapshot, 0 without one. */
  snapshot: number;
  /** Changes read from the log. */
  records: number;
  /** Null when the log has a version that this program can't read. */
  log: LogReading | null;
  /** What is wrong, in the order it was met; nothing: the metadata can be opened and is whole. */
  damage: EngineError[];
}

/** Reads every byte of the metadata in a folder. */
export function readMetadata(files: Files, folder: string): MetadataReading {
  const damage: EngineError[] = [];
  const note = (error: EngineError) => damage.push(error);
  const snapshot = readSnapshot(files, path.join(folder, SNAPSHOT_NAME), note);
  const previous = readSnapshot(files, path.join(folder, PREVIOUS_SNAPSHOT_NAME), note);
  const base = snapshot ?? previous ?? { sequence: 0, values: {} };
  const values = new Map(Object.entries(base.values));
  let { sequence } = base;
  let records = 0;
  const take = (next: number, payload: Uint8Array): void => {
    records++;
    if (next <= sequence) return;
    if (next > sequence + 1) note(missing(folder, sequence + 1, next - 1));
    applyChanges(values, JSON.parse(Buffer.from(payload).toString("utf8")) as MetadataChanges);
    sequence = next;
  };
  const visitor = {
    record: (record: { sequence: number; payload: Uint8Array }) => take(record.sequence, record.payload),
    damaged: note,
  };
  let log: LogReading | null = null;
  try {
    log = readLog(files, folder, visitor);
  } catch (error) {
    if (!(error instanceof EngineError) || error.code !== "corrupt") throw error;
    note(error);
  }
  return { values, sequence, snapshot: base.sequence, records, log, damage };
}

function readSnapshot(files: Files, file: string, note: (error: EngineError) => void): MetadataSnapshot | null {
  try {
    const payload = readSmallFile(files, file);
    return payload ? parseSnapshot(file, payload) : null;
  } catch (error) {
    if (!(error instanceof EngineError) || error.code !== "corrupt") throw error;
    note(error);
    return null;
  }
}

function missing(folder: string, first: number, last: number): EngineError {
  const details = { file: folder, offset: 0, first, last };
  return new EngineError("corrupt", `the metadata log in ${folder} lacks the changes ${first} to ${last}`, details);
}
