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
import path from "node:path";
import { type AnalyzerRegistry, createAnalyzerRegistry, NO_ANALYSIS } from "./analysis/index.js";
import { checkAnalysis } from "./check-definition.js";
import { type Clock, systemClock } from "./clock.js";
import type {
  AnalysisExplanation,
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
import { INDICES_FOLDER } from "./index-folders.js";
import { IndexTable, indexNotFound } from "./index-table.js";
import type { Executor } from "./jobs.js";
import { loadKernels } from "./kernels/load.js";
import type { Ledger } from "./memory/index.js";
import { Resources } from "./node-resources.js";
import type { Query } from "./query/query.js";
import { Pin } from "./reader-pin.js";
import type { SearchRequest, SearchResult } from "./search.js";
import { ON_WORKERS_ABOVE_US, Searches } from "./searches.js";
import {
  createIdGenerator,
  DefinitionStore,
  type FinishedSearch,
  Preparer,
  type ShardEnvironment,
} from "./shard/index.js";
import { Snapshots } from "./snapshot/index.js";
import { Arena } from "./store/arena.js";
import { lockDirectory } from "./store/directory-lock.js";
import { type Files, nodeFiles } from "./store/files.js";
import { createStorage, type Storage } from "./store/storage.js";
import { completions } from "./suggest/index.js";
import type { CompletionOption, CompletionRequest } from "./suggest.js";
import { GraphHost } from "./vectors/graph-host.js";
import { ensureFolder, MetadataLog, prefixed } from "./wal/index.js";
import { defaultWorkers, InlineExecutor, WorkerPool } from "./workers/index.js";

/** What tests may replace beyond the options. */
interface Internals {
  files?: Files;
}

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
  readonly clock: Clock;
  readonly #warn: (message: string) => void;
  readonly #indices: IndexTable;
  readonly #builtIn: AnalyzerRegistry = createAnalyzerRegistry(NO_ANALYSIS);
  #closed = false;

  constructor(
    readonly dataFolder: string,
    options: EngineOptions & Internals,
    private readonly unlock: () => void,
  ) {
    const files = options.files ?? nodeFiles;
    this.#warn = options.warn ?? (() => {});
    this.clock = options.clock ?? systemClock;
    const folder = path.join(dataFolder, "metadata");
    this.#records = orSayHow(() => MetadataLog.open({ files, folder, warn: this.#warn }));
    this.metadata = prefixed(this.#records, FOREIGN_PREFIX);
    this.#resources = new Resources(options, () => this.#indices.shards());
    const { budget, filters } = this.#resources;
    const arena = Arena.create(budget.arena);
    const kernels = loadKernels(arena.memory);
    this.#storage = createStorage(files, arena, kernels, { cacheBytes: budget.blockCache });
    this.#preparer = new Preparer(arena, kernels);
    this.#executor = startExecutor(this.#storage, options);
    this.#searches = new Searches({
      executor: this.#executor,
      environment: { clock: this.clock, kernels, arena, filters },
      breakers: this.#resources.breakers,
      onWorkersAboveUs: options.searchOnWorkersAboveUs ?? ON_WORKERS_ABOVE_US,
    });
    this.#indices = new IndexTable({
      records: this.#records,
      shards: this.#shardEnvironment(options),
      dataFolder,
      clock: this.clock,
      warn: this.#warn,
      inSnapshot: (name) => this.snapshots.needs(name),
      forget: (name, uuid) => {
        this.#searches.forgetIndex(uuid);
        this.#resources.forgetIndex(name);
      },
    });
    this.snapshots = this.#newSnapshots(options.repositoryFolders ?? [path.join(dataFolder, SNAPSHOT_FOLDER)]);
    this.#indices.openAll((name) => orSayHow(() => DefinitionStore.load(this.#records, name)));
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
    return this.#indices.create(name, definition, foreign(records));
  }

  async deleteIndex(name: string, records: Readonly<Record<string, unknown>> = {}): Promise<void> {
    this.#checkOpen();
    return this.#indices.delete(name, foreign(records));
  }

  async closeIndex(name: string): Promise<void> {
    this.#checkOpen();
    return this.#indices.close(name);
  }

  async openIndex(name: string): Promise<void> {
    this.#checkOpen();
    return this.#indices.open(name);
  }

  async copyIndex(source: string, target: string, change: Partial<IndexDefinition>): Promise<Index> {
    this.#checkOpen();
    return this.#indices.copy(source, target, change);
  }

  index(name: string): Index | undefined {
    return this.#indices.index(name);
  }

  damage(name: string): Damage | undefined {
    return this.index(name)?.damage;
  }

  indexNames(): string[] {
    return this.#indices.names();
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

  async complete(
    targets: readonly SearchTarget[] | PinnedReaders,
    requests: readonly CompletionRequest[],
    given?: Ledger,
  ): Promise<CompletionOption[][]> {
    return this.#onReaders(targets, given, async (pin, memory) => {
      const began = performance.now();
      const options = requests.map((request) => completions(pin.readers, request, memory));
      pin.countSuggest(performance.now() - began);
      return options;
    });
  }

  pin(targets: readonly SearchTarget[]): PinnedReaders {
    return this.#pin(targets);
  }

  analyze(request: AnalyzeRequest): AnalyzedToken[] {
    return this.#builtIn.analyze(request);
  }

  explainAnalysis(request: AnalyzeRequest): AnalysisExplanation {
    return this.#builtIn.explain(request);
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
    await this.#indices.stop();
    try {
      await this.#resources.close();
      for (const shard of this.#indices.shards()) await shard.close();
      await this.#records.close();
      await this.#executor.close();
      this.#preparer.close();
      await this.#graphs.close();
    } finally {
      await this.#executor.close();
      this.unlock();
    }
  }

  #shardEnvironment(options: EngineOptions): ShardEnvironment {
    const { budget, activities, filters, node, writeBuffers } = this.#resources;
    return {
      storage: this.#storage,
      preparer: this.#preparer,
      clock: this.clock,
      warn: this.#warn,
      noticed: (error) => this.#indices.noticed(error),
      graphs: this.#graphs,
      executor: this.#executor,
      makeId: createIdGenerator(this.clock),
      memtableBytes: Math.min(options.memtableBytes ?? budget.memtable, this.#storage.arena.capacity * LIST_SHARE),
      activities,
      pressure: node.indexing,
      writeBuffers,
      caches: { filters, readers: node.readers },
      folder: path.join(this.dataFolder, INDICES_FOLDER),
    };
  }

  #newSnapshots(repositoryFolders: readonly string[]): Snapshots {
    return new Snapshots({
      storage: this.#storage,
      clock: this.clock,
      warn: this.#warn,
      records: this.#records,
      nodeRecords: this.metadata,
      folder: path.join(this.dataFolder, INDICES_FOLDER),
      repositoryFolders: repositoryFolders.map((folder) => path.resolve(folder)),
      hold: (name) => this.#indices.hold(name),
      stored: (name) => {
        if (!this.#indices.has(name)) throw indexNotFound(name);
        return DefinitionStore.load(this.#records, name).stored;
      },
      reserve: (names) => this.#indices.reserve(names),
      adopt: (indices, records) => {
        const foreign = Object.entries(records).map(([key, value]) => [FOREIGN_PREFIX + key, value]);
        return this.#indices.adopt(indices, Object.fromEntries(foreign), "snapshot");
      },
    });
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
      this.#indices.noticed(error);
      throw error;
    } finally {
      letGo();
      own?.close();
    }
  }

  #pin(targets: readonly SearchTarget[]): Pin {
    this.#checkOpen();
    const shards = targets.map(({ index }) => this.#indices.shard(index));
    return new Pin(targets, shards);
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
