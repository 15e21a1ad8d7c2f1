/**
 * Runs jobs on the calling thread, in turns of a few milliseconds between its other work: for nodes without workers, and
 * for tests whose files fail at a named point, which can't go to another thread. Requests and results are not cloned.
 */
import type { Executor, JobCounts, JobKind, Jobs, RunOptions, SharedValue, WorkerActivity } from "../jobs.js";
import type { Storage } from "../store/storage.js";
import { cancelled, closed } from "./errors.js";
import type { HandlerTable } from "./handler.js";
import { handlers as engineHandlers } from "./handlers/index.js";
import { JobTally } from "./job-queue.js";
import type { PendingJob } from "./pending-job.js";
import { JobRunner, type Outcome } from "./runner.js";
import { SentKeys } from "./sent-keys.js";

/** Runs every job that it is given at once, all in turns. */
export class InlineExecutor implements Executor {
  readonly workers = 0;
  readonly #runner: JobRunner;
  readonly #jobs = new Map<number, PendingJob>();
  readonly #known = new SentKeys();
  readonly #tally = new JobTally();
  #nextId = 1;
  #jobsDone = 0;
  #closed = false;
  #idle: (() => void) | null = null;

  constructor(storage: Storage, handlers: HandlerTable = engineHandlers) {
    this.#runner = new JobRunner({ storage, handlers, ended: (outcome) => this.#ended(outcome) });
  }

  run<K extends JobKind>(kind: K, request: Jobs[K]["request"], options: RunOptions = {}): Promise<Jobs[K]["result"]> {
    const { signal, shared = [], description = kind } = options;
    if (this.#closed) return Promise.reject(closed());
    if (signal?.aborted) return Promise.reject(cancelled());
    return new Promise((resolve, reject) => {
      const id = this.#nextId++;
      const cancel = () => this.#runner.cancel(id);
      signal?.addEventListener("abort", cancel, { once: true });
      const settled = () => signal?.removeEventListener("abort", cancel);
      this.#jobs.set(id, {
        ...{ id, kind, request, shared, transfer: [], description, since: Date.now(), deaths: 0, cancelled: false },
        resolve: (result) => {
          settled();
          resolve(result as Jobs[K]["result"]);
        },
        reject: (error) => {
          settled();
          reject(error);
        },
      });
      this.#share(shared);
      this.#runner.start({ id, kind, request, keys: shared.map(({ key }) => key) });
    });
  }

  forget(prefix: string): void {
    this.#known.forget(prefix);
    this.#runner.shared.forget(prefix);
  }

  forgetSegment(folder: string, name: string): void {
    this.#runner.segments.forget(folder, name);
  }

  activity(): WorkerActivity[] {
    const jobs = [...this.#jobs.values()].map(({ kind, description, since }) => ({ kind, description, since }));
    const { utilization } = performance.eventLoopUtilization();
    const unknown = { systemThreadId: undefined, cpuSeconds: undefined };
    return [
      { name: "pinakes-main", threadId: 0, ...unknown, jobs, utilization, jobsDone: this.#jobsDone, restarts: 0 },
    ];
  }

  counts(): Record<JobKind, JobCounts> {
    const running = (kind: JobKind) => [...this.#jobs.values()].filter((job) => job.kind === kind).length;
    return this.#tally.counts(() => 0, running);
  }

  async close(): Promise<void> {
    this.#closed = true;
    for (const id of this.#jobs.keys()) this.#runner.cancel(id);
    if (this.#jobs.size > 0) {
      await new Promise<void>((resolve) => {
        this.#idle = resolve;
      });
    }
    this.#runner.close();
  }

  #share(shared: readonly SharedValue[]): void {
    const { values, drop } = this.#known.use(shared);
    for (const key of drop) this.#runner.shared.drop(key);
    for (const { key, value } of values) this.#runner.shared.add(key, value);
  }

  #ended(outcome: Outcome): void {
    const job = this.#jobs.get(outcome.id);
    this.#jobs.delete(outcome.id);
    this.#jobsDone++;
    if (job !== undefined && outcome.ok) {
      this.#tally.done(job.kind);
      job.resolve(outcome.result);
    } else if (job !== undefined && !outcome.ok) {
      this.#tally.failed(job.kind);
      job.reject(outcome.error);
    }
    if (this.#jobs.size === 0) this.#idle?.();
  }
}
