import type { PinnedReaders, SearchTarget } from "./engine-types.js";
import { EngineError } from "./errors.js";
import type { AnalysisSettings } from "./mapping/mapping.js";
import type { SearchReader } from "./query/exec/context.js";
import type { FinishedSearch, IndexShard, ReaderHandle } from "./shard/index.js";

/** A reader, and what another thread needs to make the same of it. */
export interface PinnedReader extends SearchReader {
  readonly uuid: string;
  readonly settings: AnalysisSettings;
}

/** The readers of some indices as they were at one moment, held until `release`. */
export class Pin implements PinnedReaders {
  readonly readers: readonly PinnedReader[];
  readonly #handles: readonly ReaderHandle[];
  #released = false;

  /** One shard for each target. */
  constructor(
    readonly targets: readonly SearchTarget[],
    private readonly shards: readonly IndexShard[],
  ) {
    this.#handles = shards.map((shard) => shard.acquireReader());
    this.readers = targets.map(({ filter }, i) => {
      const { analyzers, definition } = shards[i];
      const { uuid, analysis: settings } = definition;
      return { reader: this.#handles[i].reader, filter, analyzers, uuid, settings };
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

  /** Counts a search into its indices; the returned function counts its end, with nothing when it failed. */
  beginSearch(groups: readonly string[] = []): (done?: FinishedSearch) => void {
    const ends = this.shards.map(({ searchCounts }) => searchCounts.begin(groups));
    return (done) => {
      for (const end of ends) end(done);
    };
  }

  /** Counts a suggestion of its indices. */
  countSuggest(milliseconds: number): void {
    for (const { counters } of this.shards) {
      counters.suggests++;
      counters.suggestTimeMs += milliseconds;
    }
  }

  release(): void {
    if (this.#released) return;
    this.#released = true;
    for (const handle of this.#handles) handle.release();
  }
}
