import { ProcessorTimeBound } from "../processor-time.js";

/**
 * Bounds of every reader of a format. A reader that reaches one stops there, what it has is kept, and the file's entry
 * says which bound it was.
 */
export const LIMITS = {
  /** UTF-16 units of text made from one file. */
  textLength: 8 * 1024 * 1024,
  /** Sections of one file. */
  sections: 10_000,
  /**
   * Milliseconds of processor time that one file may be read for, all of an archive's members together, so that a
   * machine that is busy with other things does not read less; and by the clock, below the pool's own bound.
   */
  readMs: 12_000,
  clockMs: 25_000,
  /** Tags inside one another: the parser's time grows with their square. */
  tagDepth: 1_000,
  /** Pages of a PDF. */
  pages: 5_000,
  /** Bytes that one stream of a PDF unpacks to, one with a picture, and all without pictures. */
  pdfStreamBytes: 64 * 1024 * 1024,
  pdfPictureBytes: 256 * 1024 * 1024,
  pdfStreamsBytes: 256 * 1024 * 1024,
  /** Messages of a mailbox. */
  messages: 10_000,
  /** Bytes of one message; what is beyond, attachments as a rule, is left out. */
  messageBytes: 8 * 1024 * 1024,
  /** UTF-16 units of one notebook cell's output. */
  cellOutput: 2_000,
  /** Bytes that one part of an office document or book unpacks to. */
  partBytes: 32 * 1024 * 1024,
  /** Files in an archive that become documents. */
  members: 5_000,
  /** Bytes that an archive unpacks to, with all archives inside it. */
  unpackedBytes: 64 * 1024 * 1024,
  /** The same for a small archive: this much, and `unpackedRatio` times its own size. */
  unpackedFloor: 4 * 1024 * 1024,
  unpackedRatio: 100,
  /** Archives inside archives: an archive on disk is at depth 1. */
  depth: 3,
  /** UTF-16 units of a member's path. */
  memberPath: 1_024,
} as const;

/** A reader came to one of its bounds; the message says which. */
export class BoundReached extends Error {
  constructor(bound: string) {
    super(bound);
    this.name = "BoundReached";
  }
}

/** The time that is left for one file. */
export class Deadline {
  #ended: "processor" | "clock" | undefined;
  readonly #processor: ProcessorTimeBound;
  readonly #endByClock: number;

  constructor(
    private readonly processorMs: number = LIMITS.readMs,
    clockMs: number = LIMITS.clockMs,
  ) {
    this.#processor = new ProcessorTimeBound(processorMs);
    this.#endByClock = performance.now() + clockMs;
  }

  /**
   * By what the time was found to be over, if it was: whatever was read by then is less than a machine with more time
   * would read. By the clock it says how busy this one is.
   */
  get ended(): "processor" | "clock" | undefined {
    return this.#ended;
  }

  /** Throws BoundReached when the time is over; called by every loop over a file's content. */
  check(): void {
    if (this.#processor.isOver()) throw this.#over("processor");
    if (performance.now() > this.#endByClock) throw this.#over("clock");
  }

  /** Waits for something that cannot be asked to stop, at most until the time is over. */
  async within<T>(work: Promise<T>): Promise<T> {
    let timer: NodeJS.Timeout | undefined;
    const end = new Promise<never>((_, reject) => {
      // A timer may fire up to a millisecond early: the time must be over for `check` too.
      const left = Math.max(0, Math.ceil(this.#endByClock - performance.now())) + 1;
      timer = setTimeout(() => reject(this.#over("clock")), left);
    });
    // Whichever comes second must not count as unhandled.
    work.catch(() => {});
    end.catch(() => {});
    try {
      return await Promise.race([work, end]);
    } finally {
      clearTimeout(timer);
    }
  }

  #over(by: "processor" | "clock"): BoundReached {
    this.#ended ??= by;
    return new BoundReached(`reading took longer than ${this.processorMs / 1000} s`);
  }
}
