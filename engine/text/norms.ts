/** A document's length in one byte: Lucene's SmallFloat.intToByte4 (exact below 24, then three bits of mantissa). */

/** Up to this length the byte says it exactly. */
export const LONGEST_EXACT = 39;

/** The byte of a length; lengths that fall between two bytes get the lower. */
export function lengthToNorm(length: number): number {
  if (length < 24) return length;
  const over = length - 24;
  const bits = 32 - Math.clz32(over);
  if (bits < 4) return 24 + over;
  const shift = bits - 4;
  return 24 + (((over >>> shift) & 7) | ((shift + 1) << 3));
}

/** The bytes of many lengths. */
export function normsOf(lengths: Uint32Array, into: Uint8Array = new Uint8Array(lengths.length)): Uint8Array {
  for (let doc = 0; doc < lengths.length; doc++) into[doc] = lengthToNorm(lengths[doc]);
  return into;
}

/** The length a byte stands for: SmallFloat.byte4ToInt. */
export function normToLength(norm: number): number {
  if (norm < 24) return norm;
  const code = norm - 24;
  const shift = (code >>> 3) - 1;
  const bits = code & 7;
  return 24 + (shift < 0 ? bits : (bits | 8) * 2 ** shift);
}
