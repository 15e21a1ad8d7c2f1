/**
 * The log: durable records of what was acknowledged (log.ts, its bytes in log-file.ts and record.ts) and the node's
 * key-value metadata on top of it (metadata-log.ts). Knows nothing of mappings, segments or sequences' meaning; used
 * by shard/ and engine.ts. Start reading at record.ts.
 */
export { ensureFolder } from "./folder.js";
export { Log, type LogOptions } from "./log.js";
export { MetadataLog, type MetadataLogOptions, prefixed } from "./metadata-log.js";
export { LogOp, type LogRecord, type OperationMetadata, RecordBuffer } from "./record.js";
