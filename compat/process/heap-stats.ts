/**
 * `jvm` of `_nodes/stats`. There is no Java here: the heap is V8's, its new space is what Java calls young and the rest old.
 * Buffers outside of it, and the arena, count as direct buffers.
 */
import { constants, PerformanceObserver } from "node:perf_hooks";
import v8 from "node:v8";
import type { EngineFace } from "../../engine/index.js";
import { listProc } from "./read-proc.js";

interface Collections {
  count: number;
  millis: number;
}

/** Counts V8's collections of garbage. One of a node; `close` when done. */
export class CollectionCounter {
  readonly young: Collections = { count: 0, millis: 0 };
  readonly old: Collections = { count: 0, millis: 0 };
  readonly #observer: PerformanceObserver;

  constructor() {
    this.#observer = new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) {
        const { kind } = (entry as unknown as { detail: { kind: number } }).detail;
        const of = kind === constants.NODE_PERFORMANCE_GC_MINOR ? this.young : this.old;
        of.count++;
        of.millis += entry.duration;
      }
    });
    this.#observer.observe({ entryTypes: ["gc"] });
  }

  close(): void {
    this.#observer.disconnect();
  }
}

/** The largest number of threads seen so far. */
let mostThreads = 0;

/** Threads of this process; 0 where the system does not tell. */
export function threadCount(): number {
  const count = listProc("/proc/self/task").length;
  mostThreads = Math.max(mostThreads, count);
  return count;
}

/** Used and largest heap, the numbers that tools watch. */
export function heapNumbers(): { used: number; committed: number; max: number; percent: number } {
  const { used_heap_size: used, total_heap_size: committed, heap_size_limit: max } = v8.getHeapStatistics();
  return { used, committed, max, percent: Math.round((used / max) * 100) };
}

/** The member `jvm`. */
export function jvmStats(engine: EngineFace, collections: CollectionCounter, now: number): Record<string, unknown> {
  const heap = heapNumbers();
  const { arenaBytes, arenaUsed, externalBytes } = engine.memory();
  const threads = threadCount();
  const collector = ({ count, millis }: Collections) => ({
    collection_count: count,
    collection_time_in_millis: Math.round(millis),
  });
  return {
    timestamp: now,
    uptime_in_millis: Math.round(process.uptime() * 1_000),
    mem: {
      heap_used_in_bytes: heap.used,
      heap_used_percent: heap.percent,
      heap_committed_in_bytes: heap.committed,
      heap_max_in_bytes: heap.max,
      non_heap_used_in_bytes: externalBytes + arenaUsed,
      non_heap_committed_in_bytes: externalBytes + arenaBytes,
      pools: heapPools(),
    },
    threads: { count: threads, peak_count: Math.max(threads, mostThreads) },
    gc: { collectors: { young: collector(collections.young), old: collector(collections.old) } },
    buffer_pools: {
      mapped: { count: 0, used_in_bytes: 0, total_capacity_in_bytes: 0 },
      direct: {
        count: 1,
        used_in_bytes: externalBytes + arenaUsed,
        total_capacity_in_bytes: externalBytes + arenaBytes,
      },
    },
    classes: { current_loaded_count: 0, total_loaded_count: 0, total_unloaded_count: 0 },
  };
}

const NEW_SPACES: ReadonlySet<string> = new Set(["new_space", "new_large_object_space"]);

/** V8 has no survivor space of its own; the peaks are not kept, so they are what is used now. */
function heapPools(): Record<string, unknown> {
  const young = { used: 0, size: 0 };
  const old = { used: 0, size: 0 };
  for (const space of v8.getHeapSpaceStatistics()) {
    const of = NEW_SPACES.has(space.space_name) ? young : old;
    of.used += space.space_used_size;
    of.size += space.space_size;
  }
  const pool = ({ used, size }: { used: number; size: number }) => ({
    used_in_bytes: used,
    max_in_bytes: size,
    peak_used_in_bytes: used,
    peak_max_in_bytes: size,
  });
  return { young: pool(young), survivor: pool({ used: 0, size: 0 }), old: pool(old) };
}
