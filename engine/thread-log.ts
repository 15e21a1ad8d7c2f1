/**
 * What a thread did lately in one piece, by name: so that whoever waited longer than usual can be told what for. Each
 * thread has its own; pieces shorter than a millisecond are not kept, and of the rest only the latest.
 */

/** A piece of work that held the thread. Times are of `performance.now()`, milliseconds. */
export interface Span {
  readonly what: string;
  readonly began: number;
  readonly ended: number;
}

const SHORTEST_MS = 1;
const KEPT = 2048;

const spans: Span[] = [];
let next = 0;

/** Runs something and notes how long it held the thread. */
export function timed<T>(what: string, action: () => T): T {
  const began = performance.now();
  try {
    return action();
  } finally {
    noteSpan(what, began, performance.now());
  }
}

/** Notes a piece of work that was done. */
export function noteSpan(what: string, began: number, ended: number): void {
  if (ended - began < SHORTEST_MS) return;
  spans[next] = { what, began, ended };
  next = (next + 1) % KEPT;
}

/** Milliseconds within [from, to] that the thread was held, by what, longest first. */
export function heldBy(from: number, to: number): { what: string; ms: number }[] {
  const sums = new Map<string, number>();
  for (const { what, began, ended } of spans) {
    const ms = Math.min(to, ended) - Math.max(from, began);
    if (ms > 0) sums.set(what, (sums.get(what) ?? 0) + ms);
  }
  return [...sums].map(([what, ms]) => ({ what, ms })).sort((a, b) => b.ms - a.ms);
}
