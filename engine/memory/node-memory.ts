/** The memory of a node: its budget, who has charged what, and who gives it back when it is short. */
import { type BreakerName, Breakers } from "./breakers.js";
import type { MemoryBudget } from "./budget.js";
import { IndexingPressure } from "./indexing-pressure.js";
import { type DrainCount, MemoryPressure } from "./pressure.js";
import { collectGarbage, processMemory, usedBytes } from "./process-memory.js";
import { ReaderCaches } from "./reader-caches.js";
import { RequestMemory } from "./request-memory.js";

/** Share of the budget above which memory is given back. */
const HIGH_SHARE = 0.9;
const MEASURE_EVERY_MS = 250;

/** One of a node. `watch` before use; `close` ends the watching. */
export class NodeMemory {
  readonly breakers: Breakers;
  readonly indexing: IndexingPressure;
  /** What is kept with readers. */
  readonly readers: ReaderCaches;
  readonly #pressure: MemoryPressure;
  #timer: NodeJS.Timeout | null = null;

  constructor(readonly budget: MemoryBudget) {
    this.breakers = Breakers.create(budget.breakers);
    this.indexing = new IndexingPressure(budget.indexingPressure);
    this.readers = new ReaderCaches(this.breakers);
    this.#pressure = new MemoryPressure({
      measure: () => this.#measure(),
      collect: collectGarbage,
      highBytes: budget.total * HIGH_SHARE,
      now: () => performance.now(),
    });
    this.breakers.onOverLimit((bytes) => this.#pressure.relieve(bytes) + bytes);
  }

  /** Begins to measure; caches give way in the order named here. */
  watch(caches: readonly { name: string; drain: (bytes: number) => number }[]): void {
    for (const cache of caches) this.#pressure.add(cache);
    this.#measure();
    this.#timer = setInterval(() => this.#pressure.check(), MEASURE_EVERY_MS);
    this.#timer.unref();
  }

  /** The memory of a new request; whoever opens it closes it. */
  openRequest(breaker: BreakerName = "request"): RequestMemory {
    return new RequestMemory(this.breakers, breaker);
  }

  /** What was given back for want of memory. */
  drains(): DrainCount[] {
    return this.#pressure.counts();
  }

  close(): void {
    if (this.#timer) clearInterval(this.#timer);
    this.#timer = null;
  }

  #measure(): number {
    const used = usedBytes(processMemory(), this.budget.arena);
    this.breakers.measured(used);
    return used;
  }
}
