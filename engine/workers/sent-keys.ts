/** Which shared values one worker knows: those that were sent to it and not forgotten since. */
import type { SharedValue } from "../jobs.js";

/** Values that a worker keeps; a search over a thousand indices needs three thousand. */
const KEPT = 4096;

/** The keys that one worker knows, kept by the thread that asks. */
export class SentKeys {
  /** In the order of last use. */
  readonly #keys = new Set<string>();

  constructor(private readonly kept = KEPT) {}

  /** What must go with a job that uses these values: those that are new there, and keys to drop to make room. */
  use(shared: readonly SharedValue[]): { values: SharedValue[]; drop: string[] } {
    const values: SharedValue[] = [];
    for (const value of shared) {
      if (!this.#keys.delete(value.key)) values.push(value);
      this.#keys.add(value.key);
    }
    const drop: string[] = [];
    const limit = Math.max(this.kept, shared.length);
    for (const key of this.#keys) {
      if (this.#keys.size <= limit) break;
      this.#keys.delete(key);
      drop.push(key);
    }
    return { values, drop };
  }

  forget(prefix: string): void {
    for (const key of this.#keys) if (key.startsWith(prefix)) this.#keys.delete(key);
  }
}
