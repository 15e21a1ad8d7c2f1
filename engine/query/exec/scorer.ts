/**
 * The iterator over the documents of one leaf that match a part of a query.
 *
 * Contract (scorer-contract.test.ts drives every scorer through it):
 * - Before the first call `doc` is -1. `next()` moves to the first, then the following matching document, ascending, and returns it.
 * - `advance(target)` moves to the first matching document >= target and returns it; target must be greater than `doc`.
 * - At the end both return NO_MORE_DOCS, `doc` is NO_MORE_DOCS, and further calls of either keep returning it.
 * - `score()` may be called at a matching document only, any number of times, and gives the same float32 each time.
 * - `cost` bounds the number of documents from above; it never changes.
 * - `minCompetitive`, when set, permits (never obliges) leaving out documents that score less than or equal to it. It only rises.
 * - `matching()` tells which named parts match the current document, when the scorer was built to know.
 * - Deleted documents are included: the collector checks what is alive.
 * A scorer owns everything it returns; nothing returned is an object, so nothing can be held too long.
 */
export interface Scorer {
  readonly doc: number;
  readonly cost: number;
  next(): number;
  advance(target: number): number;
  score(): number;
  minCompetitive: number;
}

export { NO_MORE_DOCS } from "../../segment/types.js";
