/**
 * Buckets of an aggregation whose keys are whole numbers (ordinals of terms, numbers of intervals): which bucket a key has within
 * an owning bucket. Where there is but one owner (a top-level aggregation) the key is the bucket; else buckets are numbered
 * as pairs of owner and key appear.
 */
import type { Charge } from "../memory/index.js";
import { NumberTable } from "./number-table.js";

/** Keys per owning bucket that can be told apart; pairs stay below 2^53. */
const KEY_SPAN = 2 ** 32;

/** A bucket in the list of its owner. */
const LISTED_BYTES = 16;

/** Numbers the buckets of one aggregation. */
export class KeyedBuckets {
  readonly #pairs: NumberTable;
  #byOwner: Map<number, number[]> | null = null;

  constructor(
    readonly owners: "one" | "many",
    private readonly charge: Charge,
  ) {
    this.#pairs = new NumberTable(charge);
  }

  /** Number of pairs so far, when there are many owners. */
  get size(): number {
    return this.#pairs.size;
  }

  /** The bucket of a key in an owning bucket. */
  bucket(owner: number, key: number): number {
    return this.owners === "one" ? key : this.#pairs.id(owner * KEY_SPAN + key);
  }

  /** The bucket of a key in an owning bucket, -1 when it has none yet. */
  find(owner: number, key: number): number {
    return this.owners === "one" ? key : this.#pairs.find(owner * KEY_SPAN + key);
  }

  /** Visits the buckets that an owner may have, of `keys` keys; those of a single owner may be empty. */
  forEach(owner: number, keys: number, visit: (bucket: number, key: number) => void): void {
    if (owner < 0) return;
    if (this.owners === "one") {
      for (let key = 0; key < keys; key++) visit(key, key);
      return;
    }
    this.#byOwner ??= this.#group();
    for (const bucket of this.#byOwner.get(owner) ?? []) visit(bucket, this.#pairs.key(bucket) % KEY_SPAN);
  }

  #group(): Map<number, number[]> {
    this.charge(this.#pairs.size * LISTED_BYTES);
    const groups = new Map<number, number[]>();
    for (let id = 0; id < this.#pairs.size; id++) {
      const owner = Math.floor(this.#pairs.key(id) / KEY_SPAN);
      const group = groups.get(owner);
      if (group === undefined) groups.set(owner, [id]);
      else group.push(id);
    }
    return groups;
  }
}
