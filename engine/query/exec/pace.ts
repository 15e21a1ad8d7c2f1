/**
 * Long work in slices: a generator that yields wherever it may be interrupted is run for a few milliseconds at a time, and
 * others get the thread in between.
 */
import { EngineError } from "../../errors.js";

/** Milliseconds a slice may take before it gives way. */
const SLICE_MS = 4;

/** Work that can be interrupted wherever it yields. */
export type Steps<T = void> = Generator<void, T, void>;

/** Runs work to its end. Throws `cancelled` when `signal` is aborted. Time decides only when to pause, never what comes out. */
export async function runInSlices<T>(steps: Steps<T>, signal: AbortSignal | undefined): Promise<T> {
  let started = performance.now();
  for (;;) {
    checkCancelled(signal);
    const step = steps.next();
    if (step.done) return step.value;
    if (performance.now() - started < SLICE_MS) continue;
    await new Promise((resolve) => setImmediate(resolve));
    started = performance.now();
  }
}

function checkCancelled(signal: AbortSignal | undefined): void {
  if (signal?.aborted) throw new EngineError("cancelled", "the search was cancelled by whoever asked for it");
}

/** Runs work to its end at once. */
export function runAtOnce<T>(steps: Steps<T>): T {
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
  }
}
