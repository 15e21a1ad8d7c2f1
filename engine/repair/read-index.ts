/** Reading every byte of an index's files: which of its segments are sound, and what is wrong with the others. */
import path from "node:path";
import { CorruptionError, type EngineError } from "../errors.js";
import {
  type Commit,
  type CommittedSegment,
  commitFile,
  OpenSegment,
  readCommitFile,
  readLiveDocs,
  segmentFileName,
} from "../segment/index.js";
import { checkFolderThere, missingPart } from "../shard/index.js";
import { countBits } from "../store/bits.js";
import type { Storage } from "../store/storage.js";
import { asDamage } from "./folder.js";

/** A segment that the commit names. */
export interface ReadSegment {
  readonly committed: CommittedSegment;
  readonly file: string;
  /** -1: not known. */
  readonly docCount: number;
  /** What is alive; null: all; "damaged": not known. */
  readonly live: Uint32Array | null | "damaged";
  readonly bytes: number;
  /** Of its file, then of its live documents. */
  readonly damage: EngineError[];
}

/** What an index has beside its log. */
export interface ReadIndex {
  /** undefined: there is none yet; "damaged": it can't be read, or is missing. */
  readonly commit: Commit | undefined | "damaged";
  readonly segments: ReadSegment[];
  readonly damage: EngineError[];
}

/** Reads the commit and all that it names. */
export function readIndexFiles(storage: Storage, folder: string): ReadIndex {
  let commit: Commit | undefined;
  try {
    checkFolderThere(storage.files, folder);
    commit = readCommitFile(storage.files, folder);
  } catch (error) {
    return { commit: "damaged", segments: [], damage: [asDamage(error)] };
  }
  const missing = commit === undefined ? missingPart(storage.files, folder, undefined) : undefined;
  if (missing) return { commit: "damaged", segments: [], damage: [missing] };
  const segments = (commit?.segments ?? []).map((one) => readSegment(storage, folder, one));
  return { commit, segments, damage: segments.flatMap(({ damage }) => damage) };
}

/** Documents that are alive, as far as is known. */
export function aliveIn({ docCount, live }: ReadSegment): number {
  if (docCount < 0) return 0;
  return live === null || live === "damaged" ? docCount : countBits(live);
}

/** Every byte of its file is what was written; what of it is alive may not be known. */
export function isSound({ docCount, live, damage }: ReadSegment): boolean {
  return docCount > 0 && damage.length === (live === "damaged" ? 1 : 0);
}

/** Reads every byte of a segment and of its live documents. */
export function readSegment(storage: Storage, folder: string, committed: CommittedSegment): ReadSegment {
  const file = path.join(folder, segmentFileName(committed.name));
  const damage: EngineError[] = [];
  const size = storage.files.stat(file)?.size;
  let docCount = -1;
  if (size === undefined) {
    damage.push(new CorruptionError(file, 0, `a segment that ${commitFile(folder)} names`, "no file"));
  } else {
    try {
      const segment = OpenSegment.open(storage, folder, committed.name);
      try {
        docCount = segment.docCount;
        segment.verify((error) => damage.push(error));
      } finally {
        segment.close();
      }
    } catch (error) {
      damage.push(asDamage(error));
    }
  }
  const live = readLive(storage, folder, { committed, docCount }, damage);
  return { committed, file, docCount, live, bytes: size ?? 0, damage };
}

function readLive(
  storage: Storage,
  folder: string,
  { committed, docCount }: { committed: CommittedSegment; docCount: number },
  damage: EngineError[],
): ReadSegment["live"] {
  if (committed.live === 0 || docCount < 0) return null;
  try {
    const target = { segment: committed.name, generation: committed.live, docCount };
    return readLiveDocs(storage.files, folder, target);
  } catch (error) {
    damage.push(asDamage(error));
    return "damaged";
  }
}
