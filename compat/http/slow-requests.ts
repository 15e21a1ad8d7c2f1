/**
 * The slowest requests lately, each with what its time went to: what held the main thread meanwhile (its own work
 * included) and how long the thread was ready to run and had no core. `GET /_pinakes/slow_requests` shows them.
 */
import { readFileSync } from "node:fs";
import { PerformanceObserver } from "node:perf_hooks";
import { heldBy, noteSpan } from "../../engine/index.js";

/** One request. Times are milliseconds. */
export interface SlowRequest {
  readonly method: string;
  readonly path: string;
  /** Epoch milliseconds when its body had arrived. */
  readonly startedAt: number;
  readonly took: number;
  /** Longest first. What is missing to `took` was spent waiting for other threads, for the disk, or for a core. */
  readonly heldBy: readonly { readonly what: string; readonly ms: number }[];
  /** Time the thread waited for a core since the last request that was noted; absent where the system does not tell. */
  readonly waitedForCore?: number;
  readonly opaqueId?: string;
}

const KEPT = 50;
/** Faster ones are no trouble to anybody. */
const SLOW_MS = 5;

/** Keeps the slowest. `close` ends the watching of the garbage collector. */
export class SlowRequests {
  #requests: SlowRequest[] = [];
  #threshold = SLOW_MS;
  readonly #collections: PerformanceObserver;

  constructor() {
    this.#collections = new PerformanceObserver((list) => {
      for (const { startTime, duration } of list.getEntries()) {
        noteSpan("garbage collection", startTime, startTime + duration);
      }
    });
    this.#collections.observe({ entryTypes: ["gc"] });
  }

  /** A request that came at `began` (of performance.now()) has its answer. */
  ended(request: Pick<SlowRequest, "method" | "path" | "opaqueId">, began: number): void {
    const now = performance.now();
    if (now - began < this.#threshold) return;
    const { method, path, opaqueId } = request;
    // Collections are told of a moment later.
    setImmediate(() => {
      const times = { startedAt: performance.timeOrigin + began, took: now - began };
      const core = waitedForCore();
      const waited = core === undefined ? {} : { waitedForCore: core };
      this.#keep({ method, path, ...times, heldBy: heldBy(began, now), ...waited, ...(opaqueId ? { opaqueId } : {}) });
    });
  }

  /** The slowest first; forgets them if asked to. */
  list(forget: boolean): readonly SlowRequest[] {
    const requests = this.#requests;
    if (forget) {
      this.#requests = [];
      this.#threshold = SLOW_MS;
    }
    return requests;
  }

  close(): void {
    this.#collections.disconnect();
  }

  #keep(request: SlowRequest): void {
    this.#requests = [...this.#requests, request].sort((a, b) => b.took - a.took).slice(0, KEPT);
    if (this.#requests.length === KEPT) this.#threshold = this.#requests[KEPT - 1].took;
  }
}

let lastDelay: number | undefined;

/** Linux: the second number of schedstat, nanoseconds that the thread was ready and not running (proc(5)). */
function waitedForCore(): number | undefined {
  try {
    const delay = Number(readFileSync("/proc/thread-self/schedstat", "latin1").split(" ")[1]) / 1e6;
    const waited = lastDelay === undefined ? undefined : delay - lastDelay;
    lastDelay = delay;
    return waited;
  } catch {
    return undefined;
  }
}
