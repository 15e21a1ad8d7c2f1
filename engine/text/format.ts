/**
 * The terms of a field, on disk: distinct, ascending by unsigned bytes, in blocks of 16. Numbers are little-endian,
 * varints 7 bits a byte with the low bits first.
 *
 * termIndex:
 *
 *   offset  bytes  name         meaning
 *   0       4      termCount    at least 1
 *   4       4      flags        bit 0: frequencies and positions are kept
 *   8       8      zero
 *   16      16     entry        one per block:
 *     0     8      key          first eight bytes of the block's first term (zero behind a shorter one) as two u32,
 *                               each big-endian in the term: comparing key numbers compares terms
 *     8     4      dataOffset   of the block in termData
 *     12    4      stateOffset  of the block in termStates
 *
 * termData, per term: varint bytes shared with the term before (0 for the first of a block), varint length of the rest,
 * the rest.
 *
 * termStates, per block: varint offsets of its first term in postingData, postingHeaders and positionData; then per
 * term, with frequencies:
 *
 *   varint  2 * (docFreq - 1) + (1 if totalTermFreq = docFreq)
 *   varint  totalTermFreq - docFreq - 1, if they differ
 *   varint  the document if docFreq is 1, else its bytes of postingData
 *   varint  its bytes of positionData
 *
 * and without: varint docFreq - 1, then the document or the bytes of postingData. Bytes of postingHeaders follow from
 * docFreq (postings/format.ts).
 *
 * fieldStats: u32 documents with at least one term, u32 zero, f64 sum of all terms' totalTermFreq.
 *
 * norms: one byte per document, SmallFloat.intToByte4 of its length, 0 where it has none.
 *
 * fieldLengths: u8 width (1, 2 or 4), 15 zero, then one number of that width per document, 0 where it has none. Absent
 * where norms say all lengths exactly (none is above 39).
 *
 * Example: the terms "ab" (document 3, once, at 7) and "abc" (documents 0 and 1, once each, at 1 and 2; data 5 bytes):
 * termIndex 02 00 00 00 01 00 00 00 0..0, 00 00 62 61 00 00 00 00 00 00 00 00 00 00 00 00;
 * termData 00 02 61 62 02 01 63; termStates 00 00 00 01 03 01 03 05 02.
 */

/** More than the longest term (Lucene's limit is 32766 bytes). */
export const MAX_TERM_BYTES = 32_768;
export { TERMS_PER_BLOCK } from "../kernels/write-terms.js";

export const INDEX_HEADER_BYTES = 16;
export const INDEX_ENTRY_BYTES = 16;
export const FLAG_WITH_FREQS = 1;
/** Places in an index entry. */
export const IndexEntry = { keyHigh: 0, keyLow: 4, dataOffset: 8, stateOffset: 12 } as const;
export const FIELD_STATS_BYTES = 16;
export const LENGTHS_HEADER_BYTES = 16;
