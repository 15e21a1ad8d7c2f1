/** Which values of a column lie in a range, as a bitset. */
import type { MemoryViews } from "./memory.js";

type ReadValue = (view: DataView, at: number) => number;

const UNSIGNED: Record<number, ReadValue> = {
  1: (view, at) => view.getUint8(at),
  2: (view, at) => view.getUint16(at, true),
  4: (view, at) => view.getUint32(at, true),
};
const FLOATING: Record<number, ReadValue> = {
  4: (view, at) => view.getFloat32(at, true),
  8: (view, at) => view.getFloat64(at, true),
};

/** What is asked of a range kernel: `count` values of `width` bytes at `address`, low <= value <= high, into `bits`. */
export interface RangeOfValues {
  address: number;
  width: number;
  count: number;
  low: number;
  high: number;
  bits: number;
}

/** See Kernels.rangeToBits. */
export function rangeToBits(memory: MemoryViews, range: RangeOfValues): void {
  fill(memory.view, range, UNSIGNED[range.width]);
}

/** See Kernels.rangeToBitsDouble. */
export function rangeToBitsDouble(memory: MemoryViews, range: RangeOfValues): void {
  fill(memory.view, range, FLOATING[range.width]);
}

function fill(view: DataView, range: RangeOfValues, read: ReadValue): void {
  for (let first = 0; first < range.count; first += 32) {
    let word = 0;
    for (let at = first; at < Math.min(first + 32, range.count); at++) {
      const value = read(view, range.address + at * range.width);
      if (value >= range.low && value <= range.high) word |= 1 << (at - first);
    }
    view.setUint32(range.bits + (first >>> 5) * 4, word, true);
  }
}
