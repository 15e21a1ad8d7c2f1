/**
 * `_source`. Each document has a record; the records, one after the other, are the raw stream; it is cut into blocks
 * that are compressed alone (LZ4 block format). A block ends with a record, except that a record longer than MAX_BLOCK
 * is cut into blocks of its own; so whole blocks can be copied by a merge.
 *
 *   sourceData     the packed blocks; one that LZ4 would not shrink lies there as it is (packed length = raw length)
 *   sourceLengths  numbers.ts: bytes of each record
 *   sourceBlocks   f64: documents, blocks, then for each block and once more for the end its raw and its packed
 *                  offset, then the raw offset of every 64th record
 *   sourceShapes   u32 words: runs, shapes, raw bytes; for each run its first block and its base; then the shapes, each
 *                  a varint, its bytes, and that many bytes (shape.ts), all together packed like a block
 *
 * What a record is depends on the run its block is in, the last one that begins at it or before:
 *
 *   base WHOLE     the document
 *   other bases    varint n; n = 0: the document follows; else it has the shape base + n - 1, and what the shape's slots
 *                  keep follows, each part ended by a zero byte
 *
 * Runs are there so that a merge can copy blocks whose shapes got other numbers. No sourceShapes: all is one run of
 * WHOLE (format version 2).
 *
 * Examples, one record of 5 bytes: sourceBlocks 1, 1, 0, 0, 5, 5, 0 (each 8 bytes). One run, one shape of 4 bytes:
 * sourceShapes 1, 1, 5, 0, 0 (each 4 bytes), 04 and the 4 bytes.
 */
/** A fetch unpacks a block: twice as much would save 3 % of the bytes. */
export const TARGET_BLOCK = 16 * 1024;
export const MAX_BLOCK = 64 * 1024;
/** A merge copies blocks of at least this much as they are, smaller ones are packed anew. */
export const COPY_BLOCK = TARGET_BLOCK / 2;
export const DOCS_PER_GROUP = 64;

/** Numbers of sourceBlocks before the offsets. */
export const BLOCKS_HEADER = 2;
/** Words of sourceShapes before the runs. */
export const SHAPES_HEADER = 3;
/** Base of a run whose records are whole documents. */
export const WHOLE = 0xffffffff;
/** Most bytes of a record's head: a varint. */
export const MAX_HEAD_BYTES = 5;
