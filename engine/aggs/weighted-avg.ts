/** Averages of values that count as much as another field of their document says. */
import { EngineError } from "../errors.js";
import type { AggregationResult, WeightedAvgAggregation } from "./aggregation.js";
import { type Aggregator, bucketBound, type Collect } from "./aggregator.js";
import { numberReader, type ReadNumbers } from "./column-values.js";
import { ExactSums } from "./exact-sums.js";
import { numberPrinter } from "./number-printer.js";
import type { Surroundings } from "./surroundings.js";
import { missingNumber, requireNumeric, type ValueSource, valueSource } from "./value-source.js";

interface Sums {
  readonly weighted: ExactSums;
  readonly weights: ExactSums;
}

/** The aggregator of a weighted average: each value of a document counts with the document's one weight. */
export function weightedAvg(
  aggregation: WeightedAvgAggregation,
  { contexts, charge }: Pick<Surroundings, "contexts" | "charge">,
): Aggregator {
  const part = ({ field, missing }: WeightedAvgAggregation["value"]) => {
    const source = valueSource(contexts, field, aggregation.kind);
    requireNumeric(source.field, aggregation.kind);
    return { source, missing: missingNumber(contexts, source.field, missing) };
  };
  const [value, weight] = [part(aggregation.value), part(aggregation.weight)];
  const sums: Sums = { weighted: new ExactSums(charge), weights: new ExactSums(charge) };
  const print = numberPrinter(value.source.field, aggregation.format);
  const average = (bucket: number) => sums.weighted.value(bucket) / sums.weights.value(bucket);
  const reader = (of: { source: ValueSource; missing: number | null }, leaf: Parameters<Aggregator["leaf"]>[0]) =>
    numberReader(leaf, of.source.of(leaf.context), of.missing);
  return {
    leaf: (leaf) => collector(reader(value, leaf), reader(weight, leaf), sums),
    result: (bucket): AggregationResult => {
      const found = average(bucket);
      if (!Number.isFinite(found)) return { kind: "weighted_avg", value: null };
      const text = print === null ? {} : { valueAsString: print(found) };
      return { kind: "weighted_avg", value: found, ...text };
    },
    metric: average,
    inner: null,
  };
}

function collector(readValues: ReadNumbers, readWeights: ReadNumbers, sums: Sums): Collect {
  let weights = new Float64Array(0);
  return (batch) => {
    if (weights.length < batch.count) weights = new Float64Array(batch.count);
    weights.fill(Number.NaN, 0, batch.count);
    const given = readWeights(batch);
    for (let i = 0; i < given.count; i++) {
      const doc = given.index === null ? i : given.index[i];
      if (!Number.isNaN(weights[doc])) throw severalWeights();
      weights[doc] = given.values[i];
    }
    const { values, index, count } = readValues(batch);
    const kept = weighted(values, { weights, index, count });
    const bound = bucketBound(batch);
    sums.weighted.room(bound);
    sums.weights.room(bound);
    sums.weighted.addAll(kept.products, kept.count, kept.index, batch.buckets);
    sums.weights.addAll(kept.weights, kept.count, kept.index, batch.buckets);
  };
}

/** Values with a weight, and the weights. */
function weighted(
  values: Float64Array,
  { weights, index, count }: { weights: Float64Array; index: Uint32Array | null; count: number },
) {
  const products = new Float64Array(count);
  const own = new Float64Array(count);
  const docs = new Uint32Array(count);
  let kept = 0;
  for (let i = 0; i < count; i++) {
    const doc = index === null ? i : index[i];
    if (Number.isNaN(weights[doc])) continue;
    products[kept] = values[i] * weights[doc];
    own[kept] = weights[doc];
    docs[kept++] = doc;
  }
  return { products, weights: own, index: docs, count: kept };
}

function severalWeights(): EngineError {
  return new EngineError(
    "invalid_value",
    "Encountered more than one weight for a single document. Use a script to combine multiple weights-per-doc into a single value.",
  );
}
