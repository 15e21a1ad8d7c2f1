/**
 * What a document is besides its fields: raw `_source` bytes, `_id`, sequence number, version, routing. Formats are in
 * source-format.ts, id-format.ts, numbers.ts and routing.ts.
 */
export { BlockStream } from "./blocks.js";
export { type IdKey, idKey } from "./id-key.js";
export { IdReader } from "./id-reader.js";
export { IdWriter, MAX_ID_BYTES } from "./id-writer.js";
export { Numbers, writeNumbers } from "./numbers.js";
export { RoutingReader, writeRouting } from "./routing.js";
export { mergeSources, type SourceInput } from "./source-merge.js";
export { SourceReader } from "./source-reader.js";
export { SourceWriter } from "./source-writer.js";
