/**
 * Counts matching documents up to a limit. Once more than `limit` were seen the exact number no longer matters and documents
 * that cannot be among the best may be skipped.
 */
export class HitCounter {
  count = 0;

  constructor(readonly limit: number) {}

  /** True when skipping documents no longer changes the reported total. */
  get saturated(): boolean {
    return this.count > this.limit;
  }

  /** As Elasticsearch reports it: exact, or "at least the limit". */
  total(): { value: number; relation: "eq" | "gte" } {
    return this.saturated ? { value: this.limit, relation: "gte" } : { value: this.count, relation: "eq" };
  }
}
