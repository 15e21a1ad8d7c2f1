import type { Clock } from "./clock.js";
import type { AnalysisSettings, FieldMapping, Mapping, ObjectMapping } from "./mapping/mapping.js";
import type { Query } from "./query/query.js";
import type { SearchRequest, SearchResult } from "./search.js";
import type { StoredDocument, WriteOperation, WriteOutcome } from "./write.js";

/** How the engine runs; everything that could differ between two runs is injected. */
export interface EngineOptions {
  /** Bytes of shared memory for segments and write buffers (default: a quarter of the machine's, at most 2 GiB). */
  arenaBytes?: number;
  /** Memtable size that triggers a refresh-and-flush of its own (default 16 MiB). */
  memtableBytes?: number;
  clock?: Clock;
  /** Told about things that deserve a line in the log. */
  warn?: (message: string) => void;
}

/** What an index is created with. `settings` are opaque strings to the engine except those named here. */
export interface IndexDefinition {
  uuid: string;
  createdAt: number;
  mapping: Mapping;
  analysis: AnalysisSettings;
  /** Milliseconds between automatic refreshes; -1: only when asked. */
  refreshIntervalMs: number;
  durability: "request" | "async";
  /** Mapping limit on the number of fields (default 1000). */
  totalFieldsLimit: number;
  maxResultWindow: number;
  /** Everything else, kept and handed back (number_of_shards, ...). */
  settings: Record<string, string>;
}

export interface SegmentInfo {
  name: string;
  docCount: number;
  deletedCount: number;
  sizeBytes: number;
  memoryBytes: number;
  committed: boolean;
}

export interface IndexStats {
  docs: { count: number; deleted: number };
  storeBytes: number;
  segments: SegmentInfo[];
  log: { operations: number; sizeBytes: number };
  memtableBytes: number;
  maxSeqNo: number;
  counters: Record<
    "indexed" | "deleted" | "indexFailed" | "searches" | "fetches" | "gets" | "refreshes" | "flushes" | "merges",
    number
  > & {
    indexTimeMs: number;
    searchTimeMs: number;
    getTimeMs: number;
    refreshTimeMs: number;
    flushTimeMs: number;
    mergeTimeMs: number;
  };
}

/** One token as `analyze` shows it. Offsets are UTF-16 units, as Elasticsearch reports them. */
export interface AnalyzedToken {
  token: string;
  startOffset: number;
  endOffset: number;
  position: number;
  positionLength: number;
  type: string;
}

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

/** One index: its write side and its read side. */
export interface Index {
  readonly name: string;
  /** Current definition; the mapping grows with dynamic fields. */
  readonly definition: Readonly<IndexDefinition>;
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
  /** Replaces changeable parts of the definition. */
  updateSettings(
    change: Partial<
      Pick<IndexDefinition, "refreshIntervalMs" | "durability" | "settings" | "totalFieldsLimit" | "maxResultWindow">
    >,
  ): Promise<void>;
  stats(): IndexStats;
  analyze(request: AnalyzeRequest): AnalyzedToken[];
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
  get(key: string): unknown;
  /** Keys with this prefix, sorted. */
  keys(prefix: string): string[];
  /** All changes become durable together, before this resolves; `undefined` deletes. */
  put(changes: Record<string, unknown>): Promise<void>;
}

/** The search engine of one data folder. `Engine.open(dir)` is in engine.ts. */
export interface EngineFace {
  readonly dataFolder: string;
  readonly metadata: MetadataStore;
  createIndex(name: string, definition: Omit<IndexDefinition, "uuid" | "createdAt">): Promise<Index>;
  deleteIndex(name: string): Promise<void>;
  index(name: string): Index | undefined;
  /** Names, sorted. */
  indexNames(): string[];
  /** Searches one consistent set of readers; throws index_not_found. */
  search(targets: readonly SearchTarget[] | PinnedReaders, request: SearchRequest): Promise<SearchResult>;
  /** Number of live documents that match. */
  count(targets: readonly SearchTarget[] | PinnedReaders, query: Query): Promise<number>;
  pin(targets: readonly SearchTarget[]): PinnedReaders;
  /** Analysis without an index: built-in analyzers only. */
  analyze(request: AnalyzeRequest): AnalyzedToken[];
  memory(): { arenaBytes: number; arenaUsed: number; memtableBytes: number; cacheBytes: number };
  close(): Promise<void>;
}
