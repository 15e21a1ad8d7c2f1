import type { MemoryViews } from "./memory.js";
/** What `flushTerms` is called with: term ids [from, count) at `ids`, a row for each at `rows`. */
export interface TermRun {
  records: number;
  ids: number;
  from: number;
  count: number;
  encoder: number;
  rows: number;
}
/** Room that a term's postings can take at most, in bytes. */
export declare function roomFor(
  docFreq: number,
  totalTermFreq: number,
): {
  data: number;
  headers: number;
  positions: number;
};
/** See Kernels.flushTerms. */
export declare function flushTerms(memory: MemoryViews, run: TermRun): number;
