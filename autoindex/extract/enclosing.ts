/** The innermost declaration around places that are asked for in ascending order; one pass over both. */
export class Enclosing<T extends { start: number; end: number }> {
  #next = 0;
  readonly #open: T[] = [];

  /** `declarations` are sorted by place, outer before inner. */
  constructor(private readonly declarations: readonly T[]) {}

  at(index: number): T | undefined {
    for (; this.#next < this.declarations.length; this.#next++) {
      const declaration = this.declarations[this.#next]!;
      if (declaration.start > index) break;
      this.#close(declaration.start);
      this.#open.push(declaration);
    }
    this.#close(index);
    return this.#open.at(-1);
  }

  #close(index: number): void {
    while (this.#open.length > 0 && this.#open.at(-1)!.end <= index) this.#open.pop();
  }
}
