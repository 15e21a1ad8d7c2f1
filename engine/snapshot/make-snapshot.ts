/** From a snapshot's fixed moment to its line in the repository's index, or to nothing. */
import { EngineError } from "../errors.js";
import type { CreateSnapshot } from "../snapshots.js";
import type { CopyControl } from "./blobs.js";
import { listedOf } from "./describe.js";
import { blobPath, type Listing, type Manifest, type StoredFile } from "./format.js";
import type { SnapshotHost } from "./host.js";
import { commitKey, type HeldIndex, type Known, type Making } from "./making.js";
import type { Repository } from "./repository.js";

/** Makes commits of indices and holds them: the snapshot's moment. Throws snapshot_failed, index_not_found. */
export async function holdIndices(
  host: SnapshotHost,
  repository: string,
  { name, indices, partial }: Pick<CreateSnapshot, "name" | "indices" | "partial">,
): Promise<HeldIndex[]> {
  const results = await Promise.allSettled(indices.map((index) => holdIndex(host, index)));
  const held = results.flatMap((result) => (result.status === "fulfilled" ? [result.value] : []));
  const failed = held.find(({ failure }) => failure !== null);
  if (held.length === results.length && (!failed || partial)) return held;
  for (const index of held) index.held?.release();
  for (const result of results) if (result.status === "rejected") throw result.reason;
  throw new EngineError("snapshot_failed", `[${repository}:${name}] index [${failed?.name}]: ${failed?.failure}`);
}

async function holdIndex(
  host: SnapshotHost,
  { name, attachment }: CreateSnapshot["indices"][number],
): Promise<HeldIndex> {
  try {
    const { definition, fields, ...held } = await host.hold(name);
    return { name, attachment, stored: { definition, fields }, held, failure: null };
  } catch (error) {
    return { name, attachment, stored: host.stored(name), held: null, failure: messageOf(error) };
  }
}

/** Copies, keeps and lists the snapshot. Whatever fails leaves the repository's snapshots as they were. */
export async function makeSnapshot(
  making: Making,
  repository: Repository,
  control: CopyControl,
  warn: (message: string) => void,
): Promise<Manifest> {
  try {
    if (control.signal.aborted) throw control.signal.reason;
    const listing = repository.begin();
    checkName(listing, repository, making.name);
    const manifest = await making.copy(repository, await knownTo(repository, listing, warn), control);
    if (control.signal.aborted) throw control.signal.reason;
    repository.keep(manifest);
    repository.replace(listing, [...listing.snapshots, listedOf(manifest)]);
    if (manifest.state !== "success") await sweepOrWarn(repository, warn);
    return manifest;
  } catch (error) {
    await sweepOrWarn(repository, warn);
    if (error instanceof EngineError && error.code === "snapshot_name_taken") throw error;
    const message = `[${repository.name}:${making.name}/${making.uuid}] ${messageOf(error)}`;
    throw new EngineError("snapshot_failed", message, {}, { cause: error });
  }
}

/** Throws snapshot_name_taken. */
export function checkName(listing: Listing | undefined, repository: Repository, snapshot: string): void {
  if (listing?.snapshots.some(({ name }) => name === snapshot)) {
    throw nameTaken(repository, snapshot, "snapshot with the same name already exists");
  }
}

/** The error of a snapshot whose name can't be had. */
export function nameTaken({ name }: Repository, snapshot: string, why: string): EngineError {
  const message = `[${name}:${snapshot}] Invalid snapshot name [${snapshot}], ${why}`;
  return new EngineError("snapshot_name_taken", message, { repository: name, snapshot });
}

/**
 * Removes what nothing leads to, by the index that is there: after an error it may be the new one. Leftovers are in
 * nobody's way, so that a failure is no more than a warning.
 */
export async function sweepOrWarn(repository: Repository, warn: (message: string) => void): Promise<void> {
  try {
    await repository.sweep();
  } catch (error) {
    warn(`repository [${repository.name}] was not tidied: ${messageOf(error)}`);
  }
}

/** What snapshots name. One whose manifest can't be read is of no use to another snapshot. */
async function knownTo(repository: Repository, listing: Listing, warn: (message: string) => void): Promise<Known> {
  const blobs = new Map<string, StoredFile>();
  const commits = new Set<string>();
  for (const listed of listing.snapshots) {
    await new Promise((resolve) => setImmediate(resolve));
    try {
      for (const { definition, commit, files } of repository.manifest(listed).indices) {
        for (const file of files) blobs.set(blobPath(definition.uuid, file), file);
        if (commit) commits.add(commitKey(definition.uuid, commit));
      }
    } catch (error) {
      warn(`snapshot [${repository.name}:${listed.name}] can't be read: ${messageOf(error)}`);
    }
  }
  return { blobs, commits };
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
