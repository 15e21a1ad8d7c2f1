/** Files that may not be removed yet: whoever copies them holds them. Each is removed when the last hold on it ends. */
export class HeldFiles {
  /** How many hold a file, by name. */
  readonly #holds = new Map<string, number>();
  /** Held files that nobody else needs. */
  readonly #doomed = new Set<string>();

  constructor(private readonly unlink: (file: string) => void) {}

  /** Holds files until the returned function is called. */
  hold(files: readonly string[]): () => void {
    for (const file of files) this.#holds.set(file, (this.#holds.get(file) ?? 0) + 1);
    let held = true;
    return () => {
      if (held) for (const file of files) this.#release(file);
      held = false;
    };
  }

  /** Removes a file, now or when it is no longer held. */
  remove(file: string): void {
    if (this.#holds.has(file)) this.#doomed.add(file);
    else this.unlink(file);
  }

  #release(file: string): void {
    const left = (this.#holds.get(file) ?? 1) - 1;
    if (left > 0) {
      this.#holds.set(file, left);
      return;
    }
    this.#holds.delete(file);
    if (this.#doomed.delete(file)) this.unlink(file);
  }
}
