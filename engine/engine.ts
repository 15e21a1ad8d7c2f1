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
import { type AnalyzerRegistry, createAnalyzerRegistry, NO_ANALYSIS } from "./analysis/index.js";
import { systemClock } from "./clock.js";
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
import type { SearchRequest, SearchResult } from "./search.js";
import { DefinitionStore } from "./shard/definition.js";
import { IndexShard, type ShardEnvironment } from "./shard/index-shard.js";
import { Arena } from "./store/arena.js";
import { lockDirectory } from "./store/directory-lock.js";
import { type Files, nodeFiles } from "./store/files.js";
import { createStorage, type Storage } from "./store/storage.js";
import { MetadataLog } from "./wal/index.js";

const MAX_DEFAULT_ARENA = 2 * 2 ** 30;
const DEFAULT_MEMTABLE_BYTES = 16 * 2 ** 20;
/** Keys of those who use the engine's metadata, apart from its own. */
const FOREIGN_PREFIX = "node/";
