/** What the node may hold, by id: the last acknowledged state, and the states asked for whose answer never came. */
export interface DocumentState {
  /** null: no document. */
  value: number | null;
}

/** A plain picture of one index, kept beside the node under torture. Each id belongs to one writer. */
export class Model {
  readonly #known = new Map<string, number | null>();
  readonly #open = new Map<string, (number | null)[]>();

  /** A write was sent; until `acknowledge` or `settle` it may or may not have happened. */
  sent(id: string, value: number | null): void {
    const open = this.#open.get(id);
    if (open) open.push(value);
    else this.#open.set(id, [value]);
  }

  acknowledge(id: string, value: number | null): void {
    this.#known.set(id, value);
    this.#open.delete(id);
  }

  /** The acknowledged value; null for none. */
  value(id: string): number | null {
    return this.#known.get(id) ?? null;
  }

  /** Whether a node may answer this for an id. An acknowledged write may only be replaced by a later one that was sent. */
  allows(id: string, value: number | null): boolean {
    return value === this.value(id) || (this.#open.get(id)?.includes(value) ?? false);
  }

  /** What the node answered after its restart becomes what is known. */
  settle(id: string, value: number | null): void {
    this.acknowledge(id, value);
  }

  get ids(): string[] {
    return [...new Set([...this.#known.keys(), ...this.#open.keys()])];
  }

  /** Values of the documents that are there. */
  live(): Map<string, number> {
    return new Map([...this.#known].filter((entry): entry is [string, number] => entry[1] !== null));
  }
}
