/**
 * The engine's one face: the only module of this folder that others may import. The engine takes JSON documents as raw
 * bytes and typed requests; it knows nothing of HTTP, of Elasticsearch's request JSON, or of source code.
 * Start reading at engine.ts, then shard/.
 */
export type * from "./aggs/aggregation.js";
export type { Clock } from "./clock.js";
export { openEngine } from "./engine.js";
export type * from "./engine-types.js";
export { CorruptionError, EngineError, type ErrorCode, InternalError } from "./errors.js";
export type * from "./mapping/mapping.js";
export { FIELD_TYPES } from "./mapping/mapping.js";
export { shardOfRouting } from "./query/index.js";
export type * from "./query/query.js";
export type * from "./search.js";
export type * from "./write.js";
