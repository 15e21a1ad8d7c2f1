import type { PinnedReaders, SearchTarget } from "./engine-types.js";
import { EngineError } from "./errors.js";
import type { SearchReader } from "./query/exec/context.js";
import type { IndexShard, ReaderHandle } from "./shard/index.js";

/** The readers of some indices as they were at one moment, held until `release`. */
export class Pin implements PinnedReaders {
  readonly readers: readonly SearchReader[];
  readonly #handles: readonly ReaderHandle[];
  #released = false;

  /** One shard for each target. */
  constructor(
    readonly targets: readonly SearchTarget[],
    private readonly shards: readonly IndexShard[],
  ) {
    this.#handles = shards.map((shard) => shard.acquireReader());
    this.readers = targets.map(({ filter }, i) => {
      return { reader: this.#handles[i].reader, filter, analyzers: shards[i].analyzers };
    });
  }

  /** Holds the readers for one more user, who lets go by the returned function. Throws `closed` after the release. */
  hold(): () => void {
    if (this.#released) throw new EngineError("closed", "these readers were released: pin again");
    for (const handle of this.#handles) handle.acquire();
    return () => {
      for (const handle of this.#handles) handle.release();
    };
  }

  /** Adds a search to the counters of its indices. */
  countSearch(milliseconds: number, fetched: boolean): void {
    for (const { counters } of this.shards) {
      counters.searches++;
      counters.searchTimeMs += milliseconds;
      if (fetched) counters.fetches++;
    }
  }

  release(): void {
    if (this.#released) return;
    this.#released = true;
    for (const handle of this.#handles) handle.release();
  }
}
