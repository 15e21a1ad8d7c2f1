/**
 * Documents that lists have in common. Lists are u32, ascending, without repetition; what is found is told by places in the
 * lists, so that whatever lies beside a document (its frequency, its place in another list) can be taken along by `gather`.
 */
import type { MemoryViews } from "./memory.js";

/** What `intersect` is called with: two lists and where places go (room for as many as list a has). */
export interface Intersection {
  a: number;
  /** Places of a that are looked at: [aFrom, aTo). */
  aFrom: number;
  aTo: number;
  b: number;
  bCount: number;
  /** Places in a, and in b, of what both have. */
  inA: number;
  inB: number;
}

/** See Kernels.intersect. */
export function intersect({ u32 }: MemoryViews, lists: Intersection): number {
  const { a, b, inA, inB } = lists;
  let found = 0;
  let j = 0;
  for (let i = lists.aFrom; i < lists.aTo; i++) {
    const doc = u32[(a >>> 2) + i];
    while (j < lists.bCount && u32[(b >>> 2) + j] < doc) j++;
    if (j === lists.bCount) break;
    if (u32[(b >>> 2) + j] !== doc) continue;
    u32[(inA >>> 2) + found] = i;
    u32[(inB >>> 2) + found] = j;
    found++;
  }
  return found;
}

/** See Kernels.gather. */
export function gather({ u32 }: MemoryViews, values: number, places: number, count: number, out: number): void {
  for (let i = 0; i < count; i++) u32[(out >>> 2) + i] = u32[(values >>> 2) + u32[(places >>> 2) + i]];
}

/** See Kernels.gatherSums. */
export function gatherSums({ u32, view }: MemoryViews, sums: number, places: number, count: number, out: number): void {
  for (let i = 0; i < count; i++) {
    view.setFloat64(out + 8 * i, view.getFloat64(sums + 8 * u32[(places >>> 2) + i], true), true);
  }
}

/** See Kernels.keepLesser. */
export function keepLesser({ u32 }: MemoryViews, values: number, others: number, count: number): void {
  for (let i = 0; i < count; i++) u32[(values >>> 2) + i] = Math.min(u32[(values >>> 2) + i], u32[(others >>> 2) + i]);
}
