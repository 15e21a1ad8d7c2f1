/** Counts the readers that searches leave open, by index. */

/** Contexts of one kind: open now, given up so far, and how long those were open in all. */
export interface ContextCounts {
  readonly current: number;
  readonly total: number;
  readonly millis: number;
}

/** Contexts of an index. */
export interface OpenCounts {
  readonly scroll: ContextCounts;
  readonly pointInTime: ContextCounts;
}

/** What was opened. */
export interface CountedReader {
  readonly indices: readonly string[];
  readonly kind: keyof OpenCounts;
}

type MutableCounts = { -readonly [K in keyof ContextCounts]: ContextCounts[K] };

/** One of a node. */
export class OpenReaderCounts {
  readonly #byIndex = new Map<string, Record<keyof OpenCounts, MutableCounts>>();

  opened(reader: CountedReader): void {
    for (const counts of this.#of(reader)) counts.current++;
  }

  ended(reader: CountedReader, millis: number): void {
    for (const counts of this.#of(reader)) {
      counts.current--;
      counts.total++;
      counts.millis += millis;
    }
  }

  counts(index: string): OpenCounts {
    return this.#byIndex.get(index) ?? noCounts();
  }

  #of({ indices, kind }: CountedReader): MutableCounts[] {
    return indices.map((index) => {
      let counts = this.#byIndex.get(index);
      if (counts === undefined) {
        counts = noCounts();
        this.#byIndex.set(index, counts);
      }
      return counts[kind];
    });
  }
}

function noCounts(): Record<keyof OpenCounts, MutableCounts> {
  return {
    scroll: { current: 0, total: 0, millis: 0 },
    pointInTime: { current: 0, total: 0, millis: 0 },
  };
}
