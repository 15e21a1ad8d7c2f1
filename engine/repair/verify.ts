/**
 * Reading every byte of a data folder and saying what of it is not what was written: the metadata, and of each index its
 * commit, its segments chunk by chunk, which documents are alive, and every record of its log. Changes nothing.
 */
import path from "node:path";
import { EngineError } from "../errors.js";
import { gap } from "../shard/index.js";
import type { Files } from "../store/files.js";
import { type LogReading, readLog } from "../wal/index.js";
import { asDamage, type FolderOptions, type HeldFolder, indexFolder, withFolder } from "./folder.js";
import { aliveIn, type ReadIndex, readIndexFiles } from "./read-index.js";

/** What was read of the metadata. */
export interface VerifiedMetadata {
  readonly records: number;
  readonly bytes: number;
  readonly damage: readonly EngineError[];
  readonly warnings: readonly string[];
}

/** What was read of an index. */
export interface VerifiedIndex {
  /** null: a folder that no definition speaks of, what a crash leaves of a deletion. */
  readonly name: string | null;
  readonly uuid: string;
  readonly segments: number;
  /** Alive in segments, as far as is known. */
  readonly documents: number;
  /** Operations in the log. */
  readonly operations: number;
  readonly bytes: number;
  readonly damage: readonly EngineError[];
  /** What the next opening will put right by itself, and what an earlier repair gave up. */
  readonly warnings: readonly string[];
}

export interface VerifyReport {
  /** Why the folder was read without its lock, so that a node may have changed it meanwhile; null: it was locked. */
  readonly unlocked: string | null;
  readonly metadata: VerifiedMetadata;
  readonly indices: readonly VerifiedIndex[];
}

/**
 * Verifies the indices of these names, all when there is none among them, and the metadata; without the lock where the
 * folder can't be written. Throws `index_not_found`, `data_folder_locked`, `io`.
 */
export function verifyFolder(
  dir: string,
  names: readonly string[],
  options: FolderOptions = {},
): Promise<VerifyReport> {
  return withFolder(dir, { ...options, use: "read" }, (folder) => {
    for (const name of names) {
      if (!folder.uuids.has(name)) throw new EngineError("index_not_found", `no such index [${name}]`, { index: name });
    }
    const wanted = names.length > 0 ? names : [...folder.uuids.keys()].sort();
    const indices = wanted.map((name) => verifyIndex(folder, name, folder.uuids.get(name) as string));
    const strays = names.length > 0 ? [] : straysOf(folder).map((uuid) => verifyIndex(folder, null, uuid));
    return { unlocked: folder.unlocked, metadata: verifyMetadata(folder), indices: [...indices, ...strays] };
  });
}

/** Folders of indices that no definition speaks of. */
export function straysOf({ dir, storage, uuids }: HeldFolder): string[] {
  const known = new Set(uuids.values());
  return storage.files.list(path.join(dir, "indices")).filter((uuid) => !known.has(uuid));
}

function verifyMetadata({ metadata, metadataFolder, storage }: HeldFolder): VerifiedMetadata {
  const { records, damage, log } = metadata;
  const names = storage.files.list(metadataFolder).filter((name) => name.startsWith("snapshot"));
  const bytes = names.reduce((sum, name) => sum + (storage.files.stat(path.join(metadataFolder, name))?.size ?? 0), 0);
  return { records, bytes: bytes + bytesOf(log), damage, warnings: log ? tornWarnings(log) : [] };
}

function verifyIndex({ dir, storage }: HeldFolder, name: string | null, uuid: string): VerifiedIndex {
  const folder = indexFolder(dir, uuid);
  const read = readIndexFiles(storage, folder);
  const log = readOperations(storage.files, path.join(folder, "log"));
  const gap = missingOperations(read, log);
  return {
    name,
    uuid,
    segments: read.segments.length,
    documents: read.segments.reduce((sum, segment) => sum + aliveIn(segment), 0),
    operations: log.sequences.length,
    bytes: read.segments.reduce((sum, { bytes }) => sum + bytes, 0) + bytesOf(log.reading),
    damage: [...read.damage, ...log.damage, ...gap.damage],
    warnings: [...(log.reading ? tornWarnings(log.reading) : []), ...gap.warnings],
  };
}

/** The log of an index as it was read. */
interface ReadOperations {
  /** Of every operation, ascending. */
  sequences: number[];
  /** null: of a version that this program can't read. */
  reading: LogReading | null;
  damage: EngineError[];
}

function readOperations(files: Files, folder: string): ReadOperations {
  const sequences: number[] = [];
  const damage: EngineError[] = [];
  try {
    const visitor = {
      record: ({ sequence }: { sequence: number }) => sequences.push(sequence),
      damaged: (error: EngineError) => damage.push(error),
    };
    return { reading: readLog(files, folder, visitor), sequences, damage };
  } catch (error) {
    damage.push(asDamage(error));
    return { reading: null, sequences, damage };
  }
}

/** Operations between the last commit and the end of the log that neither has. */
function missingOperations(
  { commit }: ReadIndex,
  { sequences, reading, damage }: ReadOperations,
): { damage: EngineError[]; warnings: string[] } {
  // Of a damaged commit or log it is said already.
  if (commit === "damaged" || reading === null || damage.length > 0) return { damage: [], warnings: [] };
  const committed = Number(commit?.user.maxSeqNo ?? -1);
  const lost = reading.scans.reduce((sum, { account }) => sum + account.lost, 0);
  const found: EngineError[] = [];
  let last = committed;
  for (const sequence of sequences) {
    if (sequence > last + 1 && lost === 0) found.push(gap(reading.scans[0]?.file ?? "", last + 1, sequence - 1));
    last = Math.max(last, sequence);
  }
  const warnings = lost === 0 ? [] : [`an earlier repair gave up ${lost} operations of the log`];
  return { damage: found, warnings };
}

function bytesOf(log: LogReading | null): number {
  return log?.scans.reduce((sum, { totalBytes }) => sum + totalBytes, 0) ?? 0;
}

function tornWarnings({ scans, unborn }: LogReading): string[] {
  const torn = scans.flatMap(({ fault, file, end }) =>
    fault?.kind === "torn"
      ? [`${file} ends at byte ${end} in an unfinished write, which nobody was told is kept; the next start cuts it`]
      : [],
  );
  return unborn ? [...torn, `${unborn.file} was never begun; the next start removes it`] : torn;
}
