/**
 * Sums of doubles by bucket, exact and rounded once: the result does not depend on the order of adding, so segments and
 * slices don't show in it.
 *
 * Whole numbers are added as they are while sums stay below 2^52. Other values are cut into pieces on a fixed grid: bin j holds
 * multiples of 2^(26 j). A double has 53 bits, so three bins hold it, and a bin takes 2^27 pieces before it could round.
 * (The grid of "Reproducible summation", Demmel and Nguyen 2013, with bins that never overflow instead of top bins that round.)
 * Values outside of 2^-900 .. 2^900, and whole sums past 2^52, go to a big integer that counts in units of 2^-1074.
 */
import type { Charge } from "../memory/index.js";

const BIN_BITS = 26;
const WHOLE_LIMIT = 2 ** 52;
const HUGE = 2 ** 900;
const TINY = 2 ** -900;
/** Units of the big integer: the smallest double. */
const UNIT_BITS = 1074;
/** An entry with a big integer. */
const BIG_BYTES = 350;

/** Sums by bucket. */
export class ExactSums {
  #whole = new Float64Array(16);
  /** bins[bucket * binCount + (j - lowBin)] */
  #bins = new Float64Array(0);
  #lowBin = 0;
  #binCount = 0;
  #buckets = 16;
  #top = 0;
  readonly #big = new Map<number, bigint>();

  constructor(private readonly charge: Charge) {}

  /** Makes room for buckets below `buckets`. */
  room(buckets: number): void {
    if (buckets <= this.#buckets) return;
    const capacity = Math.max(buckets, this.#buckets * 2);
    this.charge((capacity - this.#buckets) * 8 * (1 + this.#binCount));
    const whole = new Float64Array(capacity);
    whole.set(this.#whole);
    this.#whole = whole;
    const bins = new Float64Array(capacity * this.#binCount);
    bins.set(this.#bins);
    this.#bins = bins;
    this.#buckets = capacity;
  }

  /** Adds values to the buckets that own them; there must be room. `buckets` null: all to bucket 0; `index`: see BatchValues. */
  addAll(values: Float64Array, count: number, index: Uint32Array | null, buckets: Uint32Array | null): void {
    const whole = this.#whole;
    // The sum of a run of one bucket's values stays in a register.
    let current = 0;
    let sum = whole[0];
    for (let i = 0; i < count; i++) {
      const bucket = buckets === null ? 0 : buckets[index === null ? i : index[i]];
      const value = values[i];
      if (bucket !== current) {
        whole[current] = sum;
        current = bucket;
        sum = whole[bucket];
      }
      const next = sum + value;
      if (Math.floor(value) === value && next < WHOLE_LIMIT && next > -WHOLE_LIMIT) {
        sum = next;
        continue;
      }
      whole[current] = sum;
      this.#addRare(bucket, value);
      sum = whole[current];
    }
    whole[current] = sum;
  }

  #addRare(bucket: number, value: number): void {
    const magnitude = Math.abs(value);
    if (Math.floor(value) === value && magnitude < WHOLE_LIMIT) {
      // The sum grows too large: what there is goes to the big integer, and begins anew.
      this.#addBig(bucket, this.#whole[bucket]);
      this.#whole[bucket] = value;
    } else if (Math.floor(value) === value || magnitude > HUGE || magnitude < TINY) this.#addBig(bucket, value);
    else this.#addFraction(bucket, value, magnitude);
  }

  #addBig(bucket: number, value: number): void {
    if (!this.#big.has(bucket)) this.charge(BIG_BYTES);
    this.#big.set(bucket, (this.#big.get(bucket) ?? 0n) + units(value));
  }

  #addFraction(bucket: number, value: number, magnitude: number): void {
    let top = this.#top;
    while (magnitude < POWERS[top + POWER_ZERO]) top--;
    while (magnitude >= POWERS[top + 1 + POWER_ZERO]) top++;
    this.#top = top;
    if (top - 2 < this.#lowBin || top >= this.#lowBin + this.#binCount) this.#widen(top - 2, top);
    const at = bucket * this.#binCount + top - this.#lowBin;
    const bins = this.#bins;
    // Adding and taking away a number 2^51 times larger rounds to a multiple of the bin's unit.
    const high = value + ROUNDERS[top + POWER_ZERO] - ROUNDERS[top + POWER_ZERO];
    bins[at] += high;
    const rest = value - high;
    const middle = rest + ROUNDERS[top - 1 + POWER_ZERO] - ROUNDERS[top - 1 + POWER_ZERO];
    bins[at - 1] += middle;
    bins[at - 2] += rest - middle;
  }

  /** Lays the bins out anew so that bins low..high are among them. */
  #widen(low: number, high: number): void {
    const lowBin = this.#binCount === 0 ? low : Math.min(low, this.#lowBin);
    const end = this.#binCount === 0 ? high + 1 : Math.max(high + 1, this.#lowBin + this.#binCount);
    const binCount = end - lowBin;
    this.charge(this.#buckets * (binCount - this.#binCount) * 8);
    const bins = new Float64Array(this.#buckets * binCount);
    for (let bucket = 0; bucket < this.#buckets; bucket++) {
      for (let j = 0; j < this.#binCount; j++) {
        bins[bucket * binCount + j + this.#lowBin - lowBin] = this.#bins[bucket * this.#binCount + j];
      }
    }
    this.#bins = bins;
    this.#lowBin = lowBin;
    this.#binCount = binCount;
  }

  /** The sum of a bucket, rounded to the nearest double. */
  value(bucket: number): number {
    if (bucket < 0 || bucket >= this.#buckets) return 0;
    const whole = this.#whole[bucket];
    const big = this.#big.get(bucket);
    if (this.#binCount === 0 && big === undefined) return whole;
    let sum = (big ?? 0n) + units(whole);
    for (let j = 0; j < this.#binCount; j++) sum += units(this.#bins[bucket * this.#binCount + j]);
    return fromUnits(sum);
  }
}

/** 2^(26 j) and 1.5 * 2^(52 + 26 j), at j + POWER_ZERO. */
const POWER_ZERO = 38;
const POWERS = Float64Array.from({ length: 2 * POWER_ZERO }, (_, i) => 2 ** ((i - POWER_ZERO) * BIN_BITS));
const ROUNDERS = POWERS.map((power) => power * 1.5 * 2 ** 52);

const view = new DataView(new ArrayBuffer(8));

/** A double as a count of 2^-1074. */
function units(value: number): bigint {
  view.setFloat64(0, value);
  const bits = view.getBigUint64(0);
  const exponent = Number((bits >> 52n) & 0x7ffn);
  const fraction = bits & 0xfffffffffffffn;
  const magnitude = exponent === 0 ? fraction : (fraction | 0x10000000000000n) << BigInt(exponent - 1);
  return value < 0 ? -magnitude : magnitude;
}

function fromUnits(sum: bigint): number {
  if (sum === 0n) return 0;
  const magnitude = sum < 0n ? -sum : sum;
  const excess = Math.max(0, magnitude.toString(16).length * 4 - 64);
  const shift = BigInt(excess);
  // The lowest bit remembers whether anything was cut off, so that ties round as the whole number would.
  const cut = magnitude >> shift;
  const kept = cut << shift === magnitude ? cut : cut | 1n;
  const value = Number(kept) * 2 ** (excess - UNIT_BITS / 2) * 2 ** (-UNIT_BITS / 2);
  return sum < 0n ? -value : value;
}
