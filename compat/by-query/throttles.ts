/** Requests that run at a pace which may be changed, by the number of their task. */
export class Throttles {
  readonly #running = new Map<number, (requestsPerSecond: number) => void>();

  /** Adds one; what is given back takes it away. */
  add(task: number, change: (requestsPerSecond: number) => void): () => void {
    this.#running.set(task, change);
    return () => this.#running.delete(task);
  }

  /** Changes the pace; false: no such task has one. Infinity: as fast as it goes. */
  change(task: number, requestsPerSecond: number): boolean {
    const change = this.#running.get(task);
    change?.(requestsPerSecond);
    return change !== undefined;
  }
}
