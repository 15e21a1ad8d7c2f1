/**
 * Where a term occurs, on disk. A field has three sections; the dictionary (text/format.ts) says of each term how many
 * bytes of each are its own. Numbers are little-endian, varints 7 bits a byte with the low bits first.
 *
 * A term's documents ascend and come in blocks of 128; what is left over is the short last block. "Gap" is the distance
 * to the document before, of the first one to -1. Documents and frequencies:
 *
 *   documents  stored where
 *   1          nowhere: the dictionary holds the document, and the frequency is the term's totalTermFreq
 *   2 to 127   postingData: impacts (only with frequencies), then the short last block
 *   128 up     postingData: full blocks, then the short last block if any; postingHeaders: one header per block
 *
 * postingData, full block, with frequencies:
 *
 *   offset     bytes        name        meaning
 *   0          1            docWidth    bits of each gap - 1, 0 to 32; 0: all are 0 and have no payload
 *   1          1            freqWidth   bits of each frequency - 1, likewise
 *   2          16*docWidth  docs        128 numbers packed in 4 lanes (kernels/pack.ts)
 *              16*freqWidth freqs
 *
 * Without frequencies (keywords) freqWidth and freqs are absent.
 *
 * postingData, short last block: per document varint(2 * (gap - 1) + (1 if the frequency is 1)), and if it is not 1
 * varint(frequency - 2). Without frequencies varint(gap - 1).
 *
 * postingData, impacts: u8 count (1 to 3), then count pairs of u8 frequency (SmallFloat.intToByte4, rounded up) and u8
 * norm, highest frequency first: no document of the block has both a higher frequency and a shorter norm than every pair.
 *
 * postingHeaders, one per block; 8 bytes without frequencies, which end after dataOffset:
 *
 *   0          4            lastDoc     last document of the block; greater than the block's before
 *   4          4            dataOffset  of the block from the term's first byte of postingData
 *   8          4            groupOffset of the group with the block's first position, from the term's first byte of positionData
 *   12         4            positions   of the term before this block
 *   16         7            impacts     as above, zero behind them
 *   23         1            zero
 *
 * positionData: the position deltas of all documents in one row (the first of each document is absolute), in groups of
 * 128: u8 width, then 16 * width bytes packed; what is left over as varints.
 *
 * Example: a term in documents 2 (frequency 1, at 5) and 4 (frequency 2, at 0 and 300), norms 3 and 7. Its data are
 * 02 02 07 01 03 05 02 00: two impacts (2, 7) and (1, 3); gap 3, frequency 1; gap 2, frequency 2. Its positions are
 * 05 00 ac 02.
 */
export { BLOCK, DOCS_HEADER_BYTES, FULL_HEADER_BYTES, MAX_IMPACTS, NO_SINGLETON } from "../kernels/encode-postings.js";

/** Places in a header. */
export const Header = { lastDoc: 0, dataOffset: 4, groupOffset: 8, positions: 12, impacts: 16 } as const;

/** The frequency that a byte stands for: Lucene's SmallFloat.byte4ToInt. */
export function byteToFreq(byte: number): number {
  if (byte < 24) return byte;
  const code = byte - 24;
  const shift = (code >>> 3) - 1;
  const bits = code & 7;
  return 24 + (shift < 0 ? bits : (bits | 8) * 2 ** shift);
}
