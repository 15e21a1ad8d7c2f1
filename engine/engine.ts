/**
 * The search engine of one data folder:
 *
 *   node.lock        held while an engine has the folder open
 *   metadata/        the node's durable records (wal/metadata-log.ts): definitions of indices, and what others keep there
 *   indices/<uuid>/  one folder an index: its log and its segments (shard/)
 *
 * An index exists when its definition is in the metadata; a folder without one is what a crash left of a deletion.
 */
import { randomBytes } from "node:crypto";
import os from "node:os";
import path from "node:path";
import { type AnalyzerRegistry, checkMappingAnalysis, createAnalyzerRegistry, NO_ANALYSIS } from "./analysis/index.js";
import { type Clock, systemClock } from "./clock.js";
import type {
  AnalyzedToken,
  AnalyzeRequest,
  EngineFace,
  EngineOptions,
  Index,
  IndexDefinition,
  MetadataStore,
  PinnedReaders,
  SearchTarget,
} from "./engine-types.js";
import { EngineError } from "./errors.js";
import { loadKernels } from "./kernels/load.js";
import type { Query } from "./query/query.js";
import { executeCount, executeSearch } from "./query/search-exec.js";
import { Pin } from "./reader-pin.js";
import type { SearchRequest, SearchResult } from "./search.js";
import { createIdGenerator, DefinitionStore, IndexShard, Preparer, type ShardEnvironment } from "./shard/index.js";
import { Arena } from "./store/arena.js";
import { lockDirectory } from "./store/directory-lock.js";
import { type Files, nodeFiles } from "./store/files.js";
import { createStorage, type Storage } from "./store/storage.js";
import { GraphHost } from "./vectors/graph-host.js";
import { MetadataLog, prefixed } from "./wal/index.js";

/** What tests may replace beyond the options. */
interface Internals {
  files?: Files;
}

/** An index that could not be opened: it is there, and says why at every use. */
type Opened = { shard: IndexShard } | { error: EngineError };

const MAX_DEFAULT_ARENA = 2 * 2 ** 30;
const DEFAULT_MEMTABLE_BYTES = 16 * 2 ** 20;
/** Keys of those who use the engine's metadata, apart from its own. */
const FOREIGN_PREFIX = "node/";

/**
 * Opens the data folder `dir`, made if absent, and every index in it. Throws `data_folder_locked` when another process
 * has it; an index that is damaged does not keep the others from opening.
 */
export async function openEngine(dir: string, options: EngineOptions & Internals = {}): Promise<EngineFace> {
  const files = options.files ?? nodeFiles;
  files.makeDirectory(dir);
  const unlock = lockDirectory(dir);
  try {
    return new Engine(dir, options, unlock);
  } catch (error) {
    unlock();
    throw error;
  }
}

class Engine implements EngineFace {
  readonly metadata: MetadataStore;
  readonly #records: MetadataLog;
  readonly #storage: Storage;
  readonly #preparer: Preparer;
  readonly #graphs = new GraphHost();
  readonly #clock: Clock;
  readonly #warn: (message: string) => void;
  readonly #shards: ShardEnvironment;
  readonly #indices = new Map<string, Opened>();
  /** Names of indices that are being created or deleted. */
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
    this.#records = MetadataLog.open({ files, folder, warn: this.#warn });
    this.metadata = prefixed(this.#records, FOREIGN_PREFIX);
    const arena = Arena.create(options.arenaBytes ?? Math.min(MAX_DEFAULT_ARENA, os.totalmem() / 4));
    const kernels = loadKernels(arena.memory);
    this.#storage = createStorage(files, arena, kernels);
    this.#preparer = new Preparer(arena, kernels);
    this.#shards = {
      storage: this.#storage,
      preparer: this.#preparer,
      clock: this.#clock,
      warn: this.#warn,
      graphs: this.#graphs,
      makeId: createIdGenerator(this.#clock),
      memtableBytes: options.memtableBytes ?? DEFAULT_MEMTABLE_BYTES,
      folder: path.join(dataFolder, "indices"),
    };
    this.#openIndices();
  }

  async createIndex(name: string, definition: Omit<IndexDefinition, "uuid" | "createdAt">): Promise<Index> {
    this.#checkOpen();
    // Analysis that can't be made fails here, before anything is kept.
    checkMappingAnalysis(definition.mapping.properties, createAnalyzerRegistry(definition.analysis));
    return this.#inTurn(name, async () => {
      const existing = this.#indices.get(name);
      if (existing) throw indexExists(name, existing);
      const uuid = randomBytes(16).toString("base64url");
      const complete = { ...definition, uuid, createdAt: this.#clock.now() };
      const definitions = await DefinitionStore.create(this.#records, name, complete);
      const shard = new IndexShard(this.#shards, definitions);
      this.#indices.set(name, { shard });
      return shard;
    });
  }

  async deleteIndex(name: string): Promise<void> {
    this.#checkOpen();
    await this.#inTurn(name, async () => {
      const found = this.#indices.get(name);
      if (!found) throw indexNotFound(name);
      const definitions = DefinitionStore.load(this.#records, name);
      await definitions.remove();
      this.#indices.delete(name);
      if ("shard" in found) await found.shard.destroy();
      else this.#storage.files.removeTree(path.join(this.#shards.folder, definitions.definition.uuid));
    });
  }

  index(name: string): Index | undefined {
    const found = this.#indices.get(name);
    if (found && "error" in found) throw found.error;
    return found?.shard;
  }

  indexNames(): string[] {
    return [...this.#indices.keys()].sort();
  }

  async search(targets: readonly SearchTarget[] | PinnedReaders, request: SearchRequest): Promise<SearchResult> {
    return this.#onReaders(targets, async (pin) => {
      const began = performance.now();
      const result = await executeSearch(pin.readers, request, this.#searchEnvironment());
      pin.countSearch(performance.now() - began, result.hits.length > 0);
      return result;
    });
  }

  async count(targets: readonly SearchTarget[] | PinnedReaders, query: Query): Promise<number> {
    return this.#onReaders(targets, (pin) => executeCount(pin.readers, query, this.#searchEnvironment()));
  }

  pin(targets: readonly SearchTarget[]): PinnedReaders {
    return this.#pin(targets);
  }

  analyze(request: AnalyzeRequest): AnalyzedToken[] {
    return this.#builtIn.analyze(request);
  }

  memory(): { arenaBytes: number; arenaUsed: number; memtableBytes: number; cacheBytes: number } {
    const { arena, cache } = this.#storage;
    let memtableBytes = 0;
    for (const shard of this.#opened()) memtableBytes += shard.memtableBytes;
    return { arenaBytes: arena.capacity, arenaUsed: arena.used, memtableBytes, cacheBytes: cache.bytes };
  }

  async close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    await Promise.all(this.#changes.values());
    try {
      for (const shard of this.#opened()) await shard.close();
      await this.#records.close();
      this.#preparer.close();
      await this.#graphs.close();
    } finally {
      this.unlock();
    }
  }

  #openIndices(): void {
    const folders = new Set<string>();
    for (const name of DefinitionStore.names(this.#records)) {
      const definitions = DefinitionStore.load(this.#records, name);
      folders.add(definitions.definition.uuid);
      this.#indices.set(name, this.#openIndex(name, definitions));
    }
    const { files } = this.#storage;
    for (const uuid of files.list(this.#shards.folder)) {
      if (!folders.has(uuid)) files.removeTree(path.join(this.#shards.folder, uuid));
    }
  }

  #openIndex(name: string, definitions: DefinitionStore): Opened {
    try {
      return { shard: new IndexShard(this.#shards, definitions) };
    } catch (error) {
      if (!(error instanceof EngineError) || error.code === "internal") throw error;
      this.#warn(`index [${name}] could not be opened: ${error.message}`);
      return { error };
    }
  }

  *#opened(): Iterable<IndexShard> {
    for (const found of this.#indices.values()) if ("shard" in found) yield found.shard;
  }

  async #onReaders<T>(targets: readonly SearchTarget[] | PinnedReaders, action: (pin: Pin) => Promise<T>): Promise<T> {
    const pin = targets instanceof Pin ? targets : this.#pin(targets as readonly SearchTarget[]);
    // Whoever pinned may release while this search runs.
    const letGo = pin === targets ? pin.hold() : () => pin.release();
    try {
      return await action(pin);
    } finally {
      letGo();
    }
  }

  #pin(targets: readonly SearchTarget[]): Pin {
    this.#checkOpen();
    const shards = targets.map(({ index }) => {
      const shard = this.index(index) as IndexShard | undefined;
      if (!shard) throw indexNotFound(index);
      return shard;
    });
    return new Pin(targets, shards);
  }

  #searchEnvironment() {
    const { kernels, arena } = this.#storage;
    return { clock: this.#clock, kernels, arena };
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

function indexNotFound(name: string): EngineError {
  return new EngineError("index_not_found", `no such index [${name}]`, { index: name });
}

function indexExists(name: string, found: Opened | undefined): EngineError {
  const uuid = found && "shard" in found ? found.shard.definition.uuid : "_na_";
  return new EngineError("index_exists", `index [${name}/${uuid}] already exists`, { index: name, uuid });
}
