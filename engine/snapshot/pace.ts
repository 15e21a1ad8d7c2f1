/** Holds copying to so many bytes a second, on average since it began. */
export class Pace {
  readonly #began = performance.now();
  #bytes = 0;

  /** null: as fast as it goes. */
  constructor(private readonly bytesPerSecond: number | null) {}

  /** Call when bytes were copied: waits until that many were due. An aborted wait ends early. */
  async spend(bytes: number, signal: AbortSignal): Promise<void> {
    if (this.bytesPerSecond === null) return;
    this.#bytes += bytes;
    const due = this.#began + (this.#bytes / this.bytesPerSecond) * 1000;
    // Again and again: a timer may come early, by as much as the turn it was set in had lasted.
    for (let early = due - performance.now(); early > 0 && !signal.aborted; early = due - performance.now()) {
      await wait(early, signal);
    }
  }
}

function wait(milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) {
      resolve();
      return;
    }
    const end = () => {
      clearTimeout(timer);
      signal.removeEventListener("abort", end);
      resolve();
    };
    const timer = setTimeout(end, milliseconds);
    signal.addEventListener("abort", end);
  });
}
