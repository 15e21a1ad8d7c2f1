import type { ActivityBoard } from "./activity/index.js";
import type { Clock } from "./clock.js";
import type { IndexDefinition } from "./index-definition.js";
import type { WorkerActivity } from "./jobs.js";
import type { FieldMapping, Mapping, ObjectMapping } from "./mapping/mapping.js";
import type {
  Breakers,
  DrainCount,
  FilterCacheStats,
  IndexingPressure,
  MemoryBudget,
  ReaderCacheStats,
  RequestMemory,
} from "./memory/index.js";
import type { Query } from "./query/query.js";
import type { SearchRequest, SearchResult } from "./search.js";
import type { SnapshotsFace } from "./snapshots.js";
import type { CompletionOption, CompletionRequest } from "./suggest.js";
import type { StoredDocument, WriteOperation, WriteOutcome } from "./write.js";

export type { IndexDefinition } from "./index-definition.js";

/** How the engine runs; everything that could differ between two runs is injected. */
export interface EngineOptions {
  /** Bytes that the whole process should stay within (default: half of what it may have, at most 4 GiB). */
  memoryBytes?: number;
  /** Bytes of it for shared memory of segments and write buffers (default: half). */
  arenaBytes?: number;
  /** Bytes of prepared documents that become a segment of their own (default 32 MiB, at most 1/16 of the arena). */
  memtableBytes?: number;
  clock?: Clock;
  /** Folders that snapshot repositories may lie in (default: `snapshots` in the data folder). */
  repositoryFolders?: readonly string[];
  /**
   * Threads for what takes long (default: one for each core but one, at least two); 0: everything runs on the calling
   * thread, in slices.
   */
  workers?: number;
  /** Whether they start with the first work for them (`lazy`, the default) or at once. */
  startWorkers?: "lazy" | "eager";
  /** Linux: how far workers give way to the calling thread, 0 to 19: those for searches, and those for the rest. */
  workerNiceness?: { search: number; background: number };
  /** Searches estimated at more microseconds than this run on them (default 2000); Infinity: none does. */
  searchOnWorkersAboveUs?: number;
  /** Told about things that deserve a line in the log. */
  warn?: (message: string) => void;
}

export interface SegmentInfo {
  name: string;
  docCount: number;
  deletedCount: number;
  sizeBytes: number;
  memoryBytes: number;
  committed: boolean;
  /** Shown by the newest reader. */
  searchable: boolean;
  /** Bytes of the file by kind of section. */
  sections: Readonly<Record<string, number>>;
  formatVersion: number;
}

/** What the log of an index holds. `uncommitted`: what segments on the disk lack. */
export interface LogStats {
  operations: number;
  sizeBytes: number;
  uncommittedOperations: number;
  uncommittedBytes: number;
  /** When its oldest file was last written, in ms since 1970; undefined: there is none. */
  oldestWriteMs: number | undefined;
}

/** How an index came to be open. */
export interface Opening {
  /** What was there: nothing, its own files, files of a snapshot, or files of another index of this node. */
  source: IndexOrigin;
  /** Epoch milliseconds. */
  startedAt: number;
  milliseconds: number;
  /** Files of segments that were there, and their bytes. */
  files: number;
  bytes: number;
  /** Operations that only the log had. */
  replayed: number;
}

/** Where the documents of an index came from when it was opened. */
export type IndexOrigin = "empty" | "existing" | "snapshot" | "copy";

export interface IndexStats {
  docs: { count: number; deleted: number };
  storeBytes: number;
  segments: SegmentInfo[];
  /** Segments of a closed index, which are on the disk only. */
  unloadedSegments: number;
  log: LogStats;
  /** Epoch milliseconds of the last write; 0: none since the index was opened. */
  lastWriteAt: number;
  /** The last commit; generation 0: none yet. */
  commit: { generation: number; maxSeqNo: number; docCount: number };
  memtableBytes: number;
  maxSeqNo: number;
  queryCache: FilterCacheStats;
  /** What is kept with readers. */
  fielddata: ReaderCacheStats;
  /** Bytes on disk of completion fields, by path. */
  completion: Record<string, number>;
  /** Who waits for the next refresh. */
  refreshListeners: number;
  counters: Record<CounterName, number>;
  /** By the groups that searches name. */
  searchGroups: Record<string, SearchGroupCounts>;
  opening: Opening;
}

/** What of the counters is counted by group. */
export type SearchGroupCounts = Readonly<
  Record<"searches" | "searchTimeMs" | "searchingNow" | "fetches" | "fetchTimeMs", number>
>;

/** What an index counts. Names in -Ms are milliseconds, those in -Now how many there are at this moment. */
export const COUNTER_NAMES = [
  "indexed",
  "indexTimeMs",
  "indexFailed",
  "indexingNow",
  "deleted",
  "deleteTimeMs",
  "deletingNow",
  "noops",
  "searches",
  "searchTimeMs",
  "searchingNow",
  "suggests",
  "suggestTimeMs",
  "fetches",
  "fetchTimeMs",
  "gets",
  "getTimeMs",
  "getsMissing",
  "getMissingTimeMs",
  "refreshes",
  "refreshTimeMs",
  "flushes",
  "flushTimeMs",
  "periodicFlushes",
  "merges",
  "mergeTimeMs",
  "mergedDocs",
  "mergedBytes",
  "mergingNow",
  "mergingDocsNow",
  "mergingBytesNow",
] as const;

export type CounterName = (typeof COUNTER_NAMES)[number];

/** One token as `analyze` shows it. Offsets are UTF-16 units, as Elasticsearch reports them. */
export interface AnalyzedToken {
  token: string;
  startOffset: number;
  endOffset: number;
  position: number;
  positionLength: number;
  type: string;
}

/** What came out of one part of an analyzer. */
export interface AnalyzedStage {
  name: string;
  tokens: AnalyzedToken[];
}

/** What each part of an analyzer made of the texts; of one that is not made of parts, only what the whole did. */
export type AnalysisExplanation =
  | { analyzer: AnalyzedStage }
  | {
      charFilters: { name: string; texts: string[] }[];
      tokenizer: AnalyzedStage;
      filters: AnalyzedStage[];
    };

export interface AnalyzeRequest {
  text: string[];
  analyzer?: string;
  /** Uses this field's analyzer. */
  field?: string;
  /** A chain made on the spot: a tokenizer by name or definition, and filters. */
  tokenizer?: string | Record<string, unknown>;
  filter?: (string | Record<string, unknown>)[];
  charFilter?: (string | Record<string, unknown>)[];
  normalizer?: string;
}

/** Why an index can't be used: bytes of it that are not what was written. */
export interface Damage {
  /** `unreadable`: the system failed to read, which may pass; `damaged`: what was read is not what was written. */
  kind: "damaged" | "unreadable";
  /** Which file, and where in it; the file is empty where it is not known. */
  file: string;
  offset: number;
  /** What was expected there, what was found. */
  message: string;
  /** When it was found, in ms since 1970. */
  foundAtMs: number;
}

/** One index: its write side and its read side. */
export interface Index {
  readonly name: string;
  /** Current definition; the mapping grows with dynamic fields. */
  readonly definition: Readonly<IndexDefinition>;
  /** It is damaged: writing to it, getting and searching is refused with `index_damaged`, the rest does nothing. */
  readonly damage?: Damage;
  /**
   * Prepares, sequences, logs and publishes the operations, in order; resolves when they are as durable as
   * `definition.durability` promises. A failed operation fails alone.
   */
  write(operations: WriteOperation[]): Promise<WriteOutcome[]>;
  /** Real-time get: sees what was acknowledged, refreshed or not. */
  get(id: string, options?: { realtime: boolean }): StoredDocument | undefined;
  /** Makes everything written so far searchable; resolves when it is. */
  refresh(): Promise<void>;
  /** Resolves at the next refresh, whoever causes it (`refresh=wait_for`). */
  nextRefresh(): Promise<void>;
  /** Makes segments durable and prunes the log. */
  flush(): Promise<void>;
  /** Merges down to at most this many segments; `onlyDeletes` touches only segments with deleted documents. */
  forceMerge(options: { maxSegments: number; onlyDeletes: boolean }): Promise<void>;
  /** Adds to the mapping, durable before it resolves; throws mapping_conflict. */
  updateMapping(change: Partial<Mapping>): Promise<void>;
  /** Replaces changeable parts of the definition; analysis only while the index is closed. */
  updateSettings(
    change: Partial<
      Pick<
        IndexDefinition,
        | "refreshIntervalMs"
        | "durability"
        | "syncIntervalMs"
        | "flushThresholdBytes"
        | "settings"
        | "totalFieldsLimit"
        | "nestedObjectsLimit"
        | "maxResultWindow"
        | "gcDeletesMs"
        | "analysis"
      >
    >,
  ): Promise<void>;
  stats(): IndexStats;
  analyze(request: AnalyzeRequest): AnalyzedToken[];
  /** The same part by part. */
  explainAnalysis(request: AnalyzeRequest): AnalysisExplanation;
  /** Flattened fields by full path, multi-fields included; objects with type "object". */
  fields(): ReadonlyMap<string, FieldMapping | ObjectMapping>;
}

/** Where a search looks: an index by name, optionally narrowed (a filtered alias). */
export interface SearchTarget {
  index: string;
  filter?: Query;
}

/** Readers held still: what scroll and point in time search again and again. */
export interface PinnedReaders {
  readonly targets: readonly SearchTarget[];
  release(): void;
}

/** Durable key-value records for what belongs to the node rather than to documents: aliases, templates, settings. */
export interface MetadataStore {
  /** How many changes there were since the folder was new. */
  readonly version: number;
  get(key: string): unknown;
  /** Keys with this prefix, sorted. */
  keys(prefix: string): string[];
  /** All changes become durable together, before this resolves; `undefined` deletes. */
  put(changes: Record<string, unknown>): Promise<void>;
}

/** Bytes of memory by what they are for. */
export interface MemoryUsage {
  arenaBytes: number;
  arenaUsed: number;
  /** Write buffers, in the arena. */
  memtableBytes: number;
  /** Pieces of segments, in the arena. */
  segmentBytes: number;
  /** How many pieces were evicted so far. */
  segmentEvictions: number;
  blockCacheBytes: number;
  queryCacheBytes: number;
  /** What is kept with readers. */
  fielddataBytes: number;
  /** What requests hold. */
  requestBytes: number;
  /** Bodies of HTTP requests. */
  httpBytes: number;
  heapUsedBytes: number;
  heapBytes: number;
  /** Buffers outside the JavaScript heap and the arena. */
  externalBytes: number;
  residentBytes: number;
}

/** Which caches to drop. */
export interface CacheChoice {
  /** Absent: all indices. */
  indices?: readonly string[];
  query: boolean;
  fielddata: boolean;
  /** Of fielddata, only what was made of this field. */
  field?: string;
}

/** What the node has and what it is used for. */
export interface NodeResources {
  readonly budget: MemoryBudget;
  readonly breakers: Breakers;
  /** Write operations in flight. */
  readonly indexing: IndexingPressure;
  readonly activities: ActivityBoard;
  workers(): readonly WorkerActivity[];
  /** Jobs that wait for a worker. */
  waitingJobs(): number;
  /** The memory of a new request; whoever opens it closes it. */
  openRequest(): RequestMemory;
  /** The same for the body of an HTTP request. */
  openHttpRequest(): RequestMemory;
  /** What was given back for want of memory. */
  drains(): DrainCount[];
  /** Returns how many bytes were dropped. */
  clearCaches(choice: CacheChoice): number;
}

/** The search engine of one data folder. `Engine.open(dir)` is in engine.ts. */
export interface EngineFace {
  readonly clock: Clock;
  readonly dataFolder: string;
  readonly metadata: MetadataStore;
  /** Backups and their way back. */
  readonly snapshots: SnapshotsFace;
  readonly resources: NodeResources;
  /** `records` of `metadata` change together with it: all of it is durable, or nothing. */
  createIndex(
    name: string,
    definition: Omit<IndexDefinition, "uuid" | "createdAt">,
    records?: Readonly<Record<string, unknown>>,
  ): Promise<Index>;
  /** `records` as in `createIndex`. */
  deleteIndex(name: string, records?: Readonly<Record<string, unknown>>): Promise<void>;
  /**
   * Makes everything durable and lets go of the index's files and memory; what is closed already stays so. From then on its
   * documents are refused with `index_closed`. Readers that are pinned can be used until they are released.
   */
  closeIndex(name: string): Promise<void>;
  /** Opens a closed index; one that is open stays so. Throws index_not_found. */
  openIndex(name: string): Promise<void>;
  /**
   * Makes an index out of the documents that another has now, with its definition but for `change`. Throws index_exists,
   * index_not_found, CorruptionError.
   */
  copyIndex(source: string, target: string, change: Partial<IndexDefinition>): Promise<Index>;
  index(name: string): Index | undefined;
  /** Names, sorted. */
  indexNames(): string[];
  /** What is wrong with an index that can't be used; undefined for a sound one, and for none. */
  damage(name: string): Damage | undefined;
  /**
   * Searches one consistent set of readers; throws index_not_found and index_damaged. A search that meets damage throws
   * `corrupt` with file and offset, and from then on its index is damaged.
   */
  search(targets: readonly SearchTarget[] | PinnedReaders, request: SearchRequest): Promise<SearchResult>;
  /** Number of live documents that match. */
  count(
    targets: readonly SearchTarget[] | PinnedReaders,
    query: Query,
    options?: Pick<SearchRequest, "signal" | "memory">,
  ): Promise<number>;
  /** What prefixes are completed to; filters of aliases do not narrow it. Throws query_unsupported. */
  complete(
    targets: readonly SearchTarget[] | PinnedReaders,
    requests: readonly CompletionRequest[],
    memory?: RequestMemory,
  ): Promise<CompletionOption[][]>;
  pin(targets: readonly SearchTarget[]): PinnedReaders;
  /** Analysis without an index: built-in analyzers only. */
  analyze(request: AnalyzeRequest): AnalyzedToken[];
  explainAnalysis(request: AnalyzeRequest): AnalysisExplanation;
  memory(): MemoryUsage;
  close(): Promise<void>;
}
