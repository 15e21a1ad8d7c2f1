/** A thread of the hammering tests; see hammer-thread.ts for what it is sent and what it sends. */
import { parentPort, workerData } from "node:worker_threads";
import { EngineError } from "../../errors.js";
import { nodeFiles } from "../../store/files.js";
import { attachStorage, detachStorage, type Storage } from "../../store/storage.js";
import { OpenSegment, type SegmentRef } from "../reader.js";
import { type HammerTarget, hammer } from "./hammer.js";
import type { HammerOrder } from "./hammer-thread.js";

const order = workerData as HammerOrder;
const storage = attachStorage(nodeFiles, order.memory, { thread: order.thread, cacheBytes: 2 ** 20 });
const targets = order.segments.map(({ ref, answers }) => ({ segment: attach(ref), answers }));

if (order.task === "hold") holdForEver(storage, targets);
else {
  const work = hammer(storage, targets, order);
  let step = work.next();
  for (let round = 1; !step.done; round++) {
    if (round % 50 === 0) parentPort?.postMessage({ kind: "round", round });
    step = work.next();
  }
  for (const { segment } of targets) segment.close();
  detachStorage(storage);
  parentPort?.postMessage({ kind: "done", counts: step.value });
}

/** The arena is so small that others may have it all at this moment. */
function attach(ref: SegmentRef): OpenSegment {
  for (;;) {
    try {
      return OpenSegment.attach(storage, ref);
    } catch (error) {
      if (!(error instanceof EngineError && error.code === "overloaded")) throw error;
    }
  }
}

/** Uses a piece of every segment and takes memory, says so, and never comes back. */
function holdForEver({ arena }: Storage, held: readonly HammerTarget[]): void {
  for (const { segment } of held) {
    segment.beginUse();
    segment.ids();
  }
  arena.alloc(100_000);
  parentPort?.postMessage({ kind: "round", round: 0 });
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
}
