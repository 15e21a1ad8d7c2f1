/**
 * The ids of a segment, in document order.
 *
 *   idData    blocks of 32 documents. An entry is either
 *               varint 1 + bytes shared with the id before (1 for the first of a block), varint bytes that follow, those
 *               bytes; or
 *               varint 0, varint n: the next n ids are each the successor of the one before
 *             (varint: 7 bits a byte, low first, high bit set on all but the last)
 *   idBlocks  u32 words: documents, flags, then where each block begins in idData, then where idData ends. Flags:
 *               1  ids ascend strictly in byte order
 *               2  entries are as above; without it (format version 2) blocks are of 16 documents, the first varint of an
 *                  entry is the bytes shared, and there are no successors
 *   idTable   absent when ids ascend. Open addressing, u32 slots, at most 70 % full: 0 empty, else document + 1 in the
 *             low bits and as many bits of the fingerprint above as fit. A search begins at slot floor(hash * slots /
 *             2^32) and goes up, from the last to the first. Later documents are entered first, so the newest of equal
 *             ids is found.
 *   idFilter  split block Bloom filter (Apache Parquet's BloomFilter.md): blocks of eight u32; block = floor(hash *
 *             blocks / 2^32), one bit in each word: (fingerprint * salt[word]) >>> 27. 10 bits a document: about 1 % of
 *             absent ids pass. Absent when ids ascend and most are successors: others lie outside of the segment's
 *             range then.
 *
 * The successor of an id that ends with four of ID_DIGITS is the same with these as a number of base 64, plus one: what
 * the node makes, one after the other (shard/auto-id.ts). 64 of them take some 20 bytes.
 *
 * Example, ids "a1", "a2": idData 01 02 61 31 02 01 32, idBlocks 02000000 03000000 00000000 07000000
 */
/** base64url's characters, in byte order. */
export const ID_DIGITS = "-0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghijklmnopqrstuvwxyz";
/** Characters of an id that its successor counts on. */
export const COUNTING_DIGITS = 4;

export const IDS_PER_BLOCK = 32;
/** Without FLAG_SUCCESSORS. */
export const OLD_IDS_PER_BLOCK = 16;
export const FLAG_ASCENDING = 1;
export const FLAG_SUCCESSORS = 2;
/** Share of successors from which on a filter would keep out what range and order keep out anyway. */
export const UNFILTERED_SHARE = 0.75;

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

/** Value of each of ID_DIGITS by its byte, 255: it is none. */
const DIGIT_VALUES = new Uint8Array(256).fill(255);
/** Bytes of ID_DIGITS. */
const DIGIT_BYTES = new TextEncoder().encode(ID_DIGITS);
DIGIT_BYTES.forEach((byte, value) => {
  DIGIT_VALUES[byte] = value;
});

/** Whether b[from, to) is the successor of a[0, length). */
export function isSuccessor(a: Uint8Array, length: number, b: Uint8Array, from: number, to: number): boolean {
  if (to - from !== length || length < COUNTING_DIGITS) return false;
  let at = length - 1;
  const first = length - COUNTING_DIGITS;
  // Digits that wrap, then one that goes up by one, then equal ones.
  for (; at >= first && DIGIT_VALUES[a[at]] === 63; at--) if (DIGIT_VALUES[b[from + at]] !== 0) return false;
  if (at < first || DIGIT_VALUES[a[at]] === 255 || DIGIT_VALUES[b[from + at]] !== DIGIT_VALUES[a[at]] + 1) return false;
  for (at--; at >= 0; at--) if (a[at] !== b[from + at] || (at >= first && DIGIT_VALUES[a[at]] === 255)) return false;
  return true;
}

/** Turns the id that ends at `to` into its successor; it must have one. */
export function makeSuccessor(bytes: Uint8Array, to: number): void {
  let at = to - 1;
  for (; DIGIT_VALUES[bytes[at]] === 63; at--) bytes[at] = DIGIT_BYTES[0];
  bytes[at] = DIGIT_BYTES[DIGIT_VALUES[bytes[at]] + 1];
}
