/** The shared values that one thread knows, and what its handlers made of them. */
import { InternalError } from "../errors.js";

/** A value and what was made of it, by the function that made it. */
export interface SharedEntry {
  readonly value: unknown;
  readonly made: Map<unknown, unknown>;
}

/** What was shared with one thread, by key. */
export class SharedCache {
  readonly #entries = new Map<string, SharedEntry>();

  add(key: string, value: unknown): void {
    if (!this.#entries.has(key)) this.#entries.set(key, { value, made: new Map() });
  }

  /** Entries as they are now: a job keeps them, whatever is forgotten meanwhile. */
  take(keys: readonly string[]): Map<string, SharedEntry> {
    const taken = new Map<string, SharedEntry>();
    for (const key of keys) {
      const entry = this.#entries.get(key);
      if (entry === undefined) throw new InternalError(`the shared value ${key} was not sent to this thread`);
      taken.set(key, entry);
    }
    return taken;
  }

  drop(key: string): void {
    this.#entries.delete(key);
  }

  forget(prefix: string): void {
    for (const key of this.#entries.keys()) if (key.startsWith(prefix)) this.#entries.delete(key);
  }
}
