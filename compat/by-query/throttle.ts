/** Waiting between batches, so that no more than so many documents are done in a second; changed while it waits. */
import type { CancelSignal } from "../../engine/index.js";

interface Wait {
  /** When it ends, by the clock. */
  until: number;
  timer: NodeJS.Timeout;
  readonly begun: number;
  readonly end: () => void;
}

/** Longest that a timer of Node can wait. */
const LONGEST_MS = 2 ** 31 - 1;

/** The pace of one slice. */
export class Throttle {
  #requestsPerSecond: number;
  #wait: Wait | undefined;
  #throttledMs = 0;

  /** Infinity: as fast as it goes. `clock`: milliseconds that only go forward. */
  constructor(
    requestsPerSecond: number,
    private readonly clock: () => number = () => performance.now(),
  ) {
    this.#requestsPerSecond = requestsPerSecond;
  }

  get requestsPerSecond(): number {
    return this.#requestsPerSecond;
  }

  get unlimited(): boolean {
    return this.#requestsPerSecond === Number.POSITIVE_INFINITY;
  }

  /** Milliseconds it has waited. */
  get throttledMs(): number {
    return this.#throttledMs + (this.#wait === undefined ? 0 : this.clock() - this.#wait.begun);
  }

  /** Milliseconds it will still wait. */
  get remainingMs(): number {
    return this.#wait === undefined ? 0 : Math.max(0, this.#wait.until - this.clock());
  }

  /** Waits until the next batch may begin: `done` documents were done since `began`. Resolves early when aborted. */
  async pause(done: number, began: number, signal: CancelSignal): Promise<void> {
    const now = this.clock();
    const until = began + (done / this.#requestsPerSecond) * 1_000;
    if (this.unlimited || until <= now || signal.aborted) return;
    await new Promise<void>((resolve) => {
      const end = () => {
        clearTimeout(this.#wait?.timer);
        signal.removeEventListener("abort", end);
        this.#throttledMs += this.clock() - now;
        this.#wait = undefined;
        resolve();
      };
      signal.addEventListener("abort", end);
      this.#wait = { until, begun: now, end, timer: this.#timer(until - now, end) };
    });
  }

  /** Another pace from now on; what is left of a wait gets shorter or longer as the pace does. */
  change(requestsPerSecond: number): void {
    const old = this.#requestsPerSecond;
    this.#requestsPerSecond = requestsPerSecond;
    const wait = this.#wait;
    if (wait === undefined) return;
    const left = (this.remainingMs * old) / requestsPerSecond;
    wait.until = this.clock() + left;
    clearTimeout(wait.timer);
    wait.timer = this.#timer(left, wait.end);
  }

  #timer(millis: number, end: () => void): NodeJS.Timeout {
    return setTimeout(end, Math.min(millis, LONGEST_MS));
  }
}
