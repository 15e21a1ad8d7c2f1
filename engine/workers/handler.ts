/** What does the work of one kind of job, on whatever thread it is. */
import type { CancelSignal } from "../canceller.js";
import type { JobKind, Jobs } from "../jobs.js";
import type { OpenSegment, SegmentRef } from "../segment/reader.js";
import type { Storage } from "../store/storage.js";

/** What a handler works with. */
export interface JobContext {
  /** The thread's own, over the arena that all threads share. */
  readonly storage: Storage;
  /** Aborted when the job is cancelled; for handlers that are not generators, which are simply ended. */
  readonly signal: CancelSignal;
  /** What `make` made of the value under a key: once per thread. `make` must be one and the same function each time. */
  shared<V, T>(key: string, make: (value: V) => T): T;
  /** A segment of another thread, open at least until the job ends. */
  segment(ref: SegmentRef): OpenSegment;
  /** Gives these buffers away with the result instead of copying them. */
  transfer(...buffers: ArrayBuffer[]): void;
}

/**
 * Runs a job. A generator yields at least every few milliseconds, wherever others may have the thread; when the job is
 * cancelled it is ended there (`finally` blocks run).
 */
export type Handler<K extends JobKind> = (
  context: JobContext,
  request: Jobs[K]["request"],
) => Generator<void, Jobs[K]["result"]> | Promise<Jobs[K]["result"]>;

/** The handler of each kind; a kind without one is refused. */
export type HandlerTable = { readonly [K in JobKind]?: Handler<K> };
