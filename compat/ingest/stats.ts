/** What pipelines and processors have done. */

/** Counts of one pipeline, or of one processor of it. */
export interface IngestCounts {
  count: number;
  timeMs: number;
  current: number;
  failed: number;
}

/** Nothing done yet. */
export function newCounts(): IngestCounts {
  return { count: 0, timeMs: 0, current: 0, failed: 0 };
}

/** Counts one piece of work; what it throws counts as a failure. */
export function counted<T>(counts: IngestCounts, work: () => T): T {
  const began = performance.now();
  counts.current++;
  try {
    return work();
  } catch (error) {
    counts.failed++;
    throw error;
  } finally {
    counts.current--;
    counts.count++;
    counts.timeMs += performance.now() - began;
  }
}

/** Adds counts to others. */
export function addCounts(to: IngestCounts, more: IngestCounts): void {
  to.count += more.count;
  to.timeMs += more.timeMs;
  to.current += more.current;
  to.failed += more.failed;
}

/** Counts as `_nodes/stats` shows them. */
export function printCounts({ count, timeMs, current, failed }: IngestCounts): Record<string, number> {
  return { count, time_in_millis: Math.round(timeMs), current, failed };
}
