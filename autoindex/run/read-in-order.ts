import type { ExtractorPool } from "../process/pool.js";
import type { FileResult, RunContext } from "../process/protocol.js";
import { jobFor, type Place, type ReadStep, type Step } from "./plan.js";

/**
 * Files that are asked for before the first of them is done, and how many bytes they may have together: as much as two
 * requests take, so that processes go on reading while one is answered.
 */
const AHEAD_FILES = 400;
const AHEAD_BYTES = 24 * 1024 * 1024;

/** A step with what reading gave, if it is one that reads. */
export type Done = { step: ReadStep; result: FileResult } | { step: Exclude<Step, ReadStep>; result: undefined };

/** Reads with all processes at once and hands out the steps in their own order, a bounded way ahead. */
export async function* readInOrder(
  pool: ExtractorPool,
  steps: readonly Step[],
  context: RunContext,
  place: Place,
): AsyncGenerator<Done> {
  const ahead: { step: Step; size: number; result: Promise<FileResult> | undefined }[] = [];
  let bytes = 0;
  let next = 0;
  for (let at = 0; at < steps.length; at++) {
    while (next < steps.length && (ahead.length === 0 || (ahead.length < AHEAD_FILES && bytes < AHEAD_BYTES))) {
      const step = steps[next++]!;
      const size = step.kind === "read" ? step.stamp.size : 0;
      const result = step.kind === "read" ? pool.extract(context, jobFor(step, place, "dataset"), size) : undefined;
      const waiting = { step, size, result };
      bytes += size;
      ahead.push(waiting);
      result?.then(
        // An archive's documents are larger than the file: what waits for its turn counts by what it holds.
        (found) => {
          const more = Math.max(0, heldBytes(found) - size);
          waiting.size += more;
          bytes += more;
        },
        // It is awaited in its turn; a failure of the pool before that must not count as unhandled.
        () => {},
      );
    }
    const first = ahead.shift()!;
    const { step, result } = first;
    if (step.kind === "read") yield { step, result: await result! };
    else yield { step, result: undefined };
    bytes -= first.size;
  }
}

function heldBytes(result: FileResult): number {
  if (result.kind === "same") return 0;
  return (result.parts ?? []).reduce((sum, { bytes }) => sum + bytes.length, 0);
}
