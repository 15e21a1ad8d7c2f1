/**
 * The indices of a data folder by name: which there are, in which condition, and how one condition follows another. Changes
 * of one name happen in turn; what is found damaged meanwhile is used no more.
 */
import { randomBytes } from "node:crypto";
import path from "node:path";
import type { Clock } from "./clock.js";
import { ClosedIndex, indexClosed } from "./closed-index.js";
import { DamagedIndex, damageOf } from "./damaged-index.js";
import type { Index, IndexDefinition, IndexOrigin, MetadataStore } from "./engine-types.js";
import { EngineError } from "./errors.js";
import { clearStrays, hasIndexFolders, INDICES_FOLDER, removeIndexFolder } from "./index-folders.js";
import {
  checkFolderThere,
  DefinitionStore,
  type HeldCommit,
  IndexShard,
  type ShardEnvironment,
  type StoredDefinition,
} from "./shard/index.js";
import { copyCommit, type Restored } from "./snapshot/index.js";
import type { UnusableIndex } from "./unusable-index.js";
import { ensureFolder } from "./wal/index.js";

/** `unusable`: it is closed, could not be opened, or was found damaged since; it says so at every use. */
export type Opened = { shard: IndexShard } | { unusable: UnusableIndex };

/** What the table works with. */
export interface IndexTableParts {
  /** All of the node's records. */
  readonly records: MetadataStore;
  readonly shards: ShardEnvironment;
  readonly dataFolder: string;
  readonly clock: Clock;
  readonly warn: (message: string) => void;
  /** Whether a snapshot needs an index to stay as it is. */
  readonly inSnapshot: (name: string) => boolean;
  /** An index is no longer open: caches and workers may forget it. */
  readonly forget: (name: string, uuid: string) => void;
}

export class IndexTable {
  readonly #parts: IndexTableParts;
  readonly #indices = new Map<string, Opened>();
  /** Names of indices that are being restored. */
  readonly #reserved = new Set<string>();
  /** The last change asked for, by name: one index name is made, opened, closed and removed in turn. */
  readonly #changes = new Map<string, Promise<unknown>>();
  #closed = false;

  constructor(parts: IndexTableParts) {
    this.#parts = parts;
  }

  /** Opens all that the metadata knows, and puts aside what it does not. Throws `corrupt` where metadata is lost. */
  openAll(load: (name: string) => DefinitionStore): void {
    const { records, dataFolder, shards, warn } = this.#parts;
    const { files } = shards.storage;
    if (records.keys("").length === 0 && hasIndexFolders(files, dataFolder)) throw noMetadata(dataFolder);
    const folders = new Set<string>();
    for (const name of DefinitionStore.names(records)) {
      const definitions = load(name);
      folders.add(definitions.definition.uuid);
      this.#indices.set(name, this.#open(name, definitions));
    }
    for (const message of clearStrays(files, dataFolder, folders)) warn(message);
  }

  names(): string[] {
    return [...this.#indices.keys()].sort();
  }

  *shards(): Iterable<IndexShard> {
    for (const found of this.#indices.values()) if ("shard" in found) yield found.shard;
  }

  index(name: string): Index | undefined {
    const found = this.#find(name);
    return found && ("shard" in found ? found.shard : found.unusable);
  }

  /** An index whose documents can be had. Throws index_not_found, index_closed, index_damaged, io. */
  shard(name: string): IndexShard {
    const found = this.#find(name);
    if (!found) throw indexNotFound(name);
    if ("unusable" in found) throw found.unusable.refusal();
    return found.shard;
  }

  /** Holds a commit of everything that an index has, closed or open. Throws as `shard` does. */
  async hold(name: string): Promise<HeldCommit & StoredDefinition> {
    const index = this.index(name);
    return index instanceof ClosedIndex ? index.holdCommit() : this.shard(name).holdCommit();
  }

  has(name: string): boolean {
    return this.#indices.has(name);
  }

  /** See EngineFace.createIndex. */
  create(
    name: string,
    definition: Omit<IndexDefinition, "uuid" | "createdAt">,
    others: Readonly<Record<string, unknown>>,
  ): Promise<Index> {
    return this.#inTurn(name, async () => {
      this.#checkFree(name);
      const { records, clock } = this.#parts;
      const complete = { ...definition, uuid: newUuid(), createdAt: clock.now() };
      // An index whose definition is there and whose folder is not has lost it.
      ensureFolder(this.#files, this.#folder(complete.uuid));
      const definitions = await DefinitionStore.create(records, name, complete, others);
      const shard = new IndexShard(this.#parts.shards, definitions, "empty");
      this.#indices.set(name, { shard });
      return shard;
    });
  }

  /** See EngineFace.copyIndex. */
  copy(source: string, target: string, change: Partial<IndexDefinition>): Promise<Index> {
    return this.#inTurn(target, async () => {
      this.#checkFree(target);
      const { definition, fields, ...held } = await this.shard(source).holdCommit();
      const own = { uuid: newUuid(), createdAt: this.#parts.clock.now() };
      try {
        await copyCommit(this.#files, held, this.#folder(own.uuid));
      } finally {
        held.release();
      }
      // The copy took its time: whoever restores an index of that name was first.
      this.#checkFree(target);
      const stored = { fields, definition: { ...definition, ...change, ...own } };
      await this.adopt([{ name: target, stored }], {}, "copy");
      return this.index(target) as Index;
    });
  }

  /** See EngineFace.closeIndex. */
  close(name: string): Promise<void> {
    return this.#inTurn(name, async () => {
      const found = this.#found(name);
      if ("unusable" in found && found.unusable instanceof ClosedIndex) return;
      if (this.#parts.inSnapshot(name)) throw inSnapshot(name, "close");
      if ("shard" in found) await this.#end(found.shard);
      const definitions = DefinitionStore.load(this.#parts.records, name);
      try {
        await definitions.updateSettings({ closed: true });
      } finally {
        this.#indices.set(name, this.#open(name, definitions));
      }
    });
  }

  /** See EngineFace.openIndex. */
  open(name: string): Promise<void> {
    return this.#inTurn(name, async () => {
      const found = this.#found(name);
      if ("shard" in found || !(found.unusable instanceof ClosedIndex)) return;
      this.#checkReserved(name);
      // Once it is open its files may go.
      if (this.#parts.inSnapshot(name)) throw inSnapshot(name, "open");
      const { definitions } = found.unusable;
      await definitions.updateSettings({ closed: false });
      this.#indices.set(name, this.#open(name, definitions));
    });
  }

  /** See EngineFace.deleteIndex. */
  delete(name: string, others: Readonly<Record<string, unknown>>): Promise<void> {
    return this.#inTurn(name, async () => {
      const found = this.#found(name);
      if (this.#parts.inSnapshot(name)) throw inSnapshot(name, "delete");
      const definitions = DefinitionStore.load(this.#parts.records, name);
      const { uuid } = definitions.definition;
      await definitions.remove(others);
      this.#indices.delete(name);
      this.#parts.forget(name, uuid);
      if ("shard" in found) await found.shard.abandon();
      removeIndexFolder(this.#files, this.#folder(uuid));
    });
  }

  /**
   * Keeps names free for indices that will come, until the returned function is called; a closed index may have one of
   * them until then. Throws index_exists.
   */
  reserve(names: readonly string[]): () => void {
    for (const name of names) {
      if (this.index(name) instanceof ClosedIndex) this.#checkReserved(name);
      else this.#checkFree(name);
    }
    for (const name of names) this.#reserved.add(name);
    return () => {
      for (const name of names) this.#reserved.delete(name);
    };
  }

  /**
   * Indices whose files are in place become the engine's, durably and together with further records; closed ones of the
   * same names give way to them.
   */
  async adopt(
    indices: readonly Restored[],
    records: Record<string, unknown>,
    source: "snapshot" | "copy",
  ): Promise<void> {
    const replaced = indices.flatMap(({ name }) => {
      const index = this.index(name);
      return index instanceof ClosedIndex ? [index.definitions] : [];
    });
    const removals = replaced.map((definitions) => definitions.removal());
    const own = indices.map(({ name, stored }) => DefinitionStore.recordsOf(name, stored));
    await this.#parts.records.put(Object.assign({}, ...removals, ...own, records));
    for (const { definition } of replaced) removeIndexFolder(this.#files, this.#folder(definition.uuid));
    for (const { name } of indices) {
      this.#indices.set(name, this.#open(name, DefinitionStore.load(this.#parts.records, name), source));
    }
  }

  /** Whoever met an error of an index's files tells it here: an index that is damaged is used no more. */
  noticed(error: unknown): void {
    if (!(error instanceof EngineError) || error.code !== "corrupt" || this.#closed) return;
    const shard = [...this.shards()].find(({ definition }) => this.#isFileOf(definition.uuid, error.details.file));
    if (!shard) return;
    const { name } = shard;
    const { records, clock, warn } = this.#parts;
    warn(`index [${name}] is damaged and not used any more: ${error.message}`);
    const definitions = DefinitionStore.load(records, name);
    this.#indices.set(name, { unusable: new DamagedIndex(definitions, damageOf(error, clock.now())) });
    this.#inTurn(name, () => shard.abandon()).catch((reason: unknown) => {
      warn(`index [${name}], which is damaged, was not closed: ${String(reason)}`);
    });
  }

  /** Nothing is opened again; resolves when the changes under way have ended, well or not. */
  async stop(): Promise<void> {
    this.#closed = true;
    await Promise.all(this.#changes.values());
  }

  get #files() {
    return this.#parts.shards.storage.files;
  }

  #folder(uuid: string): string {
    return path.join(this.#parts.shards.folder, uuid);
  }

  #isFileOf(uuid: string, file: unknown): boolean {
    const folder = path.resolve(this.#folder(uuid)) + path.sep;
    return typeof file === "string" && path.resolve(file).startsWith(folder);
  }

  #found(name: string): Opened {
    const found = this.#indices.get(name);
    if (!found) throw indexNotFound(name);
    return found;
  }

  /** The index; one that the system could not read is tried again, for that may have passed. */
  #find(name: string): Opened | undefined {
    const found = this.#indices.get(name);
    if (!found || "shard" in found || found.unusable.damage?.kind !== "unreadable" || this.#closed) return found;
    const opened = this.#open(name, found.unusable.definitions);
    this.#indices.set(name, opened);
    return opened;
  }

  /** What the definition says: an open index, or a closed one. */
  #open(name: string, definitions: DefinitionStore, source?: IndexOrigin): Opened {
    const { shards, clock, warn } = this.#parts;
    const { uuid, closed } = definitions.definition;
    const folder = this.#folder(uuid);
    if (closed === true) {
      const files = { storage: shards.storage, folder, warn };
      return { unusable: new ClosedIndex(definitions, files, clock.now()) };
    }
    try {
      checkFolderThere(this.#files, folder);
      return { shard: new IndexShard(shards, definitions, source) };
    } catch (error) {
      if (!(error instanceof EngineError) || error.code === "internal") throw error;
      warn(`index [${name}] could not be opened: ${error.message}`);
      return { unusable: new DamagedIndex(definitions, damageOf(error, clock.now())) };
    }
  }

  /** Whoever waits for a refresh gets one; what can't be flushed stays open. */
  async #end(shard: IndexShard): Promise<void> {
    const { uuid } = shard.definition;
    await shard.refresh();
    await shard.flush();
    await shard.close(indexClosed(shard.name, uuid));
    this.#parts.forget(shard.name, uuid);
  }

  /** Throws index_exists. */
  #checkFree(name: string): void {
    const existing = this.#indices.get(name);
    if (existing) throw indexExists(name, existing);
    this.#checkReserved(name);
  }

  #checkReserved(name: string): void {
    if (!this.#reserved.has(name)) return;
    throw new EngineError("overloaded", `index [${name}] is being restored: retry later`, { index: name });
  }

  /** Runs a change once the changes of this name before it have ended, well or not. */
  async #inTurn<T>(name: string, change: () => Promise<T>): Promise<T> {
    const result = (this.#changes.get(name) ?? Promise.resolve()).then(change);
    const ended = result.catch(() => {});
    this.#changes.set(name, ended);
    try {
      return await result;
    } finally {
      if (this.#changes.get(name) === ended) this.#changes.delete(name);
    }
  }
}

/** What a name that is no index is refused with. */
export function indexNotFound(name: string): EngineError {
  return new EngineError("index_not_found", `no such index [${name}]`, { index: name });
}

/** 22 characters: an index's uuid is the name of its folder. */
function newUuid(): string {
  return randomBytes(16).toString("base64url");
}

function noMetadata(dir: string): EngineError {
  const message =
    `${path.join(dir, "metadata")} holds nothing, but there are indices in ${path.join(dir, INDICES_FOLDER)}: bring the metadata ` +
    "back, or move the folders of the indices away";
  return new EngineError("corrupt", message, { file: path.join(dir, "metadata") });
}

function indexExists(name: string, found: Opened): EngineError {
  const { uuid } = "shard" in found ? found.shard.definition : found.unusable.definition;
  return new EngineError("index_exists", `index [${name}/${uuid}] already exists`, { index: name, uuid });
}

function inSnapshot(name: string, change: "close" | "delete" | "open"): EngineError {
  return new EngineError(
    "snapshot_in_progress",
    `Cannot ${change} indices that are being snapshotted: [[${name}]]. Try again after snapshot finishes or cancel the currently running snapshot.`,
    { index: name },
  );
}
