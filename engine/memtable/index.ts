/**
 * The write buffer: what was written and is in no segment yet. prepared.ts says how documents come in,
 * buffered-documents.ts how they are kept, build-job.ts and segment-builder.ts how a segment is made of them.
 */
export { type BufferedDocument, BufferedDocuments } from "./buffered-documents.js";
export { type BuildJob, type BuildJobResult, type BuildTarget, type BuiltSegment, buildSegments } from "./build-job.js";
export type { BuildRows } from "./build-rows.js";
export { type PreparedBatch, RECORD_HEADER_BYTES, RecordKind } from "./prepared.js";
export { type DocumentRows, SegmentBuilder } from "./segment-builder.js";
