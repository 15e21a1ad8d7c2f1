/**
 * How much work a text may be. Counted in the parser's own steps, so that a busy machine reads what an idle one does and
 * any number of workers build the same index. But a step may be dear without limit (a tree of 100,000 levels is walked at
 * each), so processor time is the second bound, at least five times what steps cost in sources.
 */
import { ProcessorTimeBound } from "../processor-time.js";

/** Bounds for one text: a floor, and a share for each kilobyte of it. */
export interface WorkLimits {
  /** Calls of tree-sitter's progress callback: one in 100 operations of its parser or query cursor. */
  steps: number;
  stepsPerKilobyte: number;
  cpuMs: number;
  cpuMsPerKilobyte: number;
}

/** Sources have 1 to 20 steps a kilobyte, at 0.02 to 0.2 ms each. */
export const PARSE_LIMITS: WorkLimits = { steps: 2000, stepsPerKilobyte: 100, cpuMs: 2000, cpuMsPerKilobyte: 5 };
/** Sources have up to 5 steps a kilobyte. */
export const QUERY_LIMITS: WorkLimits = { steps: 1000, stepsPerKilobyte: 40, cpuMs: 1500, cpuMsPerKilobyte: 5 };

/** Asking for the time costs as much as a step: it is asked at the first and then at every 16th. */
const STEPS_PER_LOOK = 16;

/** Which bound was passed. `time` depends on the machine: such a text is read again at the next run. */
export type Exhaustion = "steps" | "time";

/** The work on one text. */
export class WorkBudget {
  readonly #mostSteps: number;
  readonly #time: ProcessorTimeBound;
  #steps = 0;
  #over: Exhaustion | undefined;

  /** `length`: of the text, in UTF-16 units. */
  constructor(length: number, limits: WorkLimits) {
    const kilobytes = length / 1024;
    this.#mostSteps = limits.steps + kilobytes * limits.stepsPerKilobyte;
    this.#time = new ProcessorTimeBound(limits.cpuMs + kilobytes * limits.cpuMsPerKilobyte);
  }

  /** Undefined while there is room. */
  get over(): Exhaustion | undefined {
    return this.#over;
  }

  /** Counts a step; true: stop. For tree-sitter's progress callbacks. */
  readonly step = (): boolean => {
    if (this.#steps++ % STEPS_PER_LOOK === 0 && this.#time.isOver()) this.#over ??= "time";
    if (this.#steps > this.#mostSteps) this.#over ??= "steps";
    return this.#over !== undefined;
  };
}
