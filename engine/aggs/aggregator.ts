/**
 * How aggregations run. Documents flow through the tree in batches; each document carries the number of the bucket that owns it.
 * A bucket aggregation turns owning buckets into its own and passes the batch on. So nothing is called per document.
 */
import { EngineError } from "../errors.js";
import type { Charge, Ledger } from "../memory/index.js";
import type { LeafContext } from "../query/exec/context.js";
import type { AggregationResult } from "./aggregation.js";

/** Ascending documents of one leaf. A multi-valued field may put a document into several buckets: it then occurs several times. */
export interface Batch {
  /** null: consecutive documents from `first`. */
  readonly docs: Uint32Array | null;
  readonly first: number;
  readonly count: number;
  /** Owning bucket of each; null: bucket 0 owns all. */
  readonly buckets: Uint32Array | null;
}

/** Takes the batches of one leaf. What a batch holds is only valid during the call. */
export type Collect = (batch: Batch) => void;

/** One aggregation of the tree, over all leaves of all readers. */
export interface Aggregator {
  /** The collector of one leaf. */
  leaf(leaf: LeafContext): Collect;
  /**
   * Collects all documents of a leaf at once, for bucket 0, from what the segment knows without looking at them; false:
   * it can't, and the batches are to be collected. Only asked where no document of the leaf is deleted.
   */
  readonly whole?: (leaf: LeafContext) => boolean;
  /** What an owning bucket has; GAP or UNSEEN: a bucket without documents. */
  result(bucket: number): AggregationResult;
  /** A number to order buckets by: the metric itself, or one of its parts (`avg`). NaN: none. */
  metric(bucket: number, part: string | undefined): number;
  /** Sub-aggregations, when they live in the same buckets (`filter`, `missing`): for order paths such as `a>b`. */
  readonly inner: ReadonlyMap<string, Aggregator> | null;
}

/** In place of a bucket: an interval that only fills a gap. It has no buckets of its own but those of fixed ranges and filters. */
export const GAP = -1;

/** In place of a bucket: a term that no document has there (`min_doc_count: 0`). Below it such terms are shown in turn. */
export const UNSEEN = -2;

/** Most buckets that one response may have (Elasticsearch's `search.max_buckets`). */
export const MAX_BUCKETS = 65_536;

/** What a bucket of a response takes: its objects, and its part of the answer's text. */
const BUCKET_BYTES = 400;

/** Counts the buckets of a response. */
export class BucketBudget {
  #taken = 0;

  constructor(private readonly memory: Ledger) {}

  /** Throws `too_many_buckets` when a response would have more than MAX_BUCKETS, `circuit_breaking`. */
  take(count: number): void {
    this.#taken += count;
    if (this.#taken <= MAX_BUCKETS) {
      this.memory.charge(count * BUCKET_BYTES, "<buckets>");
      return;
    }
    throw new EngineError(
      "too_many_buckets",
      `Trying to create too many buckets. Must be less than or equal to: [${MAX_BUCKETS}] but was [${this.#taken}]. ` +
        "Ask for fewer: a larger interval, a smaller size, or a narrower query.",
      { maxBuckets: MAX_BUCKETS, buckets: this.#taken },
    );
  }
}

/** Numbers of documents (or of values) by bucket; they grow as buckets appear. */
export class Counts {
  #values = new Uint32Array(16);

  constructor(private readonly charge: Charge) {}

  /** The array, with room for `buckets`; take it anew after calling. */
  room(buckets: number): Uint32Array {
    if (buckets > this.#values.length) {
      const size = Math.max(buckets, this.#values.length * 2);
      this.charge((size - this.#values.length) * 4);
      const larger = new Uint32Array(size);
      larger.set(this.#values);
      this.#values = larger;
    }
    return this.#values;
  }

  get(bucket: number): number {
    return bucket >= 0 && bucket < this.#values.length ? this.#values[bucket] : 0;
  }
}

/**
 * Counts keys. Neighbours are mostly equal (time stamps) or not (terms): a run of equal ones is counted in a register, because
 * adding to one place in memory again and again waits for the store before it (3 ns against 1).
 */
export function countKeys(counts: Uint32Array, keys: Uint32Array, count: number): void {
  let i = 0;
  while (i < count) {
    const key = keys[i];
    const start = i++;
    while (i < count && keys[i] === key) i++;
    counts[key] += i - start;
  }
}

/** Largest owning bucket of a batch plus one. */
export function bucketBound(batch: Batch): number {
  if (batch.buckets === null) return 1;
  let largest = 0;
  for (let i = 0; i < batch.count; i++) if (batch.buckets[i] > largest) largest = batch.buckets[i];
  return largest + 1;
}
