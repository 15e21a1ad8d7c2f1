/**
 * 128 numbers as bits, in four interleaved lanes: number i belongs to lane i mod 4, and a lane's numbers follow each
 * other, lowest bits first, in every fourth 32-bit word. One vector register thus shifts four numbers at once
 * (Lemire and Boytsov, "Decoding billions of integers per second through vectorization", 2015).
 */
import type { MemoryViews } from "./memory.js";

/** See Kernels.pack128. Bits of a number above `width` must be zero. */
export function pack128(memory: MemoryViews, values: number, width: number, out: number): void {
  const { view } = memory;
  for (let lane = 0; lane < 4; lane++) {
    let pending = 0n;
    let bits = 0;
    let word = 0;
    for (let row = 0; row < 32; row++) {
      pending |= BigInt(view.getUint32(values + 16 * row + 4 * lane, true)) << BigInt(bits);
      bits += width;
      while (bits >= 32) {
        view.setUint32(out + 16 * word++ + 4 * lane, Number(pending & 0xffffffffn), true);
        pending >>= 32n;
        bits -= 32;
      }
    }
  }
}

/** See Kernels.unpack128. */
export function unpack128(memory: MemoryViews, packed: number, width: number, out: number): void {
  const { view } = memory;
  const mask = (1n << BigInt(width)) - 1n;
  for (let lane = 0; lane < 4; lane++) {
    let pending = 0n;
    for (let word = 0; word < width; word++) {
      pending |= BigInt(view.getUint32(packed + 16 * word + 4 * lane, true)) << BigInt(32 * word);
    }
    for (let row = 0; row < 32; row++) {
      view.setUint32(out + 16 * row + 4 * lane, Number((pending >> BigInt(row * width)) & mask), true);
    }
  }
}

/** See Kernels.prefixSum128. */
export function prefixSum128(memory: MemoryViews, values: number, base: number): void {
  const { view } = memory;
  let sum = base;
  for (let at = values; at < values + 512; at += 4) {
    sum = (sum + view.getUint32(at, true)) >>> 0;
    view.setUint32(at, sum, true);
  }
}
