/** All values by bucket, for what cannot be computed as they pass: kept whole and charged, eight bytes each. */
import type { Charge } from "../memory/index.js";
import type { Owned } from "./extremes.js";

const FIRST_VALUES = 16;
const EMPTY = new Float64Array(0);

interface List {
  values: Float64Array;
  count: number;
  sorted: boolean;
}

export class ValueLists {
  readonly #lists = new Map<number, List>();

  constructor(private readonly charge: Charge) {}

  /** Takes values in. */
  addAll({ values, index, count, buckets }: Owned): void {
    for (let i = 0; i < count; i++) {
      this.#add(buckets === null ? 0 : buckets[index === null ? i : index[i]], values[i]);
    }
  }

  /** The values of a bucket, ascending. */
  sorted(bucket: number): Float64Array {
    const list = this.#lists.get(bucket);
    if (list === undefined) return EMPTY;
    const filled = list.values.subarray(0, list.count);
    if (!list.sorted) filled.sort();
    list.sorted = true;
    return filled;
  }

  #add(bucket: number, value: number): void {
    let list = this.#lists.get(bucket);
    if (list === undefined) {
      this.charge(FIRST_VALUES * 8);
      list = { values: new Float64Array(FIRST_VALUES), count: 0, sorted: false };
      this.#lists.set(bucket, list);
    }
    if (list.count === list.values.length) {
      this.charge(list.count * 8);
      const larger = new Float64Array(list.count * 2);
      larger.set(list.values);
      list.values = larger;
    }
    list.values[list.count++] = value;
    list.sorted = false;
  }
}
