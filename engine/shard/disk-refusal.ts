/**
 * A disk that takes no segments (it is full, most often) while it still takes the log: without an end to it the memory
 * would fill with documents that wait. So writes are refused, before they get into the log, until segments can be made
 * again. Nothing comes by itself that would find that out when all writes are refused: each refusal tries, now and then.
 */
import { EngineError } from "../errors.js";

/** What it looks at. */
export interface DiskRefusalParts {
  readonly index: string;
  readonly buffer: {
    /** Why the disk takes no segments; null: it does, as far as is known. */
    readonly failure: EngineError | null;
    /** No more lists of documents may wait to become segments. */
    readonly isFull: boolean;
    /** Tries to make the segments that are due. */
    retry(): Promise<void>;
  };
  /** The write buffers of all indices together hold more than they may. */
  readonly overLimit: () => boolean;
  /** Milliseconds on a clock that only goes forward. */
  readonly now: () => number;
}

/** A try writes a whole segment until it fails. */
const RETRY_EVERY_MS = 500;

/** Decides whether an index takes writes, as far as its disk is concerned. */
export class DiskRefusal {
  #triedAt = Number.NEGATIVE_INFINITY;
  #trying = false;

  constructor(private readonly parts: DiskRefusalParts) {}

  /** Throws `io` while segments can't be made and no more documents may wait for them. */
  check(): void {
    const { index, buffer, overLimit } = this.parts;
    const { failure } = buffer;
    if (!failure || !(buffer.isFull || overLimit())) return;
    this.#tryAgain();
    const message = `index [${index}] takes no writes while its documents can't be made into segments: ${failure.message}`;
    throw new EngineError("io", message, { ...failure.details, index }, { cause: failure });
  }

  #tryAgain(): void {
    const { buffer, now } = this.parts;
    if (this.#trying || now() - this.#triedAt < RETRY_EVERY_MS) return;
    this.#triedAt = now();
    this.#trying = true;
    buffer.retry().finally(() => {
      this.#trying = false;
    });
  }
}
