/**
 * Ordering hits by fields: keys resolved per index, values read from columns, the first k kept. Used by query/; knows
 * nothing of queries. Start reading at sort-value.ts, then collect-sorted.ts.
 */
export { assumedField } from "./assumed-field.js";
export { collectSorted, type SortedLeaf } from "./collect-sorted.js";
export {
  afterValue,
  checkComparable,
  checkSortable,
  fielddataDisabled,
  type ResolvedKey,
  resolveKeys,
  sortValue,
} from "./keys.js";
export { bestLeavesFirst, mayEnter, type RankedLeaf } from "./leaf-order.js";
export { fitsNumbers, longRow } from "./long-rows.js";
export { shortestFloat } from "./shortest-float.js";
export type { Comparable, SortedEntry } from "./sort-value.js";
export { TopSorted } from "./top-sorted.js";
