/**
 * Number of different values: exact, whatever the number (Elasticsearch estimates above its precision threshold). A value costs
 * about 20 bytes per bucket it occurs in, which are charged: past the `request` breaker the search is refused.
 */
import type { Charge } from "../memory/index.js";
import type { ReaderContext } from "../query/exec/context.js";
import { columnOf } from "../query/exec/uninverted.js";
import type { MetricAggregation } from "./aggregation.js";
import { type Aggregator, bucketBound, type Collect, Counts } from "./aggregator.js";
import { numberReader, ordinalReader } from "./column-values.js";
import { ExactKeys, hasUnsafe } from "./exact-keys.js";
import { KeyedBuckets } from "./keyed-buckets.js";
import { NumberTable } from "./number-table.js";
import { ordinalSpace } from "./ordinal-space.js";
import type { Surroundings } from "./surroundings.js";
import { isNumeric, missingNumber, type ValueSource, valueSource, wholeNumber } from "./value-source.js";

/** The aggregator of a number of different values. */
export function cardinality(
  aggregation: MetricAggregation,
  { contexts, charge }: Pick<Surroundings, "contexts" | "charge">,
): Aggregator {
  const source = valueSource(contexts, aggregation.field, "cardinality");
  const counts = new Counts(charge);
  const seen = new DistinctPairs(counts, charge);
  const numeric = source.field === undefined || isNumeric(source.field);
  const missing = missingValue(contexts, source, aggregation);
  const space = numeric ? null : ordinalSpace(contexts, source.of);
  const numbers = new NumberTable(charge);
  const exact = isLong(source) && hasUnsafe(contexts, source) ? new ExactKeys(charge) : null;
  const exactMissing = exact === null || aggregation.missing === undefined ? null : wholeNumber(aggregation.missing);
  return {
    leaf: (leaf) => {
      const field = source.of(leaf.context);
      if (exact !== null) return ordinalCollector(exact.reader(leaf, field, exactMissing), null, null, seen);
      if (space === null) return numberCollector(numberReader(leaf, field, missing), numbers, seen);
      const column = field === undefined ? null : columnOf(leaf, field);
      const toGlobal = space.toGlobal(leaf);
      const read = ordinalReader(leaf, column?.kind === "ordinals" ? column : null);
      const missingKey = aggregation.missing === undefined ? null : missingOrdinal(space, String(aggregation.missing));
      return ordinalCollector(read, toGlobal, missingKey, seen);
    },
    result: (bucket) => ({ kind: "cardinality", value: counts.get(bucket) }),
    metric: (bucket) => counts.get(bucket),
    inner: null,
  };
}

function isLong({ field }: ValueSource): boolean {
  return field?.type === "long" || field?.type === "unsigned_long";
}

/** What stands for missing values of numbers; of a field that no index has any one value does. */
function missingValue(
  contexts: readonly ReaderContext[],
  source: ValueSource,
  { missing }: MetricAggregation,
): number | null {
  if (source.field === undefined) return missing === undefined ? null : 0;
  return missingNumber(contexts, source.field, missing);
}

/** The ordinal of a term, or one past the last when no document has it. */
function missingOrdinal(space: { size: number; term(ordinal: number): Uint8Array }, text: string): number {
  const wanted = Buffer.from(text, "utf8");
  for (let ordinal = 0; ordinal < space.size; ordinal++) {
    if (Buffer.compare(space.term(ordinal), wanted) === 0) return ordinal;
  }
  return space.size;
}

/** Pairs (bucket, value) seen so far; the first sight of one counts. */
class DistinctPairs {
  readonly #pairs: KeyedBuckets;
  readonly #counts: Counts;

  constructor(counts: Counts, charge: Charge) {
    this.#pairs = new KeyedBuckets("many", charge);
    this.#counts = counts;
  }

  room(buckets: number): void {
    this.#counts.room(buckets);
  }

  see(bucket: number, value: number): void {
    const before = this.#pairs.size;
    if (this.#pairs.bucket(bucket, value) >= before) this.#counts.room(bucket + 1)[bucket]++;
  }
}

function numberCollector(read: ReturnType<typeof numberReader>, numbers: NumberTable, seen: DistinctPairs): Collect {
  return (batch) => {
    seen.room(bucketBound(batch));
    const { values, index, count } = read(batch);
    const { buckets } = batch;
    for (let i = 0; i < count; i++) {
      seen.see(buckets === null ? 0 : buckets[index === null ? i : index[i]], numbers.id(values[i]));
    }
  };
}

function ordinalCollector(
  read: ReturnType<typeof ordinalReader>,
  toGlobal: Uint32Array | null,
  missingKey: number | null,
  seen: DistinctPairs,
): Collect {
  return (batch) => {
    seen.room(bucketBound(batch));
    const { values, index, count } = read(batch);
    const { buckets } = batch;
    for (let i = 0; i < count; i++) {
      const global = toGlobal === null ? values[i] : toGlobal[values[i]];
      seen.see(buckets === null ? 0 : buckets[index === null ? i : index[i]], global);
    }
    if (missingKey === null || index === null) return;
    let at = 0;
    for (let i = 0; i < batch.count; i++) {
      const has = at < count && index[at] === i;
      while (at < count && index[at] === i) at++;
      if (!has) seen.see(buckets === null ? 0 : buckets[i], missingKey);
    }
  };
}
