/**
 * Thread pools, as tools expect them. There is one set of threads, the main one and the engine's workers, and any of them
 * may do any kind of work; a pool shows the work of its kinds. Pools without kinds are for work between nodes, or for
 * what is not built: they are there for tools that ask for them by name, and never do anything.
 */
import type { ActivityKind, EngineFace } from "../../engine/index.js";
import type { Identity } from "../identities.js";

/** One pool as it stands. */
export interface ThreadPool {
  readonly name: string;
  readonly type: "fixed" | "scaling" | "fixed_auto_queue_size";
  /** Threads that may do its work. */
  readonly threads: number;
  readonly active: number;
  /** Jobs that wait for a thread. */
  readonly queue: number;
  readonly rejected: number;
  readonly largest: number;
  readonly completed: number;
  /** Whether the time that work waits for a thread is told; it begins at once, so that is none. */
  readonly hasWaitTime: boolean;
}

interface PoolRow {
  readonly type: ThreadPool["type"];
  readonly kinds: readonly ActivityKind[];
  readonly only?: "opensearch";
}

const POOLS: Readonly<Record<string, PoolRow>> = {
  analyze: { type: "fixed", kinds: ["analyze"] },
  fetch_shard_started: { type: "scaling", kinds: [] },
  fetch_shard_store: { type: "scaling", kinds: [] },
  flush: { type: "scaling", kinds: ["flush"] },
  force_merge: { type: "fixed", kinds: ["force_merge"] },
  generic: { type: "scaling", kinds: ["generic"] },
  get: { type: "fixed", kinds: ["get"] },
  index_searcher: { type: "fixed_auto_queue_size", kinds: [], only: "opensearch" },
  management: { type: "scaling", kinds: ["management"] },
  merge: { type: "scaling", kinds: ["merge"] },
  refresh: { type: "scaling", kinds: ["refresh"] },
  search: { type: "fixed_auto_queue_size", kinds: ["search"] },
  search_throttled: { type: "fixed_auto_queue_size", kinds: [] },
  snapshot: { type: "scaling", kinds: ["snapshot"] },
  warmer: { type: "scaling", kinds: ["warmer"] },
  write: { type: "fixed", kinds: ["bulk"] },
};

/** All pools, by name. */
export function threadPools(engine: EngineFace, identity: Identity): ThreadPool[] {
  const { activities, indexing } = engine.resources;
  const working = engine.resources.workers();
  const waiting = engine.resources.waitingJobs();
  const rejected = indexing.stats("coordinating").rejections + indexing.stats("primary").rejections;
  const rows = Object.entries(POOLS).filter(([, { only }]) => only === undefined || only === identity.distribution);
  return rows.map(([name, { type, kinds }]) => {
    const counts = kinds.map((kind) => activities.counts(kind));
    const sum = (of: "active" | "completed" | "largest") => counts.reduce((total, one) => total + one[of], 0);
    return {
      name,
      type,
      threads: kinds.length === 0 ? 0 : 1 + working.length,
      active: sum("active"),
      queue: name === "generic" ? waiting : 0,
      rejected: name === "write" ? rejected : 0,
      largest: sum("largest"),
      completed: sum("completed"),
      hasWaitTime: type === "fixed_auto_queue_size",
    };
  });
}
