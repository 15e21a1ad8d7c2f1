/** A snapshot of a snapshot: other names for blobs that are there. */
import { EngineError } from "../errors.js";
import { listedOf } from "./describe.js";
import { findIndex, type Listed, type Manifest, REPOSITORY_FORMAT, type StoredIndex } from "./format.js";
import { checkName } from "./make-snapshot.js";
import { newUuid, type Repository } from "./repository.js";

/** What to clone, all names exact. */
export interface Clone {
  readonly source: string;
  readonly target: string;
  readonly indices: readonly string[];
}

/** Adds the clone to the repository; durable when it returns. Throws snapshot_failed, snapshot_name_taken, CorruptionError. */
export function cloneSnapshot(repository: Repository, listed: Listed, request: Clone, now: number): void {
  const listing = repository.begin();
  checkName(listing, repository, request.target);
  const source = repository.manifest(listed);
  const manifest: Manifest = {
    format: REPOSITORY_FORMAT,
    name: request.target,
    uuid: newUuid(),
    state: "success",
    startedAt: now,
    endedAt: now,
    partial: source.partial,
    note: source.note,
    globalState: source.globalState,
    indices: request.indices.map((name) => wholeIndex(repository, source, name)),
  };
  repository.keep(manifest);
  repository.replace(listing, [...listing.snapshots, listedOf(manifest)]);
}

function wholeIndex(repository: Repository, source: Manifest, name: string): StoredIndex {
  const index = findIndex(source, name);
  if (index && index.failure === null && source.state !== "failed") {
    return { ...index, incremental: { files: 0, bytes: 0 } };
  }
  const why = index ? "its snapshot was not successful" : "it is not in the snapshot";
  throw new EngineError(
    "snapshot_failed",
    `[${repository.name}:${source.name}/${source.uuid}] Can't clone index [${name}] because ${why}.`,
  );
}
