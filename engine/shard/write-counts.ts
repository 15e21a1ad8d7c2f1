/** Counts the operations of an index's batches: how many are on their way, what became of them, how long it took. */
import type { WriteOperation, WriteOutcome } from "../write.js";
import type { Counters } from "./counters.js";

/** Counts a batch in; the returned function counts its end, without outcomes when it failed whole. */
export function countBatch(
  counters: Counters,
  operations: readonly WriteOperation[],
): (outcomes?: readonly WriteOutcome[]) => void {
  const began = performance.now();
  const deletes = operations.filter(({ kind }) => kind === "delete").length;
  const others = operations.length - deletes;
  counters.indexingNow += others;
  counters.deletingNow += deletes;
  return (outcomes = []) => {
    counters.indexingNow -= others;
    counters.deletingNow -= deletes;
    outcomes.forEach((outcome, i) => {
      countOutcome(counters, operations[i], outcome);
    });
    // A batch is one piece of work: its time is shared out by the number of operations.
    const time = performance.now() - began;
    counters.indexTimeMs += (time * others) / Math.max(1, operations.length);
    counters.deleteTimeMs += (time * deletes) / Math.max(1, operations.length);
  };
}

function countOutcome(counters: Counters, operation: WriteOperation, outcome: WriteOutcome): void {
  if (!outcome.ok) counters.indexFailed++;
  else if (operation.kind === "delete") counters.deleted++;
  else if (outcome.result === "noop") counters.noops++;
  else counters.indexed++;
}
