/** The order of buckets: by count, key, or a metric of theirs. */
import { EngineError } from "../errors.js";
import type { Aggregator } from "./aggregator.js";

/** One key of an order: `_count`, `_key`, or a path to a metric. */
export interface OrderKey {
  by: string;
  direction: "asc" | "desc";
}

/** What a bucket is compared by besides its metrics. */
export interface Ordered {
  readonly bucket: number;
  readonly docCount: number;
  /** Place of the key among all keys, ascending. */
  readonly rank: number;
}

/** Compares buckets by the keys in turn, ties by key ascending. Throws `invalid_value` for a path that leads nowhere. */
export function bucketComparator(
  order: readonly OrderKey[],
  subs: ReadonlyMap<string, Aggregator>,
): (a: Ordered, b: Ordered) => number {
  const comparators = order.map(({ by, direction }) => {
    const sign = direction === "desc" ? -1 : 1;
    if (by === "_count") return (a: Ordered, b: Ordered) => sign * (a.docCount - b.docCount);
    if (by === "_key" || by === "_term") return (a: Ordered, b: Ordered) => sign * (a.rank - b.rank);
    return metricComparator(metricPath(by, subs), sign);
  });
  return (a, b) => {
    for (const compare of comparators) {
      const result = compare(a, b);
      if (result !== 0) return result;
    }
    return a.rank - b.rank;
  };
}

/** Buckets without a value come last in either direction. */
function metricComparator(value: (bucket: number) => number, sign: number): (a: Ordered, b: Ordered) => number {
  const known = new Map<number, number>();
  const read = (bucket: number) => {
    let metric = known.get(bucket);
    if (metric === undefined) {
      metric = value(bucket);
      known.set(bucket, metric);
    }
    return metric;
  };
  return (a, b) => {
    const [x, y] = [read(a.bucket), read(b.bucket)];
    if (Number.isNaN(x) || Number.isNaN(y)) return (Number.isNaN(x) ? 1 : 0) - (Number.isNaN(y) ? 1 : 0);
    return x === y ? 0 : sign * (x < y ? -1 : 1);
  };
}

function metricPath(path: string, subs: ReadonlyMap<string, Aggregator>): (bucket: number) => number {
  const steps = path.split(">");
  let level: ReadonlyMap<string, Aggregator> | null = subs;
  for (const [i, step] of steps.entries()) {
    const last = i === steps.length - 1;
    const dot: number = last && level?.get(step) === undefined ? step.lastIndexOf(".") : -1;
    const name: string = dot < 0 ? step : step.slice(0, dot);
    const found: Aggregator | undefined = level?.get(name);
    if (found === undefined) throw unknownPath(path, name);
    if (last) return (bucket) => found.metric(bucket, dot < 0 ? undefined : step.slice(dot + 1));
    level = found.inner;
  }
  throw unknownPath(path, path);
}

function unknownPath(path: string, name: string): EngineError {
  return new EngineError(
    "invalid_value",
    `Invalid aggregation order path [${path}]. The provided aggregation [${name}] either does not exist, or is a pipeline aggregation and cannot be used to sort the buckets.`,
    { path },
  );
}
