/**
 * The commit: one small file, `commit`, that names the segments of an index that count. It is a small file
 * (store/small-file.ts) whose payload is this JSON, in UTF-8:
 *
 *   {"format": 1, "generation": n, "segments": [{"name": s, "live": g}, ...], "user": {...}}
 *
 * `live` is the generation of the segment's live docs, 0 where all its documents are alive. Segments are in ascending
 * order of their sequence numbers. `user` belongs to the shard. Whatever else lies in the folder is not part of the
 * index and is removed when it is opened.
 */
import path from "node:path";
import { CorruptionError, EngineError } from "../errors.js";
import type { Files } from "../store/files.js";
import { readSmallFile, replaceFileAsync, TEMPORARY_SUFFIX } from "../store/small-file.js";
import { liveFileName } from "./live-docs.js";
import { segmentFileName } from "./reader.js";

const COMMIT_NAME = "commit";
const FORMAT = 1;

export interface CommittedSegment {
  readonly name: string;
  /** Generation of its live docs; 0: all documents are alive. */
  readonly live: number;
}

export interface Commit {
  /** Grows by one with each commit. */
  readonly generation: number;
  readonly segments: readonly CommittedSegment[];
  /** What the shard wants to find again; anything JSON can hold. */
  readonly user: Readonly<Record<string, unknown>>;
}

/** Files that a segment of a commit consists of. */
export function filesOf(segment: CommittedSegment): string[] {
  const live = segment.live === 0 ? [] : [liveFileName(segment.name, segment.live)];
  return [segmentFileName(segment.name), ...live];
}

/** Makes the files that `previous` did not have durable, their names, and then the commit. See the two steps. */
export async function writeCommit(
  files: Files,
  folder: string,
  commit: Commit,
  previous: Commit | undefined,
): Promise<void> {
  await makeFilesDurable(files, { folder, commit, previous }, (name) => syncFile(files, path.join(folder, name)));
  await putCommit(files, folder, commit);
}

/**
 * The first step: whatever of a commit `previous` did not have is on the disk when this resolves, names included.
 * `makeDurable` does it for one file.
 */
export async function makeFilesDurable(
  files: Files,
  { folder, commit, previous }: { folder: string; commit: Commit; previous: Commit | undefined },
  makeDurable: (name: string) => Promise<void>,
): Promise<void> {
  const durable = new Set(previous?.segments.flatMap(filesOf));
  const fresh = commit.segments.flatMap(filesOf).filter((name) => !durable.has(name));
  await Promise.all(fresh.map(makeDurable));
  if (fresh.length > 0) await files.syncDirectoryAsync(folder);
}

/**
 * The second step: puts the commit in place of the last one. Resolves when it is durable; when it rejects, the disk may
 * have either of the two.
 */
export async function putCommit(files: Files, folder: string, commit: Commit): Promise<void> {
  const payload = JSON.stringify({ format: FORMAT, ...commit });
  await replaceFileAsync(files, commitFile(folder), new TextEncoder().encode(payload));
}

/** Makes what was written to a file durable. */
export async function syncFile(files: Files, file: string): Promise<void> {
  const handle = files.open(file, "update");
  try {
    await handle.syncAsync();
  } finally {
    handle.close();
  }
}

/** The commit of a folder, checked, the files that it names all there; undefined when there is none yet. */
export function readCommit(files: Files, folder: string): Commit | undefined {
  const commit = readCommitFile(files, folder);
  for (const segment of commit?.segments ?? []) {
    for (const name of filesOf(segment)) {
      if (files.stat(path.join(folder, name)) === undefined) throw missing(commitFile(folder), path.join(folder, name));
    }
  }
  return commit;
}

/** Where the commit of a folder lies. */
export function commitFile(folder: string): string {
  return path.join(folder, COMMIT_NAME);
}

/** What the commit file of a folder says, checked; undefined when there is none yet. */
export function readCommitFile(files: Files, folder: string): Commit | undefined {
  const file = commitFile(folder);
  const payload = readSmallFile(files, file);
  if (payload === undefined) return undefined;
  const found = JSON.parse(new TextDecoder().decode(payload)) as Commit & { format: number };
  if (found.format !== FORMAT) {
    throw new EngineError("corrupt", `${file} is of format ${found.format}; this program reads ${FORMAT}`, { file });
  }
  const { generation, segments, user } = found;
  return { generation, segments, user };
}

/** Removes segment files, live docs, graphs and leftovers that the commit does not name; returns their names. */
export function removeUnreferenced(files: Files, folder: string, commit: Commit | undefined): string[] {
  const kept = new Set(commit?.segments.flatMap(filesOf));
  const segments = new Set(commit?.segments.map(({ name }) => name));
  const removed = files.list(folder).filter((name) => {
    if (name.endsWith(TEMPORARY_SUFFIX)) return true;
    if (/\.hnsw(\.sum)?$/.test(name)) return !segments.has(name.slice(0, name.indexOf(".")));
    return (name.endsWith(".seg") || name.endsWith(".live")) && !kept.has(name);
  });
  for (const name of removed) files.unlink(path.join(folder, name));
  return removed;
}

function missing(commit: string, file: string): CorruptionError {
  return new CorruptionError(commit, 0, `the file ${file}`, "none");
}
