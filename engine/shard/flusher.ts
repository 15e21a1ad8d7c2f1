/** When and how segments become durable, so that the log can be pruned. One flush at a time. */
import type { Log } from "../wal/index.js";
import type { Counters } from "./counters.js";
import type { DefinitionStore } from "./definition.js";
import type { CommitMarks, SegmentFolder } from "./segment-folder.js";
import type { SegmentHolder, SegmentSet } from "./segment-set.js";
import type { WriteBuffer } from "./write-buffer.js";

/** What a commit made now would contain. */
export interface FlushMarks extends CommitMarks {
  /** Version of the mapping that its newest operation was prepared with. */
  mappingVersion: number;
}

/** What a flush works with. */
export interface FlusherParts {
  readonly buffer: WriteBuffer;
  readonly segments: SegmentSet;
  readonly folder: SegmentFolder;
  /** Lets go of a segment that was acquired. */
  readonly release: (holder: SegmentHolder) => void;
  readonly log: Log;
  readonly definitions: DefinitionStore;
  readonly counters: Counters;
  readonly marks: () => FlushMarks;
  readonly warn: (message: string) => void;
}

/** A log larger than this is worth a flush of its own. */
const FLUSH_LOG_BYTES = 96 << 20;

/** Makes an index's segments durable: when asked, and by itself when the log has grown. */
export class Flusher {
  #last: Promise<void> = Promise.resolve();
  #scheduled = false;

  constructor(private readonly parts: FlusherParts) {}

  /** Makes everything published so far durable in segments and prunes the log; resolves when done. Throws `io`. */
  flush(): Promise<void> {
    const result = this.#last.then(() => this.#flushOnce());
    this.#last = result.catch(() => {});
    return result;
  }

  /** Flushes in the background. */
  schedule(): void {
    if (this.#scheduled) return;
    this.#scheduled = true;
    this.flush()
      .catch((error: unknown) => {
        // Everything acknowledged is in the log; a later flush tries again.
        this.parts.warn(`a flush of ${this.parts.folder.folder} failed: ${String(error)}`);
      })
      .finally(() => {
        this.#scheduled = false;
      });
  }

  /** Flushes in the background if the log has grown large. */
  scheduleIfLarge(): void {
    if (this.parts.log.sizeBytes > FLUSH_LOG_BYTES) this.schedule();
  }

  /** Resolves when no flush is under way. */
  settled(): Promise<void> {
    return this.#last;
  }

  async #flushOnce(): Promise<void> {
    const { buffer, segments, folder, log, definitions, counters, release } = this.parts;
    const began = performance.now();
    buffer.seal();
    const { maxSeqNo, mappingVersion } = this.parts.marks();
    const holders = [...segments.all];
    if (!folder.isUpToDate(holders, { maxSeqNo })) {
      for (const holder of holders) holder.acquire();
      try {
        await folder.commit(holders, { maxSeqNo });
      } finally {
        for (const holder of holders) release(holder);
      }
      counters.flushes++;
      counters.flushTimeMs += performance.now() - began;
    }
    log.prune(maxSeqNo);
    await definitions.forgetMappingsBefore(mappingVersion);
  }
}
