/**
 * Products and distances of f32 vectors. Sums are defined to the bit, so that every path gives one answer: sixteen f32
 * partial sums, number i going to sum i mod 16, then added up in order as f64.
 */
import type { MemoryViews } from "./memory.js";

const { fround } = Math;

/** See Kernels.dot. */
export function dot(memory: MemoryViews, a: number, b: number, dims: number): number {
  return sumOf(memory, { a, b, dims }, (x, y) => fround(x * y));
}

/** See Kernels.squaredDistance. */
export function squaredDistance(memory: MemoryViews, a: number, b: number, dims: number): number {
  return sumOf(memory, { a, b, dims }, (x, y) => fround(fround(x - y) * fround(x - y)));
}

function sumOf(
  memory: MemoryViews,
  pair: { a: number; b: number; dims: number },
  term: (x: number, y: number) => number,
): number {
  const { view } = memory;
  const sums = new Float32Array(16);
  for (let i = 0; i < pair.dims; i++) {
    sums[i % 16] += term(view.getFloat32(pair.a + 4 * i, true), view.getFloat32(pair.b + 4 * i, true));
  }
  return sums.reduce((total, sum) => total + sum, 0);
}
