/**
 * Making a node's metadata openable again: everything that can be read becomes one new snapshot, what can't is given up.
 * Indices of which no definition is left keep their files, in `orphans/`; a node would take them for what a crash left of
 * a deletion.
 */
import path from "node:path";
import { moveToOrphans, ORPHANS_FOLDER } from "../index-folders.js";
import { DefinitionStore } from "../shard/index.js";
import type { Files } from "../store/files.js";
import { asideName, mendLog, readMetadata, writeSnapshot } from "../wal/index.js";
import { type FolderOptions, type HeldFolder, keysOf, withFolder } from "./folder.js";
import type { RepairedPart, RepairLoss } from "./repair-index.js";
import { straysOf } from "./verify.js";

/** Repairs the metadata, or only tells. Throws `data_folder_locked`, `io`. */
export function repairMetadata(
  dir: string,
  mode: "tell" | "apply",
  options: FolderOptions = {},
): Promise<RepairedPart> {
  return withFolder(dir, { ...options, use: "change" }, (folder) => repair(folder, mode));
}

async function repair(folder: HeldFolder, mode: "tell" | "apply"): Promise<RepairedPart> {
  const { metadata, metadataFolder, storage, dir } = folder;
  const { files } = storage;
  const losses: RepairLoss[] = metadata.damage.map(({ message }) => ({ message }));
  const { lost, changed } = mendLog(files, metadataFolder, { mode, elsewhere: metadata.snapshot });
  for (const { from, to, file, offset } of lost) {
    if (to !== null && to < from) continue;
    const message = `changes ${from} to ${to ?? "the last one"} of the metadata are given up (${file}, byte ${offset})`;
    losses.push({ message, operations: { from, to } });
  }
  const read = mode === "apply" ? readMetadata(files, metadataFolder) : metadata;
  const values = new Map(read.values);
  losses.push(...mendDefinitions(values));
  if (metadata.damage.length === 0 && losses.length === 0)
    return { applied: mode === "apply", damage: [], losses, changed };
  const known = new Set(DefinitionStore.uuids(storeOf(values)).map(([, uuid]) => uuid));
  const orphans = [...straysOf(folder), ...folder.uuids.values()].filter((uuid) => !known.has(uuid));
  for (const uuid of orphans) {
    losses.push({
      message: `the index in ${path.join(dir, "indices", uuid)} has no definition any more: its files go to ${ORPHANS_FOLDER}/`,
    });
  }
  if (mode === "apply") {
    const sequence = Math.max(read.sequence, ...lost.map(({ to }) => to ?? 0));
    await fold(files, metadataFolder, { sequence, values: Object.fromEntries(values) });
    moveToOrphans(files, dir, orphans);
  }
  return { applied: mode === "apply", damage: metadata.damage, losses, changed: [metadataFolder, ...changed] };
}

/** Puts a snapshot of everything in the place of all that was there, which is kept aside once the snapshot is durable. */
async function fold(
  files: Files,
  folder: string,
  snapshot: { sequence: number; values: Record<string, unknown> },
): Promise<void> {
  await writeSnapshot(files, folder, snapshot);
  for (const name of files.list(folder).filter((one) => /^(snapshot\.previous|log-\d+\.wal)$/.test(one))) {
    const file = path.join(folder, name);
    files.rename(file, asideName(files, file));
  }
  files.syncDirectory(folder);
}

/** Takes an older version of a mapping that is lost, and forgets an index of which there is none. */
function mendDefinitions(values: Map<string, unknown>): RepairLoss[] {
  const losses: RepairLoss[] = [];
  for (const { name, uuid, lacks, newest } of DefinitionStore.incomplete(storeOf(values))) {
    if (newest === undefined) {
      values.delete(`index/${name}`);
      losses.push({ message: `index [${name}] (${uuid}) has lost its mapping and is given up` });
    } else {
      values.set(`index/${name}`, { ...(values.get(`index/${name}`) as object), mappingVersion: newest });
      losses.push({
        message: `index [${name}] has lost version ${lacks} of its mapping: fields since version ${newest} are unknown`,
      });
    }
  }
  return losses;
}

function storeOf(values: ReadonlyMap<string, unknown>) {
  return { get: (key: string) => values.get(key), keys: (prefix: string) => keysOf(values, prefix) };
}
