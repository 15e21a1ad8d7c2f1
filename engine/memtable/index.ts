/**
 * The write buffer: what was written and is not yet searchable. prepared.ts says how documents come in, memtable.ts is
 * the whole, inverted.ts its terms.
 */
export { type DocumentMeta, Memtable, type SealedSegment } from "./memtable.js";
export { type PreparedBatch, RECORD_HEADER_BYTES, RecordKind } from "./prepared.js";
