/**
 * Sets of documents of one leaf as bits: document d is bit d & 31 of word d >>> 5. Bits at and past docCount are always 0.
 */

/** Words that `docCount` bits take. */
export function wordCount(docCount: number): number {
  return (docCount + 31) >>> 5;
}

/** The empty set. */
export function noBits(docCount: number): Uint32Array {
  return new Uint32Array(wordCount(docCount));
}

/** The full set. */
export function allBits(docCount: number): Uint32Array {
  const bits = new Uint32Array(wordCount(docCount)).fill(0xffffffff);
  clearTail(bits, docCount);
  return bits;
}

/** Clears the bits at and past docCount. */
export function clearTail(bits: Uint32Array, docCount: number): void {
  if ((docCount & 31) !== 0) bits[docCount >>> 5] &= 2 ** (docCount & 31) - 1;
}

/** Whether a document is in the set. */
export function hasBit(bits: Uint32Array, doc: number): boolean {
  return ((bits[doc >>> 5] >>> (doc & 31)) & 1) === 1;
}

/** Adds a document to the set. */
export function setBit(bits: Uint32Array, doc: number): void {
  bits[doc >>> 5] |= 1 << (doc & 31);
}

/** Keeps in `into` what is also in `other`. */
export function intersect(into: Uint32Array, other: Uint32Array): void {
  for (let w = 0; w < into.length; w++) into[w] &= other[w];
}

/** Adds `other` to `into`. */
export function unite(into: Uint32Array, other: Uint32Array): void {
  for (let w = 0; w < into.length; w++) into[w] |= other[w];
}

/** Removes `other` from `into`. */
export function subtract(into: Uint32Array, other: Uint32Array): void {
  for (let w = 0; w < into.length; w++) into[w] &= ~other[w];
}

/** Number of ones in a 32-bit word (Hacker's Delight, 5-1). */
export function popCount(word: number): number {
  let x = word - ((word >>> 1) & 0x55555555);
  x = (x & 0x33333333) + ((x >>> 2) & 0x33333333);
  return Math.imul((x + (x >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
}

/** Number of documents in the set. */
export function countBits(bits: Uint32Array): number {
  let count = 0;
  for (let w = 0; w < bits.length; w++) count += popCount(bits[w]);
  return count;
}

/** First document >= `from` in the set, or -1. */
export function nextBit(bits: Uint32Array, from: number): number {
  let w = from >>> 5;
  if (w >= bits.length) return -1;
  let word = bits[w] & (0xffffffff << (from & 31));
  while (word === 0) {
    if (++w >= bits.length) return -1;
    word = bits[w];
  }
  return (w << 5) + 31 - Math.clz32(word & -word);
}

/** Keeps only the first `limit` documents of the set. */
export function keepFirst(bits: Uint32Array, limit: number): void {
  let left = limit;
  for (let w = 0; w < bits.length; w++) {
    const count = popCount(bits[w]);
    if (count <= left) {
      left -= count;
      continue;
    }
    let word = bits[w];
    let kept = 0;
    for (; left > 0; left--) {
      kept |= word & -word;
      word &= word - 1;
    }
    bits[w] = kept;
  }
}
