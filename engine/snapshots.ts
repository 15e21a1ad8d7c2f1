/**
 * Backups: what is asked of them and what they answer. A repository is a folder that holds snapshots (its bytes:
 * snapshot/format.ts); a snapshot is the commit of some indices at one moment, with what belongs to them.
 */
import type { IndexDefinition } from "./index-definition.js";

/** What the engine has to know of a repository. */
export interface RepositoryOptions {
  /** A folder: absolute, or within the first of the folders that repositories may lie in. */
  location: string;
  /** Nothing is written to it from here. */
  readonly: boolean;
  /** Descriptions of snapshots are deflated (segments are packed as they are). */
  compress: boolean;
  /** Larger files are kept in pieces of this many bytes; null: whole. */
  chunkBytes: number | null;
  /** Bytes a second that a snapshot or a restore reads and writes at most; null: as fast as it goes. */
  snapshotBytesPerSecond: number | null;
  restoreBytesPerSecond: number | null;
  maxSnapshots: number;
}

export interface RepositoryInfo {
  name: string;
  options: RepositoryOptions;
  /** What the repository was registered with, handed back as it came. */
  shown: unknown;
}

export type SnapshotState = "in_progress" | "success" | "partial" | "failed";

/** A snapshot as a list shows it. Times are epoch milliseconds. */
export interface SnapshotSummary {
  name: string;
  uuid: string;
  repository: string;
  state: SnapshotState;
  startedAt: number;
  /** 0 while it is made. */
  endedAt: number;
  /** Names, sorted. */
  indices: string[];
}

/** Files and bytes of a snapshot of one index. */
export interface SnapshotAmount {
  files: number;
  bytes: number;
}

/** One index in a snapshot. */
export interface SnapshotIndex {
  name: string;
  /** As it was, mapping included. */
  definition: IndexDefinition;
  /** What was given with it when the snapshot was made (aliases). */
  attachment: unknown;
  stage: "waiting" | "copying" | "done" | "failed";
  startedAt: number;
  endedAt: number;
  /** All that the snapshot needs of this index, and the part that the repository did not have before. */
  total: SnapshotAmount;
  incremental: SnapshotAmount;
  segments: number;
  /** Why its data is not in the snapshot. */
  failure: string | null;
}

/** Everything a snapshot says of itself but the data. */
export interface SnapshotDetails extends SnapshotSummary {
  contents: SnapshotIndex[];
  /** The node's own records that were taken along, by key; null: they were not. */
  globalState: Record<string, unknown> | null;
  partial: boolean;
  /** The user's own notes, handed through untouched. */
  note: unknown;
}

export interface CreateSnapshot {
  name: string;
  indices: readonly { name: string; attachment: unknown }[];
  /** Prefixes of the keys of the node's records (`EngineFace.metadata`) to take along; null: none. */
  globalState: readonly string[] | null;
  /** true: an index that cannot be copied does not fail the others. */
  partial: boolean;
  note: unknown;
}

/** A snapshot or restore on its way. */
export interface Running<T> {
  /** How far it is. */
  details(): T;
  /** Resolves at its end, rejects when there is no result. */
  readonly done: Promise<T>;
}

/** The parts of a definition that a restore may change. */
export type RestoredSettings = Pick<
  IndexDefinition,
  "refreshIntervalMs" | "durability" | "settings" | "totalFieldsLimit" | "maxResultWindow" | "gcDeletesMs"
>;

export interface RestoreSnapshot {
  indices: readonly { source: string; target: string; settings: RestoredSettings }[];
  /** true: indices whose data is not in the snapshot come back empty; false: they are refused. */
  partial: boolean;
  /**
   * Records of the node (`EngineFace.metadata`) that become durable together with the indices; asked for at the very
   * end, so that it sees what is there then. undefined deletes.
   */
  records: () => Record<string, unknown>;
}

/** What came of looking at every byte of a repository. */
export interface RepositoryReport {
  snapshots: number;
  files: number;
  bytes: number;
  /** One sentence for each thing that is wrong. */
  anomalies: string[];
}

/** Backups of an engine's indices. All names of repositories and snapshots are exact. */
export interface SnapshotsFace {
  /** Registered repositories, sorted by name. */
  repositories(): RepositoryInfo[];
  /** Registers a repository, or changes how. `verify`: writes to it first. Throws repository_failed, repository_unverified, repository_busy. */
  putRepository(name: string, options: RepositoryOptions, shown: unknown, verify: boolean): Promise<void>;
  /** Forgets a repository; its folder stays as it is. Throws repository_missing, repository_busy. */
  deleteRepository(name: string): Promise<void>;
  /** Checks that the repository can be written to and that all files its snapshots need are there. Throws repository_unverified. */
  verifyRepository(name: string): Promise<void>;
  /** Reads and checks every byte. */
  inspectRepository(name: string): Promise<RepositoryReport>;
  /** Removes what no snapshot needs; says what went. */
  cleanUp(name: string): Promise<SnapshotAmount>;
  /** Finished ones in the order they were begun, then those being made. Throws repository_missing, corrupt. */
  list(repository: string): Promise<SnapshotSummary[]>;
  /** Snapshots being made, in all repositories. */
  running(): SnapshotDetails[];
  /** Throws snapshot_missing, corrupt. */
  details(repository: string, name: string): Promise<SnapshotDetails>;
  /** Begins a snapshot: resolves when its moment is fixed. Throws snapshot_name_taken and others. */
  create(repository: string, request: CreateSnapshot): Promise<Running<SnapshotDetails>>;
  /** Removes snapshots, stopping those that are being made, and what only they needed. */
  remove(repository: string, names: readonly string[]): Promise<void>;
  /** Another snapshot of some of a snapshot's indices, without copying data. */
  clone(repository: string, request: { source: string; target: string; indices: readonly string[] }): Promise<void>;
  /** Begins to bring indices back under names that are free. Throws snapshot_unrestorable, index_exists. */
  restore(repository: string, name: string, request: RestoreSnapshot): Promise<Running<SnapshotAmount>>;
}
