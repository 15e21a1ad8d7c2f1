/**
 * The dictionary of a field in a segment, and documents' lengths: written from rows of postings, read by term and by
 * ordinal, merged together with the postings. Bytes are in format.ts; start reading there. Used by memtable/ and segment/.
 */

export { TermCursor } from "./cursor.js";
export { type Lengths, openLengths, writeLengths } from "./lengths.js";
export { type InvertedInput, type MergedTerms, mergeInverted, VANISHED } from "./merge.js";
export { lengthToNorm, normsOf, normToLength } from "./norms.js";
export { openTerms, readFieldStats, Terms } from "./reader.js";
export { TermsWriter } from "./writer.js";
