/**
 * The search engine of one data folder:
 *
 *   node.lock        held while an engine has the folder open
 *   metadata/        the node's durable records (wal/metadata-log.ts): definitions of indices, and what others keep there
 *   indices/<uuid>/  one folder an index: its log and its segments (shard/)
 *   snapshots/       repositories of backups (snapshot/), unless told to keep them elsewhere
 *
 * An index exists when its definition is in the metadata; a folder without one is what a crash left of a deletion.
 */
import { randomBytes } from "node:crypto";
import path from "node:path";
import { type AnalyzerRegistry, createAnalyzerRegistry, NO_ANALYSIS } from "./analysis/index.js";
import { checkAnalysis } from "./check-definition.js";
import { type Clock, systemClock } from "./clock.js";
import { DamagedIndex, damageOf } from "./damaged-index.js";
import type {
  AnalyzedToken,
  AnalyzeRequest,
  Damage,
  EngineFace,
  EngineOptions,
  Index,
  IndexDefinition,
  MemoryUsage,
  MetadataStore,
  NodeResources,
  PinnedReaders,
  SearchTarget,
} from "./engine-types.js";
import { EngineError } from "./errors.js";
import { clearStrays, hasIndexFolders, INDICES_FOLDER, removeIndexFolder } from "./index-folders.js";
import type { Executor } from "./jobs.js";
import { loadKernels } from "./kernels/load.js";
import type { Ledger } from "./memory/index.js";
import { Resources } from "./node-resources.js";
import type { Query } from "./query/query.js";
import { Pin } from "./reader-pin.js";
import type { SearchRequest, SearchResult } from "./search.js";
import { ON_WORKERS_ABOVE_US, Searches } from "./searches.js";
import {
  checkFolderThere,
  createIdGenerator,
  DefinitionStore,
  type FinishedSearch,
  IndexShard,
  Preparer,
  type ShardEnvironment,
} from "./shard/index.js";
import { type Restored, Snapshots } from "./snapshot/index.js";
import { Arena } from "./store/arena.js";
import { lockDirectory } from "./store/directory-lock.js";
import { type Files, nodeFiles } from "./store/files.js";
import { createStorage, type Storage } from "./store/storage.js";
import { GraphHost } from "./vectors/graph-host.js";
import { ensureFolder, MetadataLog, prefixed } from "./wal/index.js";
import { defaultWorkers, InlineExecutor, WorkerPool } from "./workers/index.js";

/** What tests may replace beyond the options. */
interface Internals {
  files?: Files;
}

/** `damaged`: it could not be opened, or was found damaged since; it says why at every use. */
type Opened = { shard: IndexShard } | { damaged: DamagedIndex };

/** Where repositories lie unless said, in the data folder. */
const SNAPSHOT_FOLDER = "snapshots";
/** Share of the arena that one list of documents may have. */
const LIST_SHARE = 1 / 16;
/** Keys of those who use the engine's metadata, apart from its own. */
const FOREIGN_PREFIX = "node/";

/**
 * Opens the data folder `dir`, made if absent, and every index in it. Throws `data_folder_locked` when another process
 * has it; an index that is damaged does not keep the others from opening.
 */
export async function openEngine(dir: string, options: EngineOptions & Internals = {}): Promise<EngineFace> {
  const files = options.files ?? nodeFiles;
  ensureFolder(files, path.resolve(dir));
  const unlock = lockDirectory(dir);
  try {
    settleNames(files, dir, options.warn);
    return new Engine(dir, options, unlock);
  } catch (error) {
    unlock();
    throw error;
  }
}

/**
 * Makes the names of the data folder, and those in it, durable: whoever made them may have been killed before they were,
 * and everything that is acknowledged from now on lies below them.
 */
function settleNames(files: Files, dir: string, warn: EngineOptions["warn"]): void {
  files.syncDirectory(dir);
  const indices = path.join(dir, INDICES_FOLDER);
  if (files.stat(indices)) files.syncDirectory(indices);
  const parent = path.dirname(path.resolve(dir));
  try {
    files.syncDirectory(parent);
  } catch (error) {
    // It may not be ours to open.
    warn?.(`the name of the data folder ${dir} may not survive a power cut: ${String(error)}`);
  }
}

/** Records of those who use the engine, under the keys they have among its own. */
function foreign(records: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(records).map(([key, value]) => [FOREIGN_PREFIX + key, value]));
}

class Engine implements EngineFace {
  readonly metadata: MetadataStore;
  readonly snapshots: Snapshots;
  readonly #resources: Resources;
  readonly #records: MetadataLog;
  readonly #storage: Storage;
  readonly #preparer: Preparer;
  readonly #graphs = new GraphHost();
  readonly #executor: Executor;
  readonly #searches: Searches;
  readonly #clock: Clock;
  readonly #warn: (message: string) => void;
  readonly #shards: ShardEnvironment;
  readonly #indices = new Map<string, Opened>();
  /** Names of indices that are being restored. */
  readonly #reserved = new Set<string>();
  /** The last creation or deletion asked for, by name: one index name is made and removed in turn. */
  readonly #changes = new Map<string, Promise<unknown>>();
  readonly #builtIn: AnalyzerRegistry = createAnalyzerRegistry(NO_ANALYSIS);
  #closed = false;

  constructor(
    readonly dataFolder: string,
    options: EngineOptions & Internals,
    private readonly unlock: () => void,
  ) {
    const files = options.files ?? nodeFiles;
    this.#warn = options.warn ?? (() => {});
    this.#clock = options.clock ?? systemClock;
    const folder = path.join(dataFolder, "metadata");
    this.#records = orSayHow(() => MetadataLog.open({ files, folder, warn: this.#warn }));
    this.metadata = prefixed(this.#records, FOREIGN_PREFIX);
    this.#resources = new Resources(options, () => this.#opened());
    const { budget, activities, filters, node, writeBuffers } = this.#resources;
    const arena = Arena.create(budget.arena);
    const kernels = loadKernels(arena.memory);
    this.#storage = createStorage(files, arena, kernels, { cacheBytes: budget.blockCache });
    this.#preparer = new Preparer(arena, kernels);
    this.#executor = startExecutor(this.#storage, options);
    this.#searches = new Searches({
      executor: this.#executor,
      environment: { clock: this.#clock, kernels, arena, filters },
      breakers: this.#resources.breakers,
      onWorkersAboveUs: options.searchOnWorkersAboveUs ?? ON_WORKERS_ABOVE_US,
    });
    this.#shards = {
      storage: this.#storage,
      preparer: this.#preparer,
      clock: this.#clock,
      warn: this.#warn,
      noticed: (error) => this.#noticed(error),
      graphs: this.#graphs,
      executor: this.#executor,
      makeId: createIdGenerator(this.#clock),
      memtableBytes: Math.min(options.memtableBytes ?? budget.memtable, arena.capacity * LIST_SHARE),
      activities,
      pressure: node.indexing,
      writeBuffers,
      caches: { filters, readers: node.readers },
      folder: path.join(dataFolder, INDICES_FOLDER),
    };
    this.snapshots = this.#newSnapshots(options.repositoryFolders ?? [path.join(dataFolder, SNAPSHOT_FOLDER)]);
    this.#openIndices();
    this.#resources.attach(this.#storage, this.#executor);
  }

  async createIndex(
    name: string,
    definition: Omit<IndexDefinition, "uuid" | "createdAt">,
    records: Readonly<Record<string, unknown>> = {},
  ): Promise<Index> {
    this.#checkOpen();
    // Analysis that can't be made fails here, before anything is kept.
    checkAnalysis(definition);
    return this.#inTurn(name, async () => {
      this.#checkFree(name);
      const uuid = randomBytes(16).toString("base64url");
      const complete = { ...definition, uuid, createdAt: this.#clock.now() };
      // An index whose definition is there and whose folder is not has lost it.
      ensureFolder(this.#storage.files, path.join(this.#shards.folder, uuid));
      const definitions = await DefinitionStore.create(this.#records, name, complete, foreign(records));
      const shard = new IndexShard(this.#shards, definitions);
      this.#indices.set(name, { shard });
      return shard;
    });
  }

  async deleteIndex(name: string, records: Readonly<Record<string, unknown>> = {}): Promise<void> {
    this.#checkOpen();
    await this.#inTurn(name, async () => {
      const found = this.#indices.get(name);
      if (!found) throw indexNotFound(name);
      if (this.snapshots.needs(name)) throw inSnapshot(name);
      const definitions = DefinitionStore.load(this.#records, name);
      await definitions.remove(foreign(records));
      this.#indices.delete(name);
      this.#searches.forgetIndex(definitions.definition.uuid);
      this.#resources.forgetIndex(name);
      if ("shard" in found) await found.shard.abandon();
      removeIndexFolder(this.#storage.files, path.join(this.#shards.folder, definitions.definition.uuid));
    });
  }

  index(name: string): Index | undefined {
    const found = this.#find(name);
    return found && ("shard" in found ? found.shard : found.damaged);
  }

  damage(name: string): Damage | undefined {
    return this.index(name)?.damage;
  }

  indexNames(): string[] {
    return [...this.#indices.keys()].sort();
  }

  async search(targets: readonly SearchTarget[] | PinnedReaders, request: SearchRequest): Promise<SearchResult> {
    return this.#onReaders(targets, request.memory, async (pin, memory) => {
      const ended = pin.beginSearch(request.groups);
      let done: FinishedSearch | undefined;
      try {
        const found = await this.#searches.search(pin, request, memory);
        done = { ...found.phases, fetched: found.result.hits.length > 0 };
        return found.result;
      } finally {
        ended(done);
      }
    });
  }

  async count(
    targets: readonly SearchTarget[] | PinnedReaders,
    query: Query,
    options: Pick<SearchRequest, "signal" | "memory"> = {},
  ): Promise<number> {
    return this.#onReaders(targets, options.memory, (pin, memory) =>
      this.#searches.count(pin, query, { memory, signal: options.signal }),
    );
  }

  pin(targets: readonly SearchTarget[]): PinnedReaders {
    return this.#pin(targets);
  }

  analyze(request: AnalyzeRequest): AnalyzedToken[] {
    return this.#builtIn.analyze(request);
  }

  get resources(): NodeResources {
    return this.#resources;
  }

  memory(): MemoryUsage {
    return this.#resources.usage();
  }

  async close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    await this.snapshots.close();
    await Promise.all(this.#changes.values());
    try {
      await this.#resources.close();
      for (const shard of this.#opened()) await shard.close();
      await this.#records.close();
      await this.#executor.close();
      this.#preparer.close();
      await this.#graphs.close();
    } finally {
      await this.#executor.close();
      this.unlock();
    }
  }

  #openIndices(): void {
    const { files } = this.#storage;
    if (this.#records.keys("").length === 0 && hasIndexFolders(files, this.dataFolder))
      throw noMetadata(this.dataFolder);
    const folders = new Set<string>();
    for (const name of DefinitionStore.names(this.#records)) {
      const definitions = orSayHow(() => DefinitionStore.load(this.#records, name));
      folders.add(definitions.definition.uuid);
      this.#indices.set(name, this.#openIndex(name, definitions));
    }
    for (const message of clearStrays(files, this.dataFolder, folders)) this.#warn(message);
  }

  /** The index; one that the system could not read is tried again, for that may have passed. */
  #find(name: string): Opened | undefined {
    const found = this.#indices.get(name);
    if (!found || "shard" in found || found.damaged.damage.kind === "damaged" || this.#closed) return found;
    const opened = this.#openIndex(name, found.damaged.definitions);
    this.#indices.set(name, opened);
    return opened;
  }

  #openIndex(name: string, definitions: DefinitionStore): Opened {
    try {
      checkFolderThere(this.#storage.files, path.join(this.#shards.folder, definitions.definition.uuid));
      return { shard: new IndexShard(this.#shards, definitions) };
    } catch (error) {
      if (!(error instanceof EngineError) || error.code === "internal") throw error;
      this.#warn(`index [${name}] could not be opened: ${error.message}`);
      return { damaged: new DamagedIndex(definitions, damageOf(error, this.#clock.now())) };
    }
  }

  #newSnapshots(repositoryFolders: readonly string[]): Snapshots {
    return new Snapshots({
      storage: this.#storage,
      clock: this.#clock,
      warn: this.#warn,
      records: this.#records,
      nodeRecords: this.metadata,
      folder: this.#shards.folder,
      repositoryFolders: repositoryFolders.map((folder) => path.resolve(folder)),
      shard: (name) => this.#shard(name),
      stored: (name) => {
        if (!this.#indices.has(name)) throw indexNotFound(name);
        return DefinitionStore.load(this.#records, name).stored;
      },
      reserve: (names) => this.#reserve(names),
      adopt: (indices, records) => this.#adopt(indices, records),
    });
  }

  #reserve(names: readonly string[]): () => void {
    for (const name of names) this.#checkFree(name);
    for (const name of names) this.#reserved.add(name);
    return () => {
      for (const name of names) this.#reserved.delete(name);
    };
  }

  async #adopt(indices: readonly Restored[], records: Record<string, unknown>): Promise<void> {
    const own = indices.map(({ name, stored }) => DefinitionStore.recordsOf(name, stored));
    await this.#records.put(Object.assign({}, ...own, foreign(records)));
    for (const { name } of indices) {
      this.#indices.set(name, this.#openIndex(name, DefinitionStore.load(this.#records, name)));
    }
  }

  /** Throws index_exists. */
  #checkFree(name: string): void {
    const existing = this.#indices.get(name);
    if (existing) throw indexExists(name, existing);
    if (this.#reserved.has(name)) {
      throw new EngineError("overloaded", `index [${name}] is being restored: retry later`, { index: name });
    }
  }

  /** Whoever met an error of an index's files tells it here: an index that is damaged is used no more. */
  #noticed(error: unknown): void {
    if (!(error instanceof EngineError) || error.code !== "corrupt" || this.#closed) return;
    const shard = [...this.#opened()].find(({ definition }) => this.#isFileOf(definition.uuid, error.details.file));
    if (!shard) return;
    const { name } = shard;
    this.#warn(`index [${name}] is damaged and not used any more: ${error.message}`);
    const definitions = DefinitionStore.load(this.#records, name);
    this.#indices.set(name, { damaged: new DamagedIndex(definitions, damageOf(error, this.#clock.now())) });
    this.#inTurn(name, () => shard.abandon()).catch((reason: unknown) => {
      this.#warn(`index [${name}], which is damaged, was not closed: ${String(reason)}`);
    });
  }

  #isFileOf(uuid: string, file: unknown): boolean {
    const folder = path.resolve(this.#shards.folder, uuid) + path.sep;
    return typeof file === "string" && path.resolve(file).startsWith(folder);
  }

  *#opened(): Iterable<IndexShard> {
    for (const found of this.#indices.values()) if ("shard" in found) yield found.shard;
  }

  /** Runs something on readers; `given` takes what it holds, else that is counted for as long as it runs. */
  async #onReaders<T>(
    targets: readonly SearchTarget[] | PinnedReaders,
    given: Ledger | undefined,
    action: (pin: Pin, memory: Ledger) => Promise<T>,
  ): Promise<T> {
    const pin = targets instanceof Pin ? targets : this.#pin(targets as readonly SearchTarget[]);
    // Whoever pinned may release while this search runs.
    const letGo = pin === targets ? pin.hold() : () => pin.release();
    const own = given === undefined ? this.#resources.openRequest() : undefined;
    try {
      return await action(pin, given ?? (own as Ledger));
    } catch (error) {
      this.#noticed(error);
      throw error;
    } finally {
      letGo();
      own?.close();
    }
  }

  #pin(targets: readonly SearchTarget[]): Pin {
    this.#checkOpen();
    const shards = targets.map(({ index }) => this.#shard(index));
    return new Pin(targets, shards);
  }

  #shard(name: string): IndexShard {
    const found = this.#find(name);
    if (!found) throw indexNotFound(name);
    if ("damaged" in found) throw found.damaged.refusal();
    return found.shard;
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

  #checkOpen(): void {
    if (this.#closed) throw new EngineError("closed", `the engine of ${this.dataFolder} is closed`);
  }
}

/** A node does not start without its metadata, but says how to get on. */
function orSayHow<T>(read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof EngineError) || error.code !== "corrupt") throw error;
    const how = "the node can't start without its metadata: see what pinakes verify and pinakes repair --metadata say";
    throw new EngineError("corrupt", `${error.message}; ${how}`, error.details, { cause: error });
  }
}

/** Files that tests put in the place of real ones can't go to other threads. */
function startExecutor(storage: Storage, options: EngineOptions & Internals): Executor {
  const workers = options.files === undefined ? (options.workers ?? defaultWorkers()) : 0;
  if (workers === 0) return new InlineExecutor(storage);
  const start = options.startWorkers ?? "lazy";
  return new WorkerPool({ storage, workers, start, niceness: options.workerNiceness, warn: options.warn });
}

function noMetadata(dir: string): EngineError {
  const message =
    `${path.join(dir, "metadata")} holds nothing, but there are indices in ${path.join(dir, INDICES_FOLDER)}: bring the metadata ` +
    "back, or move the folders of the indices away";
  return new EngineError("corrupt", message, { file: path.join(dir, "metadata") });
}

function indexNotFound(name: string): EngineError {
  return new EngineError("index_not_found", `no such index [${name}]`, { index: name });
}

function indexExists(name: string, found: Opened | undefined): EngineError {
  const index = found && ("shard" in found ? found.shard : found.damaged);
  const uuid = index?.definition.uuid ?? "_na_";
  return new EngineError("index_exists", `index [${name}/${uuid}] already exists`, { index: name, uuid });
}

function inSnapshot(name: string): EngineError {
  return new EngineError(
    "snapshot_in_progress",
    `Cannot delete indices that are being snapshotted: [[${name}]]. Try again after snapshot finishes or cancel the currently running snapshot.`,
    { index: name },
  );
}
