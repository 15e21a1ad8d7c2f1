/** Jobs that wait for a worker, and what became of the others. */
import type { JobCounts, JobKind } from "../jobs.js";
import { JOB_KINDS } from "./kinds.js";
import type { PendingJob } from "./pending-job.js";

/** The jobs that wait, by kind, each kind in the order of asking. */
export class JobQueue {
  readonly #waiting = new Map<JobKind, Set<PendingJob>>(JOB_KINDS.map((kind) => [kind, new Set()]));

  add(job: PendingJob): void {
    this.#of(job.kind).add(job);
  }

  /** Puts a job back that had been taken: it waited before the others. */
  addFirst(job: PendingJob): void {
    const waiting = this.#of(job.kind);
    const others = [...waiting];
    waiting.clear();
    for (const one of [job, ...others]) waiting.add(one);
  }

  /** Whether it waited still. */
  remove(job: PendingJob): boolean {
    return this.#of(job.kind).delete(job);
  }

  /** The next of a kind, left where it is. */
  next(kind: JobKind): PendingJob | undefined {
    const [first] = this.#of(kind);
    return first;
  }

  size(kind: JobKind): number {
    return this.#of(kind).size;
  }

  /** Takes everything out. */
  drain(): PendingJob[] {
    const all = [...this.#waiting.values()].flatMap((waiting) => [...waiting]);
    for (const waiting of this.#waiting.values()) waiting.clear();
    return all;
  }

  #of(kind: JobKind): Set<PendingJob> {
    return this.#waiting.get(kind) as Set<PendingJob>;
  }
}

/** Counts by kind, kept by whoever runs jobs. */
export class JobTally {
  readonly #ended = new Map(JOB_KINDS.map((kind) => [kind, { done: 0, failed: 0 }]));

  done(kind: JobKind): void {
    (this.#ended.get(kind) as { done: number }).done++;
  }

  failed(kind: JobKind): void {
    (this.#ended.get(kind) as { failed: number }).failed++;
  }

  counts(queued: (kind: JobKind) => number, running: (kind: JobKind) => number): Record<JobKind, JobCounts> {
    const counts = JOB_KINDS.map((kind) => {
      const ended = this.#ended.get(kind) as { done: number; failed: number };
      return [kind, { queued: queued(kind), running: running(kind), ...ended }];
    });
    return Object.fromEntries(counts) as Record<JobKind, JobCounts>;
  }
}
