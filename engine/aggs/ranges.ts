/** Buckets by ranges of numbers or dates; a range includes its start and not its end. */
import type { Field } from "../mapping/field-table.js";
import { dateMillis, formatValue, printDouble } from "../mapping/values.js";
import type { LeafContext, ReaderContext } from "../query/exec/context.js";
import type { Scalar } from "../query/query.js";
import type { Bucket, RangeAggregation } from "./aggregation.js";
import { type Aggregator, bucketBound, type Collect, Counts } from "./aggregator.js";
import { numberReader } from "./column-values.js";
import { subResults } from "./results.js";
import { docAt, SubBatch, subCollects } from "./sub-batch.js";
import type { Surroundings } from "./surroundings.js";
import { asDate, readNumber, requireNumeric, valueSource } from "./value-source.js";

interface Bounds {
  readonly key: string | undefined;
  /** -Infinity: open. */
  readonly from: number;
  /** Infinity: open. */
  readonly to: number;
}

/** The aggregator of `range` and `date_range`. */
export function rangeAggregator(
  contexts: readonly ReaderContext[],
  aggregation: RangeAggregation,
  within: Pick<Surroundings, "subs" | "budget" | "charge">,
): Aggregator {
  const { subs, budget, charge } = within;
  const source = valueSource(contexts, aggregation.field, aggregation.kind);
  requireNumeric(source.field, aggregation.kind);
  const field = aggregation.kind === "date_range" ? asDate(source.field, aggregation.field) : source.field;
  const ranges = readRanges(contexts, field, aggregation);
  const counts = new Counts(charge);
  const print = printer(field, aggregation);
  return {
    leaf: (leaf) => collector(leaf, source.of(leaf.context), ranges, { counts, subs }),
    result: (owner) => {
      budget.take(ranges.length);
      const buckets = ranges.map((range, i) => {
        const bucket = owner < 0 ? owner : owner * ranges.length + i;
        return {
          ...shown(range, print),
          docCount: counts.get(bucket),
          aggs: subResults(subs, bucket),
        };
      });
      return { kind: aggregation.kind, keyed: aggregation.keyed, buckets };
    },
    metric: () => Number.NaN,
    inner: null,
  };
}

/** Ranges in the order in which they are shown: by start, then end. */
function readRanges(
  contexts: readonly ReaderContext[],
  field: Field | undefined,
  aggregation: RangeAggregation,
): Bounds[] {
  const read = (value: Scalar | undefined, open: number) =>
    value === undefined ? open : readBound(contexts, field, value, aggregation);
  const ranges = aggregation.ranges.map(({ key, from, to }) => ({
    key,
    from: read(from, Number.NEGATIVE_INFINITY),
    to: read(to, Number.POSITIVE_INFINITY),
  }));
  return ranges.sort((a, b) => compare(a.from, b.from) || compare(a.to, b.to));
}

function compare(a: number, b: number): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

function readBound(
  contexts: readonly ReaderContext[],
  field: Field | undefined,
  value: Scalar,
  aggregation: RangeAggregation,
): number {
  if (aggregation.kind === "range" || field?.type !== "date") return readNumber(value);
  const { clock } = contexts[0].environment;
  const { format, timeZone } = aggregation;
  return dateMillis(field, value, { rounding: "down", clock, format, timeZone });
}

type Print = (value: number) => string;

function printer(field: Field | undefined, aggregation: RangeAggregation): Print {
  if (field?.type === "date") return (value) => formatValue(field, value, aggregation.format, aggregation.timeZone);
  if (field !== undefined && aggregation.format !== undefined)
    return (value) => formatValue(field, value, aggregation.format);
  return printDouble;
}

function shown(range: Bounds, print: Print): Omit<Bucket, "docCount" | "aggs"> {
  const hasFrom = range.from !== Number.NEGATIVE_INFINITY;
  const hasTo = range.to !== Number.POSITIVE_INFINITY;
  const from = hasFrom ? print(range.from) : "*";
  const to = hasTo ? print(range.to) : "*";
  const strings = print !== printDouble;
  return {
    key: range.key ?? `${from}-${to}`,
    ...(hasFrom ? { from: range.from, ...(strings ? { fromAsString: from } : {}) } : {}),
    ...(hasTo ? { to: range.to, ...(strings ? { toAsString: to } : {}) } : {}),
  };
}

function collector(
  leaf: LeafContext,
  field: Field | undefined,
  ranges: readonly Bounds[],
  into: { counts: Counts; subs: ReadonlyMap<string, Aggregator> },
): Collect {
  const read = numberReader(leaf, field, null);
  const collects = subCollects(into.subs, leaf);
  const passed = new SubBatch(leaf.buffers);
  const width = ranges.length;
  // The last document put into each range, so that its further values don't count again.
  const last = new Int32Array(width);
  return (batch) => {
    const { values, index, count } = read(batch);
    const counts = into.counts.room(bucketBound(batch) * width);
    passed.reset(count * width);
    last.fill(-1);
    for (let i = 0; i < count; i++) {
      const at = index === null ? i : index[i];
      const first = (batch.buckets === null ? 0 : batch.buckets[at]) * width;
      for (let r = 0; r < width; r++) {
        if (values[i] < ranges[r].from || values[i] >= ranges[r].to || last[r] === at) continue;
        last[r] = at;
        counts[first + r]++;
        passed.docs[passed.count] = docAt(batch, at);
        passed.buckets[passed.count++] = first + r;
      }
    }
    passed.send(collects);
  };
}
