/**
 * Telling an index that is new from one of which a part is gone. A folder from which a file was taken would else open as
 * if nothing had ever been in it, and what is left of it would be removed.
 */
import path from "node:path";
import { CorruptionError, EngineError } from "../errors.js";
import { type Commit, commitFile } from "../segment/commit.js";
import type { Files } from "../store/files.js";
import { readLogBegin } from "../wal/index.js";

/**
 * What is missing of an index, if it shows. The log is pruned only up to what a commit has, and begins before the first
 * segment is made: one that begins later, or segments with neither, are what a lost commit or a lost log leaves.
 */
export function missingPart(files: Files, folder: string, commit: Commit | undefined): EngineError | undefined {
  const { file, sequence } = readLogBegin(files, path.join(folder, "log"));
  const committed = committedIn(commit);
  if (sequence !== undefined && sequence > committed + 1) return gap(file as string, committed + 1, sequence - 1);
  if (file !== undefined || commit !== undefined) return undefined;
  const segment = files.list(folder).find((name) => name.endsWith(".seg"));
  if (segment === undefined) return undefined;
  return new CorruptionError(commitFile(folder), 0, `a commit, or a log, of ${segment}`, "neither");
}

/** Every operation up to this one is in the segments of a commit; -1: none. */
export function committedIn(commit: Commit | undefined): number {
  return Number(commit?.user.maxSeqNo ?? -1);
}

/** Operations that neither the segments nor the log have. */
export function gap(file: string, first: number, last: number): EngineError {
  const message = `operations ${first} to ${last} are neither in segments nor in the log: ${file} begins or goes on behind them`;
  return new EngineError("corrupt", message, { file, offset: 0, first, last });
}

/** A definition is made durable after the index's folder: one without it has lost all. Throws CorruptionError. */
export function checkFolderThere(files: Files, folder: string): void {
  if (!files.stat(folder)) throw new CorruptionError(folder, 0, "the folder of an index", "none");
}
