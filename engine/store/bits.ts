/**
 * Bitsets over documents: bit i of 32-bit word w stands for document 32 * w + i. They lie in memory that threads can
 * share: posted to another thread, a bitset is not copied.
 */

/** Number of 32-bit words of a bitset of `count` bits. */
export function bitWords(count: number): number {
  return (count + 31) >>> 5;
}

/** A bitset of this many words, all zero, that threads can share. Every bitset that readers are given is made here. */
export function sharedWords(words: number): Uint32Array {
  return new Uint32Array(new SharedArrayBuffer(4 * words));
}

/** A copy of its own, shareable too (`slice` would give one that is not). */
export function copyBits(bits: Uint32Array): Uint32Array {
  const copy = sharedWords(bits.length);
  copy.set(bits);
  return copy;
}

/** Whether bit `index` is set; null: all are. */
export function isSet(bits: Uint32Array | null, index: number): boolean {
  return bits === null || ((bits[index >>> 5] >>> (index & 31)) & 1) === 1;
}

export function setBit(bits: Uint32Array, index: number): void {
  bits[index >>> 5] |= 1 << (index & 31);
}

export function clearBit(bits: Uint32Array, index: number): void {
  bits[index >>> 5] &= ~(1 << (index & 31));
}

/** A bitset with the first `count` bits set. */
export function allSet(count: number): Uint32Array {
  const bits = sharedWords(bitWords(count)).fill(0xffffffff);
  if (count % 32 !== 0) bits[bits.length - 1] = 2 ** (count % 32) - 1;
  return bits;
}

/** Number of bits set. */
export function countBits(words: Uint32Array): number {
  let count = 0;
  for (let word of words) {
    word -= (word >>> 1) & 0x55555555;
    word = (word & 0x33333333) + ((word >>> 2) & 0x33333333);
    count += Math.imul((word + (word >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
  }
  return count;
}
