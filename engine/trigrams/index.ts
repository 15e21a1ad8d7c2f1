/**
 * Text that is searched by lines: what fields of type `wildcard` keep. The text lies here once, raw, and `_source` leaves
 * it out; an index of grams (engine/regex/) says which chunks of it a pattern can match in. format.ts has the bytes;
 * field.ts is what is asked.
 */
export { TextBuffer } from "./build.js";
export { type ChunkPiece, openTrigrams, type SegmentTrigrams, type TrigramField } from "./field.js";
export { mergeTrigrams, type TrigramInput } from "./merge.js";
