/**
 * The ids of a segment, in document order.
 *
 *   idData    blocks of 16 documents. An id is: varint bytes shared with the id before (0 for the first of a block),
 *             varint bytes that follow, those bytes. (varint: 7 bits a byte, low first, high bit set on all but the last)
 *   idBlocks  u32 words: documents, flags (1: ids ascend strictly in byte order), then where each block begins in
 *             idData, then where idData ends
 *   idTable   absent when ids ascend. Open addressing, u32 slots, at most 70 % full: 0 empty, else document + 1 in the
 *             low bits and as many bits of the fingerprint above as fit. A search begins at slot floor(hash * slots /
 *             2^32) and goes up, from the last to the first. Later documents are entered first, so the newest of equal
 *             ids is found.
 *   idFilter  split block Bloom filter (Apache Parquet's BloomFilter.md): blocks of eight u32; block = floor(hash *
 *             blocks / 2^32), one bit in each word: (fingerprint * salt[word]) >>> 27. 10 bits a document: about 1 % of
 *             absent ids pass.
 *
 * Example, ids "a1", "a2": idData 00 02 61 31 01 01 32, idBlocks 02000000 01000000 00000000 07000000
 */
export const IDS_PER_BLOCK = 16;
export const FLAG_ASCENDING = 1;

/** Words of idBlocks before the offsets. */
export const ID_HEADER_WORDS = 2;

const FILTER_BITS_PER_DOC = 10;
const FILTER_BLOCK_WORDS = 8;
const SALT = Uint32Array.of(
  0x47b6137b,
  0x44974d91,
  0x8824ad5b,
  0xa2b7289d,
  0x705495c7,
  0x2df1424b,
  0x9efc4947,
  0x5c6bfb31,
);

/** Slots of a table for `docs` documents. */
export function tableSlots(docs: number): number {
  return Math.ceil((docs + 1) / 0.7);
}

/** Mask of the bits of a slot that hold document + 1. */
export function documentMask(docs: number): number {
  return 2 ** (32 - Math.clz32(docs)) - 1;
}

/** First slot to look at. */
export function firstSlot(hash: number, slots: number): number {
  return Math.floor((hash * slots) / 2 ** 32);
}

export function filterWords(docs: number): number {
  return Math.ceil((docs * FILTER_BITS_PER_DOC) / 256) * FILTER_BLOCK_WORDS;
}

/** Enters an id. */
export function addToFilter(words: Uint32Array, hash: number, fingerprint: number): void {
  const block = firstSlot(hash, words.length / FILTER_BLOCK_WORDS) * FILTER_BLOCK_WORDS;
  for (let i = 0; i < FILTER_BLOCK_WORDS; i++) words[block + i] |= 1 << (Math.imul(fingerprint, SALT[i]) >>> 27);
}

/** false: certainly absent. */
export function mayContain(words: Uint32Array, hash: number, fingerprint: number): boolean {
  const block = firstSlot(hash, words.length / FILTER_BLOCK_WORDS) * FILTER_BLOCK_WORDS;
  for (let i = 0; i < FILTER_BLOCK_WORDS; i++) {
    if (((words[block + i] >>> (Math.imul(fingerprint, SALT[i]) >>> 27)) & 1) === 0) return false;
  }
  return true;
}

/** Unsigned byte order of a[aFrom, aTo) and b[bFrom, bTo). */
export function compareBytes(
  a: { bytes: Uint8Array; from: number; to: number },
  b: { bytes: Uint8Array; from: number; to: number },
): number {
  const length = Math.min(a.to - a.from, b.to - b.from);
  for (let i = 0; i < length; i++) {
    const difference = a.bytes[a.from + i] - b.bytes[b.from + i];
    if (difference !== 0) return difference;
  }
  return a.to - a.from - (b.to - b.from);
}
