/**
 * The last step of a write: durable operations go into the write buffer, batch after batch in the order of their
 * numbers, with pauses in long ones so that searches are not held up. What must not see half a batch (a refresh) takes
 * its turn between two.
 */
import type { Clock } from "../clock.js";
import { EngineError } from "../errors.js";
import { noteSpan } from "../thread-log.js";
import type { SequencedWrite } from "./sequencer.js";
import type { VersionMap } from "./version-map.js";
import type { WriteBuffer } from "./write-buffer.js";

/** What publishing works with. */
export interface PublisherParts {
  readonly index: string;
  readonly buffer: WriteBuffer;
  /** Resolves when documents may be added to the write buffer. */
  readonly makeRoom: () => Promise<void>;
  /** Turns all write buffers into segments, so that the arena has room again. */
  readonly drain: () => Promise<void>;
  readonly versions: VersionMap;
  readonly clock: Clock;
  /** A batch was published. */
  readonly published: () => void;
}

/** How far publishing has come. */
export interface PublishedMarks {
  /** Every operation up to this number is in the write buffer or in segments. */
  maxSeqNo: number;
  /** Version of the mapping that the newest of them was prepared with. */
  mappingVersion: number;
}

/** Operations between two pauses: some milliseconds' work. */
const SLICE_OPERATIONS = 1000;
/** How often, and how long apart, room is looked for in a full arena: readers let go of their pieces when they end. */
const TRIES = 1000;
const TRY_MS = 10;

/** Puts durable batches into the write buffer of one index, one after the other. */
export class Publisher {
  readonly #marks: PublishedMarks;
  /** Resolves when everything asked for so far is done. */
  #last: Promise<unknown> = Promise.resolve();
  #failure: EngineError | null = null;

  /** Operations up to `maxSeqNo` are there already. */
  constructor(
    private readonly parts: PublisherParts,
    maxSeqNo: number,
  ) {
    this.#marks = { maxSeqNo, mappingVersion: 0 };
  }

  get marks(): Readonly<PublishedMarks> {
    return this.#marks;
  }

  /** Why nothing is published any more: what the log has could not be brought into memory. Only opening anew helps. */
  get failure(): EngineError | null {
    return this.#failure;
  }

  /** Publishes a batch once those before it are; resolves when done. */
  publish(writes: readonly SequencedWrite[]): Promise<void> {
    return this.between(async () => {
      if (this.#failure) throw this.#failure;
      const now = this.parts.clock.now();
      for (let from = 0; from < writes.length; from += SLICE_OPERATIONS) {
        if (from > 0) await new Promise((resolve) => setImmediate(resolve));
        await this.parts.makeRoom();
        const began = performance.now();
        for (const write of writes.slice(from, from + SLICE_OPERATIONS)) {
          if (!this.#apply(write, now)) await this.#applyWhenRoom(write, now);
        }
        if (this.parts.buffer.isLarge) this.parts.buffer.seal();
        noteSpan("publishing writes", began, performance.now());
      }
      this.parts.published();
    });
  }

  /** Runs something when no batch is half published. */
  between<T>(action: () => T | Promise<T>): Promise<T> {
    const result = this.#last.then(action);
    this.#last = result.catch(() => {});
    return result;
  }

  /** False when there is no room. */
  #apply(write: SequencedWrite, now: number): boolean {
    try {
      this.parts.buffer.apply(write);
    } catch (error) {
      if (error instanceof EngineError && error.code === "overloaded") return false;
      throw this.#fail(error);
    }
    this.parts.versions.publish(write.id, write, now);
    this.#marks.maxSeqNo = write.seqNo;
    this.#marks.mappingVersion = write.mappingVersion;
    return true;
  }

  /** The operation is durable: it can't be refused any more, only wait. */
  async #applyWhenRoom(write: SequencedWrite, now: number): Promise<void> {
    await this.parts.drain();
    for (let tries = 0; tries < TRIES; tries++) {
      await new Promise((resolve) => setTimeout(resolve, TRY_MS));
      if (this.#apply(write, now)) return;
    }
    throw this.#fail(new EngineError("overloaded", `no room in the arena for operation ${write.seqNo}`));
  }

  #fail(cause: unknown): EngineError {
    const reason = cause instanceof Error ? cause.message : String(cause);
    const message = `index [${this.parts.index}] takes no writes until it is opened again: ${reason}`;
    this.#failure ??= new EngineError("io", message, { index: this.parts.index }, { cause });
    return this.#failure;
  }
}
