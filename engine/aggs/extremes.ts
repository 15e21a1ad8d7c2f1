import type { Charge } from "../memory/index.js";

/** Values with the buckets that own them; `buckets` null: all in bucket 0; `index`: see BatchValues. */
export interface Owned {
  readonly values: Float64Array;
  readonly index: Uint32Array | null;
  readonly count: number;
  readonly buckets: Uint32Array | null;
}

/** Smallest and largest values by bucket. */
export class Extremes {
  #minima = new Float64Array(16).fill(Number.POSITIVE_INFINITY);
  #maxima = new Float64Array(16).fill(Number.NEGATIVE_INFINITY);

  constructor(private readonly charge: Charge) {}

  /** Takes values in; all buckets are below `bound`. */
  addAll(bound: number, { values, index, count, buckets }: Owned): void {
    this.#room(bound);
    // The extremes of a run of one bucket's values stay in registers.
    let current = 0;
    let low = this.#minima[0];
    let high = this.#maxima[0];
    for (let i = 0; i < count; i++) {
      const bucket = buckets === null ? 0 : buckets[index === null ? i : index[i]];
      if (bucket !== current) {
        this.#minima[current] = low;
        this.#maxima[current] = high;
        current = bucket;
        low = this.#minima[bucket];
        high = this.#maxima[bucket];
      }
      const value = values[i];
      if (value < low) low = value;
      if (value > high) high = value;
    }
    this.#minima[current] = low;
    this.#maxima[current] = high;
  }

  #room(buckets: number): void {
    if (buckets <= this.#minima.length) return;
    const size = Math.max(buckets, this.#minima.length * 2);
    this.charge((size - this.#minima.length) * 16);
    const minima = new Float64Array(size).fill(Number.POSITIVE_INFINITY);
    const maxima = new Float64Array(size).fill(Number.NEGATIVE_INFINITY);
    minima.set(this.#minima);
    maxima.set(this.#maxima);
    this.#minima = minima;
    this.#maxima = maxima;
  }

  /** Infinity when the bucket has no value. */
  min(bucket: number): number {
    return bucket >= 0 && bucket < this.#minima.length ? this.#minima[bucket] : Number.POSITIVE_INFINITY;
  }

  /** -Infinity when the bucket has no value. */
  max(bucket: number): number {
    return bucket >= 0 && bucket < this.#maxima.length ? this.#maxima[bucket] : Number.NEGATIVE_INFINITY;
  }
}
