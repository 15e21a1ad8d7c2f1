/** How far a request by query or a reindex is: its counts, as answers and `_tasks` show them. */
import type { ApiError } from "../errors.js";
import { double } from "../json/print.js";
import type { Throttle } from "./throttle.js";

/** A document that could not be written. */
export interface ItemFailure {
  readonly index: string;
  readonly id: string;
  readonly error: ApiError;
}

/** Counts of one slice, or of a request that has none. */
export interface Progress {
  /** Documents it has to do, as far as that is known. */
  total: number;
  created: number;
  updated: number;
  deleted: number;
  noops: number;
  batches: number;
  conflicts: number;
  /** How often a batch was refused for want of room and written later. */
  bulkRetries: number;
  /** The same of reading pages. */
  searchRetries: number;
  readonly failures: ItemFailure[];
  readonly throttle: Throttle;
}

/** Counts that have not begun. */
export function newProgress(throttle: Throttle): Progress {
  return {
    total: 0,
    created: 0,
    updated: 0,
    deleted: 0,
    noops: 0,
    batches: 0,
    conflicts: 0,
    bulkRetries: 0,
    searchRetries: 0,
    failures: [],
    throttle,
  };
}

/** Which of the counts an answer shows: those that its kind of request can have. */
export interface ShownCounts {
  readonly updated: boolean;
  readonly created: boolean;
}

/** Everything, as `_tasks` shows it. */
export const ALL_COUNTS: ShownCounts = { updated: true, created: true };

/** One slice's counts, or those of a whole request. */
export function printProgress(progress: Progress, shown: ShownCounts): Record<string, unknown> {
  const { throttle } = progress;
  return {
    total: progress.total,
    ...(shown.updated ? { updated: progress.updated } : {}),
    ...(shown.created ? { created: progress.created } : {}),
    deleted: progress.deleted,
    batches: progress.batches,
    version_conflicts: progress.conflicts,
    noops: progress.noops,
    retries: { bulk: progress.bulkRetries, search: progress.searchRetries },
    throttled_millis: Math.round(throttle.throttledMs),
    requests_per_second: double(throttle.unlimited ? -1 : throttle.requestsPerSecond),
    throttled_until_millis: Math.round(throttle.remainingMs),
  };
}

/** The sum of slices, and each of them; one alone is shown as what it is. `total` is that of the request. */
export function printSlices(slices: readonly Progress[], total: number, shown: ShownCounts): Record<string, unknown> {
  if (slices.length === 1) return printProgress(slices[0], shown);
  const sum = (of: (slice: Progress) => number) => slices.map(of).reduce((a, b) => a + b, 0);
  const unlimited = slices.some(({ throttle }) => throttle.unlimited);
  return {
    total,
    ...(shown.updated ? { updated: sum((slice) => slice.updated) } : {}),
    ...(shown.created ? { created: sum((slice) => slice.created) } : {}),
    deleted: sum((slice) => slice.deleted),
    batches: sum((slice) => slice.batches),
    version_conflicts: sum((slice) => slice.conflicts),
    noops: sum((slice) => slice.noops),
    retries: { bulk: sum((slice) => slice.bulkRetries), search: sum((slice) => slice.searchRetries) },
    throttled_millis: Math.round(sum((slice) => slice.throttle.throttledMs)),
    requests_per_second: double(unlimited ? -1 : sum((slice) => slice.throttle.requestsPerSecond)),
    throttled_until_millis: Math.round(Math.min(...slices.map((slice) => slice.throttle.remainingMs))),
    slices: slices.map((slice, at) => ({ slice_id: at, ...printProgress(slice, shown) })),
  };
}
