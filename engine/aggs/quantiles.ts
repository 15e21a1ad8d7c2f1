/**
 * Values at given places of a sorted list. All values are there, so nothing is estimated: what Elasticsearch's two methods
 * give while they still hold every value is given for any number of them.
 */

/**
 * The value at a share of the list, as a t-digest whose centroids are single values has it (AVLTreeDigest.quantile of
 * t-digest 3.2): value i stands at i + 1/2, between two of them it is interpolated. NaN for an empty list.
 */
export function interpolated(sorted: Float64Array, share: number): number {
  const { length } = sorted;
  if (length === 0) return Number.NaN;
  const place = share * length - 0.5;
  if (place <= 0) return sorted[0];
  if (place >= length - 1) return sorted[length - 1];
  const below = Math.floor(place);
  const part = place - below;
  return sorted[below] * (1 - part) + sorted[below + 1] * part;
}

/**
 * The value at a share of the list as an HDR histogram has it (DoubleHistogram.getValueAtPercentile): the largest value that
 * it cannot tell from the one there. So many decimal digits are kept; a unit is the finest step at the smallest value.
 */
export function quantized(sorted: Float64Array, share: number, digits: number): number {
  if (sorted.length === 0) return Number.NaN;
  const at = Math.max(1, Math.ceil(share * sorted.length)) - 1;
  const value = sorted[Math.min(at, sorted.length - 1)];
  const smallest = sorted.find((one) => one > 0);
  if (smallest === undefined || value <= 0) return value;
  const half = 2 ** (Math.ceil(Math.log2(2 * 10 ** digits)) - 1);
  const unit = 2 ** Math.floor(Math.log2(smallest)) / half;
  const units = Math.floor(value / unit);
  const size = 2 ** Math.max(0, Math.floor(Math.log2(units)) - Math.log2(half));
  const highest = (Math.floor(units / size) + 1) * size - 1;
  return share === 0 ? Math.floor(units / size) * size * unit : highest * unit;
}

/** Half of the values lie nearer to their median than this. NaN for an empty list. */
export function medianAbsoluteDeviation(sorted: Float64Array): number {
  const median = interpolated(sorted, 0.5);
  return interpolated(sorted.map((value) => Math.abs(value - median)).sort(), 0.5);
}
