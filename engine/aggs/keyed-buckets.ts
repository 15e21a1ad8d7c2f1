/**
 * Buckets of an aggregation whose keys are whole numbers (ordinals of terms, indexes of intervals): the bucket of a key within an
 * owning bucket. Within bucket 0, which is all there is for a top-level aggregation, a key below `dense` is its own bucket number.
 */
import { NumberTable } from "./number-table.js";

/** Keys per owning bucket that can be told apart; pairs stay below 2^53. */
const KEY_SPAN = 2 ** 32;

export class KeyedBuckets {
  readonly #pairs = new NumberTable();
  #byOwner: Map<number, number[]> | null = null;

  constructor(readonly dense: number) {}

  /** One more than the largest bucket number so far. */
  get bound(): number {
    return this.dense + this.#pairs.size;
  }

  /** The bucket of a key in an owning bucket. */
  bucket(owner: number, key: number): number {
    if (owner === 0 && key < this.dense) return key;
    return this.dense + this.#pairs.id(owner * KEY_SPAN + key);
  }

  /** Key of a bucket. */
  key(bucket: number): number {
    return bucket < this.dense ? bucket : this.#pairs.key(bucket - this.dense) % KEY_SPAN;
  }

  /** Buckets that an owner may have, in no order; dense ones may be empty. */
  ofOwner(owner: number): number[] {
    this.#byOwner ??= this.#group();
    const own = this.#byOwner.get(owner) ?? [];
    if (owner !== 0 || this.dense === 0) return own;
    return [...Array.from({ length: this.dense }, (_, i) => i), ...own];
  }

  #group(): Map<number, number[]> {
    const groups = new Map<number, number[]>();
    for (let id = 0; id < this.#pairs.size; id++) {
      const owner = Math.floor(this.#pairs.key(id) / KEY_SPAN);
      const group = groups.get(owner);
      if (group === undefined) groups.set(owner, [this.dense + id]);
      else group.push(this.dense + id);
    }
    return groups;
  }
}
