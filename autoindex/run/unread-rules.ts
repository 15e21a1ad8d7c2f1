/** Files told of by their paths. */
const MOST_TOLD = 5;

/** Gathers what a walk tells of files whose rules do not count, for the one who asked for it. */
export class UnreadRules {
  readonly #told: string[] = [];
  #more = 0;

  /** Takes one up; given to the walk. */
  readonly add = (file: string, why: string): void => {
    if (this.#told.length < MOST_TOLD) this.#told.push(`rules of ${file} do not count: ${why}`);
    else this.#more++;
  };

  /** A sentence a file. */
  get notes(): string[] {
    return this.#more === 0 ? [...this.#told] : [...this.#told, `nor do rules of ${this.#more} more files`];
  }
}
