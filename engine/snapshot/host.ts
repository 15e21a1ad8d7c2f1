import type { Clock } from "../clock.js";
import type { MetadataStore } from "../engine-types.js";
import type { HeldCommit, StoredDefinition } from "../shard/index.js";
import type { Storage } from "../store/index.js";
import type { Restored } from "./restoring.js";

/** What backups need of the engine. */
export interface SnapshotHost {
  readonly storage: Storage;
  readonly clock: Clock;
  readonly warn: (message: string) => void;
  /** All of the node's records: repositories are kept there. */
  readonly records: MetadataStore;
  /** Those that belong to whoever uses the engine. */
  readonly nodeRecords: MetadataStore;
  /** Folder of all indices. */
  readonly folder: string;
  /** Folders that repositories may lie in, absolute. */
  readonly repositoryFolders: readonly string[];
  /** Holds a commit of everything that an index has. Throws index_not_found, and what keeps the index from opening. */
  hold(name: string): Promise<HeldCommit & StoredDefinition>;
  /** The definition of an index, open or not. Throws index_not_found. */
  stored(name: string): StoredDefinition;
  /** Keeps names free for indices that will come, until the returned function is called. Throws index_exists. */
  reserve(names: readonly string[]): () => void;
  /** Makes indices whose files are in place the engine's, durably and together with these node records. */
  adopt(indices: readonly Restored[], records: Record<string, unknown>): Promise<void>;
}
