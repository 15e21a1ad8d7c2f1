/** Buckets by the values of a field. Counts are exact: there is one shard, and segments share their keys. */
import type { Charge } from "../memory/index.js";
import type { LeafContext, ReaderContext } from "../query/exec/context.js";
import type { AggregationResult, Bucket, TermsAggregation } from "./aggregation.js";
import { type Aggregator, type Batch, type BucketBudget, type Collect, Counts, GAP, UNSEEN } from "./aggregator.js";
import { bitBatches, denseBatches } from "./batches.js";
import { KeyedBuckets } from "./keyed-buckets.js";
import { bucketComparator, type Ordered } from "./order.js";
import { subResults } from "./results.js";
import { docAt, SubBatch, subCollects } from "./sub-batch.js";
import type { Surroundings } from "./surroundings.js";
import { type ReadKeys, type TermKeys, termKeys } from "./term-keys.js";
import { valueSource } from "./value-source.js";

type Subs = ReadonlyMap<string, Aggregator>;

/** The aggregator of buckets by value. */
export function termsAggregator(aggregation: TermsAggregation, within: Surroundings): Aggregator {
  const { contexts, subs, budget, charge } = within;
  const source = valueSource(contexts, aggregation.field, "terms");
  const keys = termKeys(source, aggregation, within);
  const state: State = {
    keys,
    buckets: new KeyedBuckets(within.owners, charge),
    counts: new Counts(charge),
    subs,
    charge,
  };
  let everyKey: readonly number[] | null = null;
  const emptyKeys = () => {
    everyKey ??= aggregation.minDocCount === 0 ? liveKeys(contexts, keys, charge) : [];
    return everyKey;
  };
  return {
    leaf: (leaf) => collector(keys.reader(leaf), state, leaf),
    whole: (leaf) => subs.size === 0 && within.owners === "one" && keys.countAll(leaf, state.counts.room(keys.size())),
    result: (owner) => termsResult(aggregation, state, owner, { emptyKeys: emptyKeys(), budget }),
    metric: () => Number.NaN,
    inner: null,
  };
}

interface State {
  readonly keys: TermKeys;
  readonly buckets: KeyedBuckets;
  readonly counts: Counts;
  readonly subs: Subs;
  readonly charge: Charge;
}

function collector(read: ReadKeys, state: State, leaf: LeafContext): Collect {
  const { keys, buckets, counts, subs } = state;
  const collects = subCollects(subs, leaf);
  const passed = new SubBatch(leaf.buffers);
  if (buckets.owners === "one") return singleOwner(read, { keys, counts, collects, passed });
  return (batch) => {
    const found = read(batch);
    passed.reset(found.count);
    for (let i = 0; i < found.count; i++) {
      const at = found.index === null ? i : found.index[i];
      passed.docs[i] = docAt(batch, at);
      passed.buckets[i] = buckets.bucket(batch.buckets === null ? 0 : batch.buckets[at], found.values[i]);
    }
    passed.count = found.count;
    const all = counts.room(buckets.size);
    for (let i = 0; i < found.count; i++) all[passed.buckets[i]]++;
    passed.send(collects);
  };
}

/** Keys are the buckets: nothing to look up. */
function singleOwner(
  read: ReadKeys,
  into: { keys: TermKeys; counts: Counts; collects: readonly Collect[]; passed: SubBatch },
): Collect {
  const { keys, counts, collects, passed } = into;
  return (batch) => {
    const { values, index, count } = read(batch);
    countScattered(counts.room(keys.size()), values, count);
    if (collects.length === 0) return;
    if (index === null) {
      const owned: Batch = { docs: batch.docs, first: batch.first, count, buckets: values };
      for (const collect of collects) collect(owned);
      return;
    }
    passed.reset(count);
    for (let i = 0; i < count; i++) {
      passed.docs[i] = docAt(batch, index[i]);
      passed.buckets[i] = values[i];
    }
    passed.count = count;
    passed.send(collects);
  };
}

/** Terms of neighbours mostly differ: no runs to look for. */
function countScattered(counts: Uint32Array, keys: Uint32Array, count: number): void {
  for (let i = 0; i < count; i++) counts[keys[i]]++;
}

/** A number in a set. */
const SEEN_BYTES = 40;

/** Keys of all live documents, whether or not the query matches them: what `min_doc_count: 0` shows. */
function liveKeys(contexts: readonly ReaderContext[], keys: TermKeys, charge: Charge): number[] {
  const seen = new Set<number>();
  for (const context of contexts) {
    for (const leaf of context.leaves) {
      const read = keys.reader(leaf);
      const batches = leaf.leaf.live === null ? denseBatches(leaf.docCount) : bitBatches(leaf.leaf.live, leaf.buffers);
      for (const batch of batches) {
        const { values, count } = read(batch);
        const before = seen.size;
        for (let i = 0; i < count; i++) seen.add(values[i]);
        charge((seen.size - before) * SEEN_BYTES);
      }
    }
  }
  return [...seen];
}

function termsResult(
  aggregation: TermsAggregation,
  state: State,
  owner: number,
  more: { emptyKeys: readonly number[]; budget: BucketBudget },
): AggregationResult {
  const { keys, subs } = state;
  const chosen = new FirstInOrder(aggregation, state);
  offerCounted(aggregation, state, owner, chosen);
  // A bucket that only fills a gap stays empty, as in Elasticsearch.
  if (aggregation.minDocCount === 0 && owner !== GAP) offerEmpty(state, owner, more.emptyKeys, chosen);
  const ordered = chosen.sorted();
  more.budget.take(ordered.length);
  const buckets = ordered.map(
    ({ bucket, docCount, key }): Bucket => ({ ...keys.show(key), docCount, aggs: subResults(subs, bucket) }),
  );
  if (aggregation.maxDocCount !== undefined) return { kind: "rare_terms", keyType: keys.type, buckets };
  const shown = ordered.reduce((sum, bucket) => sum + bucket.docCount, 0);
  return {
    kind: "terms",
    keyType: keys.type,
    buckets,
    sumOtherDocCount: chosen.total - shown,
    docCountErrorUpperBound: 0,
  };
}

function offerCounted(aggregation: TermsAggregation, state: State, owner: number, chosen: FirstInOrder): void {
  const { keys, buckets, counts } = state;
  const least = Math.max(1, aggregation.minDocCount);
  const most = aggregation.maxDocCount ?? Number.POSITIVE_INFINITY;
  buckets.forEach(owner, keys.size(), (bucket, key) => {
    const docCount = counts.get(bucket);
    if (docCount >= least && docCount <= most && keys.accepts(key)) chosen.offer(bucket, key, docCount, keys);
  });
}

function offerEmpty(state: State, owner: number, emptyKeys: readonly number[], chosen: FirstInOrder): void {
  const { keys, buckets, counts } = state;
  for (const key of emptyKeys) {
    const found = owner < 0 ? UNSEEN : buckets.find(owner, key);
    const bucket = found < 0 ? UNSEEN : found;
    if (counts.get(bucket) === 0 && keys.accepts(key)) chosen.offer(bucket, key, 0, keys);
  }
}

interface Candidate extends Ordered {
  readonly key: number;
}

/** A kept candidate, and how many are charged at once. */
const CANDIDATE_BYTES = 80;
const CHARGED_TOGETHER = 1024;

/** The first `size` buckets in order, kept sorted; there may be a million candidates. */
class FirstInOrder {
  /** Documents in all buckets offered. */
  total = 0;
  readonly #kept: Candidate[] = [];
  readonly #size: number;
  readonly #compare: (a: Ordered, b: Ordered) => number;
  readonly #byCount: boolean;

  readonly #charge: Charge;

  constructor(aggregation: TermsAggregation, { subs, charge }: State) {
    this.#charge = charge;
    this.#size = aggregation.size;
    this.#compare = bucketComparator(aggregation.order, subs);
    const [first] = aggregation.order;
    this.#byCount = first === undefined || (first.by === "_count" && first.direction === "desc");
  }

  offer(bucket: number, key: number, docCount: number, keys: TermKeys): void {
    this.total += docCount;
    const last = this.#kept.at(-1);
    const full = this.#kept.length >= this.#size;
    if (full && (last === undefined || (this.#byCount && docCount < last.docCount))) return;
    const candidate = { bucket, key, docCount, rank: keys.rank(key) };
    if (full && last !== undefined && this.#compare(candidate, last) >= 0) return;
    let low = 0;
    let high = this.#kept.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.#compare(this.#kept[middle], candidate) < 0) low = middle + 1;
      else high = middle;
    }
    if (this.#kept.length % CHARGED_TOGETHER === 0) this.#charge(CHARGED_TOGETHER * CANDIDATE_BYTES);
    this.#kept.splice(low, 0, candidate);
    if (this.#kept.length > this.#size) this.#kept.pop();
  }

  sorted(): readonly Candidate[] {
    return this.#kept;
  }
}
