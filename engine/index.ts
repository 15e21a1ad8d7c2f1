/**
 * The engine's one face: the only module of this folder that others may import. The engine takes JSON documents as raw
 * bytes and typed requests; it knows nothing of HTTP, of Elasticsearch's request JSON, or of source code.
 * Start reading at engine.ts, then shard/.
 */
export type { Activity, ActivityKind, RunningActivity } from "./activity/index.js";
export type * from "./aggs/aggregation.js";
export { stripHtml } from "./analysis/index.js";
export { Canceller, type CancelSignal } from "./canceller.js";
export { checkDefinition } from "./check-definition.js";
export type { Clock } from "./clock.js";
export { openEngine } from "./engine.js";
export type * from "./engine-types.js";
export { COUNTER_NAMES } from "./engine-types.js";
export { CorruptionError, EngineError, type ErrorCode, InternalError } from "./errors.js";
export type { RunningJob, WorkerActivity } from "./jobs.js";
export { readCorner as readGeoCorner, readPoint as readGeoPoint } from "./mapping/geo-point.js";
export {
  type DateFormat,
  dateFormat,
  matchesPattern,
  mayNameBelow,
  namesPath,
  parseIp,
  printDateMath,
  resolveDateMath,
  type TimeZone,
  timeZone,
  UTC,
} from "./mapping/index.js";
export type * from "./mapping/mapping.js";
export { FIELD_TYPES } from "./mapping/mapping.js";
export { reformatDate } from "./mapping/reformat-date.js";
export { BREAKER_PERCENT, type BreakerName, parseBytes, printBytes, type RequestMemory } from "./memory/index.js";
export { type FieldLines, LineCursor } from "./packed-lines.js";
export { routingShards, shardOfRouting } from "./query/index.js";
export type * from "./query/query.js";
export { type GroupMatch, GroupPattern, type GroupPatternOptions } from "./regex/index.js";
export {
  type RepairedPart,
  type RepairLoss,
  repairIndex,
  repairMetadata,
  type VerifiedIndex,
  type VerifiedMetadata,
  type VerifyReport,
  verifyFolder,
} from "./repair/index.js";
export type * from "./search.js";
export { FORMAT_VERSION as SEGMENT_FORMAT_VERSION } from "./segment/version.js";
export type * from "./snapshots.js";
export type { ShownPaths } from "./source/shown-paths.js";
export type * from "./suggest.js";
export { heldBy, noteSpan, type Span, timed } from "./thread-log.js";
export type * from "./write.js";
