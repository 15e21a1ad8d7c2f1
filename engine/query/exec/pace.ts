/**
 * Long work in slices: a generator that yields wherever it may be interrupted is run for a few milliseconds at a time, and
 * others get the thread in between.
 */
import type { CancelSignal } from "../../canceller.js";
import { EngineError } from "../../errors.js";
import { noteSpan } from "../../thread-log.js";

/** Milliseconds a slice may take before it gives way. */
const SLICE_MS = 4;

/** Work that can be interrupted wherever it yields. */
export type Steps<T = void> = Generator<void, T, void>;

/**
 * Runs work to its end. When `signal` is aborted it ends the work and throws `cancelled`. Time decides only when to pause,
 * never what comes out.
 */
export async function runInSlices<T>(steps: Steps<T>, signal: CancelSignal | undefined): Promise<T> {
  let started = performance.now();
  for (;;) {
    if (signal?.aborted) {
      steps.return(undefined as never);
      throw new EngineError("cancelled", "the search was cancelled by whoever asked for it");
    }
    const step = steps.next();
    const now = performance.now();
    if (step.done || now - started >= SLICE_MS) noteSpan("search", started, now);
    if (step.done) return step.value;
    if (now - started < SLICE_MS) continue;
    await new Promise((resolve) => setImmediate(resolve));
    started = performance.now();
  }
}

/** Runs work to its end at once. */
export function runAtOnce<T>(steps: Steps<T>): T {
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
  }
}
