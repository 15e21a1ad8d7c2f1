/**
 * The log: durable records of what was acknowledged (log.ts; its bytes in log-file.ts, log-header.ts, record.ts and control-record.ts) and the node's
 * key-value metadata on top of it (metadata-log.ts). What damage is and what a power cut may leave: scan.ts. Knows nothing of mappings, segments or sequences' meaning; used
 * by shard/ and engine.ts. Start reading at record.ts.
 */
export { type LogBegin, readLogBegin } from "./first-sequence.js";
export { ensureFolder } from "./folder.js";
export { Log, type LogOptions, type LogSettings } from "./log.js";
export { asideName, copyFile, type LogMending, type LostRecords, mendLog } from "./mend.js";
export { MetadataLog, type MetadataLogOptions, prefixed, writeSnapshot } from "./metadata-log.js";
export { type LogReading, readLog } from "./read-log.js";
export { type MetadataReading, readMetadata } from "./read-metadata.js";
export { LogOp, type LogRecord, type OperationMetadata } from "./record.js";
export { RecordBuffer } from "./record-buffer.js";
