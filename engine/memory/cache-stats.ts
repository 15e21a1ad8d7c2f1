/** How the bitsets of filters did for an index. */
export interface FilterCacheStats {
  readonly bytes: number;
  /** Bitsets kept now. */
  readonly entries: number;
  /** Bitsets that were ever kept. */
  readonly kept: number;
  readonly hits: number;
  readonly misses: number;
}

/** What is kept with readers of an index. */
export interface ReaderCacheStats {
  readonly bytes: number;
  /** Values that were dropped for want of room. */
  readonly evictions: number;
  readonly byField: Readonly<Record<string, number>>;
}
