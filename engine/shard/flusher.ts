/** When and how segments become durable, so that the log can be pruned. One flush at a time. */
import type { Log } from "../wal/index.js";
import type { Counters } from "./counters.js";
import type { DefinitionStore } from "./definition.js";
import { IdleFlush } from "./idle-flush.js";
import { flushThreshold } from "./log-settings.js";
import type { CommitMarks, LiveSegment, SegmentFolder } from "./segment-folder.js";
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
  /** Runs something when no batch is half written into the buffer. */
  readonly between: <T>(action: () => T) => Promise<T>;
  readonly warn: (message: string) => void;
  /** Puts a flush on the board. */
  readonly running: () => { end(): void };
}

const IDLE_MS = 5 * 60_000;

/** Makes an index's segments durable: when asked, and by itself when the log has grown or nobody writes any more. */
export class Flusher {
  #last: Promise<void> = Promise.resolve();
  #scheduled = false;
  readonly #idle = new IdleFlush(IDLE_MS, () => this.schedule());

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

  /** Operations were published: flushes in the background if the log has grown large, or when no others come. */
  wrote(): void {
    const { log, definitions, counters } = this.parts;
    this.#idle.wrote();
    if (this.#scheduled || log.uncommitted.bytes <= flushThreshold(definitions.definition)) return;
    counters.periodicFlushes++;
    this.schedule();
  }

  /** Begins no flush by itself any more; resolves when none is under way. */
  stop(): Promise<void> {
    this.#idle.stop();
    return this.#last;
  }

  async #flushOnce(): Promise<void> {
    const running = this.parts.running();
    try {
      await this.#commit();
    } finally {
      running.end();
    }
  }

  async #commit(): Promise<void> {
    const { folder, log, definitions, counters, release } = this.parts;
    const began = performance.now();
    const { marks, segments } = await this.parts.segments.inTurn(() => this.#take());
    try {
      if (!folder.isUpToDate(segments, marks)) {
        await folder.commit(segments, { maxSeqNo: marks.maxSeqNo, tombstones: marks.tombstones });
        counters.flushes++;
        counters.flushTimeMs += performance.now() - began;
      }
    } finally {
      for (const { holder } of segments) release(holder);
    }
    await log.prune(marks.maxSeqNo);
    await definitions.forgetMappingsBefore(marks.mappingVersion);
  }

  /** What there is now, all of it in segments, which are held for the caller. */
  async #take(): Promise<{ marks: FlushMarks; segments: LiveSegment[] }> {
    const { buffer, between } = this.parts;
    const { moment, marks } = await between(() => {
      return { moment: buffer.sealMoment(), marks: this.parts.marks() };
    });
    await buffer.built(moment.seal);
    const segments = this.parts.segments.of(moment);
    for (const { holder } of segments) holder.acquire();
    return { marks, segments };
  }
}
