/**
 * The contract between the engine and its worker threads (workers/): what can be run elsewhere, and how it is asked for.
 * Types only.
 *
 * A job is a kind and a request. Requests and results are plain data that can be cloned from thread to thread; bulk
 * bytes lie in the arena and are named by address. **What a worker allocated there and a result names must be handed over
 * first (`arena.handOver`)**: whatever else a thread allocated is freed when it dies. Every kind gives the same result wherever it runs, and may be run
 * again: what it makes are new files or new allocations, so a job whose thread died is simply begun anew elsewhere.
 *
 * Urgency, from the most urgent on: search and count, prepare, build, merge. A worker in the middle of a merge takes a
 * search at once and goes on with the merge afterwards.
 */
import type { CancelSignal } from "./canceller.js";
import type { BuildJob, BuildJobResult } from "./memtable/build-job.js";
import type { PackedHits } from "./packed-hits.js";
import type { Query } from "./query/query.js";
import type { DocRange, SearchRequest, SearchResult } from "./search.js";
import type { SegmentRef } from "./segment/reader.js";
import type { PrepareJob, PrepareJobResult } from "./shard/prepare-job.js";

/** What each kind is asked and gives. */
export interface Jobs {
  search: { request: SearchJob; result: SearchJobResult };
  count: { request: CountJob; result: number };
  /** Parses, maps and analyses documents. */
  prepare: { request: PrepareJob; result: PrepareJobResult };
  /** Makes a segment out of a write buffer. */
  build: { request: BuildJob; result: BuildJobResult };
  merge: { request: MergeJob; result: MergeJobResult };
}

/** A kind of job. */
export type JobKind = keyof Jobs;

/**
 * Something that many jobs need: the analysis settings of an index, a field table, a reader. Sent to a worker when a
 * job there first needs it, and known by its key from then on: what a key means never changes. Keys begin with
 * `analysis/<uuid>/`, `fields/<uuid>/` or `reader/<uuid>/`, so that all of an index can be forgotten by prefix.
 */
export interface SharedValue {
  readonly key: string;
  readonly value: unknown;
}

/** What may be said beside a request. */
export interface RunOptions {
  /** Ends the job early; it rejects with `cancelled` once the worker has let go of everything. */
  readonly signal?: CancelSignal;
  /** What the job's keys mean. */
  readonly shared?: readonly SharedValue[];
  /** Buffers of the request that are given away instead of copied. Such a job cannot be run again when its thread dies. */
  readonly transfer?: readonly ArrayBuffer[];
  /** What it does, for whoever watches the node. */
  readonly description?: string;
}

/** A job that runs now. */
export interface RunningJob {
  readonly kind: JobKind;
  readonly description: string;
  /** Epoch milliseconds when it was given to the worker. */
  readonly since: number;
}

/** What one worker does and did. */
export interface WorkerActivity {
  readonly name: string;
  /** Of node:worker_threads; 0: the calling thread itself, -1: none is running. */
  readonly threadId: number;
  /** The operating system's number of the thread, where it is known. */
  readonly systemThreadId: number | undefined;
  readonly jobs: readonly RunningJob[];
  /** Seconds of processor time since the thread began, where that is known. */
  readonly cpuSeconds: number | undefined;
  /** Share of its life that the thread was busy, 0 to 1. */
  readonly utilization: number;
  readonly jobsDone: number;
  /** How often a thread that died was replaced. */
  readonly restarts: number;
}

/** How many jobs of a kind wait, run and were done. */
export interface JobCounts {
  readonly queued: number;
  readonly running: number;
  readonly done: number;
  readonly failed: number;
}

/** Runs jobs: on worker threads (WorkerPool), or in slices on the calling thread (InlineExecutor). */
export interface Executor {
  /** Threads that jobs run on; 0: the calling one. */
  readonly workers: number;
  /**
   * Rejects with what the job threw (EngineErrors arrive as they were), with `cancelled`, `closed`, or `internal` with
   * `retryable` in the details when its thread died twice.
   */
  run<K extends JobKind>(kind: K, request: Jobs[K]["request"], options?: RunOptions): Promise<Jobs[K]["result"]>;
  /** Drops shared values everywhere whose keys begin so. Running jobs keep theirs. */
  forget(prefix: string): void;
  /** A segment is closed: nobody asks for it any more. Workers let go of its file and memory. */
  forgetSegment(folder: string, name: string): void;
  activity(): WorkerActivity[];
  counts(): Record<JobKind, JobCounts>;
  /** Rejects what waits with `closed`, ends what runs, and the threads. */
  close(): Promise<void>;
}

/** A reader as it travels: the shared value under a key `reader/<uuid>/...`. */
export interface JobReader {
  readonly index: string;
  readonly liveCount: number;
  readonly leaves: readonly JobLeaf[];
}

/** A segment of a reader. */
export interface JobLeaf {
  readonly ref: SegmentRef;
  /** Bit set: alive. null: all are. In shared memory. */
  readonly live: Uint32Array | null;
  readonly liveCount: number;
  readonly base: number;
}

/** One index to search. */
export interface JobSource {
  /** Keys of shared values: a JobReader, a StoredFieldTable, AnalysisSettings. */
  readonly reader: string;
  readonly fields: string;
  readonly analysis: string;
  readonly filter?: Query;
}

/** A search over some indices. */
export interface SearchJob {
  readonly sources: readonly JobSource[];
  /** Without nearest neighbours: their graphs belong to another thread. */
  readonly request: Omit<SearchRequest, "signal">;
  /** Documents of the reader that it is about, where it is a part of a search that was split; null: all. */
  readonly docs: DocRange | null;
  /** Epoch milliseconds that the search takes for the present. */
  readonly now: number;
  /** Key of a shared value: the memory of the node's breakers (Breakers.memory). */
  readonly breakers: string;
}

/** The result, but the bytes of all `_source`s in one piece: hit i's are the next `sourceLengths[i]` (-1: none). */
export interface SearchJobResult {
  /** Its hits are in `hits` where that is not null. */
  readonly result: SearchResult;
  readonly hits: PackedHits | null;
  readonly sources: Uint8Array | null;
  readonly sourceLengths: Int32Array | null;
  /** Milliseconds of finding the hits and of fetching them. */
  readonly phases: SearchPhases;
}

export interface SearchPhases {
  readonly queryMs: number;
  readonly fetchMs: number;
}

/** A count over some indices. */
export interface CountJob {
  readonly sources: readonly JobSource[];
  readonly query: Query;
  readonly now: number;
  /** As in a SearchJob. */
  readonly breakers: string;
}

/** Makes one segment out of neighbours; the file is complete when it resolves, and not synced. */
export interface MergeJob {
  readonly folder: string;
  readonly name: string;
  /** In the order of their sequence numbers. `live` must not change: bit set, keep; null: all. */
  readonly inputs: readonly { readonly ref: SegmentRef; readonly live: Uint32Array | null }[];
  /** Key of a StoredFieldTable: all fields that the index knows. */
  readonly fields: string;
}

/** What became of the documents. */
export interface MergeJobResult {
  /** Per input the number of each document in the merged segment, or DROPPED. */
  readonly docMaps: Uint32Array[];
}
