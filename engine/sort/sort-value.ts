/**
 * Values that documents are ordered by: numbers, whole numbers beyond 2^53, terms by their bytes, or none. Two values of one
 * key are of one kind, except that numbers and bigints mix.
 */
export type Comparable = number | bigint | Uint8Array | null;

/** Ascending order of two present values. */
export function compareValues(a: number | bigint | Uint8Array, b: number | bigint | Uint8Array): number {
  if (a === b) return 0;
  if (a instanceof Uint8Array || b instanceof Uint8Array) return Buffer.compare(asBytes(a), asBytes(b));
  return a < b ? -1 : a > b ? 1 : 0;
}

function asBytes(value: number | bigint | Uint8Array): Uint8Array {
  return value instanceof Uint8Array ? value : Buffer.from(String(value), "utf8");
}

/** How one key orders: direction, and where documents without a value go. */
export interface KeyOrder {
  readonly descending: boolean;
  readonly missingFirst: boolean;
}

/** Order of two documents by one key. */
export function compareKey(order: KeyOrder, a: Comparable, b: Comparable): number {
  if (a === null || b === null) {
    if (a === b) return 0;
    return (a === null) === order.missingFirst ? -1 : 1;
  }
  const ascending = compareValues(a, b);
  return order.descending ? -ascending : ascending;
}

/** A document in a sorted list. */
export interface SortedEntry {
  readonly keys: readonly Comparable[];
  readonly reader: number;
  readonly doc: number;
}

/** The total order of hits: their keys, then reader (which stands for the index name), then document. */
export function compareEntries(orders: readonly KeyOrder[], a: SortedEntry, b: SortedEntry): number {
  for (let i = 0; i < orders.length; i++) {
    const result = compareKey(orders[i], a.keys[i], b.keys[i]);
    if (result !== 0) return result;
  }
  return a.reader - b.reader || a.doc - b.doc;
}
