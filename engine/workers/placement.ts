/** Which worker a job goes to. */
import type { JobKind } from "../jobs.js";
import { KINDS } from "./kinds.js";

/** What is known of a worker when a job is placed. */
export interface WorkerLoad {
  /** Kinds of the jobs that it has. */
  readonly kinds: readonly JobKind[];
  /** It gives way to other threads: meant for builds and merges, which nobody waits for. */
  readonly background: boolean;
  /** It can't be started at the moment. */
  readonly down: boolean;
}

/**
 * The number of the worker that takes a job of this kind now; -1: it waits. Idle workers come first, then those that do
 * only less urgent things, which then wait: so no search ever queues behind a merge. Merges leave one worker free, unless there is
 * but one.
 */
export function place(kind: JobKind, workers: readonly WorkerLoad[]): number {
  if (kind === "merge" && workers.filter(isMerging).length >= Math.max(1, workers.length - 1)) return -1;
  let best = -1;
  let bestCost = Number.POSITIVE_INFINITY;
  workers.forEach((worker, i) => {
    const cost = costOf(kind, worker);
    if (cost < bestCost) [best, bestCost] = [i, cost];
  });
  return best;
}

/** More is worse: jobs that come before this one weigh most, then those that it would hold up, then the wrong role. */
function costOf(kind: JobKind, worker: WorkerLoad): number {
  const { urgency, perWorker } = KINDS[kind];
  if (worker.down) return Number.POSITIVE_INFINITY;
  if (worker.kinds.filter((other) => KINDS[other].urgency === urgency).length >= perWorker)
    return Number.POSITIVE_INFINITY;
  const before = worker.kinds.filter((other) => KINDS[other].urgency <= urgency).length;
  const after = worker.kinds.length - before;
  const wrongRole = worker.background === urgency < KINDS.prepare.urgency ? 1 : 0;
  return before * 100 + after * 2 + wrongRole;
}

function isMerging(worker: WorkerLoad): boolean {
  return worker.kinds.includes("merge");
}
