/**
 * Columns: the values of a field by document, for sorting, aggregations, ranges and existence. The bytes are in
 * format.ts; buffer.ts and writer.ts write them from a write buffer, merge.ts from other columns, reader.ts opens them.
 */
export { ColumnBuffer } from "./buffer.js";
export { ExistsBuffer, readExists, writeExists } from "./exists.js";
export { BLOCK_ROWS } from "./format.js";
export { type ColumnInput, mergeColumn } from "./merge.js";
export { readColumn } from "./reader.js";
export type { TermOrdinals } from "./writer.js";
