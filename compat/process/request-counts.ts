/** How often each endpoint was asked since the node started. */
export class RequestCounts {
  readonly #counts = new Map<string, number>();

  count(endpoint: string): void {
    this.#counts.set(endpoint, (this.#counts.get(endpoint) ?? 0) + 1);
  }

  /** By the specification's name, sorted. */
  all(): Record<string, number> {
    return Object.fromEntries([...this.#counts].sort(([a], [b]) => (a < b ? -1 : 1)));
  }
}
