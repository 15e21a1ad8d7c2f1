/** What a node has and what it is used for, put together: budget, breakers, caches, the board. See NodeResources. */
import { readFileSync } from "node:fs";
import os from "node:os";
import { ActivityBoard } from "./activity/index.js";
import { type Clock, systemClock } from "./clock.js";
import type { CacheChoice, EngineOptions, MemoryUsage, NodeResources } from "./engine-types.js";
import type { Executor, WorkerActivity } from "./jobs.js";
import {
  type Breakers,
  type DrainCount,
  defaultBudget,
  divideBudget,
  type IndexingPressure,
  type MemoryBudget,
  machineMemory,
  NodeMemory,
  processMemory,
  type RequestMemory,
  type SealableBuffer,
  WriteBuffers,
} from "./memory/index.js";
import { FilterCache } from "./query/index.js";
import type { Storage } from "./store/storage.js";

/** Share of the arena that is looked for when an allocation found no room. */
const RELIEF_SHARE = 1 / 8;

/** An index as this sees it. */
export interface ResourceUser extends SealableBuffer {
  /** Bytes of the arena that its segments hold. */
  readonly segmentBytes: number;
}

/** Made before anything is allocated; `attach` once the arena is there. */
export class Resources implements NodeResources {
  readonly budget: MemoryBudget;
  readonly activities: ActivityBoard;
  readonly filters: FilterCache;
  readonly node: NodeMemory;
  readonly writeBuffers: WriteBuffers;
  #storage: Storage | null = null;
  #executor: Pick<Executor, "activity" | "counts"> | null = null;

  constructor(
    options: EngineOptions,
    private readonly users: () => Iterable<ResourceUser>,
  ) {
    const clock: Clock = options.clock ?? systemClock;
    const total = options.memoryBytes ?? defaultBudget(machineMemory(readText, os.totalmem()).bytes);
    this.budget = divideBudget(total, options.arenaBytes);
    this.activities = new ActivityBoard(clock);
    this.filters = new FilterCache(this.budget.queryCache);
    this.node = new NodeMemory(this.budget);
    this.writeBuffers = new WriteBuffers({
      buffers: users,
      limitBytes: this.budget.indexingBuffer,
      warn: options.warn ?? (() => undefined),
    });
  }

  get breakers(): Breakers {
    return this.node.breakers;
  }

  get indexing(): IndexingPressure {
    return this.node.indexing;
  }

  /** What drains is there now: begins to watch. */
  attach(storage: Storage, executor: Pick<Executor, "activity" | "counts">): void {
    this.#storage = storage;
    this.#executor = executor;
    // Asked last, when no piece of a segment could go: what is being written makes room, though not at once.
    storage.arena.onPressure(() => {
      this.writeBuffers.relieve(storage.arena.capacity * RELIEF_SHARE);
      return 0;
    });
    this.node.watch([
      { name: "query cache", drain: (bytes) => this.filters.evict(bytes) },
      { name: "block cache", drain: () => storage.cache.clear() },
      { name: "fielddata", drain: (bytes) => this.node.readers.evict(bytes) },
    ]);
  }

  workers(): readonly WorkerActivity[] {
    return this.#executor?.activity() ?? [];
  }

  waitingJobs(): number {
    return Object.values(this.#executor?.counts() ?? {}).reduce((sum, { queued }) => sum + queued, 0);
  }

  openRequest(): RequestMemory {
    return this.node.openRequest();
  }

  openHttpRequest(): RequestMemory {
    return this.node.openRequest("in_flight_requests");
  }

  drains(): DrainCount[] {
    return [...this.node.drains(), { name: "write buffers", times: this.writeBuffers.seals, bytes: 0 }];
  }

  clearCaches({ indices, query, fielddata, field }: CacheChoice): number {
    const chosen = indices === undefined ? undefined : new Set(indices);
    let bytes = query ? this.filters.clear(chosen) : 0;
    if (fielddata) bytes += this.node.readers.clear(chosen, field);
    return bytes;
  }

  /** An index is gone. */
  forgetIndex(name: string): void {
    this.filters.forgetIndex(name);
    this.node.readers.forgetIndex(name);
  }

  usage(): MemoryUsage {
    const { rss, heapUsed, heapTotal, external } = processMemory();
    let segmentBytes = 0;
    for (const user of this.users()) segmentBytes += user.segmentBytes;
    return {
      arenaBytes: this.#storage?.arena.capacity ?? 0,
      arenaUsed: this.#storage?.arena.used ?? 0,
      memtableBytes: this.writeBuffers.bytes,
      segmentBytes,
      segmentEvictions: this.#storage?.extents.evictions ?? 0,
      blockCacheBytes: this.#storage?.cache.bytes ?? 0,
      queryCacheBytes: this.filters.bytes,
      fielddataBytes: this.node.readers.bytes,
      requestBytes: this.breakers.used("request"),
      httpBytes: this.breakers.used("in_flight_requests"),
      heapUsedBytes: heapUsed,
      heapBytes: heapTotal,
      externalBytes: external,
      residentBytes: rss,
    };
  }

  async close(): Promise<void> {
    this.node.close();
    await this.writeBuffers.settled();
  }
}

function readText(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return undefined; // another system, or another version of control groups
  }
}
