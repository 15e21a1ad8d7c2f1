/** The aggregations of one search: collected leaf by leaf beside the hits, shown at the end. */
import { UNLIMITED } from "../memory/index.js";
import type { LeafContext, ReaderContext } from "../query/exec/context.js";
import type { Steps } from "../query/exec/pace.js";
import type { Aggregation, AggregationResult } from "./aggregation.js";
import { type Aggregator, type Batch, BucketBudget } from "./aggregator.js";
import { bitBatches, denseBatches } from "./batches.js";
import { createAll } from "./create.js";
import { subResults } from "./results.js";

/** The aggregations of a search while it runs. */
export interface Aggregations {
  /** True when none were asked for. */
  readonly empty: boolean;
  /** Collects the documents of a leaf; `bits` null: all. Every leaf once, also those without matches. */
  collect(leaf: LeafContext, bits: Uint32Array | null): Steps;
  /** Throws `too_many_buckets`. */
  results(): Record<string, AggregationResult>;
}

/** Prepares aggregations. Throws `fielddata_disabled`, `query_unsupported`, `invalid_value`. */
export function createAggregations(
  contexts: readonly ReaderContext[],
  requested: Record<string, Aggregation>,
): Aggregations {
  const memory = contexts[0]?.environment.memory ?? UNLIMITED;
  const budget = new BucketBudget(memory);
  const within = { contexts, budget, owners: "one" as const, memory };
  const entries = Object.entries(requested);
  const ordinary = createAll(Object.fromEntries(entries.filter(([, one]) => one.kind !== "global")), within);
  const globals = entries
    .filter(([, one]) => one.kind === "global")
    .map(([name, one]) => ({ name, one, subs: createAll(one.aggs, within) }));
  let live = 0;
  return {
    empty: entries.length === 0,
    *collect(leaf, bits) {
      yield* run(leaf, bits, ordinary);
      live += leaf.leaf.liveCount;
      for (const { subs } of globals) yield* run(leaf, leaf.leaf.live, subs);
    },
    results() {
      const results = subResults(ordinary, 0);
      for (const { name, one, subs } of globals) {
        results[name] = { meta: one.meta, kind: "global", docCount: live, aggs: subResults(subs, 0) };
        if (one.meta === undefined) delete results[name].meta;
      }
      // In the order asked for.
      return Object.fromEntries(entries.map(([name]) => [name, results[name]]));
    },
  };
}

/** Batches between two chances to pause. */
const BATCHES_PER_STEP = 16;

function* run(leaf: LeafContext, bits: Uint32Array | null, aggregators: ReadonlyMap<string, Aggregator>): Steps {
  if (aggregators.size === 0) return;
  try {
    const rest = [...aggregators.values()].filter((aggregator) => bits !== null || !aggregator.whole?.(leaf));
    if (rest.length === 0) return;
    const collects = rest.map((aggregator) => aggregator.leaf(leaf));
    const batches: Generator<Batch> = bits === null ? denseBatches(leaf.docCount) : bitBatches(bits, leaf.buffers);
    let count = 0;
    for (const batch of batches) {
      for (const collect of collects) collect(batch);
      if (++count % BATCHES_PER_STEP === 0) yield;
    }
  } finally {
    leaf.buffers.giveBack();
  }
}
