/** A data folder that is held while it is looked after: its lock, its metadata, the memory to read segments with. */
import path from "node:path";
import { EngineError } from "../errors.js";
import { loadKernels } from "../kernels/load.js";
import { DefinitionStore } from "../shard/index.js";
import { Arena } from "../store/arena.js";
import { checkUnlocked, lockDirectory } from "../store/directory-lock.js";
import { type Files, nodeFiles } from "../store/files.js";
import { createStorage, type Storage } from "../store/storage.js";
import { type MetadataReading, readMetadata } from "../wal/index.js";

/** What tests may replace. */
export interface FolderOptions {
  files?: Files;
  arenaBytes?: number;
}

/** What is done to the folder: one that can't be written is read without its lock. */
export type FolderUse = "read" | "change";

const ARENA_BYTES = 512 * 2 ** 20;

/** A data folder, locked unless said otherwise. */
export interface HeldFolder {
  /** Why it could not be locked; null: it is. */
  readonly unlocked: string | null;
  readonly dir: string;
  readonly storage: Storage;
  readonly metadata: MetadataReading;
  /** Folder of the metadata. */
  readonly metadataFolder: string;
  /** Uuid of each index that has a definition, by name. */
  readonly uuids: ReadonlyMap<string, string>;
}

/** Where a lock can't be written: no other process of this machine can take the folder either. */
const UNWRITABLE = new Set<unknown>(["EROFS", "EACCES", "EPERM", "ENOSPC", "EDQUOT"]);

/**
 * Locks the folder, reads its metadata, does the work. Throws `data_folder_locked`, which names the process that has it,
 * and `io` when there is no such folder, or when it is to be changed and can't be written.
 */
export async function withFolder<T>(
  dir: string,
  { use, ...options }: FolderOptions & { readonly use: FolderUse },
  work: (folder: HeldFolder) => T | Promise<T>,
): Promise<T> {
  const files = options.files ?? nodeFiles;
  if (!files.stat(dir)?.directory) throw new EngineError("io", `there is no data folder ${path.resolve(dir)}`, { dir });
  const { unlock, unlocked } = lock(dir, use);
  try {
    const arena = Arena.create(options.arenaBytes ?? ARENA_BYTES);
    const storage = createStorage(files, arena, loadKernels(arena.memory));
    const metadataFolder = path.join(dir, "metadata");
    const metadata = readMetadata(files, metadataFolder);
    return await work({ dir, unlocked, storage, metadata, metadataFolder, uuids: uuidsOf(metadata.values) });
  } finally {
    unlock();
  }
}

function lock(dir: string, use: FolderUse): { unlock: () => void; unlocked: string | null } {
  try {
    return { unlock: lockDirectory(dir), unlocked: null };
  } catch (error) {
    if (use === "change" || !(error instanceof EngineError) || !UNWRITABLE.has(error.details.errno)) throw error;
    checkUnlocked(dir);
    return { unlock: () => {}, unlocked: error.message };
  }
}

/** Where an index's files lie. */
export function indexFolder(dir: string, uuid: string): string {
  return path.join(dir, "indices", uuid);
}

function uuidsOf(values: ReadonlyMap<string, unknown>): Map<string, string> {
  return new Map(DefinitionStore.uuids({ keys: (prefix) => keysOf(values, prefix), get: (key) => values.get(key) }));
}

/** Keys with this prefix, sorted. */
export function keysOf(values: ReadonlyMap<string, unknown>, prefix: string): string[] {
  return [...values.keys()].filter((key) => key.startsWith(prefix)).sort();
}

/** An error about damaged bytes, which can be told; every other one is thrown. */
export function asDamage(error: unknown): EngineError {
  if (error instanceof EngineError && error.code === "corrupt") return error;
  throw error;
}
