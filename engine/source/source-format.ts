/**
 * Raw `_source` bytes. The documents' bytes, one after the other, are the raw stream; it is cut into blocks that are
 * compressed alone (LZ4 block format). A block ends with a document, except that a document longer than MAX_BLOCK is
 * cut into blocks of its own; so whole blocks can be copied by a merge.
 *
 *   sourceData     the packed blocks; one that LZ4 would not shrink lies there as it is (packed length = raw length)
 *   sourceLengths  numbers.ts: bytes of each document
 *   sourceBlocks   f64: documents, blocks, then for each block and once more for the end its raw and its packed
 *                  offset, then the raw offset of every 64th document
 *
 * Example, one document of 5 bytes: sourceBlocks 1, 1, 0, 0, 5, 5, 0 (each 8 bytes)
 */
export const TARGET_BLOCK = 32 * 1024;
export const MAX_BLOCK = 64 * 1024;
/** A merge copies blocks of at least this much as they are, smaller ones are packed anew. */
export const COPY_BLOCK = TARGET_BLOCK / 2;
export const DOCS_PER_GROUP = 64;

/** Numbers of sourceBlocks before the offsets. */
export const BLOCKS_HEADER = 2;
