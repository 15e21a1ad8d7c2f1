/** What is known of each kind of job, whatever it does. */
import type { JobKind } from "../jobs.js";

/** How jobs of a kind are treated. */
export interface KindRules {
  /** Less is more urgent. */
  readonly urgency: number;
  /** Jobs as urgent as this one that a worker may have at the same time; they take turns. */
  readonly perWorker: number;
  /**
   * Milliseconds that a job waits for more urgent ones on its thread before it takes a turn all the same: searches that
   * never end must not stop writes, nor merges, without which every search gets slower.
   */
  readonly patienceMs: number;
}

/** The rules of each kind. */
export const KINDS: Readonly<Record<JobKind, KindRules>> = {
  search: { urgency: 0, perWorker: 4, patienceMs: Number.POSITIVE_INFINITY },
  count: { urgency: 0, perWorker: 4, patienceMs: Number.POSITIVE_INFINITY },
  prepare: { urgency: 1, perWorker: 1, patienceMs: 10 },
  build: { urgency: 2, perWorker: 1, patienceMs: 20 },
  merge: { urgency: 3, perWorker: 1, patienceMs: 60 },
};

/** All kinds, the most urgent first. */
export const JOB_KINDS = (Object.keys(KINDS) as JobKind[]).sort((a, b) => KINDS[a].urgency - KINDS[b].urgency);
