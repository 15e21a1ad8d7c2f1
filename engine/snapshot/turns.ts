/** One thing at a time for each key, in the order they were asked for. */
export class Turns {
  readonly #last = new Map<string, Promise<unknown>>();

  /** Runs something once what was asked for before under this key has ended, well or not. */
  async inTurn<T>(key: string, action: () => Promise<T>): Promise<T> {
    const result = (this.#last.get(key) ?? Promise.resolve()).then(action);
    const ended = result.catch(() => {});
    this.#last.set(key, ended);
    try {
      return await result;
    } finally {
      if (this.#last.get(key) === ended) this.#last.delete(key);
    }
  }
}
