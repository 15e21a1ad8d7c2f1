/** What the process uses, and V8's collector, which has to be asked when memory is short. */
import v8 from "node:v8";
import vm from "node:vm";

/** Everything in bytes. */
export interface ProcessMemory {
  readonly rss: number;
  readonly heapUsed: number;
  readonly heapTotal: number;
  /** Buffers outside the JavaScript heap; the arena is not among them. */
  readonly external: number;
}

/** The process as it is now. */
export function processMemory(): ProcessMemory {
  const { rss, heapUsed, heapTotal, external } = process.memoryUsage();
  return { rss, heapUsed, heapTotal, external };
}

/** Code, stacks, the allocator's own: measured on an empty node, less its JavaScript heap. */
const PROGRAM_BYTES = 64 * 2 ** 20;

/**
 * What counts as used: the resident set, but no more than the parts that it should consist of. The system's allocator
 * keeps memory that was given back, which shows in the resident set, is used again, and must refuse nobody.
 */
export function usedBytes({ rss, heapTotal, external }: ProcessMemory, arenaBytes: number): number {
  return Math.min(rss, PROGRAM_BYTES + heapTotal + external + arenaBytes);
}

/** Collects garbage now; takes some tens of milliseconds. */
export const collectGarbage: () => void = makeCollector();

function makeCollector(): () => void {
  let collect: (() => void) | undefined;
  return () => {
    // V8 shows its collector to contexts that are made after the flag was set.
    if (collect === undefined) {
      v8.setFlagsFromString("--expose-gc");
      collect = vm.runInNewContext("gc") as () => void;
      v8.setFlagsFromString("--no-expose-gc");
    }
    collect();
  };
}
