/** What may be there of documents that one client writes: by id the last acknowledged value, and those whose answer never came. */

/** null: no document. */
export type Value = number | null;

/** The values of some documents. */
export class History {
  readonly #known = new Map<string, Value>();
  readonly #open = new Map<string, Set<Value>>();
  readonly #watchers = new Map<string, Set<Set<Value>>>();

  get ids(): string[] {
    return [...new Set([...this.#known.keys(), ...this.#open.keys()])];
  }

  /** A write was sent: until it is acknowledged it may or may not have happened. */
  sent(id: string, value: Value): void {
    const open = this.#open.get(id) ?? new Set();
    open.add(value);
    this.#open.set(id, open);
    for (const watcher of this.#watchers.get(id) ?? []) watcher.add(value);
  }

  acknowledge(id: string, value: Value): void {
    this.#known.set(id, value);
    this.#open.delete(id);
  }

  /** The acknowledged value. */
  value(id: string): Value {
    return this.#known.get(id) ?? null;
  }

  /** All values that a reader may see now. */
  possible(id: string): Set<Value> {
    return new Set([this.value(id), ...(this.#open.get(id) ?? [])]);
  }

  /** The values that may be seen of an id while something goes on. */
  async during<T>(id: string, action: () => Promise<T>): Promise<{ result: T; possible: Set<Value> }> {
    const possible = this.possible(id);
    const watchers = this.#watchers.get(id) ?? new Set();
    watchers.add(possible);
    this.#watchers.set(id, watchers);
    try {
      return { result: await action(), possible };
    } finally {
      watchers.delete(possible);
    }
  }

  /** Values of the documents that are there. */
  living(): Map<string, number> {
    return new Map([...this.#known].filter((entry): entry is [string, number] => entry[1] !== null));
  }
}
