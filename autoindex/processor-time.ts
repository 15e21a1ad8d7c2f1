/**
 * Bounds on the processor time that something may take. The system is slow to tell it (0.3 ms on a virtual machine whose
 * processors are busy), so it is not asked before the clock says that the time can matter.
 */

/** What nearly all texts are done in, by the clock: they never ask. It is not counted. */
const UNMEASURED_MS = 50;

/** A bound on the time that this process works from now on, on a machine that may be busy with other things as well. */
export class ProcessorTimeBound {
  /** When the clock makes another look worth it. */
  #nextLook: number;
  #since: NodeJS.CpuUsage | undefined;

  /** `ms`: of processor time, all threads of the process together, counted from the first look after 50 ms on. */
  constructor(private readonly ms: number) {
    this.#nextLook = performance.now() + Math.min(ms, UNMEASURED_MS);
  }

  /** Whether more was used. */
  isOver(): boolean {
    const now = performance.now();
    if (now < this.#nextLook) return false;
    this.#since ??= process.cpuUsage();
    const { user, system } = process.cpuUsage(this.#since);
    const left = this.ms - (user + system) / 1000;
    // Two threads at work use up what is left in half of its time.
    this.#nextLook = now + left / 2;
    return left < 0;
  }
}
