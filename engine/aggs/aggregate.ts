/** The aggregations of one search: collected leaf by leaf beside the hits, shown at the end. */
import { UNLIMITED } from "../memory/index.js";
import type { LeafContext, ReaderContext } from "../query/exec/context.js";
import type { Steps } from "../query/exec/pace.js";
import type { Aggregation, AggregationResult } from "./aggregation.js";
import { type Aggregator, type Batch, BucketBudget } from "./aggregator.js";
import { bitBatches, denseBatches } from "./batches.js";
import { createAll } from "./create.js";
import { subResults } from "./results.js";

interface Global {
  readonly name: string;
  readonly meta: Aggregation["meta"];
  readonly subs: ReadonlyMap<string, Aggregator>;
}

/**
 * The aggregations of a search while it runs. A class, not a literal with a generator in it: each closure of a generator
 * has a prototype and a shape of its own, which live until the whole heap is collected.
 */
export class Aggregations {
  readonly #ordinary: ReadonlyMap<string, Aggregator>;
  readonly #globals: readonly Global[];
  #live = 0;

  /** Throws `fielddata_disabled`, `query_unsupported`, `invalid_value`. */
  constructor(
    contexts: readonly ReaderContext[],
    private readonly requested: Readonly<Record<string, Aggregation>>,
  ) {
    const memory = contexts[0]?.environment.memory ?? UNLIMITED;
    const budget = new BucketBudget(memory);
    const within = { contexts, budget, owners: "one" as const, memory };
    const entries = Object.entries(requested);
    this.#ordinary = createAll(Object.fromEntries(entries.filter(([, one]) => one.kind !== "global")), within);
    this.#globals = entries
      .filter(([, one]) => one.kind === "global")
      .map(([name, one]) => ({ name, meta: one.meta, subs: createAll(one.aggs, within) }));
  }

  /** True when none were asked for. */
  get empty(): boolean {
    return this.#ordinary.size === 0 && this.#globals.length === 0;
  }

  /** Collects the documents of a leaf; `bits` null: all. Every leaf once, also those without matches. */
  *collect(leaf: LeafContext, bits: Uint32Array | null): Steps {
    yield* run(leaf, bits, this.#ordinary);
    this.#live += leaf.leaf.liveCount;
    for (const { subs } of this.#globals) yield* run(leaf, leaf.leaf.live, subs);
  }

  /** In the order asked for. Throws `too_many_buckets`. */
  results(): Record<string, AggregationResult> {
    const results = subResults(this.#ordinary, 0);
    for (const { name, meta, subs } of this.#globals) {
      results[name] = { meta, kind: "global", docCount: this.#live, aggs: subResults(subs, 0) };
      if (meta === undefined) delete results[name].meta;
    }
    return Object.fromEntries(Object.keys(this.requested).map((name) => [name, results[name]]));
  }
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
