/** Buckets by intervals, of numbers or of time. */
import { formatDecimal } from "../mapping/number-format.js";
import { formatValue } from "../mapping/values.js";
import type { LeafContext, ReaderContext } from "../query/exec/context.js";
import type { Scalar } from "../query/query.js";
import type { Bucket, DateHistogramAggregation, HistogramAggregation } from "./aggregation.js";
import { type Aggregator, type Collect, Counts, countKeys, GAP, MAX_BUCKETS } from "./aggregator.js";
import { numberReader, type ReadNumbers } from "./column-values.js";
import { KeyedBuckets } from "./keyed-buckets.js";
import { bucketComparator } from "./order.js";
import { subResults } from "./results.js";
import { dateRounding, type Rounding } from "./rounding.js";
import { Starts, type ValueRange } from "./starts.js";
import { docAt, SubBatch, subCollects } from "./sub-batch.js";
import type { Surroundings } from "./surroundings.js";
import { asDate, missingNumber, requireNumeric, type ValueSource, valueSource } from "./value-source.js";
import { BLOCK_ROWS, blockRanges } from "./whole-leaf.js";

type Histogram = DateHistogramAggregation | HistogramAggregation;

interface State {
  readonly aggregation: Histogram;
  readonly within: Surroundings;
  readonly rounding: Rounding;
  readonly starts: Starts;
  readonly buckets: KeyedBuckets;
  readonly counts: Counts;
  readonly show: (start: number) => Pick<Bucket, "key" | "keyAsString">;
  readonly bounds: { min: number | undefined; max: number | undefined };
}

/** The aggregator of intervals of time. */
export function dateHistogram(aggregation: DateHistogramAggregation, within: Surroundings): Aggregator {
  const source = valueSource(within.contexts, aggregation.field, aggregation.kind);
  requireNumeric(source.field, "date_histogram");
  const field = asDate(source.field, aggregation.field);
  const { format, timeZone } = aggregation;
  const show = (start: number) => ({ key: start, keyAsString: formatValue(field, start, format, timeZone) });
  const read = (value: Scalar | undefined) =>
    missingNumber(within.contexts, field, value, { format, timeZone }) ?? undefined;
  const bounds = { min: read(aggregation.extendedBounds?.min), max: read(aggregation.extendedBounds?.max) };
  const rounding = dateRounding(aggregation);
  const missing = read(aggregation.missing) ?? null;
  return histogramAggregator(aggregation, source, within, { rounding, show, bounds, missing });
}

/** The aggregator of intervals of numbers. */
export function numberHistogram(aggregation: HistogramAggregation, within: Surroundings): Aggregator {
  const source = valueSource(within.contexts, aggregation.field, aggregation.kind);
  requireNumeric(source.field, "histogram");
  const { interval, offset, format } = aggregation;
  const index = (value: number) => Math.floor((value - offset) / interval);
  const round = (value: number) => index(value) * interval + offset;
  const rounding: Rounding = {
    round,
    bound: round,
    next: (start) => Math.round((start - offset) / interval + 1) * interval + offset,
    regular: { length: interval, origin: offset },
  };
  const show = (start: number) =>
    format === undefined ? { key: start } : { key: start, keyAsString: formatDecimal(start, format) };
  const bounds = { min: aggregation.extendedBounds?.min, max: aggregation.extendedBounds?.max };
  const missing = missingNumber(within.contexts, source.field, aggregation.missing);
  return histogramAggregator(aggregation, source, within, { rounding, show, bounds, missing });
}

function histogramAggregator(
  aggregation: Histogram,
  source: ValueSource,
  within: Surroundings,
  parts: Pick<State, "rounding" | "show" | "bounds"> & { missing: number | null },
): Aggregator {
  const { missing, ...shown } = parts;
  const state: State = {
    aggregation,
    within,
    ...shown,
    starts: new Starts(parts.rounding, valueRange(within.contexts, source, missing), within.charge),
    buckets: new KeyedBuckets(within.owners, within.charge),
    counts: new Counts(within.charge),
  };
  return {
    leaf: (leaf) => collector(numberReader(leaf, source.of(leaf.context), missing), state, leaf),
    whole: (leaf) => within.subs.size === 0 && within.owners === "one" && countBlocks(leaf, source, state),
    result: (owner) => ({ kind: aggregation.kind, keyed: aggregation.keyed, buckets: resultBuckets(state, owner) }),
    metric: () => Number.NaN,
    inner: null,
  };
}

/** The values of the columns, and the missing one. */
function valueRange(contexts: readonly ReaderContext[], source: ValueSource, missing: number | null): ValueRange {
  let min = missing ?? Number.POSITIVE_INFINITY;
  let max = missing ?? Number.NEGATIVE_INFINITY;
  let whole = missing === null || Number.isInteger(missing);
  for (const context of contexts) {
    const field = source.of(context);
    if (field === undefined) continue;
    for (const leaf of context.leaves) {
      const column = leaf.segment.column(field);
      if (column === null || column.kind === "ordinals") continue;
      const shown = (value: number | bigint) =>
        field.type === "date_nanos" ? Math.floor(Number(value) / 1e6) : Number(value);
      min = Math.min(min, shown(column.min));
      max = Math.max(max, shown(column.max));
      whole &&= column.kind === "long";
    }
  }
  return { min, max, whole };
}

/** Counts blocks that lie in one interval by their number of rows, as nearly all do in columns that follow time. */
function countBlocks(leaf: LeafContext, source: ValueSource, state: State): boolean {
  const field = source.of(leaf.context);
  const ranges = field === undefined ? null : blockRanges(leaf, field);
  if (ranges === null) return false;
  const { starts, counts } = state;
  const blocks = ranges.min.length;
  const [low, high] = [new Uint32Array(blocks), new Uint32Array(blocks)];
  starts.number(ranges.min, blocks, low);
  starts.number(ranges.max, blocks, high);
  const collect = collector(numberReader(leaf, field, null), state, leaf);
  for (let block = 0; block < blocks; block++) {
    const first = block * BLOCK_ROWS;
    const count = Math.min(BLOCK_ROWS, leaf.docCount - first);
    if (low[block] === high[block]) counts.room(starts.size)[low[block]] += count;
    else collect({ docs: null, first, count, buckets: null });
  }
  return true;
}

function collector(read: ReadNumbers, state: State, leaf: LeafContext): Collect {
  const { starts, buckets, counts, within } = state;
  const collects = subCollects(within.subs, leaf);
  const passed = new SubBatch(leaf.buffers);
  let keys = leaf.buffers.words();
  return (batch) => {
    const { values, index, count } = read(batch);
    if (keys.length < count) keys = new Uint32Array(count);
    starts.number(values, count, keys);
    if (buckets.owners === "one" && index === null) {
      countKeys(counts.room(starts.size), keys, count);
      const owned = { docs: batch.docs, first: batch.first, count, buckets: keys };
      for (const collect of collects) collect(owned);
      return;
    }
    passed.reset(count);
    for (let i = 0; i < count; i++) {
      const at = index === null ? i : index[i];
      // Further values of a document in the same interval don't count again.
      if (index !== null && i > 0 && index[i - 1] === at && keys[i - 1] === keys[i]) continue;
      passed.docs[passed.count] = docAt(batch, at);
      passed.buckets[passed.count++] = buckets.bucket(batch.buckets === null ? 0 : batch.buckets[at], keys[i]);
    }
    countKeys(counts.room(buckets.owners === "one" ? starts.size : buckets.size), passed.buckets, passed.count);
    passed.send(collects);
  };
}

interface Found {
  start: number;
  bucket: number;
  docCount: number;
}

function resultBuckets(state: State, owner: number): Bucket[] {
  const { aggregation, within, show } = state;
  let found = countedBuckets(state, owner);
  if (aggregation.minDocCount === 0) found = fillGaps(state, found);
  within.budget.take(found.length);
  if (aggregation.order !== undefined) {
    const compare = bucketComparator(aggregation.order, within.subs);
    const ranked = found.map((one, rank) => ({ rank, ...one }));
    found = ranked.sort(compare);
  }
  return found.map(({ start, bucket, docCount }) => ({
    ...show(start),
    docCount,
    aggs: subResults(within.subs, bucket),
  }));
}

/** Buckets with documents, by start. */
function countedBuckets(state: State, owner: number): Found[] {
  const { buckets, counts, starts, aggregation } = state;
  const found: Found[] = [];
  const least = Math.max(1, aggregation.minDocCount);
  buckets.forEach(owner, starts.size, (bucket, key) => {
    const docCount = counts.get(bucket);
    if (docCount >= least) found.push({ start: starts.start(key), bucket, docCount });
  });
  return found.sort((a, b) => a.start - b.start);
}

/** Empty buckets between the first and the last, and out to the extended bounds. */
function fillGaps(state: State, found: readonly Found[]): Found[] {
  const { rounding, bounds, within } = state;
  const low = bounds.min === undefined ? Number.POSITIVE_INFINITY : rounding.bound(bounds.min);
  const high = bounds.max === undefined ? Number.NEGATIVE_INFINITY : rounding.bound(bounds.max);
  const first = Math.min(low, found[0]?.start ?? high);
  const last = Math.max(high, found.at(-1)?.start ?? low);
  if (!Number.isFinite(first) || !Number.isFinite(last) || first > last) return [...found];
  const filled: Found[] = [];
  let at = 0;
  for (let start = first; start <= last; start = rounding.next(start)) {
    if (filled.length > MAX_BUCKETS) within.budget.take(filled.length);
    if (at < found.length && found[at].start <= start) filled.push(found[at++]);
    else filled.push({ start, bucket: GAP, docCount: 0 });
  }
  return filled;
}
